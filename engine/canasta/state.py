"""The state of a round of Canasta, and the answers that displays and opponents get from it."""

from typing import Self

from attrs import frozen

from engine.canasta.constants import NEGATIVE_OPENING, OPENINGS
from engine.canasta.deck import DECKS
from engine.canasta.going_out import GoingOut
from engine.canasta.melds import MELDS
from engine.canasta.options import CanastaOptions
from engine.canasta.pile import is_frozen
from engine.like_melds.cards import freezes, is_black_three, is_natural, is_wild, opening_minimum
from engine.like_melds.melds import is_complete
from engine.like_melds.state import LikeMeldsState
from engine.moves import TakeTop
from engine.options import Options
from engine.own_lines import LineKind, OwnLine
from engine.position_facts import MeldClass, MeldWords, PileState, PileStatus
from engine.sentences import N_
from engine.slots import Seat, Shown, Side
from engine.turn import AskedHand, Step

_MELD_WORDS = {
    MeldClass.CLEAN: MeldWords(N_("clean"), N_("completes a clean canasta")),
    MeldClass.DIRTY: MeldWords(N_("dirty"), N_("completes a dirty canasta")),
}


@frozen(kw_only=True, slots=False)
class CanastaState(LikeMeldsState):
    """The state of a round of Canasta, with the fields that only Canasta has."""

    decks = DECKS
    limits = MELDS
    bonus_duty = "C62"
    turn_clause = "C17"
    cut_clause = "C10"
    one_meld_of_a_rank = True  # C29
    lacking = (TakeTop,)
    draws_without_stock = True  # C87
    letter = "C"
    steps = (Step.SHOW, Step.ANSWER, Step.DRAW, Step.PLAY, Step.OVER)
    closing_clauses = frozenset({"C69", "C70", "C85"})
    meld_words = _MELD_WORDS
    own_lines = (
        OwnLine(
            "debts",
            LineKind.BY_SEAT,
            "debts",
            "by seat: replacements still to be drawn for dealt red threes (C63)",
            "0 1 0 0",
        ),
        OwnLine(
            "asks",
            LineKind.BY_SEAT,
            "asks",
            "by seat: questions in this round (C74)",
            "2 0 0 0",
            "the question of this turn",
        ),
        OwnLine(
            "vain",
            LineKind.BY_SIDE,
            "vain_questions",
            "by side: questions known to be vain (C97a)",
            "0 1",
        ),
        OwnLine(
            "questions",
            LineKind.ASKED,
            "questions",
            "questions that the partner answered with yes, after which the player did not go out "
            "in that turn. For each: the seat, the cards in its hand then (`?` for a card that is "
            "still hidden), and how many cards each meld of its side had. A `/` stands between two "
            "questions (C97a)",
            "1 7h Ks:2 ? of 3 7",
        ),
    )
    options: CanastaOptions
    debts: tuple[int, ...] = ()
    """By seat, replacements still to be drawn for dealt red threes (C63)."""
    asks: tuple[int, ...] = ()
    """By seat, the number of questions "May I go out?" in this round (C74)."""
    vain_questions: tuple[int, ...] = ()
    """By side, the number of vain questions that the text of a position has stated (C97a)."""
    questions: tuple[AskedHand, ...] = ()
    """Questions that the partner answered with yes, after which the player did not go out in that
    turn.

    The hands, when they are opened at the end, show which questions were vain (C97a).
    """

    @classmethod
    def start(
        cls, options: Options, seats: int, dealer: Seat, totals: tuple[int, ...], number: int = 1
    ) -> "CanastaState":
        """Return a round about to be shuffled."""
        base = super().start(options, seats, dealer, totals, number)
        assert isinstance(base, CanastaState)
        zeros = seats * (0,)
        return base.changed(debts=zeros, asks=zeros, vain_questions=len(totals) * (0,))

    def opening_need(self, side: Side) -> int:
        return opening_minimum(OPENINGS, NEGATIVE_OPENING, self.totals[side])

    def inferred(self) -> Self:
        if not self.turn.asked or any(self.asks):
            return self
        first = tuple(int(seat == self.turn.seat) for seat in range(self.seats))
        return self.changed(asks=first)  # C74: an answer was stated, so there was a question

    # -- the pile

    @property
    def pile_frozen(self) -> bool:
        """True if the pile is frozen for everybody."""
        return is_frozen(self.pile)

    def pile_status(self, side: Side) -> PileStatus:
        if self.pile and is_black_three(self.pile[-1].card):  # C52: until it is covered
            return PileStatus(PileState.BLOCKED, self.turn.seat)
        if self.pile_frozen:
            return PileStatus(PileState.FROZEN)
        return PileStatus(PileState.FREE if self.laid[side].melds else PileState.UNOPENED)

    @property
    def pile_seen(self) -> tuple[Shown, ...]:
        # C61: cards that freeze the pile lie crosswise in it, so all players see them.
        return tuple(shown for shown in self.pile[:-1] if freezes(shown.card))

    def may_take_pile(self) -> bool:
        if not self.pile or not is_natural(self.pile[-1].card):  # C50
            return False
        seat, top = self.turn.seat, self.pile[-1].card
        # Two naturals of the rank always suffice. Without them a frozen pile, or any pile for a
        # side that has not melded, cannot be taken. Otherwise a meld of the rank suffices (C47), or
        # one natural and a wild card.
        alike = self.may_hold(seat, lambda card: card.rank is top.rank)
        if alike >= 2:
            return True
        if self.pile_frozen or not self.opened:  # C45, C48
            return False
        if any(meld.rank is top.rank for meld in self.laid[self.side].melds):
            return True
        return bool(alike) and self.may_hold(seat, is_wild) > 0  # C46

    # -- going out

    @property
    def canastas_needed(self) -> int:
        """Number of canastas that a side needs to go out (C70, C71)."""
        return 2 if self.options.two_canastas and self.seats == 2 else 1

    @property
    def may_ask(self) -> bool:
        """True if the seat may ask its partner.

        With the option `ask_again` it may ask once more after a binding No (C75).
        """
        return super().may_ask or (self.options.ask_again and self.going_out.denied)

    def may_go_out(self, side: Side) -> bool:
        return sum(map(is_complete, self.laid[side].melds)) >= self.canastas_needed

    @property
    def going_out(self) -> GoingOut:
        """Conditions under which the seat whose turn it is may go out (C70, C71).

        A No binds the seat only if it is the answer to the seat's first question in this round
        (C74, C75).
        """
        return GoingOut(
            canastas=self.canastas_needed,
            denied=self.turn.answer is False and self.asks[self.turn.seat] == 1,
        )

"""The state of a round of Kanastic, and the answers that displays and opponents get from it."""

from collections.abc import Iterator
from typing import Self

from attrs import evolve, frozen

from engine.cards import Card, Rank
from engine.kanastic.constants import (
    CARD_POINTS,
    FEWEST_NATURALS,
    FEWEST_TO_TAKE,
    POTS,
    Stage,
    is_pot,
    is_stop,
    is_wild,
    points_of,
    stage_of,
)
from engine.kanastic.deck import DECKS
from engine.kanastic.golden_suit_runs import is_complete_suit
from engine.kanastic.melding import melds_after
from engine.kanastic.melds import is_complete, is_mixed, new_meld
from engine.kanastic.options import KanasticOptions
from engine.melds import Meld
from engine.moves import Pass, Play
from engine.own_lines import SOME_CARD, LineKind, OwnLine, UnstatedFact
from engine.position import Position
from engine.position_facts import MeldClass, MeldWords, Opening, PileState, PileStatus, Taking
from engine.sentences import N_, Sentence
from engine.slots import Seat, Shown, Side, cards_of
from engine.turn import Step

_MELD_WORDS = {  # K38, K104
    MeldClass.CLEAN: MeldWords(N_("natural"), N_("completes a natural canasta")),
    MeldClass.DIRTY: MeldWords(N_("mixed"), N_("completes a mixed canasta")),
    MeldClass.SPECIAL: MeldWords(N_("royal"), N_("completes a royal golden suit")),
}


@frozen(kw_only=True, slots=False)
class KanasticState(Position):
    """The state of a round of Kanastic, with the fields that only Kanastic has.

    A seat that takes the pile receives its cards after the discard. Until then they stay in `pile`.
    """

    decks = DECKS
    bonus_duty = "K18"
    turn_clause = "K25"
    no_such_move = N_("One cannot pass: a turn is a draw and a discard.")
    cut_clause = "K15"
    one_meld_of_a_rank = True  # K33
    melds_have_two_ends = True  # K113
    out_by_discard = "K96"
    meld_words = _MELD_WORDS
    lacking = (Pass,)
    finds_legal = True
    letter = "K"
    steps = (Step.SHOW, Step.OPEN, Step.ANSWER, Step.DRAW, Step.PLAY, Step.OVER)
    own_lines = (
        OwnLine(
            "waiting",
            LineKind.SEATS,
            "waiting",
            "seats that must not take the pile yet (K73)",
            "3",
            "none, but see `fresh`",
        ),
        OwnLine(
            "rebuilds",
            LineKind.ONE,
            "rebuilds",
            "rebuilt stocks since a card was melded (K94)",
            without="0",
        ),
        OwnLine(
            "discards",
            LineKind.DISCARDS,
            "discards",
            "the last discards, even those that have left the pile (K76, K78); `?` for any card "
            "that is no stop card",
            "? Sw 4d",
            "the pile",
        ),
    )
    options: KanasticOptions
    discards: tuple[Card, ...] = ()
    """Every card discarded in this round, even if it is no longer in the pile (K76)."""
    waiting: frozenset[Seat] = frozenset()
    """Seats that may not take the whole pile before their partner has played another turn (K73)."""
    rebuilds: int = 0
    """Number of times that the stock was rebuilt since a card was last melded (K94)."""

    @classmethod
    def is_wild(cls, card: Card) -> bool:
        return is_wild(card)

    @classmethod
    def is_bonus(cls, card: Card) -> bool:
        return is_pot(card)

    @classmethod
    def card_points(cls, card: Card) -> int:
        return CARD_POINTS.get(card.rank, 0)

    def meld_of(self, cards: tuple[Shown, ...]) -> Meld:
        return new_meld(cards, distinct_suits=self.options.distinct_suits)

    def melds_after(self, side: Side, plays: tuple[Play, ...]) -> tuple[Meld, ...]:
        melds = self.laid[side].melds
        return melds_after(melds, plays, distinct_suits=self.options.distinct_suits)

    def meld_class(self, meld: Meld) -> MeldClass | None:
        if not is_complete(meld):
            return None
        if is_mixed(meld):
            return MeldClass.DIRTY
        return MeldClass.SPECIAL if is_complete_suit(meld) else MeldClass.CLEAN

    @property
    def stage(self) -> Stage:
        """The stage of the side whose turn it is."""
        return self.stage_of(self.side)

    def stage_of(self, side: Side) -> Stage:
        """Return the stage of a side."""
        return stage_of(self.totals[side], short_suits=self.options.short_suits)

    def opening(self, side: Side, plays: tuple[Play, ...] = ()) -> Opening | None:
        if self.laid[side].melds:
            return None
        stage = self.stage_of(side)
        cards = cards_of(shown for play in plays for shown in play.cards)
        return Opening(points_of(cards), stage.points, sum(map(is_wild, cards)), stage.wilds)

    def inferred(self) -> Self:
        # A turn is `fresh` if the side had no melds when it began. If the side has melds now, it
        # opened in this turn, so the partner of the mover waits (K73).
        waiting, partner = self.waiting, self.partner_of(self.turn.seat)
        if partner is not None and self.turn.fresh and self.laid[self.side].melds:
            waiting |= {partner}
        # Nobody takes the first discard of a round (K23). So if there are melds, or the stock was
        # rebuilt, there have been at least two discards. If the text names one of them or none, an
        # unknown card is put before it.
        discards = self.discards
        later = self.rebuilds > 0 or any(laid.melds for laid in self.laid)
        begun = self.turn.step not in (Step.SHOW, Step.OPEN)
        if begun and (not discards or (later and len(discards) == 1)):
            discards = (SOME_CARD, *discards)
        return evolve(self, waiting=waiting, discards=discards)

    def unstated_facts(self, stated: frozenset[str]) -> Iterator[UnstatedFact]:
        yield from super().unstated_facts(stated)
        # K78: a stop card still counts after it has gone into a rebuilt stock.
        last = tuple(card for card in self.discards[1 - self.seats :] if card != SOME_CARD)
        # With four seats three discards can block. If the text names one, two are unknown.
        unknown = self.seats - 1 - len(last)
        if "discards" in stated or not self.rebuilds or not unknown or any(map(is_stop, last)):
            return
        # Apart from the first answer (no change), each answer has a Sword as one of the unknown
        # discards, always at a different place.
        sword = next(card for card in self.deck if card.rank is Rank.SWORD)
        yield UnstatedFact(
            Sentence("discards, with the last {n} discards", n=self.seats - 1),
            ({}, *({"discards": (sword, *(n * (SOME_CARD,)), *last)} for n in range(unknown))),
        )

    # -- the pile

    @property
    def taking(self) -> Taking:
        return Taking.PILE if self.opened else Taking.TOP

    def pile_status(self, side: Side) -> PileStatus:
        seat = self.turn.seat
        if seat in self.waiting and self.side_of(seat) == side:  # K73
            return PileStatus(PileState.BLOCKED, self.partner_of(seat))
        if len(self.discards) == 1:  # K23: nobody takes the first one
            return PileStatus(PileState.BLOCKED, seat)
        # K75: the newest stop card that still counts was discarded `back` seats before the mover.
        # The slice is newest first: with four seats, the last three discards.
        recent = self.discards[: -self.seats : -1]
        for back, card in enumerate(recent, start=1):
            if is_stop(card):
                return PileStatus(PileState.BLOCKED, Seat((seat - back) % self.seats))
        return PileStatus(PileState.FREE)

    @property
    def may_take_whole(self) -> bool:
        """True unless the mover has to wait (K73), or hand or stock have too few cards (K68, K69).

        Then only the pile's top, and the cards that it needs, decide whether the mover may take the
        whole pile.
        """
        seat = self.turn.seat
        enough = min(len(self.hands[seat]), len(self.stock)) >= FEWEST_TO_TAKE
        return enough and seat not in self.waiting

    def may_take_pile(self) -> bool:
        if not self.pile or self.pile_status(self.side).state is PileState.BLOCKED:
            return False
        seat, top = self.turn.seat, self.pile[-1].card
        if is_stop(top):  # K57
            return False
        if self.opened and not self.may_take_whole:
            return False
        taken = any(meld.rank is top.rank for meld in self.laid[self.side].melds)  # K33
        alike = self.may_hold(seat, lambda card: card.rank is top.rank)
        if not taken and alike >= FEWEST_NATURALS - 1:
            return True
        # Otherwise the top may be one of three gold cards in sequence. For 8g these are 6g 7g 8g,
        # or 7g 8g 9g, or 8g 9g Tg.
        return top.gold and any(
            all(self._may_hold_gold(seat, low + place, top) for place in range(FEWEST_NATURALS))
            for low in range(top.rank - FEWEST_NATURALS + 1, top.rank + 1)
        )

    def _may_hold_gold(self, seat: Seat, rank: int, top: Card) -> bool:
        return rank == top.rank or self.may_hold(seat, lambda c: c.gold and c.rank == rank) > 0

    @property
    def receives(self) -> bool:
        """True if cards of a taken pile come into the hand after the discard (K66)."""
        return self.turn.took and bool(self.pile)

    # -- going out

    def gets_more(self, seat: Seat) -> bool:
        return seat == self.turn.seat and self.receives  # K66

    def may_go_out(self, side: Side) -> bool:
        return any(map(is_complete, self.laid[side].melds))  # K97

    @property
    def denied(self) -> bool:
        """True if the partner said No in this turn (K99)."""
        return self.turn.answer is False

    @property
    def pots_missing(self) -> bool:
        """True if not all Treasure Pots lie on the table yet."""
        return sum(len(laid.bonus) for laid in self.laid) < POTS

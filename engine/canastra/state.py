"""The state of a round of Canastra, and the answers that displays and opponents get from it."""

from collections.abc import Iterator
from itertools import combinations
from typing import Self

from attrs import frozen

from engine.canastra.constants import CARD, DEAD_SIZE, DEADS, is_two
from engine.canastra.deck import DECKS
from engine.canastra.options import CanastraOptions
from engine.canastra.runs import has_canastra, melds_after, run_laid, run_of
from engine.cards import Card
from engine.errors import NotationError
from engine.hands_set_aside import SetAside
from engine.melds import Meld
from engine.moves import Answer, Ask, Cut, Pass, Play, ShowBonus, TakeTop
from engine.own_lines import Changes, LineKind, OwnLine, UnstatedFact
from engine.position_facts import MeldClass, MeldWords, PileState, PileStatus
from engine.sentences import N_, Sentence
from engine.slots import Seat, Shown, Side, Slot
from engine.turn import Step

_MOST_BARRED = 20
"""The maximum number of cards in a hand that the referee tries as the barred card."""

_MELD_WORDS = {  # B57, B59
    MeldClass.CLEAN: MeldWords(N_("clean"), N_("completes a clean canastra")),
    MeldClass.DIRTY: MeldWords(N_("dirty"), N_("completes a dirty canastra")),
    MeldClass.SPECIAL: MeldWords(N_("real"), N_("completes a real canastra")),
}


@frozen(kw_only=True, slots=False)
class CanastraState(SetAside):
    """The state of a round of Canastra, where hands set aside are called deads (B5, B46)."""

    decks = DECKS
    takes_pile_bare = True
    melds_like_cards = False
    turn_clause = "B10"
    closing_clauses = frozenset({"B13", "B45"})
    meld_words = _MELD_WORDS
    takes_up = N_("receives a dead")
    lacking = (Cut, ShowBonus, TakeTop, Ask, Answer, Pass)
    finds_legal = True
    letter = "B"
    hands_cost_by_number = True  # B62
    steps = (Step.DRAW, Step.PLAY, Step.OVER)
    own_lines = (
        OwnLine("deadtaken", LineKind.SEATS, "took_aside", "seats that have had a dead (B46)", "2"),
        OwnLine("idle", LineKind.ONE, "idle_turns", "idle turns in a row (B55)", "7", "0"),
        OwnLine(
            "deads",
            LineKind.HANDS,
            "aside",
            "how many deads are left",
            without="2, less those taken",
            most=DEADS,
            size=DEAD_SIZE,
            taken="took_aside",
        ),
        OwnLine(
            "barred",
            LineKind.CARD,
            "barred",
            "the card of the hand that may not be discarded (B12); everybody has seen it",
            "Ks",
        ),
    )
    options: CanastraOptions
    barred: Slot | None = None
    """The card that the mover may not discard in this turn (B12)."""
    idle_turns: int = 0
    """Turns in a row, up to this one, without a card drawn from the stock or melded (B55)."""

    @classmethod
    def is_wild(cls, card: Card) -> bool:
        return is_two(card)

    @classmethod
    def card_points(cls, card: Card) -> int:
        del card
        return CARD

    def meld_of(self, cards: tuple[Shown, ...]) -> Meld:
        return run_laid(cards)

    def melds_after(self, side: Side, plays: tuple[Play, ...]) -> tuple[Meld, ...]:
        return melds_after(self.laid[side].melds, plays)

    def meld_class(self, meld: Meld) -> MeldClass | None:
        return run_of(meld).canastra

    def has_wild(self, meld: Meld) -> bool:
        return run_of(meld).wild is not None  # a two in its own place stands for itself (B58)

    def in_order(self, meld: Meld) -> tuple[Shown, ...]:
        places = {card.number: place for place, card in enumerate(run_of(meld).cards)}
        return tuple(sorted(meld.cards, key=lambda shown: places[shown.card.number]))

    def inferred(self) -> Self:
        if len(self.aside) + len(self.took_aside) > DEADS:
            raise NotationError(
                "There are only {deads} deads in all, and the position names more, counting those "
                "that were taken.",
                deads=DEADS,
            )
        return self

    def unstated_facts(self, stated: frozenset[str]) -> Iterator[UnstatedFact]:
        if "barred" not in stated and "turn took" in stated:
            yield self._what_is_barred()
        gone = DEADS - len(self.aside)
        if "deadtaken" not in stated and 0 < gone < DEADS:
            seats = [Seat(seat) for seat in range(self.seats)]
            takers = [who for count in range(gone + 1) for who in combinations(seats, count)]
            yield UnstatedFact(  # B46: a dead that is gone was received, or became the stock
                Sentence("deadtaken, with the seats that have had a dead, or deadtaken none"),
                tuple({"took_aside": frozenset(who)} for who in takers),
            )

    def _what_is_barred(self) -> UnstatedFact:
        """Return the unstated fact of which card is barred.

        A card is barred only if the pile taken was a single card (B12).
        """
        hand = self.hands[self.turn.seat]
        seen = [slot for slot in hand if slot in self.known]
        faces = {slot: self.face(slot) for slot in hand}
        known = [slot for slot, card in faces.items() if card is not None]
        hidden = [slot for slot, card in faces.items() if card is None]
        # The barred card lay in the pile, where everybody saw it. So if the text marks some cards
        # as seen, the barred card is one of them. Hidden cards are all alike, so one stands for
        # all.
        answers: list[Changes] = [{}]
        for slot in (seen or (*known, *hidden[:1]))[:_MOST_BARRED]:
            card = faces[slot]
            shown = {} if card is None else {slot: Shown(slot, card)}
            answers.append({"barred": slot, "known": {**self.known, **shown}})
        return UnstatedFact(
            Sentence("barred, with the only card of the pile that was taken, or barred none"),
            tuple(answers),
        )

    @property
    def aside_text(self) -> Sentence:
        return Sentence.counted("{n} dead", "{n} deads", len(self.aside))

    def may_go_out(self, side: Side) -> bool:
        # A side that still gets a dead plays on with it when a hand is empty (B41).
        if any(map(self.has_aside, self.members(side))):
            return False
        return not self.options.require_canastra or has_canastra(self.laid[side].melds)  # B45

    def pile_status(self, side: Side) -> PileStatus:
        del side
        return PileStatus(PileState.FREE)

    @property
    def pile_seen(self) -> tuple[Shown, ...]:
        return self.pile[:-1]  # B14

    def may_take_pile(self) -> bool:
        return bool(self.pile) and len(self.hands[self.turn.seat]) > 1  # B15, B16

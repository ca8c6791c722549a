"""Runs of Canastra: which cards form one, and their best arrangement.

A run is a *set* of cards (B36). Nobody declares which card a wild two stands for, or at which end
an ace lies. Cards form a run if they can be arranged as one. If there are several arrangements, the
one with the fewest wild cards counts (B37). Sequences are arranged by
`engine.sequence_melds.with_wild`.

>>> from engine.canastra.deck import CANASTRA
>>> of_code = {card.code: card for card in CANASTRA}
>>> run = arranged([of_code[code] for code in ("Th", "2s", "Qh", "Ah", "Kh")])
>>> [card.code for card in run.cards], run.wild.code, run.low
(['Th', '2s', 'Qh', 'Kh', 'Ah'], '2s', 10)
"""

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache

from attrs import frozen

from engine.canastra.constants import CANASTRA_SIZE, NUMBERS, RUN_SIZE, is_two
from engine.cards import Card, Rank, Suit
from engine.errors import IllegalMove
from engine.melds import Meld
from engine.moves import Play
from engine.position_facts import MeldClass
from engine.sequence_melds.with_wild import LONGEST, placed
from engine.slots import Shown, cards_of

_NUMBERS = frozenset(NUMBERS)


@frozen
class Run:
    """A run: cards in their best arrangement."""

    cards: tuple[Card, ...]
    """The cards from the first position to the last."""
    wild: Card | None
    """The two that stands for another card; None if there is none."""
    low: int | None
    """Position of the first card of a sequence; None in a run of one number."""

    @property
    def canastra(self) -> MeldClass | None:
        """The class of the canastra (B57-B60), SPECIAL for a real one; None for a shorter run."""
        if len(self.cards) < CANASTRA_SIZE:
            return None
        if self.wild:
            return MeldClass.DIRTY
        real = len(self.cards) == LONGEST
        return MeldClass.SPECIAL if real else MeldClass.CLEAN


def arranged(cards: Sequence[Card]) -> Run | None:
    """Return the best arrangement of the cards as a run (B37); None if there is none.

    If several sequences have equally many wild cards, the highest one is best.
    """
    return None if len(cards) < RUN_SIZE else _arranged(tuple(cards))


# Cached, because the search for moves arranges the same few cards again and again.
@lru_cache(maxsize=20_000)
def _arranged(cards: tuple[Card, ...]) -> Run | None:
    naturals = [card for card in cards if card.rank is not Rank.TWO]
    ranks = {card.rank for card in naturals}
    # A run of one number, with at most one two (B25, B32): K K 2.
    if len(ranks) == 1 and len(cards) < len(naturals) + 2 and ranks <= _NUMBERS:
        twos = [card for card in cards if card.rank is Rank.TWO]
        return Run((*naturals, *twos), twos[0] if twos else None, None)
    suits = {card.suit for card in naturals}
    # Twos alone have no suit here, so they are no run (B33). Ks Kd 3s has two suits.
    if len(suits) != 1:
        return None
    sequence = placed(cards, suits.pop())
    return None if sequence is None else Run(*sequence)


def run_of(meld: Meld) -> Run:
    """Return the cards of a meld in their best arrangement."""
    run = arranged(cards_of(meld.cards))
    assert run is not None
    return run


def has_canastra(melds: tuple[Meld, ...]) -> bool:
    """Return True if one of the melds is a canastra."""
    return any(run_of(meld).canastra for meld in melds)


def melds_after(melds: tuple[Meld, ...], plays: tuple[Play, ...]) -> tuple[Meld, ...]:
    """Return a player's melds with `plays` laid, or raise IllegalMove."""
    if not plays:
        raise IllegalMove("B10", "Melding takes at least one run.")
    after = list(melds)
    for play in plays:
        if play.low:
            raise IllegalMove(
                "B36", "Do not name an end: the cards of a run lie wherever they fit."
            )
        if not play.cards:
            raise IllegalMove("B10", "Adding to a run takes at least one card.")
        if play.onto is None:
            after.append(run_laid(play.cards))
        elif 0 <= play.onto < len(melds):
            after[play.onto] = run_laid(after[play.onto].cards + play.cards)
        else:
            raise IllegalMove(
                "B38", "Cards can be added only to one's own runs, and there is no such run."
            )
    return tuple(after)


def run_laid(cards: tuple[Shown, ...]) -> Meld:
    """Return the meld of a run, or raise IllegalMove for cards that are no run."""
    run = arranged(cards_of(cards))
    if run is None:
        raise refusal(cards_of(cards))
    return Meld(cards, None if run.low is not None else run.cards[0].rank)


def refusal(cards: Sequence[Card]) -> IllegalMove:
    """Return the error that says why these cards cannot be arranged as a run."""
    naturals = [card for card in cards if not is_two(card)]
    ranks = Counter(card.rank for card in naturals)
    suits = {card.suit for card in naturals}
    if len(cards) < RUN_SIZE:
        return IllegalMove("B20", "A run has at least three cards.")
    if not naturals:
        return IllegalMove("B33", "Twos alone are no run.")
    # Cards of several suits, or several naturals of one rank, look like a run of one number; all
    # others look like a sequence.
    if len(suits) > 1 or (len(ranks) == 1 and len(naturals) > 1):
        return _no_number(ranks)
    (suit,) = suits
    return _no_sequence(cards, ranks, suit)


def _no_number(ranks: Counter[Rank]) -> IllegalMove:
    numbers_fit = ranks.keys() <= set(NUMBERS)
    if len(ranks) > 1 and not numbers_fit:
        return IllegalMove("B21", "A sequence is all of one suit.")
    if len(ranks) > 1 or not numbers_fit:
        return IllegalMove("B25", "A run of one number has aces only, kings only or threes only.")
    return IllegalMove("B32", "A run of one number can have only one two.")


def _no_sequence(cards: Sequence[Card], ranks: Counter[Rank], suit: Suit | None) -> IllegalMove:
    # The most specific reason comes first: each check relies on the checks before it.
    if any(count > 1 and rank is not Rank.ACE for rank, count in ranks.items()):
        return IllegalMove("B24", "A sequence cannot have the same card twice.")
    if len(cards) > LONGEST or ranks[Rank.ACE] > 1:
        return IllegalMove("B23", "Only the whole sequence of 14, ace to ace, has two aces.")
    twos = [card for card in cards if is_two(card)]
    if len(twos) > 2 or (len(twos) == 2 and all(card.suit is not suit for card in twos)):
        return IllegalMove(
            "B29", "A sequence takes one wild card, and beside it only the two of its own suit."
        )
    if {Rank.ACE, Rank.KING} <= ranks.keys() and (len(twos) == 2 or ranks[Rank.THREE]):
        return IllegalMove(
            "B22",
            "An ace must be the first or the last card of a sequence: it does not join "
            "king and two.",
        )
    return IllegalMove("B21", "The cards do not follow each other.")

"""Runs of Canastra: which cards form one, and their best arrangement.

A run is a *set* of cards (B36). Nobody declares which card a wild two stands for or where an ace
lies: cards form a run if some arrangement of them is one, and they count as arranged with the
fewest wild cards (B37). Positions of a sequence are numbered upwards, 1 for the low ace, 2 for the
two, and so on to 14 for the high ace (B21, B22).

>>> from engine.canastra.deck import CANASTRA
>>> of_code = {card.code: card for card in CANASTRA}
>>> run = arranged([of_code[code] for code in ("Th", "2s", "Qh", "Ah", "Kh")])
>>> [card.code for card in run.cards], run.wild.code, run.low
(['Th', '2s', 'Qh', 'Kh', 'Ah'], '2s', 10)
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from enum import Enum
from functools import lru_cache
from typing import NamedTuple

from attrs import frozen

from engine.canastra.values import (
    CANASTRA_SIZE,
    LONGEST_SEQUENCE,
    NUMBERS,
    RUN_SIZE,
    is_two,
)
from engine.cards import Card, Rank, Suit
from engine.errors import IllegalMove

_NUMBERS = frozenset(NUMBERS)
_SEQUENCE = (Rank.ACE, *(rank for rank in Rank if rank <= Rank.ACE))


class Canastra(Enum):
    """Classes of canastras (B57-B60); the value is their name."""

    DIRTY = "dirty canastra"
    CLEAN = "clean canastra"
    REAL = "real canastra"


@frozen
class Run:
    """Cards in their best arrangement."""

    cards: tuple[Card, ...]
    """The cards from the first position to the last."""
    wild: Card | None
    """The card that stands for another one."""
    low: int | None
    """Position of the first card of a sequence; None in a run of one number."""

    @property
    def canastra(self) -> Canastra | None:
        """The highest class that the run belongs to; None if it is too short for any."""
        if len(self.cards) < CANASTRA_SIZE:
            return None
        if self.wild:
            return Canastra.DIRTY
        real = len(self.cards) == LONGEST_SEQUENCE
        return Canastra.REAL if real else Canastra.CLEAN


SEQUENCE_CODES: Mapping[Suit, tuple[str, ...]] = {
    suit: tuple(rank.code + suit for rank in _SEQUENCE) for suit in Suit
}
"""Codes of the whole sequence of each suit: index n - 1 has the card of position n."""


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
    if len(suits) != 1:
        return None
    return _sequence(cards, suits.pop())


class Contents(NamedTuple):
    """The facts that decide if cards are a sequence of a suit; cards in `size` alone are twos."""

    size: int
    """Number of cards."""
    fixed: frozenset[Rank]
    """Ranks of cards that have a single place in a sequence (all but aces and twos), each once."""
    aces: int
    """Number of aces."""
    own_two: bool
    """True if the suit's own two is among the cards."""

    @classmethod
    def of(cls, cards: Sequence[Card], suit: Suit | None) -> "Contents | None":
        """Return the contents of the cards; None if a rank other than ace or two is there twice."""
        fixed = [card.rank for card in cards if Rank.TWO < card.rank < Rank.ACE]
        ranks = frozenset(fixed)
        if len(ranks) < len(fixed):
            return None
        aces = sum([card.rank is Rank.ACE for card in cards])
        own_two = any(card.rank is Rank.TWO and card.suit is suit for card in cards)
        return cls(len(cards), ranks, aces, own_two)

    def with_card(self, rank: Rank, *, own: bool = False) -> "Contents":
        """Return the contents with one more card, a natural of the suit or a two.

        A two is of another suit, unless `own` is true.
        """
        size, fixed, aces, own_two = self
        if rank is Rank.ACE:
            return Contents(size + 1, fixed, aces + 1, own_two)
        if rank is Rank.TWO:
            return Contents(size + 1, fixed, aces, own_two or own)
        return Contents(size + 1, fixed | {rank}, aces, own_two)


@lru_cache(maxsize=20_000)
def first_position(contents: Contents) -> int | None:
    """Return the position at which the best arrangement begins; None if there is no sequence."""
    size, fixed, aces, own_two = contents
    # The sequence must cover all cards that have one place. For example, a sequence of 5, 9 and
    # three more cards begins at 5 or below and ends at 9 or above; with five cards it begins at 5.
    highest = min([LONGEST_SEQUENCE - size + 1, *fixed])
    lowest = max([1, *[rank - size + 1 for rank in fixed]])
    best = None
    for low in range(highest, lowest - 1, -1):
        high = low + size - 1
        # Some cards have no place of their own here: aces that are not at an end, and twos except
        # the suit's own two at position 2. Each of them has to stand for a missing card.
        at_ends = min(aces, (low == 1) + (high == LONGEST_SEQUENCE))
        left = size - len(fixed) - at_ends - (own_two and low <= Rank.TWO)
        if not left:
            return low  # without any wild card, which is the best (B37)
        if best is None and left == 1 and at_ends == aces:  # the card left over is a two
            best = low
    return best


def _sequence(cards: Sequence[Card], suit: Suit | None) -> Run | None:
    contents = Contents.of(cards, suit)
    low = first_position(contents) if contents else None
    return None if low is None else _placed(cards, suit, low)


def _placed(cards: Sequence[Card], suit: Suit | None, low: int) -> Run:
    """Return the run that begins at position `low`, with each card in its place.

    A two that is left over takes the place of the missing card.
    """
    own: dict[Rank, Card] = {}
    second_ace = second_two = None
    for card in cards:
        if card.suit is suit and card.rank not in own:
            own[card.rank] = card
        elif card.rank is Rank.ACE:
            second_ace = card
        else:
            second_two = card
    # Place by place, None for a gap: 5 6 8 and a two begin at 5 and give 5, 6, None, 8.
    places = [own.get(rank) for rank in _SEQUENCE[low - 1 : low - 1 + len(cards)]]
    if len(cards) == LONGEST_SEQUENCE:  # from ace to ace: `own` has the first
        places[-1] = second_ace
    if None not in places:
        return Run(tuple(filter(None, places)), None, low)
    # The suit's own two is wild only if no other two is there: it is at home between ace and three.
    wild = second_two or own[Rank.TWO]
    return Run(tuple([card or wild for card in places]), wild, low)


def refusal(cards: Sequence[Card]) -> IllegalMove:
    """Return the error that says why these cards, which have no arrangement, are no run."""
    naturals = [card for card in cards if not is_two(card)]
    ranks = Counter(card.rank for card in naturals)
    suits = {card.suit for card in naturals}
    if len(cards) < RUN_SIZE:
        return IllegalMove("B20", "A run has at least three cards.")
    if not naturals:
        return IllegalMove("B33", "Twos alone are no run.")
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
    return IllegalMove("B32", "A run of one number takes a single two.")


def _no_sequence(cards: Sequence[Card], ranks: Counter[Rank], suit: Suit | None) -> IllegalMove:
    # The most specific reason comes first: each check relies on the checks before it.
    if any(count > 1 and rank is not Rank.ACE for rank, count in ranks.items()):
        return IllegalMove("B24", "A sequence has each of its cards once.")
    if len(cards) > LONGEST_SEQUENCE or ranks[Rank.ACE] > 1:
        return IllegalMove("B23", "Only the whole sequence of 14, ace to ace, has two aces.")
    twos = [card for card in cards if is_two(card)]
    if len(twos) > 2 or (len(twos) == 2 and all(card.suit is not suit for card in twos)):
        return IllegalMove(
            "B29", "A sequence takes one wild card, and beside it only the two of its own suit."
        )
    if {Rank.ACE, Rank.KING} <= ranks.keys() and (len(twos) == 2 or ranks[Rank.THREE]):
        return IllegalMove("B22", "An ace is the first or the last card, and joins no two ends.")
    return IllegalMove("B21", "The cards do not follow each other.")

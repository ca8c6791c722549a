"""Cards of the games in which twos and jokers are wild: their points, and the parts they play.

The clauses are those of Canasta (C22-C26, C62, C69); the other games count the same.
"""

from collections.abc import Mapping

from engine.cards import Card, Rank

CARD_POINTS: Mapping[Rank, int] = {
    Rank.JOKER: 50,
    Rank.TWO: 20,
    Rank.ACE: 20,
    **{rank: 10 for rank in Rank if Rank.EIGHT <= rank <= Rank.KING},
    **{rank: 5 for rank in Rank if Rank.THREE <= rank <= Rank.SEVEN},
}

MELDED_RANKS = tuple(rank for rank in Rank if Rank.THREE <= rank <= Rank.ACE)
"""Ranks that a meld can have, black threes among them, in ascending order."""
_NATURALS = frozenset(MELDED_RANKS) - {Rank.THREE}
WILD_RANKS = frozenset({Rank.TWO, Rank.JOKER})
Stages = tuple[tuple[int, int], ...]
_JOKER, _TWO, _THREE = Rank.JOKER, Rank.TWO, Rank.THREE  # looked up often


def is_wild(card: Card) -> bool:
    """Return True for twos and jokers."""
    return card.rank is _TWO or card.rank is _JOKER


def is_red_three(card: Card) -> bool:
    """Return True for threes of hearts and diamonds."""
    return card.rank is _THREE and card.red


def is_black_three(card: Card) -> bool:
    """Return True for threes of spades and clubs."""
    return card.rank is _THREE and not card.red


def is_natural(card: Card) -> bool:
    """Return True for a natural card: 4 to ace (C25)."""
    return card.rank in _NATURALS


def freezes(card: Card) -> bool:
    """Return True for a card that freezes the pile in which it lies (C15, C51, S24)."""
    return is_wild(card) or is_red_three(card)


def points_of(cards: tuple[Card, ...]) -> int:
    """Return the points of the cards in melds.

    >>> from engine.cards import Suit
    >>> points_of((Card(0, Rank.JOKER, None), Card(1, Rank.SEVEN, Suit.CLUBS)))
    55
    """
    return sum([CARD_POINTS[card.rank] for card in cards])


def numbers() -> Mapping[str, int]:
    """Return the points of cards, by the names of their placeholders in the text of the rules."""
    names = ("joker", "two", "ace", "eight", "four", "three")
    return {name: CARD_POINTS[Rank[name.upper()]] for name in names}


def opening_minimum(stages: Stages, negative: int, total: int) -> int:
    """Return the points that a side with `total` match points needs for its first melds.

    Each of `stages` is a total, and the points needed from that total on. The highest total comes
    first. A side below 0 needs `negative` points (C37-C39, S45).

    >>> [opening_minimum(((1500, 90), (0, 50)), 15, total) for total in (-5, 0, 1499, 1500)]
    [15, 50, 50, 90]
    """
    return next((need for least, need in stages if total >= least), negative)

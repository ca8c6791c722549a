"""Ranks, suits and cards of all games.

A card is a *physical* card: its `number` is its place in its game's fresh deck, so the two kings of
spades of a double pack differ by number and are alike in everything else (clause X1).

>>> first, twin = Card(12, Rank.KING, Suit.SPADES), Card(64, Rank.KING, Suit.SPADES)
>>> first.code == twin.code, first == twin
(True, False)
"""

from enum import IntEnum, StrEnum

from attrs import field, frozen


class Suit(StrEnum):
    """The four suits; each value is the suit's letter in the notation."""

    SPADES = "s"
    HEARTS = "h"
    DIAMONDS = "d"
    CLUBS = "c"

    @property
    def red(self) -> bool:
        """True for hearts and diamonds."""
        return self in (Suit.HEARTS, Suit.DIAMONDS)


class Rank(IntEnum):
    """Ranks of naturals in ascending order, then the ranks without suits."""

    TWO = 2
    THREE = 3
    FOUR = 4
    FIVE = 5
    SIX = 6
    SEVEN = 7
    EIGHT = 8
    NINE = 9
    TEN = 10
    JACK = 11
    QUEEN = 12
    KING = 13
    ACE = 14
    JOKER = 20
    SWORD = 21
    SHIELD = 22
    ARTIFACT = 23
    POT = 24

    @property
    def code(self) -> str:
        """One letter for a rank with suits, two letters for a card without one.

        >>> Rank.TEN.code, Rank.JOKER.code
        ('T', 'Jo')
        """
        return _CODES[self]


_CODES = dict(zip(tuple(Rank)[:13], "23456789TJQKA", strict=True)) | {
    Rank.JOKER: "Jo",
    Rank.SWORD: "Sw",
    Rank.SHIELD: "Sh",
    Rank.ARTIFACT: "Ar",
    Rank.POT: "Po",
}


@frozen(order=True)
class Card:
    """One physical card of a deck; two cards of one deck are equal if their numbers are equal."""

    number: int
    """Index of the card in its game's fresh deck."""
    rank: Rank = field(eq=False, order=False)
    suit: Suit | None = field(eq=False, order=False)
    gold: bool = field(eq=False, order=False, default=False)
    """True for the gold cards of Kanastic: one of the two spades of each rank."""
    # The two fields below are computed from those above, so they must come last: attrs sets fields
    # in this order.
    code: str = field(init=False, eq=False, order=False, repr=False)
    """Text printed on the card: "Ks", "Td", "Kg" for a gold king, "Jo" for a joker."""
    red: bool = field(init=False, eq=False, order=False, repr=False)

    # attrs would hash a tuple of the fields that are compared, which here is only the number. To
    # hash the number alone takes a third less time, and cards are keys of many dictionaries in a
    # search.
    def __hash__(self) -> int:
        return self.number

    @code.default
    def _code(self) -> str:
        if self.suit is None:
            return self.rank.code
        return self.rank.code + ("g" if self.gold else self.suit.value)

    @red.default
    def _red(self) -> bool:
        return self.suit is not None and self.suit.red

    def __str__(self) -> str:
        return self.code

"""Fresh decks, each in its fixed order: a card's number is its index in the deck.

The folder of each game defines its deck with these functions. Most games have one deck for all
tables. A game may have another one for some numbers of players, or for a value of an option
(`Decks`).

>>> deck = deck_of(packs(2) + suitless(Rank.JOKER, 4))
>>> len(deck), deck[0].code, deck[107].code, deck[107].number
(108, '2s', 'Jo', 107)
"""

from collections.abc import Iterator
from itertools import product

from attrs import field, frozen

from engine.cards import Card, Rank, Suit
from engine.options import Options

PACK_RANKS = tuple(rank for rank in Rank if rank <= Rank.ACE)

Deck = tuple[Card, ...]
Face = tuple[Rank, Suit | None, bool]
"""Rank, suit, and True for a gold card."""


def deck_of(faces: list[Face]) -> Deck:
    """Return the deck of these faces, in this order."""
    return tuple(Card(number, rank, suit, gold) for number, (rank, suit, gold) in enumerate(faces))


def packs(count: int) -> list[Face]:
    """Return the faces of `count` packs of 52 cards, one pack after the other, without jokers.

    >>> len(packs(2))
    104
    """
    # The order of packs, suits and ranks is a part of the format (`spec/format.md`, 2): in any
    # other order, the card numbers of older records would name other cards.
    return [(rank, suit, False) for _, suit, rank in product(range(count), Suit, PACK_RANKS)]


def suitless(rank: Rank, count: int) -> list[Face]:
    """Return the faces of `count` cards of a rank that has no suits.

    >>> len(suitless(Rank.JOKER, 6))
    6
    """
    faces: list[Face] = [(rank, None, False)]
    return count * faces


@frozen
class OtherDeck:
    """A deck that only some tables of a game play with."""

    cards: Deck = field(repr=False)
    players: tuple[int, ...] = ()
    """The numbers of players that play with this deck; () for all."""
    option: str = ""
    """The option on which this deck depends; "" for none."""
    value: bool | int = 0
    """The value that the option has at tables with this deck."""

    def fits(self, options: Options, players: int) -> bool:
        """Return True if a table with these options plays with this deck."""
        if self.players and players not in self.players:
            return False
        return not self.option or getattr(options, self.option) == self.value


@frozen
class Decks:
    """All decks of a game.

    >>> two, three = deck_of(packs(2)), deck_of(packs(3))
    >>> decks = Decks(two, (OtherDeck(three, players=(5, 6)),))
    >>> [len(decks.at(Options(), players)) for players in (4, 5)]
    [104, 156]
    """

    usual: Deck = field(repr=False)
    """The deck of every table that none of `others` fits."""
    others: tuple[OtherDeck, ...] = ()

    def at(self, options: Options, players: int) -> Deck:
        """Return the deck of a table: the first of `others` that fits, or else the usual one."""
        found = (other.cards for other in self.others if other.fits(options, players))
        return next(found, self.usual)

    def __iter__(self) -> Iterator[Deck]:
        yield from (other.cards for other in self.others)
        yield self.usual

"""Melds and bonus cards on the table in front of a side."""

from attrs import frozen

from engine.cards import Rank
from engine.slots import Shown


@frozen(cache_hash=True)  # a meld lies on the table for many moves, and is hashed in each
class Meld:
    """Cards of one formation on the table."""

    cards: tuple[Shown, ...]
    """The cards in the order in which they were laid; in a golden suit, from the lowest rank up."""
    rank: Rank | None
    """The rank of a meld of like cards; None for a sequence."""
    low: Rank | None = None
    """The lowest rank of a golden suit (clause K113); None for every other meld."""


@frozen
class Laid:
    """All melds and bonus cards of one side."""

    melds: tuple[Meld, ...] = ()
    bonus: tuple[Shown, ...] = ()

"""What lies on the table in front of a side."""

from attrs import frozen

from engine.cards import Rank
from engine.slots import Shown


@frozen(cache_hash=True)  # a meld lies there for many moves
class Meld:
    """Cards of one formation on the table, in the order in which they were laid; those of a golden
    suit from its lowest rank up.

    `rank` is the rank of a meld of like cards; None for a sequence. `low` is the lowest rank of a
    golden suit (clause K113), elsewhere None.
    """

    cards: tuple[Shown, ...]
    rank: Rank | None
    low: Rank | None = None


@frozen
class Laid:
    """What one side has on the table."""

    melds: tuple[Meld, ...] = ()
    bonus: tuple[Shown, ...] = ()

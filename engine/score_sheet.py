"""The score sheet of a round: every point itemised, with the clause that gives it."""

from attrs import frozen

from engine.sentences import Marked


@frozen
class Item:
    """`count` things of one kind, worth `points` together (negative when they cost)."""

    what: Marked
    count: int
    points: int
    clause: str


@frozen
class ScoreSheet:
    """What each side scored in a round.

    `sides[i]` are the items of side i; `closer` is the seat that went out, None if nobody did.
    """

    sides: tuple[tuple[Item, ...], ...]
    closer: int | None

    @property
    def totals(self) -> tuple[int, ...]:
        """Points of the round by side."""
        return tuple(sum(item.points for item in items) for items in self.sides)

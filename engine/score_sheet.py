"""The score sheet of a round: every point itemised, with the clause that gives it."""

from attrs import field, frozen

from engine.sentences import N_, Marked

CLOSED_CARDS = N_("cards that stay closed")
"""An item of any game: hidden cards in the hands of absent players (clause X24)."""


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
    `order` is what can stand on a sheet of the game, the first line first.
    """

    sides: tuple[tuple[Item, ...], ...]
    closer: int | None
    order: tuple[str, ...] = field(default=(), eq=False, repr=False)

    @property
    def lines(self) -> tuple[Marked, ...]:
        """What stands on this sheet, each kind of item once, always in the same order."""
        found = dict.fromkeys(item.what for items in self.sides for item in items)
        places = {what: place for place, what in enumerate(self.order)}
        return tuple(sorted(found, key=lambda what: places.get(what, len(places))))

    @property
    def totals(self) -> tuple[int, ...]:
        """Points of the round by side."""
        return tuple(sum(item.points for item in items) for items in self.sides)

"""The score sheet of a round: every point itemised, with the clause that gives it."""

from attrs import field, frozen

from engine.sentences import N_, Marked

CLOSED_CARDS = N_("cards that stay closed")
"""Name of an item that every game can have: hidden cards in absent players' hands (clause X24)."""

_POINTS = N_("points")


@frozen
class Item:
    """A line of the sheet: a number of things of one kind."""

    what: Marked
    count: int
    points: int
    """The points of all these things together; negative if they cost points."""
    clause: str


@frozen
class ScoreSheet:
    """Points of each side in a round."""

    sides: tuple[tuple[Item, ...], ...]
    """Items by side."""
    closer: int | None
    """The seat that went out; None if nobody did."""
    order: tuple[str, ...] = field(default=(), eq=False, repr=False)
    """Names of all items that can stand on a sheet of the game, in the order of its lines."""

    @property
    def lines(self) -> tuple[Marked, ...]:
        """Names of the items on this sheet, each once, sorted as in `order`."""
        found = dict.fromkeys(item.what for items in self.sides for item in items)
        places = {what: place for place, what in enumerate(self.order)}
        return tuple(sorted(found, key=lambda what: places.get(what, len(places))))

    @property
    def totals(self) -> tuple[int, ...]:
        """Points of the round by side."""
        return tuple(sum(item.points for item in items) for items in self.sides)

    def summed(self) -> "ScoreSheet":
        """Return a sheet with the same totals, but only one item for each side."""
        sides = tuple((Item(_POINTS, 1, points, "X8"),) for points in self.totals)
        return ScoreSheet(sides, self.closer)

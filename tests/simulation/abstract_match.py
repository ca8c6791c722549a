"""A match without cards, bytes and keys, for explorations: tables with the entries of one round.

At the first table the cards are dealt. Each player opens their hand, then the round is counted, and
each closes it. At a continuation each signer shuffles before that; where it starts among the
openings, those who have opened a hand do not open it again, and the hands of those who are missing
stay closed. Entries of the same kind are written in the order of seats.

Seats of missing players go to newcomers, who are no founders. They write whatever is asked of them,
at any table, and their entries are left out: so they play as the worst of cheats may. A match that
`ends` is left out, too: nobody plays on there, and so it may be with any continuation.
"""

from collections.abc import Hashable
from functools import cached_property

from attrs import define, field

from protocol.place import Place

Points = Hashable
"""The points of a round: equal ones are the same, and nobody reckons with them."""


@define(eq=False, slots=False)
class Table:
    """A table of the match. There is one object for each."""

    uid: int
    """The number of the table, which also stands for its bytes."""
    parent: "Table | None"
    height: int
    attempt: int
    signers: int
    """The founders among its members, as bits."""
    match: "AbstractMatch" = field(repr=False)

    @cached_property
    def seats(self) -> tuple[int, ...]:
        """The founders who sit there, in order."""
        return tuple(p for p in range(self.match.players) if self.signers >> p & 1)

    @cached_property
    def table_id(self) -> bytes:
        """Bytes that stand for the table: of two with one attempt, the later has the lower ones."""
        return bytes((255 - self.uid % 256, self.uid // 256 % 256, self.uid // 65536))

    @cached_property
    def rank(self) -> tuple[int, bytes]:
        """The newer of two tables has the higher one."""
        return self.attempt, self.table_id

    @cached_property
    def goes_on_opening(self) -> bool:
        """The table starts among the openings of a round."""
        return self.parent is not None and self.parent.is_opening(self.height)

    @cached_property
    def dealt_at(self) -> "Table":
        """The table at which the cards of the round were dealt."""
        if self.goes_on_opening:
            assert self.parent is not None
            return self.parent.dealt_at
        return self

    @cached_property
    def open_before(self) -> int:
        """The players whose hands are open as the table starts, as bits."""
        if self.goes_on_opening:
            assert self.parent is not None
            return self.parent.open_at(self.height)
        return 0

    @cached_property
    def closed_for_good(self) -> int:
        """The players whose hands stay closed, as bits."""
        if not self.goes_on_opening:
            return 0
        assert self.parent is not None
        missing = self.dealt_at.signers & ~self.signers & ~self.open_before
        return self.parent.closed_for_good | missing

    @cached_property
    def writers(self) -> tuple[tuple[str, int], ...]:
        """The entries of the round: of which kind, and by whom."""
        settled = self.open_before | self.closed_for_good
        opens = [p for p in self.seats if self.dealt_at.signers >> p & 1 and not settled >> p & 1]
        dealt = self.parent is None or self.goes_on_opening
        shuffles = [] if dealt else [("shuffle", p) for p in self.seats]
        return (
            *shuffles,
            *(("open", p) for p in opens),
            *(("close", p) for p in self.seats),
        )

    @cached_property
    def end(self) -> int:
        """The height at which all have closed the round."""
        return len(self.writers)

    @cached_property
    def counted(self) -> int:
        """The height from which on the round is counted."""
        return self.end - len(self.seats)

    @cached_property
    def dealt(self) -> int:
        """The height from which on the players have cards."""
        return sum(kind == "shuffle" for kind, _ in self.writers)

    def open_at(self, height: int) -> int:
        """Return the players whose hands are open, as bits."""
        opened = (1 << p for kind, p in self.writers[:height] if kind == "open")
        return self.open_before | sum(opened)

    def is_opening(self, height: int) -> bool:
        """Return True while some hands are open and others are to be opened."""
        return height < self.counted and bool(self.open_at(height))

    @cached_property
    def points(self) -> Points:
        """The points of the round, if it is counted at this table."""
        return self.match.points_of(("round", self.dealt_at.uid, self.closed_for_good))

    @cached_property
    def before(self) -> tuple[Points, ...]:
        """The results before the table, as its charter tells them."""
        if self.parent is None:
            return ()
        return self.parent.results_after(self.height, self.signers)

    def results(self, height: int) -> tuple[Points, ...]:
        """Return the rounds that all have closed, or that were interrupted."""
        return (*self.before, self.points) if height >= self.end else self.before

    def results_after(self, height: int, signers: int) -> tuple[Points, ...]:
        """Return the results as a continuation tells them that starts here."""
        if height >= self.counted:
            return (*self.before, self.points)
        if self.match.void or self.is_opening(height) or height < self.dealt:
            return self.before
        missing = self.signers & ~signers
        interrupted = self.match.points_of(("interrupted", self.uid, height, missing))
        return (*self.before, interrupted)

    @cached_property
    def round_number(self) -> int:
        """The number of the round that is played at the table."""
        return len(self.before) + 1

    def last_of(self, player: int, height: int) -> int:
        """Return the height of that player's last entry, 0 for none."""
        own = (i + 1 for i, (_, p) in enumerate(self.writers[:height]) if p == player)
        return max(own, default=0)

    def close_of(self, player: int, height: int) -> int:
        """Return the height at which that player has closed the round, 0 if they have not."""
        last = self.last_of(player, height)
        return last if last > self.counted else 0

    def place(self, height: int) -> Place:
        """Return the place at that height; there are no forks, so the head is the table."""
        return Place(self.table_id, height, self.table_id)


@define(eq=False)
class AbstractMatch:
    """The tables of a match of so many founders.

    With `void` an interrupted round is dealt again. With `same_points` all rounds have the same
    points, and otherwise no two of them.
    """

    players: int
    void: bool = False
    same_points: bool = False
    tables: dict[tuple[int, int, int, int], Table] = field(factory=dict, init=False)
    by_uid: list[Table] = field(factory=list, init=False)
    _points: dict[Hashable, int] = field(factory=dict, init=False)

    def table(self, parent: Table | None, height: int, attempt: int, signers: int) -> Table:
        """Return the table with that charter."""
        key = (-1 if parent is None else parent.uid, height, attempt, signers)
        if key not in self.tables:
            self.tables[key] = Table(len(self.by_uid), parent, height, attempt, signers, self)
            self.by_uid.append(self.tables[key])
        return self.tables[key]

    def points_of(self, what: Hashable) -> Points:
        """Return the points of a round."""
        if self.same_points:
            return (0,)
        return (self._points.setdefault(what, len(self._points)),)

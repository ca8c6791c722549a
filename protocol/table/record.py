"""The record of one table as its node has it in memory: the states, and who has cheated."""

from collections.abc import Iterable

from attrs import define, field

from protocol.agreement import Branch
from protocol.charter import Member
from protocol.entries import CloseContent, Entry
from protocol.errors import Exposed, Malformed
from protocol.place import Place
from protocol.state import State
from protocol.table.chain import Chain

_RECENT = 64
"""States that are kept in memory: those at which the match may go on without somebody."""


@define(eq=False)
class TableRecord:
    """The record of a table that begins at `start`, at the node of player `me`, with that key."""

    me: int
    key: bytes
    start: State
    state: State = field(init=False)
    """The newest state."""
    exposures: list[Exposed] = field(factory=list, init=False)
    """The exposures of those who have cheated here, in the order in which they were found."""
    _last: dict[int, dict[int, bytes]] = field(factory=dict, init=False)
    """The last entry of each player, by its height."""
    _closed: dict[int, dict[int, bytes]] = field(factory=dict, init=False)
    """The entries by which each player has closed rounds, by their heights."""
    chain: Chain = field(init=False)
    """The heads and the newest entries, for peers."""
    _states: dict[int, State] = field(factory=dict, init=False)
    """The newest states, by height."""

    def __attrs_post_init__(self) -> None:
        self.state = self.start
        self.chain = Chain(self.state.charter, [self.state.head])
        self._states[0] = self.start

    @property
    def table_id(self) -> bytes:
        """The id of the table."""
        return self.state.table_id

    @property
    def height(self) -> int:
        """The number of entries."""
        return self.state.height

    @property
    def over(self) -> bool:
        """True if this node writes nothing more: the match is over, or somebody has cheated."""
        return self.state.complete or self.exposed is not None

    def telling(self, player: int) -> tuple[bytes, ...]:
        """Return the entries by which a player may contradict what they have signed.

        Against a signature for a continuation these are the last one, and those that close a round.
        """
        entries = {**self._closed.get(player, {}), **self._last.get(player, {})}
        return tuple(entries[height] for height in sorted(entries))

    @property
    def branch(self) -> Branch:
        """The table, as the rules of `protocol.agreement` see it."""
        wrote, closed = (
            max(entries.get(self.me, ()), default=0) for entries in (self._last, self._closed)
        )
        return Branch(self.state.charter.attempt, self.state.place, wrote, closed, self.fork)

    def state_at(self, height: int) -> State:
        """Return the state after the entry of that height, which is among the newest."""
        return self._states[height]

    @property
    def fork(self) -> Place | None:
        """The place before two entries of one height by the same player; None if there are none.

        The records of others may go on from another one of the two.
        """
        if self.exposed is None or self.exposed.cause != "R8":
            return None
        height = min(self.chain.height_of(part) for part in self.exposed.evidence)
        if not 0 < height <= self.height + 1:
            return None
        return Place(self.table_id, height - 1, self.chain.heads[height - 1])

    def take(self, after: State, entry: bytes) -> None:
        """Make `after`, to which `entry` leads, the newest state."""
        self.state = after
        self.chain.append(entry, after.head)
        self._states[after.height] = after
        self._states.pop(after.height - _RECENT, None)
        last = after.last
        assert last is not None
        self._last[last.writer] = {after.height: entry}
        if isinstance(last.content, CloseContent):
            self._closed.setdefault(last.writer, {})[after.height] = entry

    # -- cheats

    @property
    def cheat(self) -> Member | None:
        """The player who is exposed."""
        if self.exposed is None:
            return None
        key = self.exposed.key
        return next((member for member in self.state.charter.members if member.key == key), None)

    @property
    def exposed(self) -> Exposed | None:
        """The exposure of the first player who has cheated."""
        return self.exposures[0] if self.exposures else None

    def expose(self, error: Exposed) -> None:
        """Note that a player has cheated. One exposure of each is enough."""
        if error.key not in {other.key for other in self.exposures}:
            self.exposures.append(error)
            parts = self.exposing(self.exposures)
            self.chain.evidence = tuple((self.chain.height_of(part), part) for part in parts)

    def exposing(self, exposures: Iterable[Exposed]) -> tuple[bytes, ...]:
        """Return the entries that these exposures show."""
        parts = (part for error in exposures for part in error.evidence)
        return tuple(dict.fromkeys(part for part in parts if is_entry(part)))


def is_entry(part: bytes) -> bool:
    """Return True if evidence is an entry of a record, and no statement for a continuation."""
    try:
        Entry.decode(part)
    except Malformed:
        return False
    return True

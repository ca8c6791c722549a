"""The record of one table as its node has it in memory: the newest states, and who has cheated."""

from collections.abc import Iterable, Sequence

from attrs import define, evolve, field

from protocol.agreement import Branch
from protocol.charter import Member
from protocol.entries import CloseContent, Entry, UnlockContent, place_of
from protocol.errors import Exposed, Malformed
from protocol.place import Place
from protocol.state import State
from protocol.table.digest_chain import Chain
from protocol.table.tasks import Change, TakeOther

_RECENT = 64
"""The number of newest states that are kept in memory. A continuation may start at any of them."""


@define(eq=False)
class TableRecord:
    """The record of a table that begins at `start`, at the node of player `me`, who has `key`."""

    me: int
    key: bytes
    start: State
    state: State = field(init=False)
    """The newest state."""
    exposures: list[Exposed] = field(factory=list, init=False)
    """The exposures of those who have cheated here, in the order in which they were found."""
    wrote: int = field(default=0, init=False)
    """The height of the last entry that this node's player has written, 0 for none."""
    _chosen: dict[int, dict[int, bytes]] = field(factory=dict, init=False)
    """By player, the last entry that is no unlocking, under its height."""
    _closed: dict[int, dict[int, bytes]] = field(factory=dict, init=False)
    """By player and height, the entries by which players have closed rounds."""
    _forks: set[int] = field(factory=set, init=False)
    """The heights of the forks. At the next height a player has signed two entries."""
    kept: int = field(default=0, init=False)
    """The height up to which no entry is replaced, for a later table continues the record there."""
    is_changing: bool = field(default=False, init=False)
    """True while entries are being replaced on the disk. No table can continue the record then."""
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
        """Return the entries of a player that can contradict their signature for a continuation.

        They are the player's last entry that is no unlocking, and all their closings of rounds.
        """
        entries = {**self._closed.get(player, {}), **self._chosen.get(player, {})}
        return tuple(entries.values())

    def branch(self, offered: Place | None) -> Branch:
        """Return the table in the form that the rules of `protocol.agreement` take.

        `offered` is the place from which a proposed continuation would go on.
        """
        closed = max(self._closed.get(self.me, ()), default=0)
        fork = offered if offered is not None and self.may_go_on_from(offered) else None
        return Branch(self.state.charter.attempt, self.state.place, self.wrote, closed, fork)

    def state_at(self, height: int) -> State:
        """Return the state after the entry of that height, which is among the newest."""
        return self._states[height]

    @property
    def fork(self) -> Place | None:
        """The first fork from which the match may go on, or None.

        Two entries were signed for the height after it, and others may have the other one.
        """
        places = (self._place_at(height) for height in sorted(self._forks))
        return next(filter(self.may_go_on_from, places), None)

    def may_go_on_from(self, place: Place) -> bool:
        """Return True if the match may go on from that place before the end of the record.

        It may if this record has a fork anywhere, and all players who have closed a round after
        that place are exposed. The place need not be a fork here: others may know of other forks.
        """
        is_new = bool(self._forks) and place.height in self._states
        return is_new and self.leads_to(place) and self._closed_by_honest <= place.height

    def forks_at(self, place: Place) -> bool:
        """Return True if that place is a fork, and its state is still in memory."""
        is_new = place.height in self._forks and place.height in self._states
        return is_new and self.leads_to(place)

    def leads_to(self, place: Place) -> bool:
        """Return True if that place is in this record, and no entries are being replaced now."""
        if place.height > self.height:
            return False
        return not self.is_changing and self._place_at(place.height) == place

    def _place_at(self, height: int) -> Place:
        return Place(self.table_id, height, self.chain.heads[height])

    @property
    def _closed_by_honest(self) -> int:
        """The height of the last closing of a round by a player who is not exposed, 0 for none."""
        charter = self.state.charter
        exposed = {charter.player_of(error.key) for error in self.exposures}
        honest = (given for player, given in self._closed.items() if player not in exposed)
        return max((max(given, default=0) for given in honest), default=0)

    def take(self, after: State, entry: bytes) -> None:
        """Append `entry`; `after` is the state that it leads to."""
        self.state = after
        self.chain.append(entry, after.head)
        self._states[after.height] = after
        self._states.pop(after.height - _RECENT, None)
        self._note(after, entry)

    def _note(self, after: State, entry: bytes) -> None:
        """Note an entry, which leads to the state `after`, under its writer."""
        # No entry has led to the start of a table.
        if (last := after.last) is None:
            return
        if last.writer == self.me:
            self.wrote = after.height
        if not isinstance(last.content, UnlockContent):
            self._chosen[last.writer] = {after.height: entry}
        if isinstance(last.content, CloseContent):
            self._closed.setdefault(last.writer, {})[after.height] = entry

    def take_other(self, other: TakeOther) -> Sequence[Change]:
        """Replace the entries after a fork by those of another record. Return the changes.

        An exposure is forgotten if its evidence only continues entries that are gone now.
        """
        before, chain, height = self.state, self.chain, other.fork.height
        changes = []
        if before.height > height:
            # `last` is None, because this step goes back to the fork, and no entry leads there.
            changes.append(Change(before, evolve(other.fork, last=None), before.height - height))
        self.state, self.is_changing = other.fork, False
        for given in (self._chosen, self._closed):
            for player, entries in given.items():
                given[player] = {h: entry for h, entry in entries.items() if h <= height}
        # `_chosen` had one entry of each player. If it came after the fork, the player's last entry
        # before the fork is noted again.
        for taken, state in self._states.items():
            if taken <= height and taken in chain.recent:
                self._note(state, chain.recent[taken])
        # `recent` and `_states` need no cut: the other record is longer, and overwrites all
        # heights.
        del chain.heads[height + 1 :]
        for after, entry in other.steps:
            changes.append(Change(self.state, after))
            self.take(after, entry)
        self._forks = {fork for fork in self._forks if fork <= height}
        exposures, self.exposures = self.exposures, []
        for error in exposures:
            if any(not is_entry(part) or self._continues(part) for part in error.evidence):
                self.expose(error)
        return changes

    def _continues(self, part: bytes) -> bool:
        """Return True if an entry that is evidence comes right after an entry of this record."""
        place, heads = place_of(Entry.decode(part).body), self.chain.heads
        return place.height <= len(heads) and place.previous == heads[place.height - 1]

    # -- cheats

    @property
    def cheat(self) -> Member | None:
        """The first player who was exposed, if they have a seat at this table."""
        if self.exposed is None:
            return None
        key = self.exposed.key
        return next((member for member in self.state.charter.members if member.key == key), None)

    @property
    def exposed(self) -> Exposed | None:
        """The exposure of the first player who has cheated."""
        return self.exposures[0] if self.exposures else None

    def expose(self, error: Exposed) -> None:
        """Note that a player has cheated.

        Of each player only the first exposure is kept, but every fork is noted.
        """
        height = self.fork_of(error)
        if height is not None and height <= self.height:
            self._forks.add(height)
        if error.key not in {other.key for other in self.exposures}:
            self.exposures.append(error)
            parts = self.exposing(self.exposures)
            self.chain.evidence = tuple((self.chain.height_of(part), part) for part in parts)

    def fork_of(self, error: Exposed) -> int | None:
        """Return the height of the fork if two entries of one height expose the player, or None.

        Two entries of another table are no fork here: they come as one part (`protocol.evidence`).
        """
        if error.cause != "R8" or not is_entry(error.evidence[0]):
            return None
        return self.chain.height_of(error.evidence[0]) - 1

    def exposing(self, exposures: Iterable[Exposed]) -> tuple[bytes, ...]:
        """Return the entries that are evidence in these exposures, each once."""
        parts = (part for error in exposures for part in error.evidence)
        return tuple(dict.fromkeys(part for part in parts if is_entry(part)))


def is_entry(part: bytes) -> bool:
    """Return True if a part of evidence is an entry, not a `protocol.evidence.Evidence`."""
    try:
        Entry.decode(part)
    except Malformed:
        return False
    return True

"""The record of one table at this node: the newest state, the entries that lead to it, and the
evidence that somebody carries beside it.

Nothing here is locked or waits: the node sees to the order in which entries come.
"""

import logging
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

import trio
from attrs import define, field

from p2p.shuffle_threads import on_all_cores
from p2p.storage.journal import Journal
from p2p.storage.memberships import Membership
from p2p.table.node_updates import Change, Progress
from protocol.charter import Member
from protocol.entries import CloseContent, Entry, UnlockContent
from protocol.errors import Exposed, Malformed, Unattributable
from protocol.place import Place
from protocol.reducer import advance, check_equivocation
from protocol.state import State
from protocol.table.chain import Chain

_log = logging.getLogger(__name__)

_RECENT = 64
"""States that are kept in memory: those at which the match may go on without somebody."""


async def read_entries(journal: Journal, chain: Chain, since: int, most: int) -> tuple[bytes, ...]:
    """Return at most so many entries of a record from height `since` on, from memory if they are
    new.
    """
    heights = range(since, min(since + most, chain.height + 1))
    if all(height in chain.recent for height in heights):
        return tuple(chain.recent[height] for height in heights)
    return await trio.to_thread.run_sync(journal.entries, chain.table_id, since, most)


@define(eq=False)
class LiveRecord:
    """The record of the table of `membership`, which begins at `start`, at the node whose public
    key is `key`.
    """

    journal: Journal
    membership: Membership
    key: bytes
    start: State
    state: State = field(init=False)
    exposures: list[Exposed] = field(factory=list, init=False)
    """The exposures of those who have cheated here, in the order in which they were found."""
    past: list[Change] = field(factory=list, init=False)
    """The changes that the journal had."""
    newest: dict[int, int] = field(factory=dict, init=False)
    """The height of each player's last entry."""
    _closed: dict[int, list[int]] = field(factory=dict, init=False)
    """The heights of the entries by which each player has closed rounds."""
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
        return self.state.table_id

    @property
    def height(self) -> int:
        return self.state.height

    @property
    def over(self) -> bool:
        """True if this node writes nothing more: the match is over, or somebody has cheated."""
        return self.state.complete or self.exposed is not None

    async def entries(self, since: int, most: int) -> tuple[bytes, ...]:
        """Return at most so many entries from height `since` on."""
        return await read_entries(self.journal, self.chain, since, most)

    def state_at(self, height: int) -> State:
        """Return the state after the entry of that height, which this record has. Blocks."""
        if height in self._states:
            return self._states[height]
        state = self.start
        for entry in self.journal.entries(self.table_id, 1, height):
            state = advance(state, entry, later=[])  # it was verified before it was written
        return state

    def telling_heights(self, player: int) -> tuple[int, ...]:
        """Return the heights of the entries by which a player may contradict a signature for a
        continuation: the last one, and those that close a round.
        """
        heights = {*self._closed.get(player, ()), *filter(None, [self.newest.get(player)])}
        return tuple(sorted(heights))

    def last_closing_of(self, player: int) -> int:
        """Return the height of the last entry by which a player has closed a round, 0 for none."""
        return max(self._closed.get(player, ()), default=0)

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

    # -- growing

    def replay(self, progress: Progress) -> None:
        """Advance by the entries in the journal. Blocks.

        Every entry was judged before it was written: where one does not hold, the file has been
        damaged since. From there on the others are asked.
        """
        entries = self.journal.entries(self.table_id)
        for done, entry in enumerate(entries, start=1):
            before = self.state
            try:
                after = advance(before, entry, parallel_map=on_all_cores)
            except (Exposed, Unattributable) as error:
                _log.warning("entry %d in the journal is damaged: %s", done, error)
                self.journal.forget_entries(self.table_id, done)
                return
            self.past.append(self.take(after, entry))
            progress(done, len(entries))

    def write(self, after: State, entry: bytes, secrets: Mapping[str, bytes] | None) -> None:
        """Put the next entry, which leads to `after`, into the journal. Blocks.

        An own unlocking does not wait for the disk, as if it were somebody else's: if the power
        fails, it is written again in the same bytes (`Journal.append`).
        """
        assert after.last is not None
        again = isinstance(after.last.content, UnlockContent)
        self.journal.append(self.table_id, after.height, entry, None if again else secrets)

    def take(self, after: State, entry: bytes) -> Change:
        """Make `after`, to which `entry` leads, the newest state. Return the change."""
        change = Change(self.state, after)
        self.state = after
        self.chain.append(entry, after.head)
        self._states[after.height] = after
        self._states.pop(after.height - _RECENT, None)
        last = after.last
        assert last is not None
        self.newest[last.writer] = after.height
        if isinstance(last.content, CloseContent):
            self._closed.setdefault(last.writer, []).append(after.height)
        return change

    # -- evidence

    def judge(self, height: int, entry: bytes) -> None:
        """Compare an entry that somebody carries with the one that the record has in that place.

        Raises Exposed and Unattributable. Blocks.
        """
        if Entry.decode(entry).head == self.chain.heads[height]:
            return
        (ours,) = self.journal.entries(self.table_id, height, 1)
        check_equivocation(self.state.charter, ours, entry)

    def shown(self, most: int | None, known: Collection[bytes]) -> tuple[Exposed, ...]:
        """Return the exposures that `parts` shows by entries, but for those of the keys in `known`:
        one part shows that a player has cheated, not more (record.md, R20).
        """
        if most is not None and self._is_fork_behind(most):
            return ()
        new = (error for error in self.exposures if error.key not in known)
        return tuple(error for error in new if any(map(self._is_entry_here, error.evidence)))

    def parts(
        self, most: int | None = None, exposures: Sequence[Exposed] | None = None
    ) -> Iterator[bytes]:
        """Return the entries of the record, at most so many, as parts of a file. The part that
        exposes somebody who has cheated here stands where it belongs (`spec/audit.md`); that of all
        of them, if `exposures` is None. Blocks.
        """
        shown: dict[int, list[bytes]] = {}
        for part in self._exposing(self.shown(most, ()) if exposures is None else exposures):
            shown.setdefault(self.chain.height_of(part), []).append(part)
        entries = self.journal.entries(self.table_id, 1, most)
        for height, entry in enumerate(entries, start=1):
            yield entry
            yield from (part for part in shown.pop(height, ()) if part != entry)
        for late in shown.values():
            yield from late

    def _is_fork_behind(self, height: int) -> bool:
        """True if two entries of one height expose somebody, behind that height: a record that goes
        on from there elsewhere has no place for them.
        """
        return self.fork is not None and self.fork.height >= height

    def _exposing(self, exposures: Iterable[Exposed]) -> tuple[bytes, ...]:
        parts = (part for error in exposures for part in error.evidence)
        return tuple(dict.fromkeys(part for part in parts if self._is_entry_here(part)))

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
            parts = self._exposing(self.exposures)
            self.chain.evidence = tuple((self.chain.height_of(part), part) for part in parts)

    def _is_entry_here(self, part: bytes) -> bool:
        try:
            Entry.decode(part)
        except Malformed:
            return False
        return True

    def keep_evidence(self, error: Exposed) -> None:
        """Keep for good what shows that somebody has cheated. Blocks."""
        for evidence in error.evidence:
            self.journal.keep_evidence(self.table_id, str(error), evidence)

    def recall_evidence(self) -> None:
        """Judge again what was kept when somebody was exposed. Blocks."""
        held = None
        for _, entry in self.journal.evidence(self.table_id):
            if not self._is_entry_here(entry):
                continue
            try:
                height = self.chain.height_of(entry)
                if height <= self.height:
                    self.judge(height, entry)
                else:
                    advance(self.state, entry)
                    check_equivocation(self.state.charter, held or entry, entry)
                    held = entry
            except Exposed as error:
                self.expose(error)
            except Unattributable as error:
                _log.warning("evidence in the journal shows nothing: %s", error)

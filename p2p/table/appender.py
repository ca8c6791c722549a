"""The growth of the record of a table at this node: one entry at a time, this node's own and those
that members carry here.

The order of every step is the same, whoever wrote the entry: the reducer advances the state by it
(all checks), the journal has it (on disk, with the secrets behind it; for unlockings, and for what
others write, see `LiveRecord.write` and `Journal.defer`), and only then do others get it. So a node
that dies at any moment comes back to what it has said, and says it again in the same bytes.
"""

import math
from collections.abc import Callable, Iterable
from contextlib import suppress

import trio
from attrs import define, field

from p2p.shuffle_threads import meanwhile
from p2p.storage.journal import Journal
from p2p.table.judging import Judge, judged
from p2p.table.live_record import LiveRecord
from p2p.table.mesh import Mesh
from p2p.table.node_updates import Change
from p2p.table.own_player import OwnPlayer
from protocol.entries import MoveContent, UnlockContent
from protocol.errors import Exposed, RemoteError, Unattributable
from protocol.reducer import advance
from protocol.state import State
from protocol.table.resync import Resync

_ANOTHER_RECORD = "R7"  # the clause by which an entry continues another record than ours

_AHEAD = 8
"""Heights by which an entry may be ahead of our record, and is kept until it is its turn: one for
each height and member who has carried it, half a megabyte a member at most.
"""

_BRIEF = 2
"""Cards: to verify that many unlockings takes less than a millisecond."""

_BRIEF_MOVE = 256
"""Bytes: so long is a move that shows ten cards, and to judge it takes a millisecond."""

_DEFERRED_SECONDS = 0.2
"""Seconds for which others' moves and unlockings may be in memory only. Whatever this node signs is
written after them, so that a node that dies is one that has not heard of them yet.
"""


@define(eq=False)
class Appender:
    """Appends to `record`, and lets `mesh` and watchers know. `on_change` is called after each
    entry, `on_news` whenever something else changes; `may_write` tells if the match is played at
    this table. `since` is when the newest entry came, on Trio's clock, and infinite before the node
    runs.
    """

    record: LiveRecord
    player: OwnPlayer
    mesh: Mesh
    journal: Journal
    resync: Resync
    on_change: Callable[[Change], None]
    on_news: Callable[[], None]
    may_write: Callable[[], bool]
    judge: Judge = judged
    since: float = field(default=math.inf, init=False)
    lock: trio.Lock = field(factory=trio.Lock, init=False)
    """Is held while an entry is judged and kept, and while a continuation is signed."""
    _ahead: dict[tuple[int, int], bytes] = field(factory=dict, init=False)
    """Entries that have come before what they continue, by who has carried them, and height."""
    _deferred: trio.Event = field(factory=trio.Event, init=False)
    """Is set when the journal has something to flush."""

    @property
    def can_write(self) -> bool:
        """True if an entry is due from this node, and nothing keeps it from writing."""
        elsewhere = self.mesh.own_key_met.is_set()
        return self.player.can_write and self.may_write() and not elsewhere

    async def write(self) -> None:
        """Write and append what is due from this node; `lock` is held."""
        before = self.record.state

        def write() -> tuple[State, bytes]:
            own = self.player.write()
            after = advance(before, own.entry, is_own=True)
            self.record.write(after, own.entry, own.secrets)
            return after, own.entry

        await self._tell(*await trio.to_thread.run_sync(write))

    async def append(self, entry: bytes) -> None:
        """Append the next entry, of somebody else; `lock` is held.

        Raises Unattributable and Exposed: nothing has changed then.
        """
        before = self.record.state

        def judge() -> State:
            after = self._judged(before, entry)
            self.record.write(after, entry, None)
            return after

        if self._is_brief(entry):
            after = self.judge(before, entry)
            self.journal.defer(after.table_id, after.height, entry)
            self._deferred.set()
        else:
            after = await trio.to_thread.run_sync(judge)
        await self._tell(after, entry)

    def _is_brief(self, entry: bytes) -> bool:
        """True if the next entry is a move or an unlocking that is judged sooner than a thread
        takes it over.
        """
        state = self.record.state
        due = state.due
        if due is None:
            return False
        if due.kind == MoveContent.kind:
            return len(entry) <= _BRIEF_MOVE
        return due.kind == UnlockContent.kind and len(state.owed_slots(due)) <= _BRIEF

    async def keep_deferred(self) -> None:
        """Put what `append` has deferred into the journal soon after, if nothing else does. Runs
        until it is cancelled. Raises JournalError.
        """
        while True:
            await self._deferred.wait()
            self._deferred = trio.Event()
            await trio.sleep(_DEFERRED_SECONDS)
            await trio.to_thread.run_sync(self.journal.flush)

    def _judged(self, before: State, entry: bytes) -> State:
        """The state after another's entry, with its proofs verified. Blocks.

        If it is a shuffle and this node shuffles next, it does so meanwhile;
        what comes of it waits for the verdict, and is dropped with a proof that does not hold.

        Raises Unattributable and Exposed.
        """
        if not (self.resync.done and self.player.shuffles_next):
            return self.judge(before, entry)

        def shuffle_on() -> None:
            unverified = advance(before, entry, later=[])
            self.player.write_early(unverified)

        try:
            with meanwhile(shuffle_on):
                return self.judge(before, entry)
        except RemoteError:
            self.player.drop_early()
            raise

    async def _tell(self, after: State, entry: bytes) -> None:
        """The next entry is in the journal: let everybody know."""
        change = self.record.take(after, entry)
        self.since = trio.current_time()
        self.on_change(change)
        assert after.last is not None
        awaited = None if after.due is None else after.due.player
        await self.mesh.advanced(after.last.writer, awaited)
        await self.forget()

    async def carried(self, player: int, height: int, entry: bytes) -> bool:
        """Append, or compare, an entry that a member carried to us, their own or not; whether it
        was news. One that comes before what it continues is kept until that is there. Raises
        Unattributable for what no member should carry.
        """
        if self.record.chain.has(height, entry):
            return False
        async with self.lock:
            if self.record.state.complete or self.record.chain.has(height, entry):
                return False
            if height > self.record.height + 1:
                if height <= self.record.height + _AHEAD:
                    self._ahead[player, height] = entry
                return False
            is_news = await self._take(height, entry)
            while not self.record.state.complete and (ahead := self._next_ahead()):
                with suppress(Unattributable):  # the link by which it came is not this one
                    await self._take(self.record.height + 1, ahead)
            return is_news

    def _next_ahead(self) -> bytes | None:
        """An entry that came early and whose turn it may be by now."""
        height = self.record.height + 1
        for place in [place for place in self._ahead if place[1] <= height]:
            entry = self._ahead.pop(place)
            if place[1] == height:
                return entry
        return None

    async def _take(self, height: int, entry: bytes) -> bool:
        """Append, or compare, what somebody carries. Return True if it was news. `lock` is held.

        Raises Unattributable.
        """
        try:
            if height <= self.record.height:
                await trio.to_thread.run_sync(self.record.judge, height, entry)
                return False
            await self.append(entry)
        except Exposed as error:
            await self.stop(error)
            return False
        except Unattributable as error:
            # The record of that member has come apart from ours, which is not their doing: the
            # two are being compared.
            if error.cause != _ANOTHER_RECORD:
                raise
            return False
        return True

    async def stop(self, error: Exposed) -> None:
        """Somebody has cheated: keep the evidence, show it to all, and write no more. What others
        have written before they heard of it is still taken: all go on from the same place. If the
        cheat is this node's own player, who has played on from a copy of their home, nobody is
        shown it.
        """
        if error.key == self.record.key:
            self.mesh.note_contradiction()
            return
        self.record.expose(error)
        await trio.to_thread.run_sync(self.record.keep_evidence, error)
        self.mesh.show_evidence()
        self.on_news()

    async def forget(self) -> None:
        """Forget the chosen move, and erase the locks that nothing is written with any more. While
        entries may be missing nobody knows which those are.
        """
        await self._erase(self.player.advanced(erases=not self.resync.doubtful))

    async def heard_out(self) -> None:
        """Begin to write after a restart: erase the locks of which nobody has ever heard."""
        await self._erase(self.player.heard_out())

    async def _erase(self, secrets: Iterable[str]) -> None:
        for name in secrets:
            await trio.to_thread.run_sync(self.journal.forget_secrets, self.record.table_id, name)

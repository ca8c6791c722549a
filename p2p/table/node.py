"""A node at one table: it takes others' entries, writes its own, and sends both on.

When somebody is missing, the match may go on at another table, where another `Node` plays: see
`p2p.match.match_node`.
"""

import math
from collections.abc import Callable
from contextlib import nullcontext
from functools import partial

import trio
from attrs import frozen

from p2p.discovery.address_book import AddressBook
from p2p.shuffle_threads import meanwhile, on_all_cores, on_half_the_cores
from p2p.storage.journal import Journal
from p2p.storage.memberships import Membership, keep_known_addresses
from p2p.table.asides import Asides
from p2p.table.live_record import LiveRecord
from p2p.table.machine_sleep import LOOK_SECONDS, SleepWatch
from p2p.table.mesh import Mesh
from p2p.table.node_updates import Awaited, News, Progress
from p2p.table.shared_judging import Judge
from p2p.transport.endpoint import Endpoint
from p2p.transport.messages import Talk
from protocol.charter import Charter
from protocol.errors import Exposed, RemoteError
from protocol.group import Entropy
from protocol.reducer import advance
from protocol.state import State
from protocol.table import events, tasks
from protocol.table.events import TableEvent
from protocol.table.machine import TableMachine
from protocol.table.own_player import OwnPlayer
from protocol.table.resync import Resync
from protocol.table.tasks import Change, Ready

_DEFERRED_SECONDS = 0.2
"""Seconds for which others' moves and unlockings may be in memory only. They are written to the
journal before anything that this node signs. So a node that dies earlier comes back as if it had
never received them, and gets them from the others again.
"""

_ALL_SYNCED_SECONDS = 30.0
"""The maximum number of seconds that a node waits, after the match, until all others have the whole
record.
"""


@frozen
class MatchContext:
    """All that the nodes at the tables of one match share, and their callbacks to the match."""

    endpoint: Endpoint
    journal: Journal
    book: AddressBook
    asides: Asides
    entropy: Entropy
    judge: Judge
    news: News
    """Wakes the tasks that wait for a change. After a change of a record `on_change` does that."""
    may_write: Callable[[bytes], bool]
    """Returns True if this node may write at the table with that id."""
    on_change: Callable[[Change], None]
    """Called with each change of a record."""
    talk: Callable[[], tuple[Talk, ...]]
    """Returns the messages for all peers."""
    on_talk: Callable[[bytes, Talk], None]
    """Gets a peer's key and a message that is not about the record. Raises Malformed."""


class Node(Mesh):
    """The node at the table of `membership`, which is already in the journal of `match`.

    The record begins at `start`. `before` has the ids of the match's earlier tables, the latest one
    last.
    """

    def __init__(
        self, match: MatchContext, membership: Membership, start: State, before: tuple[bytes, ...]
    ) -> None:
        endpoint, journal = match.endpoint, match.journal
        record = LiveRecord.of(journal, membership, endpoint.identity.public, start)
        super().__init__(
            endpoint,
            journal,
            membership.charter,
            record.chain,
            membership.me,
            match.book,
            match.asides,
            match.talk,
        )
        self.match = match
        self.membership = membership
        self.live_record = record
        self.advancing = trio.Lock()
        """A lock that is held while the record grows, and while a continuation is signed."""
        player = OwnPlayer(record, endpoint.identity.sign)
        self.machine: TableMachine[Talk] = TableMachine(
            record, player, self.peers, membership.fresh
        )
        self._before = before
        self._deferred = trio.Event()
        self._stopping = trio.Event()

    # -- for the match

    @property
    def state(self) -> State:
        """The newest state of the table."""
        return self.live_record.state

    @property
    def charter(self) -> Charter:
        """The charter of the table."""
        return self.state.charter

    @property
    def table_id(self) -> bytes:
        """The id of the table."""
        return self.state.table_id

    @property
    def resync(self) -> Resync:
        """The wait after a restart until this node has heard what the others have."""
        return self.machine.resync

    @property
    def chooses(self) -> bool:
        """True if the table waits for a move of this node."""
        return self.machine.player.chooses and self.match.may_write(self.table_id)

    @property
    def awaited(self) -> Awaited | None:
        """The entry for which the table waits; None when the match is over, and before `run`."""
        due, since = self.state.due, self.machine.since
        if due is None or since == math.inf:
            return None
        linked = due.player == self.me or due.player in self.peers.linked
        return Awaited(due.player, due.kind, since, linked, self.resync.awaited)

    async def expose(self, error: Exposed) -> None:
        """Stop the record here: two signatures of a member contradict each other."""
        await self._handle(events.Contradicted(error))

    # -- running

    def restore(self, progress: Progress) -> None:
        """Replay the entries of the record in the journal. Blocks.

        `progress` is called after each entry. It may raise an error to break off; then the node
        cannot be used any more.
        """
        self.charter.game.load_position()  # later there may be no file descriptor left for it
        secrets: dict[str, bytes] = {}
        for table_id in (*self._before, self.table_id):
            secrets |= self.journal.secrets(table_id)
        self.machine.player.recall(secrets)
        self.live_record.replay(progress)
        # The doubt is read after `replay`, which makes the table doubtful if an entry is damaged.
        self.resync.doubtful = self.journal.is_doubtful(self.table_id)
        self.live_record.recall_evidence()

    async def forget_locks(self) -> None:
        """Erase the locks that are not needed any more."""
        await self._handle(events.Restored())

    async def run(self, *, task_status: trio.TaskStatus[None] = trio.TASK_STATUS_IGNORED) -> None:
        """Take part until `stop` is called; then send a last status, and end all links."""
        async with trio.open_nursery() as nursery:
            await nursery.start(self.keep_links)
            nursery.start_soon(self._write_all)
            nursery.start_soon(self._notice_sleep)
            nursery.start_soon(self._keep_deferred)
            nursery.start_soon(
                keep_known_addresses, self.journal, self.table_id, self.book, self.news
            )
            task_status.started()
            await self._stopping.wait()
            await self.leave()
            nursery.cancel_scope.cancel()

    def stop(self) -> None:
        """End `run`."""
        self._stopping.set()

    async def see_others_off(self) -> None:
        """Wait, for a limited time, until all have the end of the match."""
        with trio.move_on_after(_ALL_SYNCED_SECONDS):
            await self.everybody_has(self.state.height)
            # A wait that was cut off ends above, and notes nothing.
            await trio.to_thread.run_sync(self.journal.note_all_synced, self.table_id)

    async def _write_all(self) -> None:
        """Write each entry that this node owes, as soon as it is due."""
        while True:
            progress = self.match.news.next
            if self._can_write:
                # The lock may have been held by the signing of a continuation, after which this
                # node must not write here.
                async with self.advancing:
                    if self._can_write:
                        await self._grow(events.Due())
            else:
                await progress.wait()

    @property
    def _can_write(self) -> bool:
        return self.machine.can_write and self.match.may_write(self.table_id)

    async def _notice_sleep(self) -> None:
        """Give the player who is due their whole grace again after a sleep of this machine.

        The player may have sent something while this machine could not hear it.
        """
        watch = SleepWatch()
        while True:
            await trio.sleep(LOOK_SECONDS)
            if watch.has_slept():
                self.machine.since = trio.current_time()
                self.match.news.tell()

    def on_talk(self, player: int, talk: Talk) -> None:
        self.match.on_talk(self.charter.members[player].key, talk)

    # -- growing

    async def carried(self, player: int, height: int, entry: bytes) -> bool:
        # Most entries come from several members. A known one need not wait for the lock.
        if self.chain.has(height, entry):
            return False
        async with self.advancing:
            return await self._grow(events.Carried(player, height, entry))

    async def _grow(self, event: TableEvent[Talk]) -> bool:
        """Handle an event that may make the record grow, and do all computations that follow.

        Return True if the event is news. The caller must hold `advancing`. Raises Unattributable.
        """
        ready = await self._handle(event)
        is_news = ready.is_news
        while ready.compute is not None:
            ready = await self._handle(await self._computed(ready.compute))
            is_news |= ready.is_news
        return is_news

    def _react(self, event: TableEvent[Talk]) -> Ready[Talk]:
        ready = self.machine.handle(event, trio.current_time())
        for change in ready.changes:
            self.match.on_change(change)
        # `on_change` has told the news of the changes.
        if self.peers.probe.found or (not ready.changes and isinstance(event, events.Persisted)):
            self.match.news.tell()
        return ready

    async def _handle(self, event: TableEvent[Talk]) -> Ready[Talk]:
        """Handle an event, and send what is to be sent. Raises Mismatch."""
        # An entry is sent only after the event `Persisted`. Only this method makes that event, when
        # the journal has taken the entry.
        ready = await super()._handle(event)
        for what in ready.persist:
            await self._persist(what)
            after = await self._handle(events.Persisted(what))
            ready.is_news |= after.is_news
            ready.compute = ready.compute or after.compute
        for name in ready.erase:
            await trio.to_thread.run_sync(self.journal.forget_secrets, self.table_id, name)
        return ready

    async def _persist(self, what: tasks.Persist) -> None:
        """Write `what` into the journal. Raises JournalError."""
        run, journal, table_id = trio.to_thread.run_sync, self.journal, self.table_id
        match what:
            case tasks.Append(after, entry, is_deferred=True):
                journal.defer(table_id, after.height, entry)
                self._deferred.set()
            case tasks.Append(after, entry, secrets):
                await run(journal.append, table_id, after.height, entry, secrets)
            case tasks.TakeOther(fork, steps):
                entries = [entry for _, entry in steps]
                await run(journal.replace_entries, table_id, fork.height + 1, entries)
            case tasks.Evidence(error):
                await run(self.live_record.keep_evidence, error)
            case tasks.Begin(doubt=True):
                await run(journal.clear_doubt, table_id)

    async def _keep_deferred(self) -> None:
        """Write deferred entries into the journal after a moment, unless it is done already."""
        while True:
            await self._deferred.wait()
            # The event is replaced before the sleep: an entry that comes after this line starts
            # another turn of the loop.
            self._deferred = trio.Event()
            await trio.sleep(_DEFERRED_SECONDS)
            await trio.to_thread.run_sync(self.journal.flush)

    async def _computed(self, task: tasks.Compute) -> events.Computed:
        """Do a computation: here if it is brief, otherwise in a thread."""
        try:
            # A comparison reads the journal, and so is never brief.
            if not isinstance(task, tasks.CompareEntry) and task.is_brief:
                return events.Computed(task, self._compute(task))
            return events.Computed(task, await trio.to_thread.run_sync(self._compute, task))
        except RemoteError as error:
            return events.Computed(task, error)

    def _compute(self, task: tasks.Compute) -> State | tasks.Written | None:
        """Do a computation. Blocks. Raises a RemoteError for an entry of somebody else."""
        match task:
            case tasks.JudgeEntry(before, entry, shuffles_on=shuffles_on):
                with meanwhile(partial(self._shuffle_on, task)) if shuffles_on else nullcontext():
                    return self.match.judge(before, entry)
            case tasks.CompareEntry(height, entry):
                self.live_record.judge(height, entry)
                return None
            case tasks.WriteEntry(before):
                own = self.machine.player.write(self.match.entropy, on_all_cores)
                after = advance(before, own.entry, is_own=True)
                return tasks.Written(after, own.entry, own.secrets)

    def _shuffle_on(self, task: tasks.JudgeEntry) -> None:
        """Make this node's shuffle while the shuffle before it, in `task`, is being verified.

        The result is not used if the proof of the shuffle in `task` is invalid.
        """
        unverified = advance(task.before, task.entry, later=[])
        self.machine.player.write_early(unverified, self.match.entropy, on_half_the_cores)

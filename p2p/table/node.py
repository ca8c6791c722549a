"""A node at one table: it takes what others write, writes what it owes, and passes everything on.

The match goes on at another table, with a node of its own, when somebody is missing: see
`p2p.match.match_node`.
"""

import math
from collections.abc import Callable
from contextlib import nullcontext
from functools import partial

import trio
from attrs import frozen

from engine.moves import Move
from engine.position import Position
from engine.sentences import Sentence
from p2p.discovery.address_book import AddressBook
from p2p.shuffle_threads import meanwhile, on_all_cores, on_half_the_cores
from p2p.storage.journal import Journal
from p2p.storage.memberships import Membership, keep_known_addresses
from p2p.table.asides import Asides
from p2p.table.judging import Judge
from p2p.table.live_record import LiveRecord
from p2p.table.machine_sleep import LOOK_SECONDS, SleepWatch
from p2p.table.mesh import Mesh
from p2p.table.node_updates import Awaited, Progress
from p2p.transport.endpoint import Endpoint
from p2p.transport.messages import Talk
from protocol.charter import Charter
from protocol.errors import Exposed, RemoteError
from protocol.group import Entropy
from protocol.reducer import advance
from protocol.state import State
from protocol.table import events
from protocol.table.events import Change, Ready, TableEvent
from protocol.table.machine import TableMachine
from protocol.table.own_player import OwnPlayer
from protocol.table.resync import Resync

_DEFERRED_SECONDS = 0.2
"""Seconds for which others' moves and unlockings may be in memory only. Whatever this node signs is
written after them, so that a node that dies is one that has not heard of them yet.
"""

_ALL_SYNCED_SECONDS = 30.0
"""Seconds for which a node that has everything stays for those that have not said so."""


@frozen
class TableCallbacks:
    """Calls by which a node asks the match that its table belongs to.

    `may_write(table id)` is true if the match is played there; `on_change` gets each change of the
    record, and `on_news` is called when anything else changes. `progress` gives the event that is
    set at the next of these. `talk` are the messages for all peers, and `on_talk` gets those of a
    peer, by its key, and returns true for news. It raises Malformed.
    """

    may_write: Callable[[bytes], bool]
    on_change: Callable[[Change], None]
    on_news: Callable[[], None]
    progress: Callable[[], trio.Event]
    talk: Callable[[], tuple[Talk, ...]]
    on_talk: Callable[[bytes, Talk], bool]


class Node(Mesh):
    """The node at the table of `membership`, which `journal` has already.

    Its record begins at `start`; `before` are the tables from which the match has come here, the
    nearest last. The addresses in `book` and the `asides` are those of the whole match.
    """

    def __init__(
        self,
        endpoint: Endpoint,
        journal: Journal,
        membership: Membership,
        start: State,
        callbacks: TableCallbacks,
        *,
        before: tuple[bytes, ...],
        book: AddressBook,
        asides: Asides,
        entropy: Entropy,
        judge: Judge,
    ) -> None:
        record = LiveRecord.of(journal, membership, endpoint.identity.public, start)
        super().__init__(
            endpoint,
            journal,
            membership.charter,
            record.chain,
            membership.me,
            book,
            asides,
            callbacks.talk,
        )
        self.membership = membership
        self.live_record = record
        self.advancing = trio.Lock()
        """Is held while the record may grow, and while a continuation is signed."""
        player = OwnPlayer(record, endpoint.identity.sign)
        self.machine: TableMachine[Talk] = TableMachine(
            record, player, self.peers, membership.fresh
        )
        self._callbacks = callbacks
        self._before = before
        self._entropy = entropy
        self._judge = judge
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
        """The wait, after a restart, for what the others have."""
        return self.machine.resync

    @property
    def view(self) -> Position | None:
        """The round as this node sees it; None while seats are drawn, and in `trouble`."""
        return self.machine.player.view

    @property
    def chooses(self) -> bool:
        """True if the table waits for a move of this node."""
        return self.machine.player.chooses and self._callbacks.may_write(self.table_id)

    @property
    def trouble(self) -> Sentence | None:
        """The reason for which this node can only look on until the round is over; None if it can.

        It takes, keeps and passes on entries all the same.
        """
        return self.machine.player.trouble

    @property
    def awaited(self) -> Awaited | None:
        """The entry that the table waits for; None when the match is over, and before `run`."""
        due, since = self.state.due, self.machine.since
        if due is None or since == math.inf:
            return None
        linked = due.player == self.me or due.player in self.peers.linked
        return Awaited(due.player, due.kind, since, linked, self.resync.awaited)

    def choose(self, move: Move) -> None:
        """Choose the move of the entry that is due. Raises IllegalMove, or Refused."""
        self.machine.player.choose(move)

    async def expose(self, error: Exposed) -> None:
        """Stop the record here: two signatures of a member contradict each other."""
        await self._handle(events.Contradicted(error))

    def restart_grace(self) -> None:
        """Give the player for whom the table waits their whole grace again."""
        self.machine.since = trio.current_time()

    def grace_left(self) -> float:
        """Return the seconds until the player for whom the table waits can be left behind."""
        now = trio.current_time()
        return max(0.0, min(self.machine.since, now) + self.charter.grace - now)

    # -- running

    def restore(self, progress: Progress) -> None:
        """Advance by what the journal has of the record. Blocks.

        `progress` is told of it, and may end it by an error; then the node is of no use.
        """
        self.charter.game.load_position()  # while the system has a file to give
        secrets: dict[str, bytes] = {}
        for table_id in (*self._before, self.table_id):
            secrets |= self.journal.secrets(table_id)
        self.machine.player.recall(secrets)
        self.live_record.replay(progress)
        self.resync.doubtful = self.journal.is_doubtful(self.table_id)
        self.live_record.recall_evidence()

    async def forget_locks(self) -> None:
        """Erase the locks that nothing is written with any more."""
        await self._handle(events.Restored())

    async def run(self, *, task_status: trio.TaskStatus[None] = trio.TASK_STATUS_IGNORED) -> None:
        """Take part until `stop`: then say how far the record goes, and end all links."""
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
        """Wait for a while until all have the end of the match."""
        with trio.move_on_after(_ALL_SYNCED_SECONDS):
            await self.everybody_has(self.state.height)
            await trio.to_thread.run_sync(self.journal.note_all_synced, self.table_id)

    async def _write_all(self) -> None:
        """Write whatever this node owes, as soon as it owes it."""
        while True:
            progress = self._callbacks.progress()
            if self._can_write:
                async with self.advancing:
                    if self._can_write:
                        await self._grow(events.Due())
            else:
                await progress.wait()

    @property
    def _can_write(self) -> bool:
        return self.machine.can_write and self._callbacks.may_write(self.table_id)

    async def _notice_sleep(self) -> None:
        """Give the others their whole grace again after a sleep of this machine.

        They may have spoken all the time.
        """
        watch = SleepWatch()
        while True:
            await trio.sleep(LOOK_SECONDS)
            if watch.has_slept():
                self.restart_grace()
                self._callbacks.on_news()

    def on_talk(self, player: int, talk: Talk) -> bool:
        return self._callbacks.on_talk(self.charter.members[player].key, talk)

    # -- growing

    async def carried(self, player: int, height: int, entry: bytes) -> bool:
        if self.chain.has(height, entry):
            return False
        async with self.advancing:
            return await self._grow(events.Carried(player, height, entry))

    async def _grow(self, event: TableEvent[Talk]) -> bool:
        """Handle an event by which the record may grow, with all that is computed for it.

        Return True if the record has grown. `advancing` is held. Raises Unattributable.
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
            self._callbacks.on_change(change)
        if not ready.changes and isinstance(event, events.Persisted):
            self._callbacks.on_news()
        return ready

    async def _handle(self, event: TableEvent[Talk]) -> Ready[Talk]:
        """Handle an event: persist, then send.

        What is sent of an entry comes of `Persisted`, which nothing but this says.
        """
        ready = await super()._handle(event)
        for what in ready.persist:
            await self._persist(what)
            after = await self._handle(events.Persisted(what))
            ready.is_news |= after.is_news
            ready.compute = ready.compute or after.compute
        for name in ready.erase:
            await trio.to_thread.run_sync(self.journal.forget_secrets, self.table_id, name)
        return ready

    async def _persist(self, what: events.Persist) -> None:
        """Keep that in the journal. Raises JournalError."""
        run, journal, table_id = trio.to_thread.run_sync, self.journal, self.table_id
        match what:
            case events.Append(after, entry, is_deferred=True):
                journal.defer(table_id, after.height, entry)
                self._deferred.set()
            case events.Append(after, entry, secrets):
                await run(journal.append, table_id, after.height, entry, secrets)
            case events.TakeOther(fork, steps):
                entries = [entry for _, entry in steps]
                await run(journal.replace_entries, table_id, fork.height + 1, entries)
            case events.Evidence(error):
                await run(self.live_record.keep_evidence, error)
            case events.Begin(doubt=True):
                await run(journal.clear_doubt, table_id)

    async def _keep_deferred(self) -> None:
        """Put what was deferred into the journal soon after, if nothing else does."""
        while True:
            await self._deferred.wait()
            self._deferred = trio.Event()
            await trio.sleep(_DEFERRED_SECONDS)
            await trio.to_thread.run_sync(self.journal.flush)

    async def _computed(self, task: events.Compute) -> events.Computed:
        """Compute that: what takes longer than a thread takes to begin, in a thread."""
        try:
            if not isinstance(task, events.CompareEntry) and task.is_brief:
                return events.Computed(task, self._compute(task))
            return events.Computed(task, await trio.to_thread.run_sync(self._compute, task))
        except RemoteError as error:
            return events.Computed(task, error)

    def _compute(self, task: events.Compute) -> State | events.Written | None:
        """Compute that. Blocks. Raises a RemoteError for an entry of somebody else."""
        match task:
            case events.JudgeEntry(before, entry, shuffles_on=shuffles_on):
                with meanwhile(partial(self._shuffle_on, task)) if shuffles_on else nullcontext():
                    return self._judge(before, entry)
            case events.CompareEntry(height, entry):
                self.live_record.judge(height, entry)
                return None
            case events.WriteEntry(before):
                own = self.machine.player.write(self._entropy, on_all_cores)
                after = advance(before, own.entry, is_own=True)
                return events.Written(after, own.entry, own.secrets)

    def _shuffle_on(self, task: events.JudgeEntry) -> None:
        """Shuffle, while the shuffle before is judged.

        What comes of it waits for the verdict, and is dropped with a proof that does not hold.
        """
        unverified = advance(task.before, task.entry, later=[])
        self.machine.player.write_early(unverified, self._entropy, on_half_the_cores)

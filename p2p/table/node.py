"""A node at one table: it takes what others write, writes what it owes, and passes everything on.

The match goes on at another table, with a node of its own, when somebody is missing: see
`p2p.match.match_node`.
"""

import math
from collections.abc import Awaitable, Callable

import trio
from attrs import frozen

from engine.moves import Move
from engine.position import Position
from engine.sentences import Sentence
from p2p.discovery.address_book import AddressBook
from p2p.storage.journal import Journal
from p2p.storage.memberships import Membership, keep_known_addresses
from p2p.table.appender import Appender
from p2p.table.asides import Asides
from p2p.table.judging import Judge
from p2p.table.live_record import LiveRecord
from p2p.table.machine_sleep import LOOK_SECONDS, SleepWatch
from p2p.table.mesh import Mesh
from p2p.table.node_updates import Awaited, Change, Progress
from p2p.table.own_player import OwnPlayer
from p2p.transport.endpoint import Endpoint
from p2p.transport.messages import Talk
from protocol.charter import Charter
from protocol.errors import Exposed
from protocol.group import Entropy
from protocol.state import State
from protocol.table.resync import Resync

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
    on_talk: Callable[[bytes, Talk], Awaitable[bool]]


class Node:
    """This node's part in the table of `membership`, which `journal` has already. Its record begins
    at `start`; `before` are the tables from which the match has come here, the nearest last. The
    addresses in `book` and the `asides` are those of the whole match.
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
        self.live_record = record = LiveRecord(journal, membership, endpoint.identity.public, start)
        self._player = OwnPlayer(record, journal, endpoint.identity.sign, entropy, before)
        self._callbacks = callbacks
        self._journal = journal
        self.membership = membership
        self.mesh = Mesh(
            endpoint,
            journal,
            membership.charter,
            record.chain,
            membership.me,
            book,
            asides,
            callbacks.talk,
            self.carried,
            lambda player, talk: callbacks.on_talk(self.charter.members[player].key, talk),
        )
        self.resync = Resync(self.mesh.peers)
        self._stopping = trio.Event()
        self._appender = Appender(
            record,
            self._player,
            self.mesh,
            journal,
            self.resync,
            callbacks.on_change,
            callbacks.on_news,
            lambda: callbacks.may_write(record.table_id),
            judge,
        )

    # -- for the match

    @property
    def state(self) -> State:
        """The newest state of the table."""
        return self.live_record.state

    @property
    def me(self) -> int:
        """This node's player number."""
        return self.membership.me

    @property
    def view(self) -> Position | None:
        """The round as this node sees it; None while seats are drawn, and in `trouble`."""
        return self._player.view

    @property
    def chooses(self) -> bool:
        """True if the table waits for a move of this node."""
        return self._player.chooses and self._callbacks.may_write(self.table_id)

    @property
    def trouble(self) -> Sentence | None:
        """The reason for which this node can only look on until the round is over: a sentence for
        people; None if it can play. It takes, keeps and passes on entries all the same.
        """
        return self._player.trouble

    @property
    def awaited(self) -> Awaited | None:
        """The entry that the table waits for; None when the match is over, and before `run`."""
        due = self.state.due
        if due is None or self._appender.since == math.inf:
            return None
        linked = due.player == self.me or due.player in self.mesh.peers.linked
        return Awaited(due.player, due.kind, self._appender.since, linked, self.resync.awaited)

    @property
    def advancing(self) -> trio.Lock:
        """Is held while an entry is judged and kept, and while a continuation is signed."""
        return self._appender.lock

    def choose(self, move: Move) -> None:
        """Choose the move of the entry that is due. Raises IllegalMove, or Refused."""
        self._player.choose(move)

    async def carried(self, player: int, height: int, entry: bytes) -> bool:
        """Take an entry that a member carried here. Return True for news. Raises Unattributable."""
        return await self._appender.carried(player, height, entry)

    async def expose(self, error: Exposed) -> None:
        """Stop the record here: two signatures of a member contradict each other."""
        await self._appender.stop(error)

    def restart_grace(self) -> None:
        """Give the player for whom the table waits their whole grace again."""
        self._appender.since = trio.current_time()

    def grace_left(self) -> float:
        """Return the seconds until the player for whom the table waits can be left behind."""
        now = trio.current_time()
        return max(0.0, min(self._appender.since, now) + self.charter.grace - now)

    # -- running

    def restore(self, progress: Progress) -> None:
        """Advance by what the journal has of the record. Blocks.

        `progress` is told of it, and may end it by an error; then the node is of no use.
        """
        self.charter.game.load_position()  # while the system has a file to give
        self._player.recall()
        self.live_record.replay(progress)
        self.resync.doubtful = self._journal.is_doubtful(self.table_id)
        self.live_record.recall_evidence()

    async def forget_locks(self) -> None:
        """Erase the locks that nothing is written with any more."""
        await self._appender.forget()

    async def run(self, *, task_status: trio.TaskStatus[None] = trio.TASK_STATUS_IGNORED) -> None:
        """Take part until `stop`: then say how far the record goes, and end all links."""
        self._appender.since = trio.current_time()
        async with trio.open_nursery() as nursery:
            await nursery.start(self.mesh.run)
            nursery.start_soon(self._write_all)
            nursery.start_soon(self._notice_sleep)
            nursery.start_soon(self._appender.keep_deferred)
            book, news = self.mesh.book, self.mesh.news
            nursery.start_soon(keep_known_addresses, self._journal, self.table_id, book, news)
            task_status.started()
            await self._stopping.wait()
            await self.mesh.leave()
            nursery.cancel_scope.cancel()

    def stop(self) -> None:
        """End `run`."""
        self._stopping.set()

    async def see_others_off(self) -> None:
        """Wait for a while until all have the end of the match."""
        with trio.move_on_after(_ALL_SYNCED_SECONDS):
            await self.mesh.everybody_has(self.state.height)
            await trio.to_thread.run_sync(self._journal.note_all_synced, self.table_id)

    async def _write_all(self) -> None:
        """Write whatever this node owes, as soon as it owes it."""
        if self.membership.fresh and self.state.height == 0:
            self.resync.done = True  # this node has never said anything here
        else:
            await self._resync()
            await self._appender.heard_out()
        self._callbacks.on_news()
        while True:
            progress = self._callbacks.progress()
            if self._appender.can_write:
                async with self._appender.lock:
                    if self._appender.can_write:
                        await self._appender.write()
            else:
                await progress.wait()

    async def _resync(self) -> None:
        """Wait until this node has what its peers have."""
        resync, is_doubtful = self.resync, self.resync.doubtful
        resync.begin(trio.current_time())
        while (again := resync.look(trio.current_time())) < math.inf:
            with trio.move_on_at(again):
                await self.mesh.news()
        if is_doubtful:
            await trio.to_thread.run_sync(self._journal.clear_doubt, self.table_id)

    async def _notice_sleep(self) -> None:
        """After a sleep of this machine the others have their whole grace again: they may have
        spoken all the time.
        """
        watch = SleepWatch()
        while True:
            await trio.sleep(LOOK_SECONDS)
            if watch.has_slept():
                self.restart_grace()
                self._callbacks.on_news()

    # -- the record

    @property
    def charter(self) -> Charter:
        """The charter of the table."""
        return self.state.charter

    @property
    def table_id(self) -> bytes:
        """The id of the table."""
        return self.state.table_id

"""A node at a table: it folds what others write, writes what it owes, and passes everything on.

The order of every step is the same, whoever wrote the entry: fold it (all checks), put it into
the journal (with the secrets behind it, on disk), and only then let others know. So a node that
dies at any moment comes back to what it has said, and says it again in the same bytes.
"""

import logging
import math
import os
from collections.abc import AsyncIterator, Iterable, Iterator, Mapping

import trio

from engine.moves import Move
from engine.position import Position
from engine.sentences import Sentence
from p2p.discovery.address_book import Address
from p2p.replacement.coordinator import Coordinator
from p2p.replacement.waiting_room import Candidate
from p2p.storage.journal import Journal
from p2p.storage.memberships import Membership, keep_known_addresses
from p2p.table.changes import Awaited, Change
from p2p.table.live_record import LiveRecord
from p2p.table.mesh import Mesh
from p2p.table.resync import Resync
from p2p.transport.endpoint import LOBBY, Endpoint
from p2p.transport.frames import LinkError
from p2p.transport.messages import Agreed, Talk
from protocol.charter import Charter
from protocol.entries import AbsentContent, is_joint
from protocol.errors import Exposed, Refused, Unattributable
from protocol.group import Entropy
from protocol.player import LOST_LOCK, Player
from protocol.record import record_parts
from protocol.reducer import advance
from protocol.state import State

ANOTHER_RECORD = "R7"  # the clause by which an entry continues another record than ours

_log = logging.getLogger(__name__)

ALL_SYNCED_SECONDS = 30.0
"""How long a node that has everything stays for those that have not said so."""


class Node:
    """This node's part in one table. `log` is the record; `dismissed` tells that the others have
    gone on without this node, which was away too long.
    """

    def __init__(
        self,
        endpoint: Endpoint,
        journal: Journal,
        membership: Membership,
        entropy: Entropy = os.urandom,
    ) -> None:
        self.log = LiveRecord(journal, membership, endpoint.identity.public)
        self._player = Player(membership.me, endpoint.identity.sign)
        self._endpoint = endpoint
        self._journal = journal
        self._membership = membership
        self._entropy = entropy
        self.mesh = Mesh(endpoint, self, membership.me, membership.address_book())
        self.resync = Resync(journal, self.mesh, self._keep_doubt)
        self.folding = trio.Lock()
        self._move: Move | None = None
        self._restored = False
        self._coordinator = Coordinator(self, endpoint.identity, journal)
        self.dismissed = False
        self.past = self.log.past  # the changes that `restore` has folded
        self._watchers: list[trio.MemorySendChannel[Change]] = []
        self.progress = trio.Event()
        self._since = 0.0

    # -- for the client

    @property
    def state(self) -> State:
        """The newest state of the table."""
        return self.log.state

    @property
    def exposed(self) -> Exposed | None:
        """Who has cheated."""
        return self.log.exposed

    @property
    def me(self) -> int:
        """This node's player number."""
        return self._membership.me

    @property
    def view(self) -> Position | None:
        """The round as this node sees it; None while seats are drawn, without a seat, and in
        `trouble`.
        """
        return self._player.view(self.state) if self.log.is_seated and not self.trouble else None

    @property
    def chooses(self) -> bool:
        """Whether the table waits for a move of this node."""
        ready = not self.over and self._move is None and self.log.is_seated and not self.trouble
        return ready and self._player.chooses(self.state)

    @property
    def trouble(self) -> Sentence | None:
        """Why this node can only look on until the round is over, or void: a sentence for people;
        None if it can play. What others write it folds, keeps and passes on all the same.
        """
        lost = not self.over and self.log.is_seated and self._player.has_lost_a_lock(self.state)
        return LOST_LOCK if lost else None

    @property
    def over(self) -> bool:
        """Whether this node has nothing more to do here."""
        return self.state.complete or self.stopped

    @property
    def stopped(self) -> bool:
        """Whether this node goes on with nobody here: somebody has cheated, or it is dismissed. In
        a match that is over it still refuses, for those who wait for it and lack the end yet.
        """
        return self.exposed is not None or self.dismissed

    @property
    def awaited(self) -> Awaited | None:
        """What the table waits for; None when the match is over."""
        due = self.state.due
        if due is None:
            return None
        linked = due.player == self.me or due.player in self.mesh.linked
        return Awaited(due.player, due.kind, self._since, linked, self.resync.awaited)

    @property
    def unreached(self) -> frozenset[int]:
        """The members with whom this node has no link; others may have one with them."""
        return frozenset(self.mesh.others) - self.mesh.linked

    async def play(self, move: Move) -> None:
        """Make a move; on return it is in the record, unless the table turns out to be further.

        Raises IllegalMove, or Refused when it is not this node's turn.
        """
        if not self.chooses:
            raise Refused(self.trouble or Sentence("It is not your turn."))
        self.state.match.apply(move)
        height = self.state.height
        self._move = move
        self.wake()
        while self.state.height == height and not self.over:
            await self.progress.wait()

    @property
    def grace_left(self) -> float:
        """Seconds until this node would agree that whoever is waited for is absent."""
        return max(0.0, self._since + self.charter.grace - trio.current_time())

    @property
    def vacant(self) -> int | None:
        """The player whose seat can be given away, once the grace is over; None for nobody. See
        `p2p.replacement.coordinator` for what follows.
        """
        return self._coordinator.vacant

    @property
    def candidates(self) -> tuple[Candidate, ...]:
        """Who waits at this table for a seat to be given to them."""
        return self._coordinator.candidates

    async def invite(self, seats: Mapping[int, bytes]) -> AbsentContent:
        """Ask candidates to take seats. See `Coordinator.invite`. Raises Refused."""
        return await self._coordinator.invite(seats)

    @property
    def proposals(self) -> tuple[AbsentContent, ...]:
        """The absences that members have voted for in this place, and substitutes have signed."""
        return self._coordinator.votes.proposals

    def absence(self, content: AbsentContent) -> bytes:
        """The encoded body of the joint entry, for substitutes to sign. Raises Refused."""
        return self._coordinator.absence(content)

    async def vote(
        self, content: AbsentContent, substitutes: Mapping[bytes, bytes] | None = None
    ) -> None:
        """Agree that players are absent. See `Coordinator.vote`. Raises Refused."""
        await self._coordinator.vote(content, substitutes or {})

    def changes(self) -> AsyncIterator[Change]:
        """Every change from now on, until the node stops."""
        # No bound: it is our own client that reads, and a change shares most of its state.
        sender, receiver = trio.open_memory_channel[Change](math.inf)
        self._watchers.append(sender)
        return receiver

    def record(self) -> Iterator[bytes]:
        """The record as far as it goes, as the bytes of a record file, piece by piece."""
        return record_parts(self._membership.charter, self._journal.entries(self.state.table_id))

    def membership_for(self, player: int, port: int) -> Membership:
        """What a substitute on this machine needs to begin; this node listens at `port`."""
        here = Address(self.log.key, "127.0.0.1", port)
        addresses = (here, *self.mesh.book)
        return Membership(self._membership.charter, player, addresses, fresh=False)

    def places_of(self, player: int) -> tuple[tuple[str, int], ...]:
        """Hosts and ports at which that member was found."""
        return self.mesh.book.of(self.charter.members[player].key)

    def learn(self, addresses: Iterable[Address]) -> None:
        """Hear, from anywhere, where members may be found."""
        self.mesh.learn(addresses)

    # -- running

    async def restore(self) -> None:
        """Open the table in the journal, and fold what is there of it, as `run` does too."""
        if not self._restored:
            await trio.to_thread.run_sync(self._restore)
            self._restored = True

    async def run(self) -> State:
        """Play until the match is over, signed by all, and all members have the whole record (or
        cannot be reached for a while).

        Raises Exposed when a member has cheated: the evidence is in the journal then.
        """
        try:
            await self.restore()
            self._since = trio.current_time()
            async with trio.open_nursery() as nursery:
                await nursery.start(self.mesh.run)
                nursery.start_soon(self._write_all)
                book, news = self.mesh.book, self.mesh.news
                nursery.start_soon(keep_known_addresses, self._journal, self.table_id, book, news)
                with self._endpoint.route(LOBBY, self._coordinator.room.receive):
                    while not self.over:
                        await self.progress.wait()
                self._coordinator.room.close()
                with trio.move_on_after(ALL_SYNCED_SECONDS):
                    if self.state.complete:
                        await self.mesh.everybody_has(self.state.height)
                        await trio.to_thread.run_sync(self._journal.note_all_synced, self.table_id)
                await self.mesh.leave()
                nursery.cancel_scope.cancel()
        finally:
            for watcher in self._watchers:
                watcher.close()
        if self.exposed is not None:
            raise self.exposed
        return self.state

    def _restore(self) -> None:
        table_id = self.state.table_id
        self._journal.create_table(table_id, self._membership.charter.encode(), self.me)
        self.resync.recall()
        secrets = self._journal.secrets(table_id)
        self._player = Player.restored(self.me, self._endpoint.identity.sign, secrets)
        self._coordinator.recall(self._refolded())
        self.dismissed = self.dismissed or bool(self._coordinator.own.dismissal)
        self.log.recall_evidence()
        for name in self._player.forget(self.state, for_good=self.dismissed):
            self._journal.forget_secrets(table_id, name)

    def _refolded(self) -> Iterator[State]:
        """The states that the journal leads to, one after the other."""
        was_seated = self.log.is_seated
        for state in self.log.refold():
            self.dismissed = self.dismissed or (was_seated and not self.log.is_seated)
            was_seated = self.log.is_seated
            yield state

    async def _write_all(self) -> None:
        """Write whatever this node owes, as soon as it owes it."""
        if self._membership.fresh and self.state.height == 0:
            self.resync.done = True  # this node has never said anything here
        else:
            await self.resync.run()
        self.wake()
        while not self.over:
            owes = self.log.is_seated and self._player.owes(self.state)
            if (
                not owes
                or self.trouble
                or (self._player.chooses(self.state) and self._move is None)
            ):
                await self.progress.wait()
                continue
            async with self.folding:
                if not self.over and self._player.owes(self.state):
                    await self._write()

    def _keep_doubt(self) -> None:
        """Up to here, what this node has voted for may be known to others only."""
        self._coordinator.own.keep_doubt(self.height)

    async def _write(self) -> None:
        """Write what is due from this node; `folding` is held."""
        state, move, releases = self.state, self._move, self._coordinator.releases

        def written() -> tuple[State, bytes]:
            own = self._player.write(state, self._entropy, move, releases)
            after = advance(state, own.entry, is_own=True)
            self._keep(after, own.entry, own.secrets)
            return after, own.entry

        await self._take(*await trio.to_thread.run_sync(written))

    async def fold(self, entry: bytes) -> None:
        """Fold the next entry, of somebody else or of several; `folding` is held.

        Raises Unattributable and Exposed: nothing has changed then.
        """
        state = self.state

        def folded() -> State:
            after = advance(state, entry)
            self._keep(after, entry, None)
            return after

        await self._take(await trio.to_thread.run_sync(folded), entry)

    def _keep(self, after: State, entry: bytes, secrets: Mapping[str, bytes] | None) -> None:
        """Put the next entry into the journal. Blocks."""
        if not is_joint(entry):
            self._coordinator.keep_release()
        self.log.write(after, entry, secrets)

    async def _take(self, after: State, entry: bytes) -> None:
        """The record goes on, and is in the journal: let everybody know."""
        before, was_seated = self.state, self.log.is_seated
        self.log.take(after, entry)
        self._move = None  # it was for the state before, whoever has moved
        self._coordinator.advanced(before.charter)
        if was_seated and not self.log.is_seated:
            self.dismissed = True
        assert after.last is not None
        if isinstance(after.last.content, AbsentContent):
            for player in after.last.content.players:
                self.mesh.forget(player)
        self._since = trio.current_time()
        for watcher in self._watchers:
            watcher.send_nowait(Change(before, after))
        self.wake()
        await self.mesh.advanced(after.last.writer)
        await self._forget_locks()

    def wake(self) -> None:
        self.progress.set()
        self.progress = trio.Event()

    # -- what the mesh asks for

    @property
    def charter(self) -> Charter:
        """The members as they are by now."""
        return self.state.charter

    @property
    def table_id(self) -> bytes:
        return self.state.table_id

    @property
    def height(self) -> int:
        return self.state.height

    def greeting(self) -> Agreed:
        return Agreed(self._membership.charter.encode())

    def head_at(self, height: int) -> bytes:
        return self.log.head_at(height)

    async def entries(self, since: int, most: int) -> tuple[bytes, ...]:
        return await self.log.entries(since, most)

    @property
    def evidence(self) -> tuple[tuple[int, bytes], ...]:
        return self.log.evidence

    @property
    def departed(self) -> Mapping[bytes, int]:
        return self._coordinator.departed

    @property
    def talk(self) -> tuple[Talk, ...]:
        return self._coordinator.talk

    async def told(self, player: int, talk: Talk, /) -> bool:
        """What a member tells about an absence; whether it was news. Raises LinkError."""
        try:
            return await self._coordinator.told(player, talk)
        except Exposed as error:
            await self._stop(error)
            return True

    async def carried(self, _player: int, height: int, entry: bytes, /) -> bool:
        """An entry that a member carried to us, their own or not; whether it was news.

        Raises LinkError for what no member should carry.
        """
        if self.log.has(height, entry):
            return False
        async with self.folding:
            if self.over or height > self.height + 1:
                return False
            try:
                if height <= self.height:
                    return await self._compare(height, entry)
                if self._holds_back(entry):
                    # What does not hold, or exposes somebody, is no less so while we wait.
                    await trio.to_thread.run_sync(advance, self.state, entry)
                    return self._coordinator.hold(entry)
                await self.fold(entry)
            except Exposed as error:
                await self._stop(error)
                return False
            except Unattributable as error:
                # The record of that member has come apart from ours, which is not their doing: the
                # two are being compared.
                if error.cause != ANOTHER_RECORD:
                    raise LinkError(
                        "Entry {height} does not hold: {error}", height=height, error=error
                    ) from error
                return False
            return True

    def _holds_back(self, entry: bytes) -> bool:
        """Whether this node, which has voted for an absence, may not take that entry yet."""
        return self._coordinator.votes.ballot.holds_back and not is_joint(entry)

    async def _compare(self, height: int, entry: bytes) -> bool:
        """Compare what somebody carries with what the record has there; whether it was news.

        Raises Exposed and Unattributable.
        """
        dismissed = await trio.to_thread.run_sync(self.log.judge, height, entry)
        if dismissed:
            await trio.to_thread.run_sync(self._coordinator.own.keep_dismissal, entry)
            self.dismissed = True
            await self._forget_locks()
            self.wake()
        return dismissed

    async def _forget_locks(self) -> None:
        """Erase the locks that nothing is written with any more."""
        for name in self._player.forget(self.state, for_good=self.dismissed):
            await trio.to_thread.run_sync(self._journal.forget_secrets, self.table_id, name)

    async def _stop(self, error: Exposed) -> None:
        """Somebody has cheated: keep the evidence, show it to all, and go no further."""
        self.log.exposed = error
        await trio.to_thread.run_sync(self.log.keep_evidence, error)
        self.mesh.show_evidence()
        self.wake()

"""A node at a table: it takes what others write, writes what it owes, and passes everything on."""

import os
from collections.abc import AsyncIterator, Iterable, Iterator, Mapping, Sequence

import trio

from engine.moves import Move
from engine.position import Position
from engine.sentences import Sentence
from p2p.discovery.address_book import Address
from p2p.replacement.coordinator import Coordinator
from p2p.replacement.waiting_room import Candidate
from p2p.storage.journal import Journal
from p2p.storage.known_players import KnownPlayers
from p2p.storage.memberships import Membership, keep_known_addresses
from p2p.table.appender import Appender
from p2p.table.asides import AsideCode, Asides
from p2p.table.changes import Awaited, Change, Progress, no_progress, unless_cancelled
from p2p.table.judging import Judge, judged
from p2p.table.key_probe import own_key_elsewhere
from p2p.table.live_record import LiveRecord
from p2p.table.machine_sleep import LOOK_SECONDS, SleepWatch
from p2p.table.mesh import Mesh
from p2p.table.own_player import OwnPlayer
from p2p.table.resync import Resync
from p2p.transport.endpoint import LOBBY, Caller, Endpoint, hear
from p2p.transport.lobby_messages import Sit
from p2p.transport.messages import Agreed, Talk
from p2p.transport.spectator_messages import Spectator, Watch, Watching
from p2p.visitors.gallery import Gallery
from protocol.charter import Charter
from protocol.entries import AbsentContent
from protocol.errors import Exposed, OutOfTurn
from protocol.group import Entropy
from protocol.state import State

LOOPBACK = "127.0.0.1"

_ALL_SYNCED_SECONDS = 30.0
"""How long a node that has everything stays for those that have not said so."""


class Node:
    """This node's part in one table, that of `membership`, which `journal` has already.
    `live_record` is the record; `progress` is set, and replaced, whenever something changes.
    """

    def __init__(
        self,
        endpoint: Endpoint,
        journal: Journal,
        membership: Membership,
        entropy: Entropy = os.urandom,
        judge: Judge = judged,
    ) -> None:
        self.live_record = record = LiveRecord(journal, membership, endpoint.identity.public)
        self._player = OwnPlayer(record, journal, endpoint.identity.sign, entropy)
        self._endpoint = endpoint
        self._journal = journal
        self._membership = membership
        self.mesh = Mesh(endpoint, self, membership.me, membership.address_book())
        self.resync = Resync(journal, self.mesh, self._keep_doubt)
        self.progress = trio.Event()
        self._restored = self._stopping = False
        self._coordinator = coordinator = Coordinator(self, endpoint.identity, journal)
        self._gallery = Gallery(self)
        self._appender = Appender(
            record, self._player, coordinator, self.mesh, journal, self.resync, self.wake, judge
        )

    # -- for the client

    @property
    def state(self) -> State:
        """The newest state of the table."""
        return self.live_record.state

    @property
    def exposed(self) -> Exposed | None:
        """Who has cheated."""
        return self.live_record.exposed

    @property
    def dismissed(self) -> bool:
        """Whether the others have gone on without this node, which was away for too long."""
        return self.live_record.dismissed

    @property
    def past(self) -> Sequence[Change]:
        """The changes that `restore` has found in the journal."""
        return self.live_record.past

    @property
    def me(self) -> int:
        """This node's player number."""
        return self._membership.me

    @property
    def view(self) -> Position | None:
        """The round as this node sees it; None while seats are drawn, without a seat, and in
        `trouble`.
        """
        return self._player.view

    @property
    def chooses(self) -> bool:
        """Whether the table waits for a move of this node."""
        return self._player.chooses

    @property
    def trouble(self) -> Sentence | None:
        """Why this node can only look on until the round is over, or void: a sentence for people;
        None if it can play. What others write it takes, keeps and passes on all the same.
        """
        return self._player.trouble

    @property
    def over(self) -> bool:
        """Whether this node has nothing more to do here."""
        return self.live_record.over

    @property
    def stopped(self) -> bool:
        """Whether this node goes on with nobody here: somebody has cheated, or it is dismissed. In
        a match that is over it still refuses, for those who wait for it and lack the end yet.
        """
        return self.live_record.stopped

    @property
    def awaited(self) -> Awaited | None:
        """What the table waits for; None when the match is over."""
        due = self.state.due
        if due is None:
            return None
        linked = due.player == self.me or due.player in self.mesh.linked
        return Awaited(due.player, due.kind, self._appender.since, linked, self.resync.awaited)

    @property
    def unreached(self) -> frozenset[int]:
        """The members with whom this node has no link; others may have one with them."""
        return frozenset(self.mesh.others) - self.mesh.linked

    @property
    def lacking(self) -> frozenset[int]:
        """The members who have not confirmed to have all that this node has."""
        return self.mesh.lacking(self.height)

    async def play(self, move: Move) -> None:
        """Make a move; on return it is in the record, unless the table turns out to be further.

        Raises IllegalMove, or Refused when it is not this node's turn.
        """
        self._player.choose(move)
        state = self.state
        self.wake()
        while self.state is state and not self.over:
            await self.progress.wait()

    @property
    def asides(self) -> Asides:
        """What members say beside the game."""
        return self.mesh.asides

    def leave(self) -> None:
        """Say goodbye to the others, and stop: at once, or when all have the whole record."""
        self.asides.say(AsideCode.LEAVING)
        self.stop()

    def stop(self) -> None:
        """Stop without a word: at once, or when all have the whole record."""
        self._stopping = True
        self.wake()

    @property
    def grace_left(self) -> float:
        """Seconds until this node would agree that whoever is waited for is absent."""
        return max(0.0, self._appender.since + self.charter.grace - trio.current_time())

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

    @property
    def spectators(self) -> tuple[Spectator, ...]:
        """Who watches at this table, as far as the members tell."""
        return self._gallery.spectators

    def bar_spectator(self, key: bytes) -> None:
        """End the watching of the holder of that key, at all nodes. Raises Refused."""
        self._gallery.bar(key)

    def barred_by(self, key: bytes) -> int | None:
        """The player who has done so."""
        return self._gallery.barred_by(key)

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
        return self._appender.changes()

    def record(self) -> Iterator[bytes]:
        """The record as the bytes of a record file. See `LiveRecord.file_parts`."""
        return self.live_record.file_parts()

    def membership_for(self, player: int, port: int) -> Membership:
        """What a substitute on this machine needs to begin; this node listens at `port`."""
        here = Address(self.live_record.key, LOOPBACK, port)
        addresses = (here, *self.mesh.book)
        return Membership(self._membership.charter, player, addresses, fresh=False)

    def places_of(self, player: int) -> tuple[tuple[str, int], ...]:
        """Hosts and ports at which that member was found."""
        return self.mesh.book.of(self.charter.members[player].key)

    def learn(self, addresses: Iterable[Address]) -> None:
        """Hear, from anywhere, where members may be found."""
        self.mesh.learn(addresses)

    def find_here(self, key: bytes, port: int) -> None:
        """A member's node runs on this machine, at that port: it is called there first."""
        self.mesh.book.learn(Address(key, LOOPBACK, port), seen=True)

    # -- running

    async def restore(self, progress: Progress = no_progress) -> None:
        """Advance by what the journal has of the record, as `run` does too.

        `progress` is told in a thread, and may end it by an error; then the node is of no use.
        """
        if not self._restored:
            await trio.to_thread.run_sync(self._restore, unless_cancelled(progress))
            await self._appender.forget()
            self._restored = True

    async def run(self, *, linger: bool = False) -> State:
        """Play until the match is over, signed by all, and all members have the whole record (or
        cannot be reached for a while); or until `leave`. A node that may `linger` keeps its links
        after the match until then, for what people have to say.

        Raises Exposed when a member has cheated: the evidence is in the journal then; and
        OwnKeyElsewhere.
        """
        try:
            await self.restore()
            self._appender.since = trio.current_time()
            async with trio.open_nursery() as nursery:
                await nursery.start(self.mesh.run)
                nursery.start_soon(self._write_all)
                nursery.start_soon(self._notice_sleep)
                nursery.start_soon(self._appender.keep_deferred)
                nursery.start_soon(self._stop_where_the_key_is_used, nursery.cancel_scope)
                book, news = self.mesh.book, self.mesh.news
                nursery.start_soon(keep_known_addresses, self._journal, self.table_id, book, news)
                with self._endpoint.route(LOBBY, self._receive):
                    while not self.over and not self._stopping:
                        await self.progress.wait()
                await self._see_others_off(linger=linger)
                await self.mesh.leave()
                nursery.cancel_scope.cancel()
        finally:
            self._gallery.end()
            self._appender.close()
        if self.exposed is not None:
            raise self.exposed
        if self.mesh.probe.found.is_set():
            raise own_key_elsewhere(contradicted=self.mesh.probe.contradicted)
        return self.state

    async def _stop_where_the_key_is_used(self, scope: trio.CancelScope) -> None:
        """Another node has the same key: from then on this one says nothing any more."""
        await self.mesh.probe.found.wait()
        scope.cancel()

    async def _see_others_off(self, *, linger: bool) -> None:
        """Wait for a while until all have the end of a match, then for people who `linger`."""
        self._coordinator.room.close()
        with trio.move_on_after(_ALL_SYNCED_SECONDS):
            if self.state.complete:
                await self.mesh.everybody_has(self.state.height)
                await trio.to_thread.run_sync(self._journal.note_all_synced, self.table_id)
        if self.over:
            await self._gallery.close()
        while linger and self.state.complete and not self._stopping:
            await self.progress.wait()

    async def _receive(self, caller: Caller) -> None:
        """Attend to somebody who asks about no table: for a seat, or to watch."""
        match await hear(caller.link):
            case Sit() as sit:
                await self._coordinator.room.receive(caller, sit)
            case Watch() as wish:
                await self._gallery.receive(caller, wish)
            case _:
                raise OutOfTurn("Whoever comes to a table asks for a seat, or to watch.")

    def _restore(self, progress: Progress) -> None:
        self.charter.game.load_position()  # while the system has a file to give
        self._player.recall()
        self._coordinator.recall(self.live_record.replay(progress))
        self.resync.recall()
        if self._coordinator.own.dismissal:
            self.live_record.dismissed = True
        self.live_record.recall_evidence()

    async def _write_all(self) -> None:
        """Write whatever this node owes, as soon as it owes it."""
        if self._membership.fresh and self.state.height == 0:
            self.resync.done = True  # this node has never said anything here
        else:
            await self.resync.run()
            await self._appender.heard_out()
        self.wake()
        while not self.over:
            if not self._appender.can_write:
                await self.progress.wait()
                continue
            async with self._appender.lock:
                if self._appender.can_write:
                    await self._appender.write()

    async def _notice_sleep(self) -> None:
        """After a sleep of this machine the others have their whole grace again: they may have
        spoken all the time.
        """
        watch = SleepWatch()
        while True:
            await trio.sleep(LOOK_SECONDS)
            if watch.has_slept():
                self._appender.since = trio.current_time()
                self.wake()

    def _keep_doubt(self) -> None:
        """Up to the next place, what this node has voted for may be known to others only, or to
        nobody any more.
        """
        self._coordinator.own.keep_doubt(self.height + 1)

    # -- what a replacement asks for

    @property
    def advancing(self) -> trio.Lock:
        """Is held while an entry, or a vote, is judged and kept."""
        return self._appender.lock

    async def advance(self, entry: bytes) -> None:
        """Append the next entry; `advancing` is held. Raises Unattributable and Exposed."""
        await self._appender.append(entry)

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
        return self.live_record.head_at(height)

    async def entries(self, since: int, most: int) -> tuple[bytes, ...]:
        return await self.live_record.entries(since, most)

    @property
    def complete(self) -> bool:
        return self.state.complete

    @property
    def linked(self) -> frozenset[int]:
        return self.mesh.linked

    @property
    def known_players(self) -> KnownPlayers:
        return KnownPlayers(self._journal)

    @property
    def evidence(self) -> tuple[tuple[int, bytes], ...]:
        return self.live_record.evidence

    @property
    def departed(self) -> Mapping[bytes, int]:
        return self._coordinator.departed

    @property
    def talk(self) -> tuple[Talk, ...]:
        return (*self._coordinator.talk, *self._gallery.talk)

    async def told(self, player: int, talk: Talk, /) -> bool:
        """What a member tells of an absence or of spectators; whether it was news. Raises
        Malformed.
        """
        if isinstance(talk, Watching):
            self._gallery.told(player, talk)
            return False
        try:
            return await self._coordinator.told(player, talk)
        except Exposed as error:
            await self._appender.stop(error)
            return True

    async def carried(self, player: int, height: int, entry: bytes, /) -> bool:
        """An entry that a member carried to us; whether it was news. Raises Unattributable."""
        return await self._appender.carried(player, height, entry)

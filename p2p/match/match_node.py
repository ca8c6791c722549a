"""The node of a match: it plays at one table, and at the next one when somebody stays away.

A continuation is made in three steps (`spec/record.md`, 6; `spec/nodes.md`):

1. *Talk.* Players wish for something, the leader proposes it, and the others accept the proposal
   (`protocol.match.negotiation`, `protocol.match.going_on`). This binds nobody.
2. *Signatures.* When everybody whose signature the proposal needs has accepted it, each node signs
   it, if the rules of `protocol.agreement` allow that. The node first writes the signature into the
   journal, and then sends it to all (`protocol.match.statements`).
3. *The new table.* All signatures together make the continuation. A node that has them writes the
   continuation into the journal and sends it to all. Then a new `Node` plays at the new table
   (`p2p.match.tables`).
"""

import os
import time
from collections.abc import AsyncIterator, Iterable, Iterator, Mapping, Sequence
from math import inf

import trio
from attrs import define, field

from engine.moves import Move
from engine.sentences import Sentence
from p2p.discovery.address_book import Address
from p2p.discovery.interfaces import LOOPBACK
from p2p.match.history import KeptHistory
from p2p.match.match_view import MatchView
from p2p.match.spectators import Gallery
from p2p.match.table_status import TableStatus
from p2p.match.tables import Tables
from p2p.match.waiting_room import WaitingRoom
from p2p.storage.journal import Journal
from p2p.storage.memberships import Membership
from p2p.table.asides import AsideCode, Asides
from p2p.table.node import MatchContext
from p2p.table.node_updates import Progress, no_progress, unless_cancelled
from p2p.table.shared_judging import Judge, judged
from p2p.transport.endpoint import LOBBY, Caller, hear
from p2p.transport.lobby_messages import Sit
from p2p.transport.messages import Talk
from p2p.transport.spectator_messages import Spectator, Watch, Watching
from protocol.charter import Member
from protocol.errors import OutOfTurn, Refused
from protocol.group import Entropy
from protocol.match import events, tasks
from protocol.match.events import MatchEvent
from protocol.match.machine import MatchMachine
from protocol.match.messages import Wish
from protocol.match.statements import encode_statement
from protocol.match.tasks import Ready
from protocol.signatures import Signer
from protocol.state import State
from protocol.table.own_key_probe import own_key_elsewhere
from protocol.table.tasks import Change

_TICK_SECONDS = 1.0
"""Seconds between two checks whether somebody is missing, while nothing else happens."""


@define(eq=False)
class MatchNode(MatchView):
    """This node's part in the match of `membership`, which is already in `journal`."""

    entropy: Entropy = os.urandom
    judge: Judge = judged
    follows: bytes = b""
    """The key of a bot's owner, because a bot accepts what its owner accepts; empty at the node of
    a person.
    """
    room: WaitingRoom = field(init=False)
    past: Sequence[Change] = field(default=(), init=False)
    """The changes that `restore` has found in the journal."""
    _gallery: Gallery = field(init=False)
    _restored: bool = field(default=False, init=False)
    """True once `restore` has replayed the journal."""
    _stopping: bool = field(default=False, init=False)
    """True after `stop`."""
    _tasks: list[tasks.Persist] = field(factory=list, init=False)
    """The tasks that `_look_after` has to carry out: each writes something to the disk."""
    _watchers: list[trio.MemorySendChannel[Change]] = field(factory=list, init=False)
    """The other ends of the channels that `changes` has returned."""

    def __attrs_post_init__(self) -> None:
        match_id, history = self.membership.match_id, KeptHistory()
        self.asides = Asides(self.me, self._say_aside, lambda: self.state.complete)
        self.machine = MatchMachine(
            match_id,
            self.me,
            self.key,
            self.endpoint.identity.sign,
            history,
            self._objection,
            self.follows,
        )
        context = MatchContext(
            self.endpoint,
            self.journal,
            self.membership.address_book(),
            self.asides,
            self.entropy,
            self.judge,
            self.news,
            self.machine.may_write,
            self._on_change,
            lambda: (*self.machine.talk, *self._gallery.talk),
            self.on_talk,
        )
        self.tables = Tables(context, match_id, history)
        self.room = WaitingRoom(
            self.tables, lambda: self.going_on, self.on_talk, self._on_candidates
        )
        self._gallery = Gallery(self.tables, lambda: self.over)
        charter = self.membership.charter.charter
        # `restore` adds the later tables: only then is it known in which state they begin.
        if charter.continues is None:
            node = self.tables.add(self.membership, State.start(charter))
            self.tables.history.add(node.live_record, self.membership.charter)

    async def play(self, move: Move) -> None:
        """Make a move, and return when it is in the record.

        The move is not made if another entry comes first, or the match ends. Raises IllegalMove,
        or Refused when it is not this node's turn.
        """
        if self.left_out:
            raise Refused("The others have gone on without you.")
        self.node.machine.player.choose(move)
        state = self.state
        # The news wakes `Node._write_all`, which writes the entry.
        self.news.tell()
        while self.state is state and not self.over:
            await self.progress.wait()

    # -- for the client

    def changes(self) -> AsyncIterator[Change]:
        """Return every change from now on, until the node stops."""
        # The channel has no bound: its reader is our own client, and two successive states share
        # most of their data.
        sender, receiver = trio.open_memory_channel[Change](inf)
        self._watchers.append(sender)
        return receiver

    def record(self) -> Iterator[bytes]:
        """Return the match up to now, as the bytes of a record file. Blocks."""
        return self.tables.history.file_parts(self.machine.shown_evidence)

    def leave(self) -> None:
        """Say goodbye to the others, and call `stop`."""
        self.asides.say(AsideCode.LEAVING)
        self.stop()

    def stop(self) -> None:
        """Stop without saying goodbye.

        During the match the node stops at once. After the match it first waits, for a limited time,
        until all members have the whole record.
        """
        self._stopping = True
        self.news.tell()

    async def close_links(self) -> None:
        """End all links, before the program ends."""
        for node in tuple(self.tables.running.values()):
            await node.leave()

    @property
    def status(self) -> TableStatus:
        """The facts about the match that a display shows now."""
        state, exposed, spectators = self.state, self.exposed, self.spectators
        if self.left_out:
            return TableStatus(state, None, left_out=True, exposed=exposed, spectators=spectators)
        players = range(len(self.charter.members))
        return TableStatus(
            state,
            self.view,
            chooses=self.chooses,
            trouble=self.trouble,
            exposed=exposed,
            exposed_players=self.exposed_players,
            awaited=self.awaited,
            grace_left=self.going_on.grace_left,
            unreached=self.unreached,
            absent=frozenset(p for p in players if not self.going_on.is_present(p)),
            missing=self.missing,
            stuck=self.stuck,
            wishes=self.wishes,
            proposal=self.proposal,
            accepted=frozenset(filter(self.has_accepted, players)),
            candidates=self.candidates,
            spectators=spectators,
        )

    @property
    def spectators(self) -> tuple[Spectator, ...]:
        """Everybody who watches, as far as this node knows from the members."""
        return self._gallery.spectators

    def bar_spectator(self, key: bytes) -> None:
        """Bar the spectator with that key from all nodes. Raises Refused if there is none."""
        self._gallery.bar(key)

    def barred_by(self, key: bytes) -> int | None:
        """Return the player who has barred the spectator with that key; None if nobody has."""
        return self._gallery.barred_by(key)

    def learn(self, addresses: Iterable[Address]) -> None:
        """Note addresses, told by anybody, at which members may be found."""
        keys = {member.key for member in self.tables.history.members} - {self.key}
        self.tables.match.book.learn_all(address for address in addresses if address.key in keys)

    def find_here(self, key: bytes, port: int) -> None:
        """Note that a member's node listens at that port of this machine, its best address."""
        self.tables.match.book.learn(Address(key, LOOPBACK, port), seen=True)

    # -- for the client: going on without somebody

    def wish(self, wish: Wish) -> None:
        """Wish for a way to go on without the missing players. The wish can be changed at any time.

        Raises Refused while nobody is missing, or if the wish names a candidate who has gone.
        """
        self._handle(events.Wished(wish))

    def join_proposal(self) -> None:
        """Wish for the same as the leader's proposal.

        Raises Refused if there is no proposal, or if this node may not accept it.
        """
        self._handle(events.Wished(None))

    def propose(self, successors: Mapping[int, Member], signers: Mapping[bytes, Signer]) -> None:
        """Propose that the bots `successors` take the seats that `GoingOn.wants_bots` names.

        `signers` has the function that signs for each bot, under the bot's key. Raises Refused if
        the match cannot go on with these bots any more.
        """
        self._handle(events.BotsMade(successors, signers))

    def introduce(self, key: bytes, journal: Journal, port: int) -> Membership:
        """Put the match into the `journal` of a bot that has been given a seat. Blocks.

        `key` is the bot's key, and its node listens at `port` of this machine. Return the bot's
        membership.
        """
        self.find_here(key, port)
        return self.tables.introduce(key, journal, LOOPBACK)

    def give_up(self) -> None:
        """Note that this player has given up the match for good. Blocks."""
        self.journal.note_given_up(self.match_id)

    def _objection(self, key: bytes, name: str) -> Sentence | None:
        refusal = self.tables.known_players.objection(key, name)
        return None if refusal is None else refusal.sentence

    def _on_change(self, change: Change) -> None:
        """Handle the growth of a table's record."""
        after = change.after
        # This step goes back to a fork: it has no entry to compare. The steps that follow it have.
        if change.taken_back:
            return
        entry = self.tables.history.records[after.table_id].chain.recent[after.height]
        self._handle(events.Grown(after, entry))
        if change.after.table_id == self.table_id:
            self._tell(change)
        self.news.tell()

    def _tell(self, change: Change) -> None:
        for watcher in self._watchers:
            watcher.send_nowait(change)

    # -- continuations

    def _handle(self, event: MatchEvent) -> Ready:
        """Handle an event, and return what follows from it. Raises Malformed or Refused."""
        ready = self.machine.handle(event, trio.current_time())
        self._tasks += ready.persist
        if ready.has_spoken:
            for node in tuple(self.tables.running.values()):
                node.show_talk()
        if ready.before is not None:
            self._tell(self.tables.history.begun(ready.before))
        if ready.has_spoken or ready.persist:
            self.news.tell()
        return ready

    async def _look_after(self) -> None:
        """Tick, carry out the tasks, and sign continuations. Never returns.

        This happens at every change, and at least once a second.
        """
        while True:
            # The event is taken before the work: news that comes during it ends the wait below at
            # once.
            progress = self.progress
            ready = self._handle(events.Ticked())
            await self._carry_out()
            if ready.is_due:
                await self._sign()
            self.tables.stop_old()
            if progress is self.progress:
                with trio.move_on_after(_TICK_SECONDS):
                    await progress.wait()

    async def _sign(self) -> None:
        """Sign a continuation, while nothing is written at any table."""
        for node in (nodes := tuple(self.tables.running.values())):
            await node.advancing.acquire()
        try:
            # The machine asks again if all have accepted: entries may have come before the locks
            # were ours.
            self._handle(events.Due())
            await self._carry_out()
        finally:
            for node in nodes:
                node.advancing.release()

    async def _carry_out(self) -> None:
        """Carry out all tasks, each before what follows from it is sent. Raises JournalError."""
        while self._tasks:
            # Each task is taken out by itself, because `_handle` appends further ones.
            what = self._tasks.pop(0)
            match what:
                case tasks.Open(signed, start):
                    record = await self.tables.open(signed, start)
                    self._handle(events.Opened(record, signed))
                    await self.tables.start(signed.charter.table_id)
                    continue
                case tasks.Sign(statement):
                    attempt, data = statement.continues.attempt, encode_statement(statement)
                    keep = self.journal.keep_statement
                    await trio.to_thread.run_sync(keep, self.match_id, attempt, data)
                    # The table's node writes this evidence to the disk itself, and stops.
                case tasks.Expose(error, table_id, stops=True):
                    await self.tables.nodes[table_id].expose(error)
                case tasks.Expose(error, table_id):
                    keep_evidence = self.journal.keep_evidence
                    await trio.to_thread.run_sync(
                        keep_evidence, table_id, str(error), error.evidence[0]
                    )
            self._handle(events.Persisted(what))

    # -- among members

    def on_talk(self, key: bytes, talk: Talk) -> None:
        """Note a message beside the record, from the holder of that key. Raises Malformed."""
        if not isinstance(talk, Watching):
            self._handle(events.Said(key, talk))
        elif (player := self.charter.player_of(key)) is not None:
            self._gallery.told(player, talk)

    def _on_candidates(self) -> None:
        """Note that a candidate for a seat has come or gone."""
        self._handle(events.Came(self.room.members))

    def _say_aside(self, code: AsideCode) -> None:
        for node in self.tables.running.values():
            node.say_aside(code)

    # -- running

    async def restore(self, progress: Progress = no_progress) -> None:
        """Replay the entries of the match in the journal. `run` does this, too, if necessary.

        `progress` is called in a thread. It may raise an error to break off; then the node cannot
        be used any more.
        """
        if not self._restored:
            await trio.to_thread.run_sync(self._restore, unless_cancelled(progress))
            # Stances are numbered from the time in milliseconds since 1970. A run of the program
            # sends fewer than a thousand stances a second, so the next run begins with a higher
            # number.
            self._handle(events.Begun(int(time.time() * 1000)))
            for node in self.tables.nodes.values():
                await node.forget_locks()
            self._restored = True

    def _restore(self, progress: Progress) -> None:
        self.tables.restore(progress)
        tables, kept = self.tables.history.records, self.journal.evidence
        parts = ((table_id, part) for table_id in tables for _, part in kept(table_id))
        self.machine.recall(self.journal.statements(self.match_id), parts)
        self.past = tuple(self.tables.history.past())

    async def run(self, *, linger: bool = False) -> State:
        """Play until the match is over, or until `leave`.

        After the last signature, wait for a while until all members have the whole record. With
        `linger`, keep the links after the match until `leave`, so that people can talk.

        Raises Exposed when a member has cheated (the evidence is in the journal by then), and
        OwnKeyElsewhere.
        """
        try:
            await self.restore()
            async with trio.open_nursery() as nursery:
                with self.endpoint.route(LOBBY, self._receive):
                    await self.tables.run(nursery)
                    nursery.start_soon(self._look_after)
                    while not (self.over or self._stopping or self.is_elsewhere):
                        await self.progress.wait()
                if not self.is_elsewhere:
                    await self._see_others_off(linger=linger)
                    await self.close_links()
                nursery.cancel_scope.cancel()
        finally:
            self.tables.end()
            self._gallery.end()
            for watcher in self._watchers:
                watcher.close()
            self._watchers.clear()
        if self.is_elsewhere:
            raise own_key_elsewhere(contradicted=self.contradicted)
        if self.exposed is not None:
            raise self.exposed
        return self.state

    async def _see_others_off(self, *, linger: bool) -> None:
        """Wait until all have the end of the match, or for a limited time.

        With `linger`, wait until `leave` or `stop`.
        """
        self.room.close()
        if self.state.complete and not self.left_out:
            await self.node.see_others_off()
        if self.over:
            await self._gallery.close()
        while linger and self.state.complete and not (self._stopping or self.is_elsewhere):
            await self.progress.wait()

    async def _receive(self, caller: Caller) -> None:
        """Serve a caller who names no table: they want a seat, or to watch."""
        match await hear(caller.link):
            case Sit() as sit:
                await self.room.receive(caller, sit)
            case Watch() as wish:
                await self._gallery.receive(caller, wish)
            case _:
                raise OutOfTurn("A caller has asked neither for a seat nor to watch.")

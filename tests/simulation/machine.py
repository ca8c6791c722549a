"""A simulated machine: the real node of a match, a person who uses it, and a journal in memory.

The machine can die and start again. A person who asks for a vacant seat has a machine without a
node at first: the real code for candidates waits in the real waiting room of another node. A bot's
machine gets its node when the bot has a seat.
"""

import random
from contextlib import suppress
from typing import TYPE_CHECKING, Any, cast

import trio
from attrs import define, field

from engine.errors import IllegalMove
from p2p.match.match_node import MatchNode
from p2p.match.take_vacant_seat import Candidacy
from p2p.storage.memberships import Membership
from p2p.transport.endpoint import LOBBY, Caller, Handler, say
from p2p.transport.link import PEER_FAULTS
from p2p.transport.lobby_messages import Sit
from p2p.transport.messages import Hello, Message
from protocol.charter import Member
from protocol.errors import Exposed, Refused
from protocol.match.messages import Continued, Wish, WishKind
from protocol.table.messages import Carry, Status
from protocol.table.own_key_probe import OwnKeyElsewhere
from tests.simulation.memory_journal import Killed, MemoryJournal
from tests.simulation.simulated_mesh import (
    SimulatedEndpoint,
    SimulatedIdentity,
    SimulatedLink,
    SimulatedNode,
)

if TYPE_CHECKING:
    from tests.simulation.simulation import Simulation


@define(eq=False)
class Machine:
    """A machine in the simulation.

    `roles` are the ways in which its player cheats. `wishes` are the kinds of continuation that the
    player likes, the best first. `patience` is the number of seconds for which the player waits for
    a missing player. A player with a seat from the beginning has a `membership`. A bot has an
    `owner`.
    """

    world: "Simulation"
    member: Member
    identity: SimulatedIdentity
    rng: random.Random
    journal: MemoryJournal
    membership: Membership | None = None
    owner: "Machine | None" = None
    roles: frozenset[str] = frozenset()
    wishes: tuple[WishKind, ...] = (WishKind.END,)
    patience: float = 60.0
    comes: bool = True
    """True for a person, who asks for a seat; False for a bot, which gets a seat from its owner."""
    stays_away: float = field(default=0.0, init=False)
    """The minimum number of seconds until the next restart; 0 for the usual delay."""
    node: MatchNode | None = field(default=None, init=False)
    endpoint: SimulatedEndpoint = field(init=False)
    _scope: trio.CancelScope = field(factory=trio.CancelScope, init=False)
    _visitors: trio.Nursery | None = field(default=None, init=False)
    _links: list[SimulatedLink] = field(factory=list, init=False)
    _seated: trio.Event = field(factory=trio.Event, init=False)

    def __attrs_post_init__(self) -> None:
        self.endpoint = SimulatedEndpoint(self.identity, self.world, "withholds" in self.roles)

    @property
    def key(self) -> bytes:
        return self.identity.public

    @property
    def is_honest(self) -> bool:
        return not self.roles and (self.owner is None or self.owner.is_honest)

    # -- power

    async def live(self) -> None:
        """Run the machine, and restart it after each death, until the simulation ends."""
        while True:
            while self.owner is not None and self.owner.node is None:
                await trio.sleep(0.5)  # a bot runs only while its owner's node runs
            with trio.CancelScope() as self._scope:
                try:
                    await self._session()
                except* Killed:
                    self.die()
            # It takes a person longer to restore a copy than to restart the machine.
            least = self.stays_away or (10.0 if self.journal.doubtful else 0.5)
            self.stays_away = 0.0
            await trio.sleep(least + self.rng.uniform(0.0, self.rng.choice((15.0, 100.0))))

    def die(self) -> None:
        """Cut the power of this machine: the owner's node and those of the owner's bots end."""
        home = self.owner or self
        for machine in tuple(self.world.machines):
            if home in (machine, machine.owner):
                machine._lose_power()

    def _lose_power(self) -> None:
        """Stop the node; keep the synced part of the journal, or sometimes an older copy."""
        if self.node is None:
            return
        self.world.figures["deaths"] += 1
        self.world.figures["deaths while signing"] += self.journal.died_on == "statement"
        journal = self.journal.after_power_failure()
        if self.world.may_put_back(self) and journal.log and self.rng.random() < 0.3:
            self.world.figures["copies put back"] += 1
            journal = self.journal.copy_of(self.rng.randrange(len(journal.log)))
        self.journal, self.node = journal, None
        self.cut_links()
        self._scope.cancel()

    def cut_links(self) -> None:
        for link in self._links:
            link.close()
        self._links.clear()

    async def _session(self) -> None:
        while not self._newest():
            if self.comes:
                await self._come_for_a_seat()
            else:
                await self._seated.wait()
                self._seated = trio.Event()
        membership = self._newest()
        assert membership is not None
        node = self.world.node_for(self, membership)
        await node.restore()
        self.node = node
        self.world.check(self)
        async with trio.open_nursery() as nursery, trio.open_nursery() as self._visitors:
            nursery.start_soon(self._tick)
            nursery.start_soon(self._person, node)
            try:
                await node.run()
            except Exposed:
                pass
            except OwnKeyElsewhere:  # the node has seen another entry of its own key
                assert not self.is_honest, "only a cheat signs two entries in one place"
            self.world.check(self)
            await trio.sleep_forever()

    def _newest(self) -> Membership | None:
        """Return the newest membership in the journal, or the first one if the journal has none."""
        for record in reversed(self.journal.tables()):
            if record.me is not None:
                return Membership.recalled(cast(Any, self.journal), record)
        return self.membership

    async def _tick(self) -> None:
        while True:
            await trio.sleep(self.rng.uniform(2.0, 4.0))
            if self.roles:
                self.world.cheats.misbehave(self)
            if self.node is not None:
                for node in tuple(self.node.tables.running.values()):
                    cast(SimulatedNode, node).tick()

    async def hears(self, sender: bytes, table_id: bytes, message: Message) -> None:
        """Handle a message about that table."""
        if self.node is None:
            return
        node = self.node.tables.running.get(table_id)
        if node is None:
            self._serve(sender, table_id, message)
            return
        try:
            with suppress(*PEER_FAULTS):
                await cast(SimulatedNode, node).hears(sender, message)
        except Killed:
            self.die()
        else:
            self.world.check(self)

    def _serve(self, sender: bytes, table_id: bytes, message: Message) -> None:
        """Answer a status about a table that is over, like the record server."""
        assert self.node is not None
        record = self.node.tables.history.records.get(table_id)
        if record is None or not isinstance(message, Status) or "withholds" in self.roles:
            return
        records = self.node.tables.history.records.values()
        charters = (each.membership.charter for each in records if each.state.charter.attempt)
        entries = self.journal.entries(table_id, message.height + 1, 64)
        carried = [Carry(h, entry) for h, entry in enumerate(entries, message.height + 1)]
        continued = [Continued(charter.encode()) for charter in charters]
        self.world.say(self.key, sender, table_id, [*carried, *continued])

    # -- the person

    async def _person(self, node: MatchNode) -> None:
        """Make random legal moves, and wish for ways to go on without missing players."""
        since = node.state.head, trio.current_time()
        while not node.over:
            await trio.sleep(self.rng.uniform(0.2, 3.0))
            if node.state.head != since[0]:
                since = node.state.head, trio.current_time()
            if node.number >= self.world.last:
                continue
            waits = trio.current_time() - since[1]
            if node.chooses:
                await self._move(node)
            elif self.owner is None and waits > self.patience and (node.missing or node.stuck):
                with suppress(Refused):
                    self._wish(node)
            if node.going_on.wants_bots:
                self._propose_bots(node)

    async def _move(self, node: MatchNode) -> None:
        view = node.view
        assert view is not None
        assert view.to_move is not None
        if self.rng.random() < 0.15 and not self.world.hasty:
            await trio.sleep(self.rng.uniform(10.0, 50.0))
        move = self.rng.choice(view.legal_moves(view.to_move))
        with suppress(Refused, IllegalMove), trio.move_on_after(self.patience):
            await node.play(move)  # may wait for ever because of a cheat

    def _wish(self, node: MatchNode) -> None:
        """Wish for a continuation, join the leader's proposal, or choose another wish."""
        joins = node.proposal is not None and (self.world.hasty or self.rng.random() < 0.3)
        if joins and node.going_on.leader != node.key:
            node.join_proposal()
            return
        if node.negotiation.mine.wish.kind is not WishKind.WAIT and self.rng.random() < 0.8:
            return
        kind = self.rng.choice(self.wishes)
        keys = sorted(one.key for one in node.candidates if one.objection is None)
        if node.stuck and not node.missing:
            kind = WishKind.TOGETHER
        if kind is WishKind.PERSON and not keys:
            return
        self.world.figures[f"wishes: {kind.name.lower()}"] += 1
        node.wish(Wish(kind, keys[0] if kind is WishKind.PERSON else b""))

    def _propose_bots(self, node: MatchNode) -> None:
        bots = {seat: self.world.a_bot(self) for seat in node.going_on.wants_bots}
        with suppress(Refused):
            node.propose(
                {seat: bot.member for seat, bot in bots.items()},
                {bot.key: bot.identity.sign for bot in bots.values()},
            )

    def seat_bots(self) -> None:
        """Start the bots of this machine that have been given a seat."""
        node = self.node
        if node is None or node.left_out:
            return
        for bot in self.world.machines:
            if bot.owner is not self or bot.journal.tables():
                continue
            if node.charter.player_of(bot.key) is not None:
                node.introduce(bot.key, cast(Any, bot.journal), 1)
                bot._seated.set()

    # -- seats that are vacant

    async def _come_for_a_seat(self) -> None:
        """Ask one node after another, until the journal has a membership with the seat."""
        while not self.journal.tables():
            await trio.sleep(self.rng.uniform(0.5, 3.0))
            host = self.rng.choice(self.world.machines)
            if self.world.are_apart(self.key, host.key):
                continue
            link = host.is_called(self.key)
            if link is not None:
                self._links.append(link)
                with suppress(*PEER_FAULTS, Refused):
                    await self._wait_at(link)
                link.close()

    async def _wait_at(self, link: SimulatedLink) -> None:
        there = cast(Any, link)
        await say(there, Sit(self.member.name, self.member.nonce))
        endpoint, journal = cast(Any, self.endpoint), cast(Any, self.journal)
        on_shown = objection = lambda *_: None
        await Candidacy(endpoint, journal, self.member, there, 1, objection, on_shown).wait()
        self.world.figures["seats given to others"] += 1

    def is_called(self, caller: bytes) -> SimulatedLink | None:
        """Return the caller's end of a link to this machine, or None if nobody answers."""
        handler = self.endpoint.routes.get(LOBBY)
        if self.node is None or self._visitors is None or handler is None:
            return None
        near, far = SimulatedLink.pair(caller, self.key)
        self._links.append(far)
        self._visitors.start_soon(self._attend, handler, far)
        return near

    async def _attend(self, handler: Handler, link: SimulatedLink) -> None:
        try:
            await handler(Caller(cast(Any, link), Hello(LOBBY, 0)))
        except* PEER_FAULTS:
            pass  # the error ends only this link
        finally:
            link.close()

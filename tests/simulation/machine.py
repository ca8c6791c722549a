"""A simulated machine: the real node, a person at it, a journal in memory. It dies, and starts
again.

Somebody who comes for a seat that is vacant is a machine too, which has no node before it has the
seat: it waits in the real waiting room of a node, by the real code of a candidate.
"""

import random
from collections import Counter
from contextlib import suppress
from typing import Any, Protocol, cast

import trio
from attrs import define, field

from engine.errors import IllegalMove
from p2p.replacement.take_vacant_seat import Candidacy
from p2p.storage.memberships import Membership
from p2p.table.key_probe import OwnKeyElsewhere
from p2p.table.node import Node
from p2p.transport.endpoint import LOBBY, Caller, Handler, say
from p2p.transport.link import PEER_FAULTS
from p2p.transport.lobby_messages import Sit
from p2p.transport.messages import Hello, Message
from protocol.charter import Member
from protocol.entries import AbsentContent
from protocol.errors import Exposed, Refused
from tests.simulation.memory_journal import Killed, MemoryJournal
from tests.simulation.simulated_mesh import (
    Network,
    SimulatedEndpoint,
    SimulatedIdentity,
    SimulatedLink,
    SimulatedMesh,
)


class World(Network, Protocol):
    """What a machine knows of the simulation that it is in."""

    last: int
    """The height from which on nobody moves any more."""
    gives_seats: bool
    """Whether people wait for somebody to take a seat that is vacant."""
    hasty: bool
    """Whether nobody thinks for long any more."""
    figures: Counter[str]
    machines: list["Machine"]

    def are_apart(self, one: bytes, other: bytes) -> bool: ...

    def may_put_back(self, machine: "Machine") -> bool:
        """Whether its owner may put back an older copy of its journal."""

    def node_for(self, machine: "Machine", membership: Membership) -> Node:
        """The node of who sits there: honest ones have the real one."""

    async def misbehave(self, machine: "Machine") -> None:
        """What its owner does, if they cheat."""

    def check(self, machine: "Machine") -> None:
        """Ask the oracles about a machine with a node. Raises AssertionError."""


@define(eq=False)
class Machine:
    """`roles` are the ways in which its owner cheats; `patience` the seconds after which they agree
    that somebody is absent. A `membership` is there for who sits down at the beginning.
    """

    world: World
    member: Member
    identity: SimulatedIdentity
    rng: random.Random
    journal: MemoryJournal
    membership: Membership | None = None
    roles: frozenset[str] = frozenset()
    patience: float = 0.0
    node: Node | None = field(default=None, init=False)
    endpoint: SimulatedEndpoint = field(init=False)
    _scope: trio.CancelScope = field(factory=trio.CancelScope, init=False)
    _visitors: trio.Nursery | None = field(default=None, init=False)
    _links: list[SimulatedLink] = field(factory=list, init=False)

    def __attrs_post_init__(self) -> None:
        self.endpoint = SimulatedEndpoint(self.identity, self.world, "withholds" in self.roles)

    @property
    def key(self) -> bytes:
        return self.identity.public

    @property
    def is_honest(self) -> bool:
        return not self.roles

    @property
    def mesh(self) -> SimulatedMesh:
        assert self.node is not None
        return cast(SimulatedMesh, self.node.mesh)

    # -- power

    async def live(self) -> None:
        """Until the simulation ends."""
        while True:
            with trio.CancelScope() as self._scope:
                try:
                    await self._session()
                except* Killed:
                    self.die()
            least = 10.0 if self.journal.doubtful else 0.5  # nobody puts back a copy at once
            await trio.sleep(least + self.rng.uniform(0.0, self.rng.choice((15.0, 100.0))))

    def die(self) -> None:
        """Its journal has all that was synced; some start again with an older copy of it."""
        if self.node is None:
            return
        self.world.figures["deaths"] += 1
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
        if self.membership is None and not self.journal.tables():
            await self._come_for_a_seat()
        membership = self.membership
        if membership is None:
            membership = Membership.recalled(cast(Any, self.journal), self.journal.tables()[0])
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
            except OwnKeyElsewhere:  # it has learnt that its own player contradicts themselves
                assert not self.is_honest
            self.world.check(self)
            await trio.sleep_forever()

    async def _tick(self) -> None:
        while True:
            await trio.sleep(self.rng.uniform(2.0, 4.0))
            if self.roles:
                await self.world.misbehave(self)
            if self.node is not None:
                self.mesh.tick()

    async def hears(self, sender: bytes, message: Message) -> None:
        """A message has come."""
        if self.node is None:
            return
        try:
            with suppress(*PEER_FAULTS):
                await self.mesh.hears(sender, message)
        except Killed:
            self.die()
        else:
            self.world.check(self)

    # -- the person

    async def _person(self, node: Node) -> None:
        """Plays anything that is legal, and agrees that others are absent."""
        since = node.height, trio.current_time()
        while not node.over:
            await trio.sleep(self.rng.uniform(0.2, 3.0))
            if node.height != since[0]:
                since = node.height, trio.current_time()
            if node.height >= self.world.last:
                continue
            if node.chooses:
                await self._move(node)
            elif node.vacant is not None and trio.current_time() - since[1] > self.patience:
                with suppress(Refused), trio.move_on_after(20):
                    await self._agree(node, node.vacant)

    async def _move(self, node: Node) -> None:
        view = node.view
        assert view is not None
        assert view.to_move is not None
        height = node.height
        if self.rng.random() < 0.15 and not self.world.hasty:
            await trio.sleep(self.rng.uniform(10.0, 50.0))
        with suppress(Refused, IllegalMove):
            await node.play(self.rng.choice(view.legal_moves(view.to_move)))
            assert node.height > height or node.over, "a move is not in the record"

    async def _agree(self, node: Node, vacant: int) -> None:
        """Vote, once; where people wait for somebody to take the seat, for one who has come."""
        if node._coordinator.votes.mine is not None:
            return
        keys = sorted(one.key for one in node.candidates if one.objection is None)
        wanted = [one for one in node.proposals if one.substitutes] or list(node.proposals)
        content = AbsentContent((vacant,))
        if wanted and self.rng.random() < 0.9:
            content = wanted[0]
        elif self.world.gives_seats and not keys:
            return
        elif self.world.gives_seats:
            self.world.figures["invitations"] += 1
            content = await node.invite({vacant: keys[0]})
        await node.vote(content)
        self.world.figures["votes"] += 1

    # -- seats that are vacant

    async def _come_for_a_seat(self) -> None:
        """Go from node to node, until the seat is ours: the membership is in the journal then."""
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
        candidacy = Candidacy(
            endpoint, journal, self.member, there, 1, lambda *_: None, lambda _: None
        )
        await candidacy.wait()
        self.world.figures["seats given to others"] += 1

    def is_called(self, caller: bytes) -> SimulatedLink | None:
        """The end of somebody who calls for a seat; None where nobody answers."""
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
            pass  # this link ends, and only this one
        finally:
            link.close()

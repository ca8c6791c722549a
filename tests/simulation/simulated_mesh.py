"""The links of a simulated node, on a network that loses, repeats and reorders messages.

They do what `p2p.table.mesh.Mesh` does for a node, and what `p2p.transport` does for somebody who
waits for a seat. The mesh says everything at once and says it again with every tick; it has no
windows and no patience, for there is no load here.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Protocol, Self, cast

import trio
from attrs import define, field, frozen

from p2p.discovery.address_book import Address, AddressBook
from p2p.storage.identity import Identity
from p2p.table.asides import AsideCode, Asides
from p2p.table.heights import Heights
from p2p.table.key_probe import KeyProbe
from p2p.table.replica import Replica
from p2p.transport.endpoint import Handler
from p2p.transport.frames import LinkClosed
from p2p.transport.link import Link
from p2p.transport.messages import Carry, Message, Status, Talk, Whereabouts
from protocol.signing import Signer

LINKED = 10.0
"""Seconds after the last message of a member for which there is a link to them."""

MOST_AT_ONCE = 64
"""Entries that somebody who lacks them is sent at once."""


@frozen(eq=False)
class SimulatedIdentity:
    """The part of `p2p.storage.identity.Identity` that a node asks for."""

    public: bytes = field(repr=bytes.hex)
    sign: Signer = field(repr=False)


class Network(Protocol):
    """Where a machine's messages go."""

    def say(
        self, sender: bytes, receiver: bytes, table_id: bytes, messages: Sequence[Message]
    ) -> None:
        """Bring them, in their order, to the machine with that key; or lose them."""


@define(eq=False)
class SimulatedEndpoint:
    """The endpoint of the machine with that identity; one that `withholds` passes nothing on."""

    identity: SimulatedIdentity
    network: Network
    withholds: bool = False
    take_over: Callable[[Any], None] | None = None
    """Lets a cheat play in a node."""
    routes: dict[bytes, Handler] = field(factory=dict, init=False)

    @contextmanager
    def route(self, table_id: bytes, handler: Handler) -> Iterator[None]:
        self.routes[table_id] = handler
        try:
            yield
        finally:
            del self.routes[table_id]


@define(eq=False)
class SimulatedMesh:
    """The part of a mesh that a node asks for; it calls `hears` for each message that has come."""

    endpoint: SimulatedEndpoint
    replica: Replica
    me: int
    book: AddressBook
    asides: Asides
    known: Heights = field(init=False)
    probe: KeyProbe = field(init=False)
    """Asks nobody: each key has one machine here."""
    _news: trio.Event = field(factory=trio.Event, init=False)
    _talk_said: dict[Talk, None] = field(factory=dict, init=False)
    _heard_at: dict[int, float] = field(factory=dict, init=False)

    def __attrs_post_init__(self) -> None:
        self.known = Heights(self.replica, self.me, self.endpoint.identity.sign)
        identity = cast(Identity, self.endpoint.identity)
        self.probe = KeyProbe(self.replica.table_id, self.me, identity)

    async def run(self, *, task_status: trio.TaskStatus[None] = trio.TASK_STATUS_IGNORED) -> None:
        task_status.started()
        await trio.sleep_forever()

    # -- what the node asks

    @property
    def others(self) -> tuple[int, ...]:
        return tuple(p for p in range(len(self.replica.charter.members)) if p != self.me)

    @property
    def linked(self) -> frozenset[int]:
        now = trio.current_time()
        return frozenset(p for p in self.others if now < self._heard_at.get(p, -1e9) + LINKED)

    @property
    def heights(self) -> tuple[int, ...]:
        return self.known.all

    def heard(self, player: int) -> bool:
        return self.known.of(player) is not None

    def heard_directly(self, player: int) -> bool:
        return self.known.has_spoken(player)

    def learn(self, addresses: Iterable[Address]) -> bool:
        return False

    def whereabouts_for(self, _link: Link) -> Whereabouts:
        return Whereabouts(())

    async def news(self) -> None:
        await self._news.wait()

    async def everybody_has(self, height: int) -> None:
        while any((self.known.of(player) or 0) < height for player in self.others):
            await self.news()

    async def leave(self) -> None:
        self.tick()

    def say_aside(self, _code: AsideCode) -> None:
        pass

    # -- telling

    async def advanced(self, writer: int, _awaited: int | None = None) -> None:
        self._notify()
        if self._passes_on(writer):
            height = self.replica.height
            (entry,) = await self.replica.entries(height, 1)
            self._tell([Carry(height, entry)])

    def show_evidence(self) -> None:
        self._tell([Carry(height, entry) for height, entry in self.replica.evidence])

    def show_talk(self) -> None:
        if not self.endpoint.withholds:
            talk = dict.fromkeys(self.replica.talk)
            self._tell([message for message in talk if message not in self._talk_said])
            self._talk_said = talk

    def tick(self) -> None:
        """Say everything again."""
        self._talk_said = {}
        self._tell([self.known.status()])
        self.show_evidence()
        self.show_talk()

    def _tell(self, messages: Sequence[Message]) -> None:
        for player in self.others:
            self._say(player, messages)

    def _say(self, player: int, messages: Sequence[Message]) -> None:
        self._say_to(self.replica.charter.members[player].key, messages)

    def _say_to(self, key: bytes, messages: Sequence[Message]) -> None:
        if messages:
            sender = self.endpoint.identity.public
            self.endpoint.network.say(sender, key, self.replica.table_id, messages)

    def _passes_on(self, writer: int) -> bool:
        return writer == self.me or not self.endpoint.withholds

    # -- hearing

    async def hears(self, sender: bytes, message: Message) -> None:
        """Handle a message. Raises one of PEER_FAULTS for a message that nobody should send."""
        player = self.replica.charter.player_of(sender)
        if player is not None:
            self._heard_at[player] = trio.current_time()
        match message:
            case _ if player is None:
                pass
            case Status():
                await self._status(player, sender, message)
            case Carry(height, entry):
                await self.replica.carried(player, height, entry)
            case talk:
                await self.replica.on_talk(player, talk)  # type: ignore[arg-type]

    async def _status(self, player: int, sender: bytes, status: Status) -> None:
        if self.known.hear(player, sender, status):
            self._notify()
        if self.endpoint.withholds:
            return
        first, height = status.height + 1, self.replica.height
        if status.height <= height and self.replica.head_at(status.height) != status.head:
            first = max(1, status.height - MOST_AT_ONCE // 2)
        self._say(player, await self._carried(first, min(height, first + MOST_AT_ONCE)))

    async def _carried(self, first: int, last: int) -> list[Message]:
        entries = await self.replica.entries(first, max(0, last - first + 1))
        return [Carry(height, entry) for height, entry in enumerate(entries, first)]

    def _notify(self) -> None:
        self._news.set()
        self._news = trio.Event()


@define(eq=False)
class SimulatedLink:
    """One end of a link between a node and a candidate for a seat; it loses nothing."""

    peer: bytes
    _sender: trio.MemorySendChannel[bytes]
    _receiver: trio.MemoryReceiveChannel[bytes]
    address: str = "192.0.2.1"

    @classmethod
    def pair(cls, caller: bytes, called: bytes) -> tuple[Self, Self]:
        """Return the ends of the caller and of the one who is called."""
        there, from_there = trio.open_memory_channel[bytes](10_000)
        back, from_back = trio.open_memory_channel[bytes](10_000)
        return cls(called, there, from_back), cls(caller, back, from_there)

    def settle(self) -> None:
        pass

    async def send(self, frame: bytes) -> None:
        self.send_nowait(frame)

    def send_nowait(self, frame: bytes) -> None:
        try:
            self._sender.send_nowait(frame)
        except (trio.BrokenResourceError, trio.ClosedResourceError) as error:
            raise LinkClosed("The link has ended.") from error

    async def receive(self) -> bytes:
        try:
            return await self._receiver.receive()
        except (trio.EndOfChannel, trio.ClosedResourceError) as error:
            raise LinkClosed("The link has ended.") from error

    async def aclose(self) -> None:
        self.close()

    def close(self) -> None:
        self._sender.close()
        self._receiver.close()

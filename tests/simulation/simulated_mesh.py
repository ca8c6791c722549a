"""The links of a simulated node, on a network that loses, repeats and reorders messages.

They do what `p2p.table.mesh.Mesh` does for a node, and what `p2p.transport` does for somebody who
waits for a seat. The mesh says everything at once and says it again with every tick; it has no
windows and no patience, for there is no load here.
"""

from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Protocol, Self

import trio
from attrs import define, field, frozen

from p2p.discovery.address_book import AddressBook
from p2p.table.asides import AsideCode, Asides
from p2p.table.live_record import read_entries
from p2p.transport.endpoint import Handler
from p2p.transport.frames import LinkClosed
from p2p.transport.link import Link
from p2p.transport.messages import Message, Talk, Whereabouts
from protocol.charter import SignedCharter
from protocol.signing import Signer
from protocol.table.chain import Chain
from protocol.table.messages import Carry, Status
from protocol.table.peers import Peers

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
    journal: Any
    signed: SignedCharter
    chain: Chain
    me: int
    book: AddressBook
    asides: Asides
    talk: Callable[[], tuple[Talk, ...]]
    on_entry: Callable[[int, int, bytes], Awaitable[bool]]
    on_talk: Callable[[int, Talk], Awaitable[bool]]
    peers: "SimulatedPeers" = field(init=False)
    own_key_met: trio.Event = field(factory=trio.Event, init=False)
    _news: trio.Event = field(factory=trio.Event, init=False)
    _talk_said: dict[Talk, None] = field(factory=dict, init=False)

    def __attrs_post_init__(self) -> None:
        self.peers = SimulatedPeers(self.chain, self.me, self.endpoint.identity.sign, b"")

    async def run(self, *, task_status: trio.TaskStatus[None] = trio.TASK_STATUS_IGNORED) -> None:
        task_status.started()
        await trio.sleep_forever()

    def whereabouts_for(self, _link: Link) -> Whereabouts:
        return Whereabouts(())

    async def news(self) -> None:
        await self._news.wait()

    async def everybody_has(self, height: int) -> None:
        while self.peers.lacking(height):
            await self.news()

    async def leave(self) -> None:
        self.tick()

    def say_aside(self, _code: AsideCode) -> None:
        pass

    def note_contradiction(self) -> None:
        self.peers.probe.note_contradiction()
        self.own_key_met.set()

    # -- telling

    async def advanced(self, writer: int, _awaited: int | None = None) -> None:
        self._notify()
        if writer == self.me or not self.endpoint.withholds:
            self._tell(await self._carried(self.chain.height, self.chain.height))

    def show_evidence(self) -> None:
        self._tell([Carry(height, entry) for height, entry in self.chain.evidence])

    def show_talk(self) -> None:
        if not self.endpoint.withholds:
            talk = dict.fromkeys(self.talk())
            self._tell([message for message in talk if message not in self._talk_said])
            self._talk_said = talk

    def tick(self) -> None:
        """Say everything again."""
        self._talk_said = {}
        self._tell([self.peers.known.status()])
        self.show_evidence()
        self.show_talk()

    def _tell(self, messages: Sequence[Message]) -> None:
        for player in self.peers.others:
            self._say(player, messages)

    def _say(self, player: int, messages: Sequence[Message]) -> None:
        if messages:
            sender, key = self.endpoint.identity.public, self.chain.charter.members[player].key
            self.endpoint.network.say(sender, key, self.chain.table_id, messages)

    # -- hearing

    async def hears(self, sender: bytes, message: Message) -> None:
        """Handle a message. Raises one of PEER_FAULTS for a message that nobody should send."""
        player = self.chain.charter.player_of(sender)
        if player is None:
            return
        self.peers.heard_at[player] = trio.current_time()
        match message:
            case Status():
                await self._status(player, sender, message)
            case Carry(height, entry):
                await self.on_entry(player, height, entry)
            case talk:
                await self.on_talk(player, talk)  # type: ignore[arg-type]

    async def _status(self, player: int, sender: bytes, status: Status) -> None:
        if self.peers.known.hear(player, sender, status):
            self._notify()
        if self.endpoint.withholds:
            return
        first, height = status.height + 1, self.chain.height
        if status.height <= height and self.chain.heads[status.height] != status.head:
            first = max(1, status.height - MOST_AT_ONCE // 2)
        self._say(player, await self._carried(first, min(height, first + MOST_AT_ONCE)))

    async def _carried(self, first: int, last: int) -> list[Message]:
        most = max(0, last - first + 1)
        entries = await read_entries(self.journal, self.chain, first, most)
        return [Carry(height, entry) for height, entry in enumerate(entries, first)]

    def _notify(self) -> None:
        self._news.set()
        self._news = trio.Event()


@define(eq=False)
class SimulatedPeers(Peers[Talk]):
    """Peers without links: whoever was heard lately is linked."""

    heard_at: dict[int, float] = field(factory=dict, init=False)

    @property
    def linked(self) -> frozenset[int]:
        now = trio.current_time()
        return frozenset(p for p in self.others if now < self.heard_at.get(p, -1e9) + LINKED)


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

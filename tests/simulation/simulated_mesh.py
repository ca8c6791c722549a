"""The links of a simulated node, on a network that loses, repeats and reorders messages.

These links replace `p2p.table.mesh.Mesh` for a node, and `p2p.transport` for a person who waits for
a seat. The mesh sends everything at once, and again at every tick. It has no send windows and no
timeouts, because there is no load.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, ClassVar, Protocol, Self, cast

import trio
from attrs import define, field, frozen

from p2p.table.node import Node
from p2p.transport.endpoint import Handler
from p2p.transport.frames import LinkClosed
from p2p.transport.link import Link
from p2p.transport.messages import Message, Talk, Whereabouts
from protocol.signatures import Signer
from protocol.table.events import Persisted, Started, TableEvent, Ticked
from protocol.table.messages import Carry, Status
from protocol.table.peers import Peers
from protocol.table.tasks import Append, Evidence, Ready

LINKED = 10.0
"""The seconds after a member's last message during which they count as linked."""

MOST_AT_ONCE = 64
"""The maximum number of missing entries that are sent to a member at once."""


@frozen(eq=False)
class SimulatedIdentity:
    """The part of `p2p.storage.identity.Identity` that a node uses."""

    public: bytes = field(repr=bytes.hex)
    sign: Signer = field(repr=False)


class Network(Protocol):
    """The network through which a machine sends its messages."""

    def say(
        self, sender: bytes, receiver: bytes, table_id: bytes, messages: Sequence[Message]
    ) -> None:
        """Deliver the messages in order to the machine with that key, or lose them."""


@define(eq=False)
class SimulatedEndpoint:
    """A machine's endpoint; with `withholds` it passes on no messages of others."""

    identity: SimulatedIdentity
    network: Network
    withholds: bool = False
    take_over: Callable[[Any], None] | None = None
    """The function that makes a node cheat, or None."""
    port: int = 1
    routes: dict[bytes, Handler] = field(factory=dict, init=False)

    @contextmanager
    def route(self, table_id: bytes, handler: Handler) -> Iterator[None]:
        self.routes[table_id] = handler
        try:
            yield
        finally:
            del self.routes[table_id]


class SimulatedNode(Node):
    """A node without links: the simulated network calls `hears` for each message that arrives."""

    _talk_said: ClassVar[dict[Talk, None]] = {}

    @property
    def _network(self) -> SimulatedEndpoint:
        return cast(SimulatedEndpoint, self.endpoint)

    async def keep_links(
        self, *, task_status: trio.TaskStatus[None] = trio.TASK_STATUS_IGNORED
    ) -> None:
        await self._handle(Started())
        task_status.started()
        await self._keep_time()

    async def leave(self) -> None:
        self.tick()

    def whereabouts_for(self, _link: Link) -> Whereabouts:
        return Whereabouts(())

    # -- telling

    async def _handle(self, event: TableEvent[Talk]) -> Ready[Talk]:
        ready = await super()._handle(event)
        match event:
            case Persisted(Append(after)):
                assert after.last is not None
                if after.last.writer == self.me or not self._network.withholds:
                    self._say_to_all(await self._carried(after.height, after.height))
            case Persisted(Evidence()):
                self._show_evidence()
        return ready

    def _show_evidence(self) -> None:
        self._say_to_all([Carry(height, entry) for height, entry in self.chain.evidence])

    def show_talk(self) -> None:
        if not self._network.withholds:
            talk = dict.fromkeys(self.talk())
            self._say_to_all([message for message in talk if message not in self._talk_said])
            self._talk_said = talk  # type: ignore[misc]

    def tick(self) -> None:
        """Send everything again."""
        self._talk_said = {}  # type: ignore[misc]
        self._say_to_all([self.peers.known.status()])
        self._show_evidence()
        self.show_talk()

    def _say_to_all(self, messages: Sequence[Message]) -> None:
        for player in self.peers.others:
            self._say(player, messages)

    def _say(self, player: int, messages: Sequence[Message]) -> None:
        if messages:
            sender, key = self._network.identity.public, self.charter.members[player].key
            self._network.network.say(sender, key, self.table_id, messages)

    # -- hearing

    async def hears(self, sender: bytes, message: Message) -> None:
        """Handle a message. Raises one of PEER_FAULTS for a message that a peer must not send."""
        player = self.charter.player_of(sender)
        if player is None:
            return
        cast(SimulatedPeers, self.peers).heard_at[player] = trio.current_time()
        match message:
            case Status():
                await self._status(player, sender, message)
            case Carry(height, entry):
                await self.carried(player, height, entry)
            case talk:
                self.on_talk(player, talk)  # type: ignore[arg-type]

    async def _status(self, player: int, sender: bytes, status: Status) -> None:
        self.peers.known.hear(player, sender, status)
        self._news.set()
        self._news = trio.Event()
        await self._handle(Ticked())
        if self._network.withholds:
            return
        first, height = status.height + 1, self.chain.height
        if status.height <= height and self.chain.heads[status.height] != status.head:
            first = max(1, status.height - MOST_AT_ONCE // 2)
        self._say(player, await self._carried(first, min(height, first + MOST_AT_ONCE)))

    async def _carried(self, first: int, last: int) -> list[Message]:
        entries = await self.live_record.entries(first, max(0, last - first + 1))
        return [Carry(height, entry) for height, entry in enumerate(entries, first)]


@define(eq=False)
class SimulatedPeers(Peers[Talk]):
    """Peers without links: a member who was heard recently counts as linked."""

    heard_at: dict[int, float] = field(factory=dict, init=False)

    @property
    def linked(self) -> frozenset[int]:
        since = trio.current_time() - LINKED
        return frozenset([player for player, at in self.heard_at.items() if at > since])


@define(eq=False)
class SimulatedLink:
    """One end of a link between a node and a candidate for a seat, which loses no messages."""

    peer: bytes
    _sender: trio.MemorySendChannel[bytes]
    _receiver: trio.MemoryReceiveChannel[bytes]
    address: str = "192.0.2.1"

    @classmethod
    def pair(cls, caller: bytes, called: bytes) -> tuple[Self, Self]:
        """Return the caller's end and the called node's end."""
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

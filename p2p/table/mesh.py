"""The mesh: this node's links to the other members of a table, and the record sent over them.

Each node tells its peers the height of its record, and sends them the entries that they lack. Any
member may carry any entry, for entries are signed, and a link is trusted with nothing. So two
members without a link between them play through the others.

A node sends its own entries at once; those of others as `p2p.table.relaying` says.
"""

import logging
from collections.abc import Iterable

import trio
from attrs import define, field

from p2p.background_task import beside
from p2p.discovery.address_book import (
    MOST_TOLD,
    Address,
    AddressBook,
    is_for_others,
    is_loopback,
)
from p2p.refusals import Reason
from p2p.table.asides import AsideCode, Asides
from p2p.table.calls import Calls
from p2p.table.heights import Heights
from p2p.table.key_probe import KeyProbe
from p2p.table.peer import WINDOW, Peer
from p2p.table.relaying import Relaying
from p2p.table.replica import Replica
from p2p.transport.endpoint import Caller, Endpoint, hear, say
from p2p.transport.frames import LinkError
from p2p.transport.link import Link
from p2p.transport.match_messages import Candidates, Continued, Proposal, Shown, Signed, Stance
from p2p.transport.messages import (
    Agreed,
    Aside,
    Carry,
    Goodbye,
    Message,
    Present,
    Probe,
    Status,
    Whereabouts,
)
from p2p.transport.spectator_messages import Watching
from protocol.entries import is_entry_of
from protocol.errors import Mismatch, OutOfTurn

_log = logging.getLogger(__name__)

HEARTBEAT_SECONDS = 5.0

_TICK_SECONDS = 1.0
"""Seconds between two looks at what has to be told and can wait."""

CONFIRM_SECONDS = 0.1
"""Seconds until entries that came are confirmed, several at once."""

RELAY_SECONDS = 0.3
"""Seconds that a peer has to confirm another member's entry before it is passed on."""

_REPLACED_SECONDS = 1.0
"""Seconds that a link stays when another one to the same member comes: both ends may be alive."""


@define(eq=False)
class Mesh:
    """Links to the members of a table, whose record is `replica`; this node is number `me` of them.
    There is one link to a member: a new one replaces the old one, of which one end may not know
    that it is dead.
    """

    endpoint: Endpoint
    replica: Replica
    me: int
    book: AddressBook
    asides: Asides
    _peers: dict[int, Peer] = field(factory=dict, init=False)
    known: Heights = field(init=False)
    probe: KeyProbe = field(init=False)
    _calls: Calls = field(init=False)
    _news: trio.Event = field(factory=trio.Event, init=False)
    _grown: trio.Event = field(factory=trio.Event, init=False)
    _relaying: Relaying = field(init=False)
    _places_told: tuple[Address, ...] = field(default=(), init=False)

    def __attrs_post_init__(self) -> None:
        self._relaying = Relaying(self.me, self.replica.height)
        self.probe = KeyProbe(self.replica.table_id, self.me, self.endpoint.identity)
        self._calls = Calls(
            self.endpoint, self.replica, self.me, self.book, self._peers, self._attend
        )
        self.known = Heights(self.replica, self.me, self.endpoint.identity.sign)

    async def run(self, *, task_status: trio.TaskStatus[None] = trio.TASK_STATUS_IGNORED) -> None:
        """Keep links until cancelled."""
        self.probe.playing = True
        with self.endpoint.route(self.replica.table_id, self.serve):
            async with trio.open_nursery() as nursery:
                self._relaying.settled = self.replica.height
                nursery.start_soon(self._beat)
                nursery.start_soon(self._confirm_and_relay)
                for player in self.others:
                    nursery.start_soon(self._calls.reach, player)
                nursery.start_soon(self._calls.renew)
                task_status.started()

    @property
    def others(self) -> tuple[int, ...]:
        """The other members."""
        return tuple(p for p in range(len(self.replica.charter.members)) if p != self.me)

    @property
    def linked(self) -> frozenset[int]:
        """The members with whom this node has a link."""
        return frozenset(self._peers)

    @property
    def heights(self) -> tuple[int, ...]:
        """The height to which the record of each member is known to go."""
        return self.known.all

    def heard(self, player: int) -> bool:
        """Return True if that member has been heard of in this run, directly or through another."""
        return self.known.of(player) is not None

    def heard_directly(self, player: int) -> bool:
        """Return True if that member has said, in this run, how far their own record goes: what
        others say of them may be older.
        """
        return self.known.has_spoken(player)

    def learn(self, addresses: Iterable[Address]) -> None:
        """Note where somebody says that members are."""
        self.book.learn_all(a for a in addresses if self._is_other(a.key))

    async def news(self) -> None:
        """Wait until a member is heard of, comes, goes, or confirms more, or the record grows."""
        await self._news.wait()

    async def advanced(self, writer: int, awaited: int | None = None) -> None:
        """The record has grown by an entry of that member: let everybody know, and have it, and
        first the one whom the table waits for now.
        """
        height = self.replica.height
        self._relaying.grown(height, writer)
        self._notify()
        self._grown.set()
        self._grown = trio.Event()
        for peer in sorted(self._peers.values(), key=lambda peer: peer.player != awaited):
            if await self._bring_up_to_date(peer) and peer.player == awaited:
                # It goes out before there is anything for the others: Trio would serve their links
                # in any order.
                await trio.lowlevel.cancel_shielded_checkpoint()
            if peer.told is None or height - peer.told.height >= WINDOW // 2:
                peer.tell(self.known.status())

    async def _confirm_and_relay(self) -> None:
        """Tell how far the record goes, soon after it has grown; and pass on what a member writes
        to peers that have not confirmed it.
        """
        while True:
            if self._relaying.settled == self.replica.height:
                await self._grown.wait()
            height = self.replica.height
            await trio.sleep(CONFIRM_SECONDS)
            status = self.known.status()
            for peer in tuple(self._peers.values()):
                if peer.told != status:
                    peer.tell(status)
            await trio.sleep(RELAY_SECONDS - CONFIRM_SECONDS)
            peers = tuple(self._peers.values())
            self._relaying.settle(height, peers)
            for peer in peers:
                await self._bring_up_to_date(peer)

    def show_evidence(self) -> None:
        """Send everybody, whatever they have, the entries that expose somebody."""
        for peer in self._peers.values():
            self._show_evidence(peer)

    def show_talk(self) -> None:
        """Tell everybody what members say beside the record, and who watches."""
        for peer in self._peers.values():
            self._show_talk(peer)

    def _show_talk(self, peer: Peer) -> None:
        peer.say_talk(self.replica.talk)

    def _show_evidence(self, peer: Peer, after: range | None = None) -> None:
        """All of it, or what can be judged by whom the entries of those heights have come to: who
        has less of the record passes it over.
        """
        for height, entry in self.replica.evidence:
            if after is None or height - 1 in after:
                peer.send(Carry(height, entry))

    async def everybody_has(self, height: int) -> None:
        """Wait until each other member has confirmed to have that much of the record."""
        while self.lacking(height):
            await self._news.wait()

    def lacking(self, height: int) -> frozenset[int]:
        """Return the others who have not confirmed that. Nobody waits for those who have left a
        match that ended by it.
        """
        waited_for = frozenset(self.replica.charter.signers) - {self.me}
        confirmed = {p: self.known.of(p) for p in waited_for}
        return frozenset(p for p, has in confirmed.items() if has is None or has < height)

    def say_aside(self, code: AsideCode) -> None:
        """Say it to all who are linked."""
        for peer in self._peers.values():
            peer.send(Aside(code))

    async def leave(self) -> None:
        """Send a last status on each link, and close all; there are no new ones."""
        self._calls.over = True
        status = self.known.status()
        async with trio.open_nursery() as nursery:
            for peer in self._peers.values():
                peer.tell(status)
                nursery.start_soon(peer.link.aclose)

    # -- links

    async def serve(self, caller: Caller) -> None:
        """Serve an incoming link: members by `_attend`, strangers by a refusal."""
        player = self.replica.charter.player_of(caller.link.peer)
        if self._calls.over:
            return await say(caller.link, Goodbye(Reason.NO_TABLE))
        if player is None:
            return await say(caller.link, Goodbye(Reason.NO_TABLE))
        caller.link.settle()
        self.book.learn(Address(caller.link.peer, caller.link.address, caller.port), seen=True)
        await say(caller.link, self.replica.greeting())
        return await self._attend(caller.link, player)

    async def serve_alone(self, caller: Caller) -> None:
        """Serve a member, where nothing else of the mesh runs: with heartbeats, or they would call
        again and again.
        """
        async with beside(self._beat):
            await self.serve(caller)

    async def _attend(self, link: Link, player: int) -> None:
        """Exchange heights and entries with a member until the link ends or another replaces it."""
        older = self._peers.get(player)
        if older is not None:
            older.older = None
            older.scope.deadline = trio.current_time() + _REPLACED_SECONDS
        peer = self._peers[player] = Peer(link, player, older)
        self.asides.linked(player, yes=True)
        try:
            with peer.scope:
                for question in self.probe.questions():
                    peer.send(question)
                peer.send(self.whereabouts_for(link))
                # Before the status: once that has come, a node that doubts its journal has heard
                # what it has signed.
                self._show_talk(peer)
                peer.tell(self.known.status())
                self._show_evidence(peer)
                while True:
                    await self._heard(peer, await hear(link))
        finally:
            peer.gone.set()
            if self._peers.get(player) is peer:
                del self._peers[player]
                self.asides.linked(player, yes=False)
            self._notify()

    async def _heard(self, peer: Peer, message: Message) -> None:
        peer.heard_at = trio.current_time()
        news = False  # what a member makes up about themselves is new each time: that is none
        match message:
            case Status():
                # There is an end of what this node's record bears out.
                news = await self._status(peer, message) and message.height <= self.replica.height
            case Carry(height, entry):
                peer.has_carried(height)
                news = await self.replica.carried(peer.player, height, entry)
                if height > self.replica.height + 1:
                    peer.tell(self.known.status())  # they may have what comes before it
                elif news and height <= self.replica.height:
                    peer.has_shown(height)
                    self.known.came(self._relaying.writer(height), peer.player)
                    if self.known.see(peer.player, height):
                        self._notify()
            case (
                Candidates() | Stance() | Proposal() | Signed() | Continued() | Shown() | Watching()
            ):
                await self.replica.on_talk(peer.player, message)
            case Whereabouts(addresses):
                self.learn(_for_others(peer.link, addresses))
            case Probe() | Present():
                self._probed(peer, message)
            case Aside(code):
                self.asides.hear(peer.player, code)
            case Agreed():
                pass  # the greeting, for those who have missed it
            case _:
                raise OutOfTurn("At the table one says heights and entries, no more.")
        if not news and not peer.rate_limit.spend():
            raise LinkError("A member says too much that is no news.")

    def _probed(self, peer: Peer, message: Probe | Present) -> None:
        if (answer := self.probe.answer(message)) is not None:
            peer.send(answer)
        for player in self.probe.audience(peer.player, message, self.linked):
            newest = self._peers.get(player)
            for other in (newest, newest and newest.older):
                if other is not None and other is not peer:
                    other.send(message)

    async def _status(self, peer: Peer, status: Status) -> bool:
        """Note how far members are; send what this one lacks. Whether it was news."""
        if status.height < peer.has:
            raise Mismatch("A record only grows.")
        if news := self.known.hear(peer.player, peer.link.peer, status):
            self._notify()
        self._show_evidence(peer, range(peer.has + 1, status.height + 1))
        peer.hears(status)
        height = status.height
        if height <= self.replica.height and self.replica.head_at(height) != status.head:
            await self._compare(peer, height)
        await self._bring_up_to_date(peer, asked=True)
        return news

    async def _compare(self, peer: Peer, height: int) -> None:
        """The member's record is another than ours: show ours, so that whoever has written in both
        is exposed. But nothing of our own: that exposes nobody else, and if we have written in
        both, from a copy of our home, theirs tells us so.
        """
        first, key = max(1, height - WINDOW + 1), self.endpoint.identity.public
        for number, entry in enumerate(
            await self.replica.entries(first, height - first + 1), first
        ):
            if not is_entry_of(entry, key):
                peer.send(Carry(number, entry))

    async def _bring_up_to_date(self, peer: Peer, *, asked: bool = False) -> bool:
        """Send what the member lacks, as far as the window goes, but what others may be sending;
        whether there was any.
        """

        def is_due(height: int) -> bool:
            return self._relaying.is_due(peer, height, asked=asked)

        if due := peer.take_due(self.replica.height, is_due):
            entries = await self.replica.entries(due[0], WINDOW)
            for height, entry in enumerate(entries, due[0]):
                if height in due:
                    peer.send(Carry(height, entry))
        return bool(due)

    def _notify(self) -> None:
        self._news.set()
        self._news = trio.Event()

    # -- telling

    async def _beat(self) -> None:
        """Tell each peer, once a tick, what has changed; and send a heartbeat."""
        while True:
            await trio.sleep(_TICK_SECONDS)
            places = self._places()
            moved = places != self._places_told
            self._places_told = places
            status = self.known.status()
            for peer in tuple(self._peers.values()):
                if moved:
                    peer.send(self.whereabouts_for(peer.link))
                stale = trio.current_time() - peer.told_at >= HEARTBEAT_SECONDS
                if stale:
                    peer.talk_said = {}  # some of it may have come too early
                self._show_talk(peer)
                if stale or peer.told != status:
                    peer.tell(status)

    def whereabouts_for(self, link: Link) -> Whereabouts:
        """Where the members are, as far as it means something at the other end of that link."""
        return Whereabouts(_for_others(link, self._places())[:MOST_TOLD])

    def _places(self) -> tuple[Address, ...]:
        return tuple(a for a in self.book if is_for_others(a.host))

    def _is_other(self, key: bytes) -> bool:
        player = self.replica.charter.player_of(key)
        return player is not None and player != self.me


def _for_others(link: Link, addresses: Iterable[Address]) -> tuple[Address, ...]:
    """Without those that mean another machine at the other end of that link."""
    here = is_loopback(link.address)
    return tuple(address for address in addresses if here or not is_loopback(address.host))

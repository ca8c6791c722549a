"""The links of a node to the other members of a table.

`protocol.table.peers` decides what is sent on the links, and when. This module tells `peers` what
happens, and does what `peers` asks for. There is one link to each member. A new link replaces the
old one, which may be dead although this end has not noticed that.
"""

import logging
import os
from collections.abc import Callable, Iterable, Iterator
from itertools import count

import trio
from attrs import define, field

from p2p.background_task import beside
from p2p.discovery.address_book import MOST_TOLD, Address, AddressBook, is_for_others, is_loopback
from p2p.rate_limit import RateLimit
from p2p.refusals import Reason
from p2p.storage.journal import Journal
from p2p.table.asides import AsideCode, Asides
from p2p.table.calls import Calls, MemberLink
from p2p.table.live_record import read_entries
from p2p.transport.endpoint import Caller, Endpoint, hear, say
from p2p.transport.frames import LinkError, SlowReader
from p2p.transport.link import Link
from p2p.transport.messages import Agreed, Aside, Goodbye, Message, Talk, Whereabouts
from protocol.charter import NONCE_BYTES, SignedCharter
from protocol.errors import OutOfTurn
from protocol.table import events, tasks
from protocol.table.digest_chain import Chain
from protocol.table.events import TableEvent
from protocol.table.messages import Carry, Present, Probe, Status
from protocol.table.peers import Peers
from protocol.table.tasks import Ready

_log = logging.getLogger(__name__)

_LOOK_SECONDS = 1.0
"""Seconds between two checks for new talk and new addresses of members."""

_REPLACED_SECONDS = 1.0
"""Seconds for which an old link stays open beside a new link to the same member."""


@define(eq=False)
class Mesh:
    """The links of one member to the other members of a table.

    This class only reads entries; the subclass `p2p.table.node.Node` appends them.
    """

    endpoint: Endpoint
    journal: Journal
    """The journal with the entries of `chain`."""
    signed: SignedCharter
    """The charter of the table, with its signatures."""
    chain: Chain
    me: int
    """The member at this node."""
    book: AddressBook
    asides: Asides
    talk: Callable[[], tuple[Talk, ...]]
    """Returns the messages that are not about the record."""
    peers: Peers[Talk] = field(init=False)
    _links: dict[int, MemberLink] = field(factory=dict, init=False)
    """All links, by link number."""
    _newest: dict[int, MemberLink] = field(factory=dict, init=False)
    """The newest link to each player."""
    _numbers: Iterator[int] = field(factory=count, init=False)
    _calls: Calls = field(init=False)
    _news: trio.Event = field(factory=trio.Event, init=False)
    """An event that is set, and replaced, when `news` has to return."""
    _wake: trio.CancelScope = field(factory=trio.CancelScope, init=False)
    """The scope of the wait in `_keep_time`. It ends when `peers` next has something to do."""
    _places_told: tuple[Address, ...] = field(default=(), init=False)
    """The addresses that the members were last told."""

    def __attrs_post_init__(self) -> None:
        identity = self.endpoint.identity
        self.peers = Peers(self.chain, self.me, identity.sign, os.urandom(NONCE_BYTES))
        self._calls = Calls(self.endpoint, self.chain, self.me, self.book, self._newest)

    async def keep_links(
        self, *, task_status: trio.TaskStatus[None] = trio.TASK_STATUS_IGNORED
    ) -> None:
        """Keep a link to each member until cancelled."""
        # The machine begins before the first link can come.
        await self._handle(events.Started())
        with self.endpoint.route(self.chain.table_id, self.serve):
            async with trio.open_nursery() as nursery:
                nursery.start_soon(self._keep_time)
                nursery.start_soon(self._look_for_news)
                for player in self.peers.others:
                    nursery.start_soon(self._calls.reach, player, self._attend)
                nursery.start_soon(self._calls.renew, self._attend)
                task_status.started()

    def learn(self, addresses: Iterable[Address]) -> None:
        """Note the addresses of members that somebody has told."""
        self.book.learn_all(a for a in addresses if self._is_other(a.key))

    async def news(self) -> None:
        """Wait until the record, or what this node knows of the members, has changed."""
        await self._news.wait()

    async def everybody_has(self, height: int) -> None:
        """Wait until each other member has confirmed that they have the record up to `height`."""
        while self.peers.lacking(height):
            await self._news.wait()

    def show_talk(self) -> None:
        """Send everybody the messages that are not about the record, such as who watches."""
        self._tell(events.Talked(self.talk()))

    def say_aside(self, code: AsideCode) -> None:
        """Send an aside to all members to whom there is a link."""
        for link in self._newest.values():
            self._send(link, Aside(code))

    async def leave(self) -> None:
        """Send a last status on each link, close all links, and accept no new ones."""
        self._calls.over = True
        self._tell(events.Left())
        async with trio.open_nursery() as nursery:
            for link in self._newest.values():
                nursery.start_soon(link.link.aclose)

    # -- carrying out

    def _react(self, event: TableEvent[Talk]) -> Ready[Talk]:
        """Return what is to be done after an event. `Node` overrides this."""
        return self.peers.handle(event, trio.current_time())

    def _step(self, event: TableEvent[Talk]) -> Ready[Talk]:
        """Take an event, and wake all tasks that wait for a change. Return what is to be done.

        Raises Mismatch.
        """
        ready = self._react(event)
        if self._wake.deadline != ready.wake:  # each assignment makes Trio sort its deadlines again
            self._wake.deadline = ready.wake
        if ready.has_changed:
            self._news.set()
            self._news = trio.Event()
        return ready

    def _tell(self, event: TableEvent[Talk]) -> None:
        """Handle an event after which no entries of the record have to be sent or kept."""
        for link, what in self._step(event).send:
            assert not isinstance(what, tasks.Entries)
            self._send(self._links.get(link), what)

    async def _handle(self, event: TableEvent[Talk]) -> Ready[Talk]:
        """Handle an event, and send what is to be sent. Raises Mismatch."""
        ready = self._step(event)
        for number, (link, what) in enumerate(ready.send):
            if number == ready.urgent > 0:
                # Let the urgent messages leave before the other messages are queued. Otherwise
                # Trio could serve the other links first.
                await trio.lowlevel.cancel_shielded_checkpoint()
            if isinstance(what, tasks.Entries):
                first, last = what.heights[0], what.heights[-1]
                entries = await read_entries(self.journal, self.chain, first, last - first + 1)
                for message in what.messages(entries):
                    self._send(self._links.get(link), message)
            else:
                self._send(self._links.get(link), what)
        return ready

    def _send(self, link: MemberLink | None, message: Message) -> None:
        """Queue a message. It is lost if the member does not read what was queued before."""
        if link is None:
            return  # the link has ended meanwhile
        try:
            link.send(message)
        except SlowReader:
            # `Lost` only changes what is sent later, so there is nothing to be done after it.
            self.peers.handle(events.Lost(link.number), trio.current_time())
        except LinkError as error:
            # The task of the link gets the error, too.
            _log.debug("not sent, the link has ended: %s", error)

    async def _keep_time(self) -> None:
        """Tell `peers` the time whenever it has something to do."""
        while True:
            # An event during `_handle` may have set another deadline: the new scope takes it over.
            with trio.CancelScope(deadline=self._wake.deadline) as self._wake:
                await trio.sleep_forever()
            await self._handle(events.Ticked())

    # -- links

    async def serve(self, caller: Caller) -> None:
        """Serve an incoming link: attend to a member, refuse a stranger."""
        player = self.chain.charter.player_of(caller.link.peer)
        if self._calls.over or player is None:
            return await say(caller.link, Goodbye(Reason.NO_TABLE))
        caller.link.settle()
        self.book.learn(Address(caller.link.peer, caller.link.address, caller.port), seen=True)
        await say(caller.link, Agreed(self.signed.encode()))
        return await self._attend(caller.link, player)

    async def serve_alone(self, caller: Caller) -> None:
        """Serve a member while `keep_links` does not run.

        Heartbeats are sent meanwhile: without them the member would call again and again.
        """
        async with beside(self._keep_time):
            await self.serve(caller)

    async def _attend(self, connection: Link, player: int) -> None:
        """Exchange messages with a member until the link ends or a new link replaces it."""
        if player in self._newest:
            # What is under way on the old link can still arrive.
            self._newest[player].scope.deadline = trio.current_time() + _REPLACED_SECONDS
        link = MemberLink(connection, player, next(self._numbers))
        self._links[link.number] = self._newest[player] = link
        self.asides.linked(player, yes=True)
        try:
            with link.scope:
                self._send(link, self.whereabouts_for(connection))
                # `Linked` sends the talk that `peers` knows, so `peers` is told the present talk
                # first.
                self.show_talk()
                await self._handle(events.Linked(link.number, player))
                limit = RateLimit()
                while True:
                    message = await hear(connection)
                    link.heard_at = trio.current_time()
                    # News is not limited. Other messages are: a member could make up any number of
                    # them.
                    if not await self._heard(link, message) and not limit.spend():
                        raise LinkError("A member sends too many messages with nothing new.")
        finally:
            link.gone.set()
            del self._links[link.number]
            if self._newest.get(player) is link:
                del self._newest[player]
                self.asides.linked(player, yes=False)
            self._tell(events.Unlinked(link.number))

    async def _heard(self, link: MemberLink, message: Message) -> bool:
        """Take a message of a member. Return True if it is news. Raises one of PEER_FAULTS."""
        match message:
            case Carry(height, entry):
                # `peers` hears of the entry first, so that it is not sent back to this member.
                await self._handle(events.Heard(link.number, message))
                is_news = await self.carried(link.player, height, entry)
                await self._handle(events.Taken(link.number, height, is_news))
                return is_news
            case Status() | Probe() | Present():
                return (await self._handle(events.Heard(link.number, message))).is_news
            case _ if isinstance(message, Talk):
                # Even new talk is limited: a member could make up any number of stances.
                self.on_talk(link.player, message)
            case Whereabouts(addresses):
                self.learn(_for_others(link.link, addresses))
            case Aside(code):
                self.asides.hear(link.player, code)
            case Agreed():
                pass  # the greeting, for members who did not get the signed charter
            case _:
                raise OutOfTurn("A member has sent a message that has no place at a table.")
        return False

    async def carried(self, _player: int, _height: int, _entry: bytes) -> bool:
        """Take an entry that a member sends. Return True if it is news. Raises Unattributable."""
        return False

    def on_talk(self, _player: int, _talk: Talk) -> None:
        """Take a message that is not about the record. Raises Malformed."""

    # -- where members are

    async def _look_for_news(self) -> None:
        """Send each member new talk and new addresses of members, once a second."""
        while True:
            await trio.sleep(_LOOK_SECONDS)
            self.show_talk()
            places = self._places()
            if places != self._places_told:
                self._places_told = places
                for link in self._newest.values():
                    self._send(link, self.whereabouts_for(link.link))

    def whereabouts_for(self, link: Link) -> Whereabouts:
        """Return the members' addresses that can be used at the other end of `link`."""
        return Whereabouts(_for_others(link, self._places())[:MOST_TOLD])

    def _places(self) -> tuple[Address, ...]:
        return tuple(a for a in self.book if is_for_others(a.host))

    def _is_other(self, key: bytes) -> bool:
        player = self.chain.charter.player_of(key)
        return player is not None and player != self.me


def _for_others(link: Link, addresses: Iterable[Address]) -> tuple[Address, ...]:
    """Return the addresses that mean the same machines at the other end of that link."""
    here = is_loopback(link.address)
    return tuple(address for address in addresses if here or not is_loopback(address.host))

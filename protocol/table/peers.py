"""All that a node knows of the other members of a table, and the messages that it sends them.

Each node tells its peers the height of its record, and sends them the entries that they lack. Any
member may carry any entry, for entries are signed, and no link is trusted. So two members without a
link between them play through the others. A node sends its own entries at once, and those of others
as `protocol.table.relaying` says.

Nothing here waits, reads a clock or has a link: `Peers.handle` takes an event, and returns what is
to be done. `tests/protocol/table/peers` has events and the tasks that follow, as texts.
"""

import math
from collections.abc import Iterable
from typing import Generic

from attrs import define, field

from protocol.errors import Mismatch
from protocol.signatures import Signer
from protocol.table import events, tasks
from protocol.table.digest_chain import Chain
from protocol.table.events import TableEvent
from protocol.table.heights import Heights
from protocol.table.messages import Carry, Present, Probe, Status, TableMessage
from protocol.table.own_key_probe import KeyProbe
from protocol.table.peer import WINDOW, Peer, T
from protocol.table.relaying import Relaying
from protocol.table.tasks import Ready

HEARTBEAT_SECONDS = 5.0

_TICK_SECONDS = 1.0
"""Seconds between two checks for heartbeats, and for changes that can wait."""

CONFIRM_SECONDS = 0.1
"""Seconds that a node waits before it confirms entries, so as to confirm several at once."""

RELAY_SECONDS = 0.3
"""Seconds that a peer has to confirm another member's entry before we pass it on to them."""


@define(eq=False)
class Peers(Generic[T]):
    """The peers of one node at a table."""

    chain: Chain
    """The record of the table at this node."""
    me: int
    """The player at this node."""
    sign: Signer = field(repr=False)
    nonce: bytes = field(repr=False)
    """A random number for the search for another node with the same key (`KeyProbe`)."""
    known: Heights = field(init=False)
    probe: KeyProbe = field(init=False)
    _peers: dict[int, Peer[T]] = field(factory=dict, init=False)
    """The peers by link."""
    _newest: dict[int, int] = field(factory=dict, init=False)
    """The newest link to each player: messages to everybody are sent on these links only."""
    _talk: tuple[T, ...] = field(default=(), init=False)
    """The messages that do not concern the record."""
    _relaying: Relaying = field(init=False)
    _ready: Ready[T] = field(factory=Ready, init=False)
    _tick_at: float = field(default=math.inf, init=False)
    """The time of the next check for heartbeats; infinite without links."""
    _confirm_at: float = field(default=math.inf, init=False)
    """The time at which to confirm the entries that have come; infinite if none has come."""
    _relay_at: float = field(default=math.inf, init=False)
    """The time at which to pass on entries that are not confirmed by then; infinite for none."""
    _relay_height: int = field(default=0, init=False)
    """The height up to which peers should have confirmed the record by `_relay_at`."""

    def __attrs_post_init__(self) -> None:
        self.known = Heights(self.chain, self.me, self.sign)
        self.probe = KeyProbe(self.chain, self.me, self.sign, self.nonce)
        self._relaying = Relaying(self.me, self.chain.height)

    @property
    def others(self) -> tuple[int, ...]:
        """The other members."""
        return tuple(p for p in range(len(self.chain.charter.members)) if p != self.me)

    @property
    def linked(self) -> frozenset[int]:
        """The members with whom this node has a link."""
        return frozenset(self._newest)

    def lacking(self, height: int) -> frozenset[int]:
        """Return the others who have not confirmed the record up to that height.

        If a continuation has ended the match, the players who were gone then are not counted.
        """
        waited_for = frozenset(self.chain.charter.signers) - {self.me}
        confirmed = {player: self.known.of(player) for player in waited_for}
        return frozenset(p for p, has in confirmed.items() if has is None or has < height)

    def handle(self, event: TableEvent[T], now: float) -> Ready[T]:
        """Return what is to be done after an event at that time.

        Events that do not concern the peers are ignored. Raises Mismatch for a message whose link
        is to be ended.
        """
        ready = self._ready = Ready()
        match event:
            case events.Started():
                self.probe.playing = True
                self._relaying.settled = self.chain.height
            case events.Linked(link, player):
                self._link(link, Peer(player), now)
            case events.Unlinked(link):
                self._unlink(link)
            case events.Heard(link, Status() as status):
                self._status(link, status, now)
            case events.Heard(link, Carry(height)):
                self._peers[link].has_carried(height)
            case events.Heard(link, Probe() | Present() as message):
                self._probed(link, message)
            case events.Taken(link, height, is_news):
                self._taken(link, height, is_news=is_news, now=now)
            case events.Grown(writer, awaited):
                self._grown(writer, awaited, now)
            case events.EvidenceKept():
                for link in self._newest.values():
                    self._show_evidence(link)
            case events.Talked(talk):
                self._talk = talk
                self._show_talk(self._newest.values())
            case events.Lost(link):
                if link in self._peers:
                    self._peers[link].has_lost()
            case events.Ticked():
                self._ticked(now)
            case events.Left():
                self._tell_status(self._newest.values(), now)
        ready.wake = self.wake
        return ready

    @property
    def wake(self) -> float:
        """The time at which `Ticked` should come next."""
        return min(self._tick_at, self._confirm_at, self._relay_at)

    def _send(self, link: int, message: TableMessage | tasks.Entries | T) -> None:
        self._ready.send.append((link, message))

    # -- links

    def _link(self, link: int, peer: Peer[T], now: float) -> None:
        if not self._peers:
            self._tick_at = now + _TICK_SECONDS
        self._peers[link], self._newest[peer.player] = peer, link
        self._ready.has_changed = True
        if self.probe.playing:
            self._send(link, self.probe.question)
        # The talk goes before the status. A peer that doubts its own journal waits only for our
        # status, and must know by then which continuations it has signed.
        self._show_talk([link])
        self._tell_status([link], now)
        self._show_evidence(link)

    def _unlink(self, link: int) -> None:
        peer = self._peers.pop(link)
        if self._newest.get(peer.player) == link:
            del self._newest[peer.player]
        self._ready.has_changed = True

    def _probed(self, link: int, message: Probe | Present) -> None:
        if (answer := self.probe.answer(message)) is not None:
            self._send(link, answer)
        audience = self.probe.audience(self._peers[link].player, message, self.linked)
        for other, peer in self._peers.items():
            if other != link and peer.player in audience:
                self._send(other, message)

    # -- hearing

    def _status(self, link: int, status: Status, now: float) -> None:
        """Note the heights in a status, and send this member what they lack. Raises Mismatch."""
        peer, height = self._peers[link], status.height
        if height < peer.confirmed:
            raise Mismatch("The member's record has become shorter, but a record only grows.")
        # A member who speaks for the first time is a change, too, even if others have told that
        # height before. So the old values are read before `hear` changes them.
        known, player = self.known, peer.player
        before = known.of(player), known.has_spoken(player)
        news = known.hear(player, self.chain.charter.members[player].key, status)
        self._ready.has_changed = news or before != (known.of(player), known.has_spoken(player))
        # A height above our own does not count as news: a member can claim ever higher ones.
        self._ready.is_news = news and height <= self.chain.height
        # `hears` sets `confirmed`, so it comes later: evidence that the peer could judge before is
        # not sent again.
        self._show_evidence(link, range(peer.confirmed + 1, height + 1))
        peer.hears(status, now)
        if height <= self.chain.height and self.chain.heads[height] != status.head:
            self._compare(link, height)
        self._bring_up_to_date(link, now, asked=True)

    def _compare(self, link: int, height: int) -> None:
        """Send the end of our record to a member whose record differs from it.

        If somebody has signed different entries of one height in the two records, these entries
        expose them. Our own entries are left out, for they can expose only ourselves. If we have
        written in both, from a copy of our data folder, we shall see that from the member's
        entries.
        """
        if height > 0:
            heights = range(max(1, height - WINDOW + 1), height + 1)
            self._send(link, tasks.Entries(tuple(heights), self.chain.charter.members[self.me].key))

    def _taken(self, link: int, height: int, *, is_news: bool, now: float) -> None:
        peer = self._peers[link]
        if height > self.chain.height + 1:
            self._tell_status([link], now)  # so that they send the entries before it, if they can
        elif is_news and height <= self.chain.height:
            peer.has_shown(height)
            self.known.came(self._relaying.writer(height), peer.player)
            self._ready.has_changed |= self.known.see(peer.player, height)

    # -- telling

    def _grown(self, writer: int, awaited: int | None, now: float) -> None:
        """Send everybody the newest entry, and first the member for whom the table now waits."""
        height = self.chain.height
        self._relaying.grown(height, writer)
        self._ready.has_changed = True
        # A new entry does not put off the end of a wait. The next wait, which `_ticked` begins, is
        # for the entries that have come meanwhile.
        if self._relay_at == math.inf:
            self._begin_relaying(now)
        for player in sorted(self._newest, key=lambda player: player != awaited):
            link = self._newest[player]
            if self._bring_up_to_date(link, now) and player == awaited:
                # The awaited member comes first in this loop, so all that is to be sent so far is
                # for them.
                self._ready.urgent = len(self._ready.send)
            told = self._peers[link].told
            # A peer sends at most 16 entries that are not confirmed. With a status after eight of
            # them, it does not have to stop.
            if told is None or height - told.height >= WINDOW // 2:
                self._tell_status([link], now)

    def _begin_relaying(self, now: float) -> None:
        self._relay_height = self.chain.height
        self._confirm_at, self._relay_at = now + CONFIRM_SECONDS, now + RELAY_SECONDS

    def _ticked(self, now: float) -> None:
        """Tell all changes, send heartbeats, and pass on entries that are not confirmed."""
        if now >= self._confirm_at:
            self._confirm_at = math.inf
            self._tell_status(self._newest.values(), now, again=False)
        if now >= self._relay_at:
            self._relay_at = math.inf
            links = self._newest.values()
            self._relaying.settle(self._relay_height, (self._peers[link] for link in links))
            for link in links:
                self._bring_up_to_date(link, now)
            if self._relaying.settled < self.chain.height:
                self._begin_relaying(now)
        if now >= self._tick_at:
            # Without links nobody is waiting for a heartbeat. `_link` starts the ticks again.
            self._tick_at = now + _TICK_SECONDS if self._peers else math.inf
            for link in self._newest.values():
                peer = self._peers[link]
                if now - peer.told_at >= HEARTBEAT_SECONDS:
                    # Send all talk again: some of it may have come before the peer could use it.
                    peer.talk_said, peer.told = {}, None
                self._show_talk([link])
            self._tell_status(self._newest.values(), now, again=False)

    def _tell_status(self, links: Iterable[int], now: float, *, again: bool = True) -> None:
        """Send the status on these links; without `again` only if it differs from the last one."""
        status = self.known.status()
        for link in links:
            peer = self._peers[link]
            if again or peer.told != status:
                peer.told, peer.told_at = status, now
                self._send(link, status)

    def _show_talk(self, links: Iterable[int]) -> None:
        for link in links:
            for message in self._peers[link].new_talk(self._talk):
                self._send(link, message)

    def _show_evidence(self, link: int, after: range | None = None) -> None:
        """Send the entries that are evidence: all, or those right after one of the heights `after`.

        Evidence right after a height can be judged only by a member whose record reaches that
        height. Others ignore it.
        """
        for height, entry in self.chain.evidence:
            if after is None or height - 1 in after:
                self._send(link, Carry(height, entry))

    def _bring_up_to_date(self, link: int, now: float, *, asked: bool = False) -> bool:
        """Send the entries in the window that the member lacks and that are due.

        Return True if there were any. `Relaying.is_due` says which are due.
        """
        peer = self._peers[link]

        def is_due(height: int) -> bool:
            return self._relaying.is_due(peer, height, asked=asked)

        if due := peer.take_due(self.chain.height, is_due, now):
            self._send(link, tasks.Entries(tuple(due)))
        return bool(due)

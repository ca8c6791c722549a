"""The beacons that this node hears on the network, and the beacon by which it is announced.

Anybody can send any beacon. So a table is listed only after it has answered a call, and only as
long as it answers. If a beacon says that a table has gone or moved, that table is called again at
once. At most `MOST_BEACONS` tables are remembered, and a few for each address; tables that have not
answered make room for new ones. `CallLimits` limits the calls.
"""

import logging
import math
import time
from collections import Counter
from collections.abc import AsyncIterator, Iterable, Sequence
from contextlib import asynccontextmanager, suppress
from typing import NoReturn

import trio
from attrs import define, evolve, field
from zeroconf import ServiceInfo

from p2p.background_task import beside
from p2p.discovery.address_book import Address
from p2p.discovery.beacon import MOST_HOSTS, SERVICE, Beacon, Call, tag_of
from p2p.discovery.interfaces import lan_addresses
from p2p.discovery.mdns import MDNS_ERRORS, MOST_SENDERS, Mdns
from p2p.discovery.outgoing_call_limits import CallLimits
from p2p.error_reasons import reason_of
from p2p.fair_shares import neighbour_of
from p2p.rate_limit import RateLimit
from protocol.errors import LocalError, Malformed
from protocol.signatures import Signer

_log = logging.getLogger(__name__)

MOST_BEACONS = 64
"""Maximum number of tables that are remembered, and of nodes without a table."""

MOST_OF_ADDRESS = 4
"""Maximum number of remembered tables whose beacons name the same address, and maximum number of
listed tables that have answered from the same address.
"""

MOST_OF_MEMBER = 3
"""Maximum number of beacons that are remembered for one member of a table at which this node plays.
The beacons with the latest moments are kept. The one that was just heard is kept even if its moment
is earlier, because the member's clock may have been set back.
"""

_MOST_WANTED = 4
"""Maximum number of tables whose members are looked for."""

CALL_SECONDS = 3.0
"""Seconds between two calls to a listed table."""

ANSWER_SECONDS = 2.0
"""Seconds that a table has to answer a call."""

MOST_FAILURES = 2
"""Number of calls in a row without an answer after which a table counts as gone."""

CLOSE_SECONDS = 0.3
"""Maximum number of seconds to wait while mDNS closes. The message that withdraws the announcement
is sent at once.
"""

_WAIT_SECONDS = 0.5
"""Seconds until the next attempt, if the limits do not allow a call now."""

_LOOK_SECONDS = 2.0
"""Seconds between two checks whether mDNS has to be restarted."""


class NoBeacon(LocalError):
    """An error: mDNS cannot be used here, so nothing can be announced or found."""


@define(eq=False)
class _Heard:
    """A table whose beacon this node has heard."""

    beacon: Beacon
    senders: tuple[str, ...]
    """The addresses from which the beacon came."""
    host: str = ""
    """The address at which the table has answered; "" for none."""
    calls: RateLimit = field(factory=lambda: RateLimit(burst=4, rate=0.5))
    """The limit on the calls to the table."""
    next_call: float = 0.0
    """The time of the next call, on Trio's clock."""
    failures: int = 0
    scope: trio.CancelScope = field(factory=trio.CancelScope)
    """Cancelling it ends the call under way."""


@define(eq=False)
class Beacons:
    """The beacons that were heard, and this node's own beacon; made by `open_beacons`."""

    _mdns: Mdns
    _call: Call
    _limits: CallLimits = field(factory=CallLimits)
    _tables: dict[str, _Heard] = field(factory=dict, init=False)
    """The tables that are announced, by the name of the beacon."""
    _nodes: dict[str, Beacon] = field(factory=dict, init=False)
    """The beacons of nodes that announce no table, by name."""
    _members: dict[str, tuple[bytes, bytes, Beacon]] = field(factory=dict, init=False)
    """By name, the beacons of members who are looked for, each with the table's id and their key.
    """
    _wanted: dict[bytes, frozenset[bytes]] = field(factory=dict, init=False)
    """The keys of the members who are looked for, by table id."""
    _forgotten: bool = field(default=False, init=False)
    """True if a beacon was dropped for lack of room since mDNS was last opened."""
    _hear_again: bool = field(default=False, init=False)
    """True if mDNS has to be restarted, to hear the dropped beacons again."""
    _changed: trio.Event = field(factory=trio.Event, init=False)
    _due: trio.Event = field(factory=trio.Event, init=False)
    _announced: tuple[Beacon, Signer] | None = field(default=None, init=False)
    _changing: trio.Lock = field(factory=trio.Lock, init=False)

    @property
    def tables(self) -> tuple[Beacon, ...]:
        """Return the beacons of the tables that answer, sorted by name.

        A table that has begun is returned once, though several nodes announce it.
        """
        tables = [heard.beacon for heard in self._tables.values() if heard.beacon.owner]
        first: dict[str, Beacon] = {}
        for beacon in tables:
            first.setdefault(beacon.begun or beacon.key.hex(), beacon)
        return tuple(sorted(first.values(), key=lambda beacon: (beacon.table, beacon.key)))

    @property
    def settled(self) -> bool:
        """Return True if each table that was heard has answered a call, or failed to answer one."""
        return all(heard.beacon.owner or heard.failures for heard in self._tables.values())

    def of(self, table_id: bytes, keys: Iterable[bytes]) -> tuple[Address, ...]:
        """Return the addresses that the members of a table with these keys announce.

        From now on the beacons of these members are looked for.
        """
        members = frozenset(keys)
        if not members <= self._wanted.get(table_id, frozenset()):
            self._look_for(table_id, members)
        return tuple(
            Address(key, host, beacon.port)
            for table, key, beacon in self._members.values()
            if table == table_id and key in members
            for host in beacon.hosts
        )

    def _look_for(self, table_id: bytes, keys: frozenset[bytes]) -> None:
        """Remember the beacons of these members from now on, even if others flood the network."""
        self._wanted[table_id] = keys | self._wanted.get(table_id, frozenset())
        if len(self._wanted) > _MOST_WANTED:
            del self._wanted[next(iter(self._wanted))]
        tables = {name: heard.beacon for name, heard in self._tables.items()}
        for name, beacon in {**self._nodes, **tables}.items():
            self._note_member(name, beacon)
        self._hear_again = self._forgotten  # the members' beacons may be among the forgotten ones

    async def changed(self) -> None:
        """Wait until something is found, changes or goes."""
        await self._changed.wait()

    async def announce(self, beacon: Beacon, signer: Signer) -> None:
        """Announce this node by `beacon`, which replaces the earlier one. Raises NoBeacon."""
        async with self._changing:
            await self._announce(beacon, signer)

    async def _announce(self, beacon: Beacon, signer: Signer) -> None:
        last = self._announced[0].moment if self._announced else 0
        # Of two announcements in one second, the second one has to count as later.
        beacon = evolve(beacon, moment=max(_seconds_of_calendar(), last + 1))
        try:
            await trio.to_thread.run_sync(self._mdns.announce, beacon.to_service(signer))
        except MDNS_ERRORS as error:
            raise NoBeacon(
                "This node cannot be announced on the network ({error}).", error=reason_of(error)
            ) from error
        self._announced = beacon, signer
        self._limits.own_port = beacon.port

    async def follow_network(self) -> NoReturn:
        """Restart mDNS when this machine gets other addresses, after a flood, or to find members.

        With other addresses, an old mDNS would hear nothing any more. When members are looked for,
        their beacons may be among the forgotten ones: after a restart these are heard again.
        """
        while True:
            await trio.sleep(_LOOK_SECONDS)
            with suppress(OSError):  # out of files or buffers: try again at the next check
                elsewhere = self._mdns.is_outdated
                if elsewhere or self._mdns.is_flooded or self._hear_again:
                    async with self._changing:
                        await self._begin_anew(elsewhere=elsewhere)

    async def _begin_anew(self, *, elsewhere: bool) -> None:
        """Restart mDNS, and announce this node again.

        If `elsewhere`, this machine has other addresses than before, and all tables are dropped.
        Otherwise the tables that answer are kept. If OSError is raised, nothing has changed.
        """
        hosts = lan_addresses()[:MOST_HOSTS]
        for name, table in tuple(self._tables.items()):
            if elsewhere or not table.beacon.owner:
                self._drop(name)
        self._nodes.clear()
        self._forgotten = self._hear_again = False
        self._wake()
        await trio.to_thread.run_sync(self._mdns.close)
        with suppress(NoBeacon, *MDNS_ERRORS):  # try again at the next check
            await trio.to_thread.run_sync(self._mdns.open)
            if self._announced is not None:
                beacon, signer = self._announced
                await self._announce(evolve(beacon, hosts=hosts), signer)

    # -- hearing beacons

    def note(self, name: str, beacon: Beacon | None, senders: Sequence[str] = ()) -> None:
        """Note a beacon that was found under that name, sent from the addresses `senders`.

        If `beacon` is None, somebody says that the beacon has gone.
        """
        if beacon is None:
            self._nodes.pop(name, None)
            if name in self._tables:
                self._tables[name].next_call = 0.0
                self._tables[name].failures = MOST_FAILURES  # dropped if it does not answer now
            self._wake()
            return
        self._note_member(name, beacon)
        if beacon.table:
            self._nodes.pop(name, None)
            self._note_table(name, beacon, tuple(senders) or beacon.hosts[:1])
        else:
            self._drop(name)
            self._note_node(name, beacon)
        self._wake()

    def _note_member(self, name: str, beacon: Beacon) -> None:
        """Remember the beacon if it comes from a member who is looked for.

        Only somebody who knows the table's id can make such a beacon. So the beacon is kept until
        the member sends later ones, even if somebody says that it has gone.
        """
        found = self._member_of(beacon)
        if found is None:
            return
        old = self._members.get(name)
        if old is None or old[2].moment <= beacon.moment:
            self._members[name] = (*found, beacon)
        same = [name for name, (*whose, _) in self._members.items() if tuple(whose) == found]
        for old_name in sorted(same, key=lambda n: self._members[n][2].moment)[:-MOST_OF_MEMBER]:
            if old_name != name:
                del self._members[old_name]

    def _member_of(self, beacon: Beacon) -> tuple[bytes, bytes] | None:
        """Return the table and the key of the wanted member who sent this beacon, or None."""
        for table_id, keys in self._wanted.items() if beacon.tag else ():
            for key in keys:
                if tag_of(table_id, key, beacon.key) == beacon.tag:
                    return table_id, key
        return None

    def _note_node(self, name: str, beacon: Beacon) -> None:
        if name in self._nodes and self._nodes[name].moment > beacon.moment:
            return
        if name not in self._nodes and len(self._nodes) >= MOST_BEACONS:
            del self._nodes[next(iter(self._nodes))]
            self._forgotten = True
        self._nodes[name] = beacon

    def _note_table(self, name: str, beacon: Beacon, senders: tuple[str, ...]) -> None:
        heard = self._tables.get(name)
        if heard is None:
            if self._has_room(beacon, senders):
                self._tables[name] = _Heard(beacon, senders)
            else:
                self._forgotten = True
            return
        old = heard.beacon
        if beacon.moment < old.moment:
            return
        heard.senders = tuple(dict.fromkeys((*heard.senders, *senders)))[:MOST_SENDERS]
        # The `owner` was not announced, but proved by an answer, and stays while the table is
        # listed.
        heard.beacon = evolve(beacon, owner=old.owner)
        if beacon.hosts != old.hosts or beacon.port != old.port:
            heard.next_call = 0.0

    def _has_room(self, beacon: Beacon, senders: tuple[str, ...]) -> bool:
        """Return True if there is room for a new table, or if room could be made.

        If one of its addresses has too many tables, or too many tables are remembered in all, a
        table that has not answered makes room.
        """
        for host in beacon.hosts:
            same = [name for name, other in self._tables.items() if host in other.beacon.hosts]
            if len(same) >= MOST_OF_ADDRESS and not self._make_room(same, senders):
                return False
        return len(self._tables) < MOST_BEACONS or self._make_room(list(self._tables), senders)

    def _make_room(self, crowd: Sequence[str], senders: tuple[str, ...]) -> bool:
        """Drop a table of `crowd` that has not answered; return False if none can be dropped.

        Find the neighbour (`neighbour_of`) that has sent the most of these tables, with the new
        table counted, and drop the oldest of its tables. So a neighbour that sends many beacons
        displaces only its own tables.
        """
        silent = [name for name in crowd if not self._tables[name].beacon.owner]
        sent_by = {name: neighbour_of(self._tables[name].senders[0]) for name in silent}
        sent = Counter([*sent_by.values(), neighbour_of(senders[0])])
        leaves = next((name for name in silent if sent[sent_by[name]] == max(sent.values())), None)
        if leaves is None:
            return False
        self._drop(leaves)
        self._forgotten = True
        return True

    async def call_tables(self) -> NoReturn:
        """Call each table as soon as its beacon is heard, and then again and again.

        The calls run at the same time, because a call to the address in a false beacon may last
        until its timeout.
        """
        async with trio.open_nursery() as nursery:
            while True:
                # A beacon that comes while the loop below looks at the tables sets this new event.
                self._due = trio.Event()
                now = trio.current_time()
                for name, heard in self._tables.items():
                    if heard.next_call <= now:
                        self._begin_call(name, heard, nursery)
                calls = [heard.next_call for heard in self._tables.values()]
                with trio.move_on_at(min(calls, default=math.inf)):
                    await self._due.wait()

    def _begin_call(self, name: str, heard: _Heard, nursery: trio.Nursery) -> None:
        """Call a table, if it may be called now.

        The table is called at the address where it answered last. If it has not answered yet, it is
        called at all its addresses, and this counts as one call against the limit of the beacon's
        sender. If the table answers, the call is taken off that limit again.
        """
        heard.next_call = trio.current_time() + _WAIT_SECONDS
        beacon, creditor = heard.beacon, None
        hosts: tuple[str, ...] = (heard.host,)
        if heard.host in beacon.hosts:
            if not heard.calls.spend():
                return
        else:
            creditor = self._limits.creditor(heard.senders)
            if creditor is None:
                return
            allowed = self._limits.allowed(beacon.hosts, beacon.port, heard.senders)
            if allowed is None:
                return
            creditor.spend()
            hosts = allowed
        # There is no second call meanwhile. A beacon with a new address sets `next_call` to 0.
        heard.next_call = math.inf
        nursery.start_soon(self._call_table, name, heard, evolve(beacon, hosts=hosts), creditor)

    async def _call_table(
        self, name: str, heard: _Heard, beacon: Beacon, creditor: RateLimit | None
    ) -> None:
        answer = None
        with trio.move_on_after(ANSWER_SECONDS) as heard.scope:
            answer = await self._call(beacon) if beacon.hosts else None
        if creditor is not None and answer is not None:
            creditor.give_back()
        # The table was dropped during the call, and perhaps heard again.
        if self._tables.get(name) is not heard:
            return
        moved = heard.next_call < math.inf  # a new beacon has come during the call
        heard.next_call = trio.current_time() + (0.0 if moved else CALL_SECONDS)
        if answer is not None and self._answered_from(answer.host, heard) < MOST_OF_ADDRESS:
            heard.failures, heard.host = 0, answer.host
            heard.beacon = evolve(heard.beacon, owner=answer.owner)
        elif answer is not None:  # too many tables have answered from this address
            self._drop(name)
        else:
            heard.failures, heard.host = heard.failures + 1, ""
            if heard.failures >= MOST_FAILURES:
                self._drop(name)
        self._wake()

    def _drop(self, name: str) -> None:
        heard = self._tables.pop(name, None)
        if heard is not None:
            heard.scope.cancel()

    def _answered_from(self, host: str, but: _Heard) -> int:
        return sum(heard.host == host for heard in self._tables.values() if heard is not but)

    def _wake(self) -> None:
        self._due.set()
        self._changed.set()
        self._changed = trio.Event()


def _seconds_of_calendar() -> int:
    """Return the seconds since 1970; 0 after the year 2262, for which `time.time` fails."""
    try:
        return int(time.time())
    except OverflowError:
        return 0


@asynccontextmanager
async def open_beacons(call: Call) -> AsyncIterator[Beacons]:
    """Listen for beacons for as long as the block lasts, on all interfaces that are up.

    At the end of the block the announcement is withdrawn. Raises NoBeacon if the network cannot be
    used for mDNS.
    """
    token = trio.lowlevel.current_trio_token()

    def heard(name: str, service: ServiceInfo | None, senders: Sequence[str]) -> None:
        try:
            beacon = None if service is None else Beacon.from_service(service)
        except Malformed as error:
            _log.info("a beacon was ignored: %s", error)
            return
        with suppress(trio.RunFinishedError):  # the program has ended meanwhile
            token.run_sync_soon(beacons.note, name.lower(), beacon, senders)

    beacons = Beacons(mdns := Mdns(SERVICE, heard), call)
    try:
        await trio.to_thread.run_sync(mdns.open)
    except MDNS_ERRORS as error:
        raise NoBeacon(
            "Tables cannot be looked for on this network ({error}). Sitting down by "
            "address works nevertheless: sobremesa join HOST:PORT.",
            error=reason_of(error),
        ) from error
    try:
        async with beside(beacons.follow_network), beside(beacons.call_tables):
            yield beacons
    finally:
        # If closing takes longer, its thread ends later by itself, or with the program.
        with trio.move_on_after(CLOSE_SECONDS, shield=True), suppress(*MDNS_ERRORS):
            await trio.to_thread.run_sync(mdns.close, abandon_on_cancel=True)

"""Acts of hostile machines on a LAN: each runs `python -m tests.lan.hostile ACT ...`.

A member who cheats runs the usual program, in which the act has replaced functions, for example
`python -m tests.lan.hostile equivocates join Kitchen --autoplay`. The other acts are of strangers.
Each runs until it is ended, at a bounded rate, and only against addresses of a network that a test
has made.
"""

import json
import os
import socket
import struct
import sys
import threading
import time
from collections import Counter, deque
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from functools import partial
from itertools import count, cycle

import trio
from attrs import evolve
from zeroconf import ServiceBrowser, ServiceInfo, Zeroconf

from client.cli.main import main as run_program
from p2p.discovery.beacon import SERVICE, Beacon
from p2p.discovery.interfaces import DEFAULT_PORT
from p2p.lobby.knock_price import pay
from p2p.storage.identity import Identity
from p2p.storage.private_files import data_folder
from p2p.table.calls import MemberLink
from p2p.transport.endpoint import LOBBY, hear, say
from p2p.transport.link import PEER_FAULTS, Link
from p2p.transport.lobby_messages import Price, Ready, Sit
from p2p.transport.messages import Message
from p2p.transport.spectator_messages import Watch
from p2p.transport.tls import client_context
from protocol.charter import NONCE_BYTES
from protocol.errors import Refused
from protocol.group import Entropy
from protocol.parallel import ParallelMap
from protocol.place import HEIGHT_LIMIT
from protocol.player import Written
from protocol.table.heights import Heights
from protocol.table.messages import Acknowledgement, Carry, Status
from protocol.table.own_player import OwnPlayer
from tests.lan.calls import call, first_bytes

FROM_ENTRY = 24
"""The height from which on a member cheats."""

EVERY_SECONDS = 2.0
"""The seconds between two connections of one kind to a node, and between forged goodbyes."""
HELD_SECONDS = 5.0
"""Seconds for which a pestering connection is held open."""
FALSE_TABLES = 64

BEACONS_A_SECOND = 120
_HELD = 1000
"""The most connections that `crowd` holds open."""
_TASKS_OF_ADDRESS = 2
"""The tasks of `knocks` and `watchers` for each address."""
_SETTLED_TASKS = 40
"""The tasks of `settled`, for all addresses together."""
_PAUSE_SECONDS = 0.5
"""The seconds before a task of `knocks` or `watchers` comes again."""
_STILL_HERE_SECONDS = 4.0
"""The seconds between two messages of somebody who waits at the door."""
_SLOW_CONNECTIONS = 6
"""The connections of `fetches` from each address."""
_RESET = struct.pack("ii", 1, 0)
"""A value of SO_LINGER: connections close at once, so that ports do not run out."""


def equivocates(*arguments: str) -> int:
    """Sign two moves in one place, and send the second one to one player only."""
    others: dict[int, bytes] = {}
    chosen: list[int] = []
    write, send = OwnPlayer.write, MemberLink.send

    def write_two(self: OwnPlayer, entropy: Entropy, parallel_map: ParallelMap) -> Written:
        written, state = write(self, entropy, parallel_map), self.record.state
        view = self._player.view(state)
        if state.height < FROM_ENTRY or others or view is None or view.to_move is None:
            return written
        for move in view.legal_moves(view.to_move):
            with suppress(Refused):
                second = self._player.write(state, entropy, move).entry
                if second != written.entry:
                    others[state.height + 1] = second
                    break
        return written

    def send_another(self: MemberLink, message: Message) -> None:
        if isinstance(message, Carry) and message.height in others:
            chosen.append(self.player)
            if self.player == chosen[0]:
                message = Carry(message.height, others[message.height])
        send(self, message)

    OwnPlayer.write, MemberLink.send = write_two, send_another  # type: ignore[method-assign]
    return run_program(list(arguments))


def lies(*arguments: str) -> int:
    """Claim that all others have the longest record that a message can claim."""
    status = Heights.status

    def lie(self: Heights) -> Status:
        claim = Acknowledgement(HEIGHT_LIMIT - 1, bytes(32), bytes(64))
        members = range(len(self.chain.charter.members))
        others = tuple((player, claim) for player in members if player != self.me)
        return evolve(status(self), others=others)

    Heights.status = lie  # type: ignore[method-assign]
    return run_program(list(arguments))


@asynccontextmanager
async def _called(address: str, table_id: bytes, identity: Identity) -> AsyncIterator[None]:
    """Open a link that asks a node for a table, and wait for the node's first answer."""
    stream = await trio.open_tcp_stream(address, DEFAULT_PORT)
    async with call(stream, client_context(identity), table_id) as link:
        await link.receive()
        yield


def pesters(*tables: str) -> int:
    """Call nodes again and again, and ask each for its table, at which this stranger once played.

    Other connections stay silent, send garbage, or break off a handshake. A line of the input has
    the addresses of all nodes, in the order of the tables; a later line replaces an earlier one.
    """
    return trio.run(_pester, [bytes.fromhex(table) for table in tables])


async def _pester(tables: Sequence[bytes]) -> int:
    identity, came = Identity.load_or_create(data_folder()), Counter[str]()
    firsts = first_bytes(identity)
    addresses: list[str] = []

    async def connect(address: str, kind: str) -> None:
        with trio.move_on_after(HELD_SECONDS), suppress(OSError, trio.BrokenResourceError):
            async with await trio.open_tcp_stream(address, DEFAULT_PORT) as stream:
                came[kind] += 1
                await stream.send_all(firsts[kind])
                await trio.sleep_forever()

    async def come(address: str, table_id: bytes) -> None:
        with (
            trio.move_on_after(HELD_SECONDS),
            suppress(OSError, *PEER_FAULTS, BaseExceptionGroup),
        ):
            async with _called(address, table_id, identity):
                came["calls of an old member"] += 1
                await trio.sleep_forever()

    async def read_addresses() -> None:
        while line := await trio.to_thread.run_sync(sys.stdin.readline, abandon_on_cancel=True):
            addresses[:] = line.split()

    async with trio.open_nursery() as nursery:
        nursery.start_soon(read_addresses)
        while True:
            for address, table_id in zip(addresses, tables, strict=False):
                for kind in firsts:
                    nursery.start_soon(connect, address, kind)
                nursery.start_soon(come, address, table_id)
            await trio.sleep(EVERY_SECONDS)
            print(json.dumps(came), flush=True)


def forges(address: str) -> int:
    """Forge beacons as a stranger.

    The first table's beacon is copied under other titles, and the tags of members are copied.
    Announcements of others are withdrawn in their names. Tables that do not exist are announced.
    """
    zeroconf = Zeroconf([address], use_asyncio=False)
    heard: dict[str, ServiceInfo] = {}
    own: set[str] = set()

    def hear(zeroconf: Zeroconf, service_type: str, name: str, **_: object) -> None:
        service = ServiceInfo(service_type, name)
        if name not in own and service.request(zeroconf, 3000):
            heard[name] = service

    def announce(service: ServiceInfo) -> None:
        own.add(service.name)
        zeroconf.register_service(service, cooperating_responders=True)

    ServiceBrowser(zeroconf, SERVICE, handlers=[hear])
    deadline = time.monotonic() + 60
    while not heard and time.monotonic() < deadline:
        time.sleep(0.1)
    (real, *_) = heard.values()
    for title in (b"AAA", b"Kitchen"):
        copy = ServiceInfo(
            SERVICE,
            f"{title.decode()}.{SERVICE}",
            port=DEFAULT_PORT,
            properties={**real.properties, b"t": title},
            parsed_addresses=[address],
            server="copy.local.",
        )
        announce(copy)

    def announce_false_tables() -> None:
        for number in range(FALSE_TABLES):
            announce(_false_table(number, (address,)))
        print("has announced", flush=True)

    threading.Thread(target=announce_false_tables, daemon=True).start()
    copied: set[str] = set()
    said = 0
    while True:
        for name, service in tuple(heard.items()):
            zeroconf.send(zeroconf.generate_service_broadcast(service, 0))
            said += 1
            if service.properties.get(b"w") and name not in copied:
                copied.add(name)
                key = Identity.generate()
                about = Beacon.from_service(service)
                copy_of_tag = evolve(about, key=key.public, hosts=(address,))
                announce(copy_of_tag.to_service(key.sign))
        print(json.dumps({"forged beacons": len(own), "false goodbyes": said}), flush=True)
        time.sleep(EVERY_SECONDS)


def _false_table(number: int, hosts: tuple[str, ...]) -> ServiceInfo:
    """Return the announcement of a table that does not exist."""
    key = Identity.generate()
    title = f"AAA {number}"
    false = Beacon(key.public, hosts, DEFAULT_PORT, title, "canastra", 2, 1, moment=1)
    return false.to_service(key.sign)


def beacons(own: str, victim: str) -> None:
    """Announce tables that name first a made-up address, and then the victim's."""
    zeroconf = Zeroconf([own], use_asyncio=False)
    network = own.rpartition(".")[0]
    begun = time.monotonic()
    for number in count():
        hosts = (f"{network}.{200 + number % 50}", victim)
        service = _false_table(number, hosts)
        zeroconf.send(zeroconf.generate_service_broadcast(service, 120))
        time.sleep(max(0.0, begun + number / BEACONS_A_SECOND - time.monotonic()))


def crowd(rate: str, *pairs: str, kind: str = "half handshakes") -> None:
    """Make `rate` connections a second, from the first address of each pair to the second."""
    first, held = first_bytes(Identity.generate())[kind], deque[socket.socket]()
    begun = time.monotonic()
    for number, (source, host) in enumerate(cycle(pair.split("=") for pair in pairs)):
        one = socket.socket(socket.AF_INET6 if ":" in source else socket.AF_INET)
        one.setblocking(False)
        one.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _RESET)
        with suppress(OSError):
            one.bind((source, 0))
            one.connect_ex((host, DEFAULT_PORT))
        held.append(one)
        if first and len(held) > 100:  # this one has had the time to connect
            with suppress(OSError):
                held[-100].send(first)
        if len(held) > _HELD:
            held.popleft().close()
        if number % 20 == 0:
            print(number, flush=True)
            time.sleep(max(0.0, begun + number / float(rate) - time.monotonic()))


def settled(rate: str, table: str, *pairs: str) -> None:
    """Open `rate` links a second that ask for a table, as a former member who has this home."""
    context, calls = client_context(Identity.load_or_create(data_folder())), count()
    tasks = max(1, _SETTLED_TASKS // len(pairs))

    async def come(source: str, host: str) -> None:
        while True:
            started = trio.current_time()
            print(next(calls), flush=True)
            with suppress(OSError, *PEER_FAULTS, BaseExceptionGroup):
                stream = await trio.open_tcp_stream(host, DEFAULT_PORT, local_address=source)
                stream.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _RESET)
                async with call(stream, context, bytes.fromhex(table)) as link:
                    await link.receive()
            await trio.sleep_until(started + len(pairs) * tasks / float(rate))

    _from_all(come, pairs, tasks)


def knocks(*pairs: str) -> None:
    """Knock again and again from each address, each time with another key, and do the work due."""

    async def knock(link: Link, name: str) -> None:
        commitment = os.urandom(NONCE_BYTES)
        await say(link, Sit(name, commitment))
        async with trio.open_nursery() as nursery:
            nursery.start_soon(_stay, link)
            while True:
                message = await hear(link)
                if isinstance(message, Price):
                    work = await trio.to_thread.run_sync(pay, message.nonce)
                    await say(link, Sit(name, commitment, work))

    _without_end(knock, "Eve", pairs)


def watchers(*pairs: str) -> None:
    """Begin to watch and stop again, without end, each time with another key."""

    async def watch(link: Link, name: str) -> None:
        await say(link, Watch(name))
        await hear(link)

    _without_end(watch, "Zoe", pairs)


async def _stay(link: Link) -> None:
    while True:
        await trio.sleep(_STILL_HERE_SECONDS)
        await say(link, Ready(False))


def _without_end(
    visit: Callable[[Link, str], Awaitable[None]], name: str, pairs: Sequence[str]
) -> None:
    numbers = count()

    async def come(source: str, host: str) -> None:
        while True:
            identity = Identity.generate()
            with suppress(OSError, *PEER_FAULTS, BaseExceptionGroup):
                stream = await trio.open_tcp_stream(host, DEFAULT_PORT, local_address=source)
                async with call(stream, client_context(identity), LOBBY) as link:
                    number = next(numbers)
                    print(number, flush=True)
                    await visit(link, f"{name} {number}")
            await trio.sleep(_PAUSE_SECONDS)

    _from_all(come, pairs, _TASKS_OF_ADDRESS)


def _from_all(
    come: Callable[[str, str], Awaitable[None]], pairs: Sequence[str], tasks: int
) -> None:
    """Run some tasks for each pair of addresses, without end."""

    async def all_come() -> None:
        async with trio.open_nursery() as nursery:
            for source, host in (pair.split("=") for pair in pairs):
                for _ in range(tasks):
                    nursery.start_soon(come, source, host)

    trio.run(all_come)


def fetches(port: str, *pairs: str) -> None:
    """Ask for a page, slowly, on several connections from each address."""

    async def hold(source: str, host: str) -> None:
        while True:
            with suppress(OSError, trio.BrokenResourceError):
                async with await trio.open_tcp_stream(
                    host, int(port), local_address=source
                ) as stream:
                    for byte in b"GET / HTTP/1.1\r\n" * 100:
                        await stream.send_all(bytes([byte]))
                        await trio.sleep(1)
            await trio.sleep(0.05)

    _from_all(hold, pairs, _SLOW_CONNECTIONS)


ACTS: Mapping[str, Callable[..., int | None]] = {
    **{one.__name__: one for one in (equivocates, lies, pesters, forges)},
    **{one.__name__: one for one in (beacons, crowd, settled, knocks, watchers, fetches)},
    "silent": partial(crowd, kind="silent connections"),
    "garbage": partial(crowd, kind="garbage"),
}


if __name__ == "__main__":
    sys.exit(ACTS[sys.argv[1]](*sys.argv[2:]))

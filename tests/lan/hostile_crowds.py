"""Crowds of strangers from one machine; `tests.lan.attacks` judges their effect on friends.

Each act runs until it is ended, at a bounded rate, and only against addresses of a network that a
test has made.
"""

import os
import socket
import struct
import sys
import time
from collections import deque
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from itertools import count, cycle

import trio
from zeroconf import Zeroconf

from p2p.discovery.beacon import Beacon
from p2p.discovery.interfaces import DEFAULT_PORT
from p2p.lobby.knock_price import pay
from p2p.storage.identity import Identity
from p2p.storage.private_files import data_folder
from p2p.transport.endpoint import LOBBY, hear, say
from p2p.transport.link import PEER_FAULTS, Link
from p2p.transport.lobby_messages import Price, Ready, Sit
from p2p.transport.spectator_messages import Watch
from p2p.transport.tls import client_context
from protocol.charter import NONCE_BYTES
from tests.lan.calls import call, first_bytes

BEACONS_A_SECOND = 120
_HELD = 1000
_TASKS_OF_ADDRESS = 2
_SETTLED_TASKS = 40
_PAUSE_SECONDS = 0.5
_STILL_HERE_SECONDS = 4.0
_SLOW_CONNECTIONS = 6
_RESET = struct.pack("ii", 1, 0)
"""A value of SO_LINGER: connections close at once, so that ports do not run out."""


def beacons(own: str, victim: str) -> None:
    """Announce tables that name first a made-up address, and then the victim's."""
    zeroconf = Zeroconf([own], use_asyncio=False)
    network = own.rpartition(".")[0]
    begun = time.monotonic()
    for number in count():
        key = Identity.generate()
        hosts = (f"{network}.{200 + number % 50}", victim)
        false = Beacon(key.public, hosts, DEFAULT_PORT, f"AAA {number}", "canastra", 2, 1, moment=1)
        zeroconf.send(zeroconf.generate_service_broadcast(false.to_service(key.sign), 120))
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
        if first and len(held) > 100:
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
    """Begin and stop watching again and again, each time with another key."""

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


ACTS: Mapping[str, Callable[..., None]] = {
    **{one.__name__: one for one in (beacons, crowd, settled, knocks, watchers, fetches)},
    "silent": partial(crowd, kind="silent connections"),
    "garbage": partial(crowd, kind="garbage"),
}


if __name__ == "__main__":
    ACTS[sys.argv[1]](*sys.argv[2:])

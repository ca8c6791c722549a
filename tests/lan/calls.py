"""A storm of strangers' connections to a host's port, at a given rate.

A process of its own opens them, from addresses in 127.0.1.0/24 to 127.0.0.1.
"""

import os
import signal
import socket
import ssl
import struct
import time
from collections import deque
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from pathlib import Path

import trio
from attrs import define, field

from engine.games import game_named
from p2p.storage.data_path import JOURNAL_FILE
from p2p.storage.identity import Identity
from p2p.storage.journal import Journal
from p2p.storage.memberships import Membership
from p2p.storage.private_files import make_private
from p2p.transport.endpoint import say
from p2p.transport.link import PEER_FAULTS, Limits, Link, open_link
from p2p.transport.messages import Hello
from p2p.transport.tls import client_context
from protocol.charter import Charter, Member, SignedCharter
from protocol.entries import Body, CloseContent, Entry
from protocol.place import Place

KINDS = ("none", "silent", "half a handshake", "garbage", "settled")

_HELD = 1000
"""The maximum number of connections that the storm holds open."""

_RESET = struct.pack("ii", 1, 0)  # close at once, so that ports do not run out


@define
class Homes:
    """The folders of a host and a guest, and the key of a stranger who has played with the host."""

    folder: Path
    host: Path = field(init=False)
    guest: Path = field(init=False)
    member: Identity = field(init=False)
    table_id: bytes = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.host, self.guest = (make_private(self.folder / name) for name in ("host", "guest"))
        self.member = Identity.generate()
        self.table_id = acquaint(self.host, self.member)


def acquaint(home: Path, member: Identity) -> bytes:
    """Give the journal in `home` a finished table with `member`, and return the table's id."""
    me, game = Identity.load_or_create(make_private(home)), game_named("canastra")
    members = (Member(me.public, "Ana", bytes(32)), Member(member.public, "Eve", bytes(32)))
    charter = Charter(game, game.options(), members)
    signed = SignedCharter(charter, tuple(charter.sign(one.sign) for one in (me, member)))
    with Journal.open(home / JOURNAL_FILE) as journal:
        Membership(signed, 0, ()).keep(journal)
        head = charter.table_id
        # The two closings are enough: no other entry is looked at.
        for height, signer in enumerate((me, member), 1):
            place = Place(charter.table_id, height, head)
            body = Body(place, height - 1, CloseContent(1, (0, 0), last=True))
            entry = Entry.sign(body.encode(), signer.sign)
            journal.append(charter.table_id, height, entry.encode())
            head = entry.head
        journal.note_in_a_file(charter.table_id)
        journal.note_all_synced(charter.table_id)
    return charter.table_id


def _storm(kind: str, port: int, rate: int, addresses: int, homes: Homes) -> None:
    """Connect until the process is ended, and print the number of connections again and again."""
    if kind == "settled":
        trio.run(_settle, port, rate, addresses, homes)
    first = {
        "silent": b"",
        "half a handshake": client_hello(Identity.generate()),
        "garbage": os.urandom(300),
    }[kind]
    held: deque[socket.socket] = deque()
    begun, made = time.monotonic(), 0
    while True:
        while made < (time.monotonic() - begun) * rate:
            held.append(_open(port, f"127.0.1.{made % addresses + 1}"))
            made += 1
            for late in [held[-20]] if first and len(held) >= 20 else []:
                with suppress(OSError):
                    late.send(first)
            while len(held) > _HELD:
                _drop(held.popleft())
        print(made, flush=True)
        time.sleep(0.01)


def _open(port: int, source: str) -> socket.socket:
    one = socket.socket()
    one.setblocking(False)
    one.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    one.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _RESET)
    with suppress(OSError):
        one.bind((source, 0))
        one.connect_ex(("127.0.0.1", port))
    return one


def _drop(one: socket.socket) -> None:
    with suppress(OSError):
        one.close()


def client_hello(identity: Identity) -> bytes:
    """Return the first bytes of a handshake."""
    incoming, outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
    with suppress(ssl.SSLWantReadError):
        client_context(identity).wrap_bio(incoming, outgoing).do_handshake()
    return outgoing.read()


@asynccontextmanager
async def call(
    stream: trio.SocketStream, context: ssl.SSLContext, table_id: bytes
) -> AsyncIterator[Link]:
    """Open a link over the connection, as a node does that asks for a table."""
    async with open_link(
        stream,
        context,
        server_side=False,
        admit=lambda _key: True,
        limits=Limits(),
        address="called",
    ) as link:
        await say(link, Hello(table_id, 0))
        yield link


async def _settle(port: int, rate: int, addresses: int, homes: Homes) -> None:
    """Open links that ask for the old table, at the given rate, from forty tasks."""
    made, context = 0, client_context(homes.member)

    async def again_and_again() -> None:
        nonlocal made
        while True:
            started, source = trio.current_time(), f"127.0.1.{made % addresses + 1}"
            made += 1
            with suppress(OSError, *PEER_FAULTS, BaseExceptionGroup):
                stream = await trio.open_tcp_stream("127.0.0.1", port, local_address=source)
                stream.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _RESET)
                async with call(stream, context, homes.table_id) as link:
                    await link.receive()
            await trio.sleep_until(started + 40 / rate)

    async with trio.open_nursery() as nursery:
        for _ in range(40):
            nursery.start_soon(again_and_again)
        while True:
            print(made, flush=True)
            await trio.sleep(0.1)


@contextmanager
def stormy(kind: str, port: int, rate: int, addresses: int, homes: Homes) -> Iterator[list[float]]:
    """Run the storm during the block; then append its connections per second to the list."""
    reached: list[float] = []
    if kind == "none":
        yield reached
        return
    reads, writes = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.dup2(writes, 1)
            _storm(kind, port, rate, addresses, homes)
        finally:
            os._exit(1)
    os.close(writes)
    begun = time.monotonic()
    os.set_blocking(reads, False)
    try:
        yield reached
    finally:
        seconds = time.monotonic() - begun
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        counted = b""
        with suppress(BlockingIOError):
            while part := os.read(reads, 1 << 20):
                counted = (counted + part)[-200:]
        os.close(reads)
        numbers = counted.split()
        reached.append(int(numbers[-2]) / seconds if len(numbers) > 1 else 0.0)

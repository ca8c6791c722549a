"""A storm of connections against a table that is played, and against a lobby on the screen.

`python -m tests.lan.storm` starts real processes on the loopback: a host, a guest, and somebody who
connects to the host's port from 127.0.1.0/24, up to so often a second. It prints, for each kind of
connection, whether the guest sat down at the first try and after how long, how many lines of play
there were a second, the host's memory, what reached its output, and how long Ctrl-C took.
"""

import argparse
import os
import pty
import re
import resource
import select
import signal
import socket
import ssl
import struct
import subprocess
import sys
import tempfile
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import trio
from attrs import define, field

from engine.games import game_named
from p2p.storage.data_path import HOME_VARIABLE, JOURNAL_FILE
from p2p.storage.folders import make_private
from p2p.storage.identity import Identity
from p2p.storage.journal import Journal
from p2p.storage.memberships import Membership
from p2p.transport.endpoint import say
from p2p.transport.link import PEER_FAULTS, Limits, open_link
from p2p.transport.messages import Hello
from p2p.transport.tls import client_context
from protocol.charter import Charter, Member, SignedCharter

KINDS = ("none", "silent", "half a handshake", "garbage", "settled")

_HELD = 1000
"""Connections that the storm holds open at most."""

_COMMAND = (sys.executable, "-c", "from client.cli.entry import main; raise SystemExit(main())")
_RESET = struct.pack("ii", 1, 0)  # close without a wait, so that ports do not run out


@define
class Homes:
    """The folders of a host and a guest, and the key of somebody who once played with the host."""

    folder: Path
    host: Path = field(init=False)
    guest: Path = field(init=False)
    member: Identity = field(init=False)
    table_id: bytes = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.host, self.guest = (make_private(self.folder / name) for name in ("host", "guest"))
        me, self.member = Identity.load_or_create(self.host), Identity.generate()
        game = game_named("canastra")
        members = (
            Member(me.public, "Ana", bytes(32)),
            Member(self.member.public, "Eve", bytes(32)),
        )
        charter = Charter(game, game.options(), members)
        self.table_id = charter.table_id
        signed = SignedCharter(charter, tuple(charter.sign(one.sign) for one in (me, self.member)))
        with Journal.open(self.host / JOURNAL_FILE) as journal:
            Membership(signed, 0, ()).keep(journal)


# -- the storm, a process of its own


def storm(kind: str, port: int, rate: int, addresses: int, homes: Homes) -> None:
    """Connect until the process is ended, and count on standard output."""
    if kind == "settled":
        trio.run(_settle, port, rate, addresses, homes)
    first = {
        "silent": b"",
        "half a handshake": _client_hello(Identity.generate()),
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


def _client_hello(identity: Identity) -> bytes:
    incoming, outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
    with suppress(ssl.SSLWantReadError):
        client_context(identity).wrap_bio(incoming, outgoing).do_handshake()
    return outgoing.read()


async def _settle(port: int, rate: int, addresses: int, homes: Homes) -> None:
    """As many links about the old table as come about, forty at a time."""
    made, context, limits = 0, client_context(homes.member), Limits()

    async def again_and_again() -> None:
        nonlocal made
        while True:
            started, source = trio.current_time(), f"127.0.1.{made % addresses + 1}"
            made += 1
            with suppress(OSError, *PEER_FAULTS, BaseExceptionGroup):
                stream = await trio.open_tcp_stream("127.0.0.1", port, local_address=source)
                stream.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _RESET)
                async with open_link(
                    stream,
                    context,
                    server_side=False,
                    admit=lambda _key: True,
                    limits=limits,
                    address="host",
                ) as link:
                    await say(link, Hello(homes.table_id, 0))
                    await link.receive()
            await trio.sleep_until(started + 40 / rate)

    async with trio.open_nursery() as nursery:
        for _ in range(40):
            nursery.start_soon(again_and_again)
        while True:
            print(made, flush=True)
            await trio.sleep(0.1)


# -- what is measured


@define
class Program:
    """A command of the program, and what it writes; on a terminal of its own, or into a pipe."""

    process: subprocess.Popen[bytes]
    reads: int
    said: bytes = b""

    @classmethod
    def start(cls, home: Path, *arguments: str, terminal: bool = False) -> "Program":
        environment = {**os.environ, HOME_VARIABLE: f"{home}", "TERM": "xterm", "LANG": "C.UTF-8"}
        reads, writes = pty.openpty() if terminal else os.pipe()
        process = subprocess.Popen(
            [*_COMMAND, *arguments],
            stdin=writes if terminal else subprocess.DEVNULL,
            stdout=writes,
            stderr=writes,
            env=environment,
            start_new_session=True,
        )
        os.close(writes)
        return cls(process, reads)

    def listen(self, seconds: float, until: Callable[[str], bool] = lambda _said: False) -> bool:
        """Take what it writes for so long, or until that is so; whether it was."""
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            if until(self.text):
                return True
            if select.select([self.reads], [], [], 0.05)[0]:
                try:
                    self.said += os.read(self.reads, 65536)
                except OSError:
                    break
        return until(self.text)

    @property
    def text(self) -> str:
        return self.said.decode(errors="replace")

    @property
    def megabytes(self) -> float:
        """The most memory that it has had."""
        with suppress(OSError):
            status = Path(f"/proc/{self.process.pid}/status").read_text()
            found = re.search(r"VmHWM:\s+(\d+) kB", status)
            return int(found[1]) / 1024 if found else 0.0
        return 0.0

    def interrupt(self) -> str:
        """Ctrl-C; after how many seconds it has ended, and how long it computed meanwhile, which
        tells what a busy machine adds.
        """
        before, begun = _processor_seconds(), time.monotonic()
        had = self.processor_seconds
        assert self.process.poll() is None, f"It has ended before: {self.text[-300:]}"
        self.process.send_signal(signal.SIGINT)
        while self.process.poll() is None and time.monotonic() - begun < 20:
            self.listen(0.02)
        took = time.monotonic() - begun
        return f"{took:.2f} s, {_processor_seconds() - before - had:.2f} s of them computing"

    @property
    def processor_seconds(self) -> float:
        """What it has computed until now."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return sum(map(int, fields[11:13])) / os.sysconf("SC_CLK_TCK")

    def end(self) -> None:
        with suppress(ProcessLookupError):
            self.process.kill()
        self.process.wait()
        os.close(self.reads)


def _processor_seconds() -> float:
    """What programs that have ended had computed."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


@contextmanager
def running(home: Path, *arguments: str, terminal: bool = False) -> Iterator[Program]:
    program = Program.start(home, *arguments, terminal=terminal)
    try:
        yield program
    finally:
        program.end()


@contextmanager
def stormy(kind: str, port: int, rate: int, addresses: int, homes: Homes) -> Iterator[list[float]]:
    """The storm as long as the block lasts; gives its connections a second afterwards."""
    reached: list[float] = []
    if kind == "none":
        yield reached
        return
    reads, writes = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.dup2(writes, 1)
            storm(kind, port, rate, addresses, homes)
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


def _free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        port: int = one.getsockname()[1]
        return port


def _moves(text: str) -> int:
    return len(text.splitlines())


def at_a_table(kind: str, seconds: float, rate: int, addresses: int) -> str:
    """A guest sits down and a game is played, while the storm lasts."""
    with tempfile.TemporaryDirectory() as folder:
        homes, port = Homes(Path(folder)), _free_port()
        # Nobody reaches so many points while it lasts.
        match = ("--game", "canasta", "--seats", "2", "--option", "target=100000")
        hosting = ("host", *match, "--port", f"{port}", "--autoplay")
        with running(homes.host, *hosting, "--name", "Ana", "--seed", "1") as host:
            assert host.listen(60, lambda said: "is open" in said), host.text
            with stormy(kind, port, rate, addresses, homes) as reached:
                host.listen(2)
                begun = time.monotonic()
                joining = ("join", f"127.0.0.1:{port}", "--autoplay", "--name", "Bruno")
                with running(homes.guest, *joining, "--seed", "2") as guest:
                    sat = guest.listen(60, lambda said: "The table's words" in said)
                    after = time.monotonic() - begun
                    first = guest.process.poll() is None and sat
                    before = _moves(host.text)
                    host.listen(seconds)
                    played = (_moves(host.text) - before) / seconds
                    memory = host.megabytes
                    ended = host.interrupt()
        noise = [line for line in host.text.splitlines() if _is_noise(line)]
    return (
        f"{kind}: {reached[0] if reached else 0:.0f} connections a second; the guest "
        + (f"sat down at the first try after {after:.1f} s" if first else "DID NOT SIT DOWN")
        + f"; {played:.1f} lines of play a second; {memory:.0f} MB; {len(noise)} lines of noise"
        + f"; Ctrl-C took {ended}"
        + "".join(f"\n    {line}" for line in noise[:3])
        + ("" if first else f"\n    {guest.text[-300:]}")
    )


def on_a_screen(kind: str, seconds: float, rate: int, addresses: int) -> str:
    """A lobby on the whole screen, while the storm lasts: what is written there."""
    with tempfile.TemporaryDirectory() as folder:
        homes, port = Homes(Path(folder)), _free_port()
        hosting = ("host", "--game", "canasta", "--seats", "2", "--port", f"{port}")
        with running(homes.host, *hosting, "--name", "Ana", terminal=True) as host:
            assert host.listen(60, lambda said: "Ana" in said), host.text
            host.listen(1)
            with stormy(kind, port, rate, addresses, homes) as reached:
                before = len(host.said)
                host.listen(seconds)
                written = len(host.said) - before
                memory = host.megabytes
                ended = host.interrupt()
        noise = [line for line in host.text.splitlines() if _is_noise(line)]
    return (
        f"{kind}, a lobby on the screen: {reached[0] if reached else 0:.0f} connections a second; "
        f"{written} bytes written; {memory:.0f} MB; {len(noise)} lines of noise; "
        f"Ctrl-C took {ended}" + "".join(f"\n    {line}" for line in noise[:3])
    )


def _is_noise(line: str) -> bool:
    return any(word in line for word in ("Traceback", "Error", "WARNING", "INFO", "too many"))


def main() -> int:
    arguments = argparse.ArgumentParser(prog="python -m tests.lan.storm")
    arguments.add_argument("--seconds", type=float, default=10.0, help="of each part")
    arguments.add_argument("--rate", type=int, default=1000, help="connections a second")
    arguments.add_argument("--addresses", type=int, default=1, help="from so many, 250 at most")
    arguments.add_argument("--kind", choices=KINDS, action="append")
    chosen = arguments.parse_args()
    load = os.getloadavg()[0]
    print(f"{os.cpu_count()} cores, load {load:.1f} before; {chosen.addresses} addresses")
    for kind in chosen.kind or KINDS:
        for measure in (at_a_table, on_a_screen):
            told = measure(kind, chosen.seconds, chosen.rate, chosen.addresses)
            print(told, f"(load {os.getloadavg()[0]:.1f})", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())

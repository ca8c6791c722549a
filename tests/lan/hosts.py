"""A LAN of hosts on one machine, each of which runs the installed command as a process.

The LAN consists of network namespaces and a switch between them, which are removed at the end.
"""

import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress
from pathlib import Path

import pytest
from attrs import define, field

from p2p.storage.data_path import JOURNAL_FILE
from tests.lan.switch import Switch, open_tap

COMMAND = Path(sys.executable).with_name("sobremesa")


DEVICE = "eth0"

_ENTRIES = """
SELECT count(*) FROM entries
WHERE table_id = (SELECT table_id FROM tables ORDER BY rowid DESC LIMIT 1)
"""


class NoLan(Exception):
    """Raised, with the reason, if this machine cannot have the network, disk or clock of a test."""


def number_in(home: Path, query: str) -> int:
    """Return the number that a query finds in the journal; 0 if it finds none, or fails."""
    journal = home / JOURNAL_FILE
    if not journal.exists():
        return 0
    try:
        with closing(sqlite3.connect(f"file:{journal}?mode=ro", uri=True)) as database:
            return int((database.execute(query).fetchone() or (0,))[0] or 0)
    except sqlite3.DatabaseError:
        return 0


@define(eq=False)
class Host:
    """A machine of the LAN."""

    number: int
    namespace: str
    address: str
    home: Path
    """The data folder of the machine."""
    log: Path
    environment: Mapping[str, str] = field(factory=dict)
    """Additional environment variables of the machine's commands."""
    process: subprocess.Popen[bytes] | None = field(default=None, init=False)
    said_before: int = field(default=0, init=False)
    """The length of `log` when the newest command started."""

    def run(self, *arguments: str, timeout: float = 60) -> str:
        """Run a command to its end, and return its output."""
        done = subprocess.run(
            self.command(f"{COMMAND}", *arguments),
            env=self._environment,
            capture_output=True,
            timeout=timeout,
            text=True,
            check=False,
        )
        return done.stdout + done.stderr

    def call(self, *words: str) -> None:
        """Run any program on this machine to its end."""
        subprocess.run(self.command(*words), check=True, capture_output=True, timeout=60)

    def start(self, *arguments: str, typed: bool = False) -> None:
        """Start a command, and return at once; its output is appended to `log`.

        A `typed` command takes its lines from `type`.
        """
        self.start_program(f"{COMMAND}", *arguments, typed=typed)

    def start_program(self, *words: str, typed: bool = False) -> None:
        """Start any program in the same way as `start` does."""
        self.said_before = len(self.said)
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                self.command(*words),
                env=self._environment,
                stdin=subprocess.PIPE if typed else subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
            )

    def type(self, line: str) -> None:
        """Type a line for a command that was started as `typed`, unless it has ended."""
        assert self.process is not None
        assert self.process.stdin is not None
        with suppress(BrokenPipeError):
            self.process.stdin.write(f"{line}\n".encode())
            self.process.stdin.flush()

    def kill(self) -> None:
        """Kill the newest command with SIGKILL."""
        if self.process is not None:
            self.process.send_signal(signal.SIGKILL)
            self.process.wait()
            if self.process.stdin is not None:
                with suppress(BrokenPipeError):
                    self.process.stdin.close()

    @property
    def running(self) -> bool:
        return self.process is not None and self.process.poll() is None

    @property
    def said(self) -> str:
        """Return the output of all commands of this machine."""
        return self.log.read_text(errors="replace") if self.log.exists() else ""

    def wait_for(self, text: str, seconds: float = 120) -> None:
        """Wait until the commands have printed `text`."""
        until(lambda: text in self.said, seconds, [self])

    @property
    def said_last(self) -> str:
        """Return the output of the newest command."""
        return self.said[self.said_before :]

    @property
    def entries(self) -> int:
        """Return the number of entries of the newest table in the machine's journal.

        It is 0 before the journal has been created, and while it cannot be read.
        """
        return number_in(self.home, _ENTRIES)

    @property
    def last_written(self) -> float:
        """Return the time of the last change of the journal, in seconds; 0 without a journal."""
        newest = 0.0
        for file in self.home.glob(f"{JOURNAL_FILE}*"):
            # A process that ends may remove the journal's log between the listing and the stat.
            with suppress(FileNotFoundError):
                newest = max(newest, file.stat().st_mtime)
        return newest

    def take_address(self, address: str) -> None:
        """Give the machine's interface this address instead of its present one."""
        ip("-n", self.namespace, "addr", "flush", "dev", DEVICE, "scope", "global")
        length = 64 if ":" in address else 24
        ip("-n", self.namespace, "addr", "add", f"{address}/{length}", "dev", DEVICE)
        self.address = address

    def set_link(self, *, up: bool) -> None:
        """Switch the machine's interface on or off."""
        ip("-n", self.namespace, "link", "set", DEVICE, "up" if up else "down")

    def records(self) -> list[Path]:
        return sorted((self.home / "records").glob("*"))

    def command(self, *words: str) -> list[str]:
        """Return the words that run a command on this machine."""
        return ["ip", "netns", "exec", self.namespace, *words]

    @property
    def _environment(self) -> dict[str, str]:
        own = {"SOBREMESA_HOME": f"{self.home}", "PYTHONUNBUFFERED": "1"}
        return {**os.environ, **own, **self.environment}


@define(eq=False)
class Lan:
    """The hosts of a network, with the switch between them."""

    hosts: list[Host]
    switch: Switch

    def wait(self, patience: float = 120, look: Callable[[], None] = lambda: None) -> None:
        """Wait until all processes have ended by themselves; call `look` now and then.

        Raises AssertionError if no journal has changed for `patience` seconds. A limit on the whole
        time would also fail on a slow machine.
        """
        changed, at = 0.0, time.monotonic()
        while any(host.running for host in self.hosts):
            look()
            newest = max(host.last_written for host in self.hosts)
            if newest > changed:
                changed, at = newest, time.monotonic()
            assert time.monotonic() < at + patience, outputs(self.hosts)
            time.sleep(0.05)


@contextmanager
def lan(count: int, folder: Path, *, ipv6_only: bool = False) -> Iterator[Lan]:
    """Make a LAN of `count` hosts with IPv4 only, or with IPv6 only. Raises NoLan."""
    mark = f"sbm{os.getpid()}"
    with ExitStack() as stack:
        made = Lan([], Switch([]))
        for number in range(1, count + 1):
            namespace, device = f"{mark}-{number}", f"{mark}t{number}"
            ip("netns", "add", namespace)
            stack.callback(ip, "netns", "del", namespace)
            try:
                port = open_tap(device)
            except OSError as error:
                raise NoLan(f"no TAP device can be made: {error}") from error
            stack.callback(os.close, port)
            made.switch.ports.append(port)
            address = f"fd77::{number}" if ipv6_only else f"10.77.0.{number}"
            home, log = folder / f"home{number}", folder / f"log{number}"
            host = Host(number, namespace, address, home, log)
            _switch_ipv6(host, on=ipv6_only)
            ip("link", "set", device, "netns", namespace, "name", DEVICE)
            ip("-n", namespace, "link", "set", "lo", "up")
            host.take_address(address)
            ip("-n", namespace, "link", "set", DEVICE, "up")
            made.hosts.append(host)
        thread = made.switch.start()
        stack.callback(thread.join)
        stack.callback(made.switch.stop)
        for host in made.hosts:
            stack.callback(host.kill)
        yield made


def _switch_ipv6(host: Host, *, on: bool) -> None:
    """Switch IPv6 on or off, without the detection of duplicates, which delays new addresses."""
    for name, value in (("disable_ipv6", 0 if on else 1), ("accept_dad", 0)):
        for scope in ("all", "default"):
            path = f"/proc/sys/net/ipv6/conf/{scope}/{name}"
            write = ["sh", "-c", f"test ! -e {path} || echo {value} > {path}"]
            ip("netns", "exec", host.namespace, *write)


def why_no_lan() -> str | None:
    """Return the reason why no LAN can be made here; None if one can be made."""
    if not sys.platform.startswith("linux"):
        return "only Linux has network namespaces"
    if not COMMAND.exists():
        return "the command sobremesa is not installed beside this Python"
    try:
        with lan(1, Path("/nonexistent")):
            return None
    except (NoLan, OSError) as error:
        return f"no network namespace can be made: {error}"


def until(condition: Callable[[], bool], seconds: float, hosts: Sequence[Host]) -> float:
    """Wait for `condition`, and return the seconds that passed.

    Raises AssertionError with the outputs of the hosts after `seconds`.
    """
    begun = time.monotonic()
    while not condition():
        assert time.monotonic() < begun + seconds, outputs(hosts)
        time.sleep(0.05)
    return time.monotonic() - begun


def outputs(hosts: Sequence[Host]) -> str:
    """Return the ends of the outputs of hosts."""
    return "\n".join(f"machine {host.number}:\n{host.said[-1500:]}" for host in hosts)


def ip(*arguments: str) -> None:
    """Run the command `ip`. Raises NoLan if it fails."""
    done = subprocess.run(["ip", *arguments], capture_output=True, text=True, check=False)
    if done.returncode:
        raise NoLan(done.stderr.strip() or "ip failed")


def has_ipv6() -> bool:
    """Return True if this kernel has IPv6."""
    return Path("/proc/sys/net/ipv6").exists()


needs_lan = pytest.mark.skipif((_reason := why_no_lan()) is not None, reason=_reason or "")

"""A storm of connections against a table in play, and against a lobby on the screen.

`python -m tests.lan.storm` starts real processes on the loopback: a host, a guest, and a stranger
who connects to the host's port many times a second. For each kind of connection it measures
figures and checks them (`Figures.faults`). At the end it prints all figures in columns; the exit
code is 1 if any figure is bad.
"""

import argparse
import os
import pty
import re
import select
import signal
import socket
import subprocess
import sys
import tempfile
import termios
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from attrs import define, field

from p2p.storage.data_path import HOME_VARIABLE
from tests.client.terminals import Emulator
from tests.lan.flood import KINDS, Homes, stormy
from tests.patience import PATIENCE

MOST_MEMORY = 100.0
"""The most memory that the host may use, in megabytes (1024 * 1024 bytes)."""
MOST_TO_END = 1.0
"""The most seconds from Ctrl-C to the end, not counting the wait for a free processor."""
LEAST_LINES = 5
"""The fewest lines of play that must be printed during the storm."""
LEAST_SHARE = 0.1
"""The smallest share of the wanted connections; a weaker storm shows nothing."""

COLUMNS, ROWS = 80, 24
_COMMAND = (
    sys.executable,
    "-c",
    "from client.cli.entry_point import main; raise SystemExit(main())",
)
_NOISE = ("Traceback", "Error", "WARNING", "INFO", "too many")


@define
class End:
    """The end of a program by Ctrl-C: the seconds until it ended, and how many of them it waited.

    In the seconds `waited`, the program was ready to run, but had no processor.
    """

    seconds: float
    waited: float


@define
class Program:
    """A process of the program and its output, on a terminal of its own or in a pipe."""

    process: subprocess.Popen[bytes]
    reads: int
    said: bytes = b""

    @classmethod
    def start(cls, home: Path, *arguments: str, terminal: bool = False) -> "Program":
        environment = {**os.environ, HOME_VARIABLE: f"{home}", "TERM": "xterm", "LANG": "C.UTF-8"}
        reads, writes = pty.openpty() if terminal else os.pipe()
        if terminal:
            termios.tcsetwinsize(writes, (ROWS, COLUMNS))
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
        """Read the output for `seconds`, or until a condition on it holds.

        Returns True if the condition held.
        """
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
    def screen(self) -> str:
        """Return the text on the terminal."""
        emulator = Emulator(COLUMNS, ROWS)
        emulator.write(self.text)
        return emulator.text

    @property
    def noise(self) -> list[str]:
        """Return the lines of output that no player should read."""
        return [line for line in self.text.splitlines() if any(word in line for word in _NOISE)]

    @property
    def megabytes(self) -> float:
        """Return the most memory that the process has had."""
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        found = re.search(r"VmHWM:\s+(\d+) kB", status)
        assert found is not None, "The program has ended already."
        return int(found[1]) / 1024

    def interrupt(self) -> End:
        """Interrupt the process with Ctrl-C, and return its end. The wait lasts at most 20 s."""
        assert self.process.poll() is None, f"The program has ended already: {self.text[-300:]}"
        before = waited = self.waited
        begun = time.monotonic()
        self.process.send_signal(signal.SIGINT)
        while self.process.poll() is None and time.monotonic() - begun < 20:
            with suppress(OSError, IndexError):
                waited = self.waited
            self.listen(0.02)
        return End(time.monotonic() - begun, waited - before)

    @property
    def waited(self) -> float:
        """Return the seconds in which the first thread was ready to run but had no processor."""
        return int(Path(f"/proc/{self.process.pid}/schedstat").read_text().split()[1]) / 1e9

    def end(self) -> None:
        with suppress(ProcessLookupError):
            self.process.kill()
        self.process.wait()
        os.close(self.reads)


@contextmanager
def running(home: Path, *arguments: str, terminal: bool = False) -> Iterator[Program]:
    program = Program.start(home, *arguments, terminal=terminal)
    try:
        yield program
    finally:
        program.end()


@define
class Figures:
    """The figures measured under one kind of connection, at a table or in a lobby.

    A figure is None if it is not measured in this place.
    """

    kind: str
    place: str
    wanted: float
    reached: list[float]
    """The connections a second, known only after the storm; empty without a storm."""
    megabytes: float
    end: End
    noise: list[str]
    is_screen_the_same: bool | None = None
    sat_after: float | None = None
    lines: int | None = None
    """The lines of play during the storm."""
    seconds: float | None = None
    """The seconds in which `lines` were printed."""
    guest_said: str = field(default="", kw_only=True)

    def faults(self) -> list[str]:
        """Return a sentence for each bad figure."""
        found = []
        if self.rate is not None and self.rate < LEAST_SHARE * self.wanted:
            found.append(f"The storm had {self.rate:.0f} connections a second: it shows nothing.")
        if self.lines is not None:
            if self.sat_after is None:
                found.append(f"The guest did not sit down at the first try: {self.guest_said}")
            if self.lines < LEAST_LINES:
                found.append(f"The game did not go on: {self.lines} lines in {self.seconds:.0f} s.")
        if self.megabytes > MOST_MEMORY:
            found.append(f"The host had {self.megabytes:.0f} MB, more than {MOST_MEMORY:.0f}.")
        if self.noise:
            count, first = len(self.noise), self.noise[0]
            found.append(f"The host's output has {count} log lines, such as: {first}")
        if self.is_screen_the_same is False:
            found.append("The screen of the lobby is no longer as it was before.")
        if self.end.seconds - self.end.waited > MOST_TO_END:
            found.append(
                f"After Ctrl-C the host took {self.end.seconds:.2f} s to end, "
                f"{self.end.waited:.2f} s of them without a processor; "
                f"{MOST_TO_END:.0f} s with one is allowed."
            )
        return found

    @property
    def rate(self) -> float | None:
        return self.reached[0] if self.reached else None

    def row(self) -> tuple[str, ...]:
        """Return the figures in the columns of `HEADS`."""
        screen = {None: "-", True: "no", False: "yes"}[self.is_screen_the_same]
        return (
            f"{self.kind}, {self.place}",
            _figure(self.rate, 0),
            "-" if self.lines is None else _figure(self.sat_after, 1),
            _figure(self.lines and self.seconds and self.lines / self.seconds, 1),
            f"{self.megabytes:.0f}",
            f"{len(self.noise)}",
            screen,
            f"{self.end.seconds:.2f}",
            f"{self.end.waited:.2f}",
        )


HEADS = (
    "connections, place",
    "a second",
    "seated after s",
    "lines of play a second",
    "MB",
    "noise",
    "screen changed",
    "Ctrl-C s",
    "without processor s",
)


def _figure(value: float | None, digits: int) -> str:
    return "-" if value is None else f"{value:.{digits}f}"


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        port: int = one.getsockname()[1]
        return port


def _lines(text: str) -> int:
    return len(text.splitlines())


def at_a_table(kind: str, seconds: float, rate: int, addresses: int) -> Figures:
    """Seat a guest and play a game while the storm lasts."""
    with tempfile.TemporaryDirectory() as folder:
        homes, port = Homes(Path(folder)), free_port()
        # Nobody reaches so many points during the storm.
        match = ("--game", "canasta", "--players", "2", "--option", "target=100000")
        hosting = ("host", *match, "--port", f"{port}", "--autoplay")
        with running(homes.host, *hosting, "--name", "Ana", "--seed", "1") as host:
            assert host.listen(PATIENCE, lambda said: "is open" in said), host.text
            with stormy(kind, port, rate, addresses, homes) as reached:
                host.listen(2)
                begun = time.monotonic()
                joining = ("join", f"127.0.0.1:{port}", "--autoplay", "--name", "Bruno")
                with running(homes.guest, *joining, "--seed", "2") as guest:
                    sat = guest.listen(PATIENCE, lambda said: "The table's words" in said)
                    after = time.monotonic() - begun
                    first = guest.process.poll() is None and sat
                    before, begun = _lines(host.text), time.monotonic()
                    host.listen(seconds)
                    enough = before + LEAST_LINES
                    host.listen(PATIENCE if first else 0, lambda said: _lines(said) >= enough)
                    played, during = _lines(host.text) - before, time.monotonic() - begun
                    memory = host.megabytes
                    end = host.interrupt()
        return Figures(
            kind,
            "a table",
            rate,
            reached,
            memory,
            end,
            host.noise,
            sat_after=after if first else None,
            lines=played,
            seconds=during,
            guest_said=guest.text[-300:],
        )


def on_a_screen(kind: str, seconds: float, rate: int, addresses: int) -> Figures:
    """Show a lobby on the whole screen while the storm lasts."""
    with tempfile.TemporaryDirectory() as folder:
        homes, port = Homes(Path(folder)), free_port()
        hosting = ("host", "--game", "canasta", "--players", "2", "--port", f"{port}")
        with running(homes.host, *hosting, "--name", "Ana", terminal=True) as host:
            assert host.listen(PATIENCE, lambda said: "Ana" in said), host.text
            host.listen(2)
            with stormy(kind, port, rate, addresses, homes) as reached:
                before = host.screen
                assert "Ana" in before, before
                host.listen(seconds)
                is_same = host.screen == before
                memory = host.megabytes
                end = host.interrupt()
        noise = host.noise
        return Figures(kind, "a lobby", rate, reached, memory, end, noise, is_same)


def _print_table(found: list[Figures]) -> None:
    rows = [HEADS, tuple("---" for _ in HEADS), *(one.row() for one in found)]
    print(*(f"| {' | '.join(row)} |" for row in rows), sep="\n")


def main() -> int:
    """Measure under each kind of connection; return 1 if a figure is bad."""
    arguments = argparse.ArgumentParser(prog="python -m tests.lan.storm")
    arguments.add_argument("--seconds", type=float, default=10.0, help="length of each storm")
    arguments.add_argument("--rate", type=int, default=1000, help="connections a second")
    arguments.add_argument("--addresses", type=int, default=1, help="number of sources, up to 250")
    arguments.add_argument("--kind", choices=KINDS, action="append")
    chosen = arguments.parse_args()
    print(f"{os.cpu_count()} cores; {chosen.rate} wanted, from {chosen.addresses} addresses")
    found: list[Figures] = []
    for kind in chosen.kind or KINDS:
        for measure in (at_a_table, on_a_screen):
            figures = measure(kind, chosen.seconds, chosen.rate, chosen.addresses)
            found.append(figures)
            told = " ".join(figures.faults()) or "all held"
            load = os.getloadavg()[0]
            print(f"{figures.kind}, {figures.place}: {told} (load {load:.1f})", flush=True)
    print()
    _print_table(found)
    failed = sum(bool(one.faults()) for one in found)
    print(f"{len(found)} parts, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

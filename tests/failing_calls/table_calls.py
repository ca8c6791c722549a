"""System calls of a player's program at a table of two, each made to fail in each way (`FAULTS`).

`python -m tests.failing_calls.table_calls SCENE PLAYER FAULT EVERY` runs in the environment of
`tests.failing_calls.shim`; `python -m tests.failing_calls` starts it. The real command plays the
scene, in one forked process for each player. In each game one call fails in the process of PLAYER:
in the first game call 1, in the next one call 1 + EVERY, and so on, until a game has fewer calls. A
line is printed for each game. Proofs are neither made nor verified.
"""

import gc
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from functools import partial
from importlib import import_module
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from attrs import define, field

from client.cli.main import COMMANDS, EXIT_UNREADABLE
from client.cli.main import main as command
from client.session.ending_signals import EXIT_INTERRUPTED
from p2p.discovery.interfaces import LOOPBACK
from p2p.storage.data_path import HOME_VARIABLE, JOURNAL_FILE
from protocol.record_file import MAGIC, framed
from tests.failing_calls.saved_table import GAME, PORTS, restore_home, save_table
from tests.failing_calls.shim import FAULTS, MEMORY, FailedCall, arm, disarm, in_a_child
from tests.protocol.proofless import without_proofs

LOADED_LATER = (
    "client.bots.games.canastra",
    "client.bots.identity_cache",
    "confusable_homoglyphs",
    "encodings.idna",
    "json",
    "protocol.libsodium",
)
"""Modules that a command imports lazily."""
ENTRIES = 6
"""Number of entries at which the scene "begin" ends."""
MORE = 4
"""Number of new entries that show that a table goes on."""
STILL = 120.0
"""Maximum seconds for a scene; a table that takes longer stands still."""
ALONE = 1.0
"""Seconds that a program may run on after the other player's has ended.

They are few, because a program sees at once that a link is broken.
"""
ENDING = 40.0
"""Maximum seconds until an interrupted program must end."""
NOT_MEANT = ("Traceback", "!!", "has signed what exposes", "Exception ignored")
"""Parts of outputs that no failing call may cause."""
SENTENCES = ("sobremesa: ", "this command writes the record: ")
"""Parts of the error sentences with which a program may end."""
RECORDS = "records"


@define(eq=False)
class Seat:
    """A player, with the processes that were started for them."""

    number: int
    """Number of the player."""
    place: Path
    home: Path = field(init=False)
    output: Path = field(init=False)
    report: Path = field(init=False)
    """File with the call that has failed."""
    counted: Path = field(init=False)
    """File into which a process writes its number of calls at its end."""
    process: int | None = None
    started: bool = False
    code: int | None = None
    _said: int = field(default=0, init=False)

    def __attrs_post_init__(self) -> None:
        names = (f"{name}{self.number}" for name in ("home", "output", "report", "counted"))
        self.home, self.output, self.report, self.counted = map(self.place.joinpath, names)

    def start(self, words: Sequence[str], fault: Callable[[], None] = lambda: None) -> None:
        """Run a command in a process of its own, after calling `fault` there."""
        self._said = self.output.stat().st_size if self.output.exists() else 0
        self.code, self.started = None, True

        def life() -> int:
            signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell may ignore it
            os.environ[HOME_VARIABLE] = str(self.home)
            fault()
            port = f"{PORTS[self.number]}"
            code = command([*words, "--autoplay", "--seed", "1", "--port", port])
            calls = disarm()
            self.counted.write_text(f"{calls}")
            return code

        self.process = in_a_child(life, self.output)

    @property
    def running(self) -> bool:
        if self.process is not None:
            ended, status = os.waitpid(self.process, os.WNOHANG)
            if ended:
                self.process, self.code = None, os.waitstatus_to_exitcode(status)
        return self.process is not None

    def interrupt(self, number: signal.Signals = signal.SIGINT) -> None:
        if self.running and self.process is not None:
            os.kill(self.process, number)

    @property
    def said(self) -> str:
        """Return the output since the program's last start."""
        text = self.output.read_bytes() if self.output.exists() else b""
        return text[self._said :].decode("utf-8", "replace")

    def rows(self, query: str) -> list[tuple[Any, ...]]:
        """Return the rows of a query to the player's journal; none if there is no journal yet."""
        journal = self.home / JOURNAL_FILE
        with suppress(sqlite3.OperationalError):
            if journal.exists():
                with closing(sqlite3.connect(f"file:{journal}?mode=ro", uri=True)) as database:
                    return database.execute(query).fetchall()
        return []

    @property
    def entries(self) -> list[Any]:
        return [entry for (entry,) in self.rows("SELECT entry FROM entries ORDER BY height")]

    @property
    def tables(self) -> list[Any]:
        return [table for (table,) in self.rows("SELECT table_id FROM tables")]

    def records(self) -> list[bytes]:
        return [path.read_bytes() for path in sorted((self.home / RECORDS).glob("*.sobremesa"))]


Seats = tuple[Seat, Seat]

FaultOf = Callable[[Seat], Callable[[], None]]
"""Function that returns what a player's process calls before it runs the command."""

IsDone = Callable[[Seats], bool]
GoOn = Callable[[Seats], str | None]
"""Function that starts both programs again, and returns a complaint or None."""


def no_fault(_seat: Seat) -> Callable[[], None]:
    """Return a function that makes no call fail."""
    return lambda: None


def open_table(seats: Seats, fault: FaultOf) -> None:
    """Let the first player open a table, and the other join it."""
    host, guest = seats
    words = ("host", "--game", GAME, "--players", "2", "--open", "--name", "Ana")
    host.start(words, fault(host))
    wait((host, guest), lambda _seats: not host.running or "sobremesa join" in host.said)
    guest.start(("join", f"{LOOPBACK}:{PORTS[0]}", "--name", "Bruno"), fault(guest))


def resume(seats: Seats, fault: FaultOf) -> None:
    for seat in seats:
        seat.start(("resume",), fault(seat))


def has_begun(seats: Seats) -> bool:
    return all(len(seat.entries) >= ENTRIES for seat in seats)


def has_ended(seats: Seats) -> bool:
    return not any(seat.running for seat in seats)


def wait(seats: Seats, is_done: Callable[[Seats], bool], patience: float = ALONE) -> bool:
    """Wait until the condition holds, or no program runs, or one has run alone for `patience`.

    Returns False if it takes too long.
    """
    deadline, alone = time.monotonic() + STILL, 0.0
    while not is_done(seats):
        running = [seat for seat in seats if seat.running]
        if not running:
            return True
        # The only program that still runs may wait for the other one for ever.
        if len(running) == 1 and all(seat.started for seat in seats):
            alone = alone or time.monotonic() + patience
        if time.monotonic() > (min(deadline, alone) if alone else deadline):
            return bool(alone)
        time.sleep(0.02)
    return True


def end(seats: Seats) -> str | None:
    """Interrupt both programs and wait until they end; return a complaint if one does not."""
    for seat in seats:
        seat.interrupt()
    late = None
    deadline = time.monotonic() + ENDING
    while any(seat.running for seat in seats):
        if time.monotonic() > deadline:
            for seat in seats:
                if seat.running:
                    late = f"player {seat.number} does not end when interrupted"
                    seat.interrupt(signal.SIGKILL)
        time.sleep(0.02)
    return late


def go_on_with_the_table(seats: Seats) -> str | None:
    """Start both programs again, and return a complaint unless both play on at the table.

    If neither has the table, they must be able to begin another one.
    """
    for seat in seats:
        seat.started = False
    if any(seat.tables or seat.rows("SELECT 1 FROM pending_charter") for seat in seats):
        goal = max(len(seat.entries) for seat in seats) + MORE

        def further(seats: Seats) -> bool:
            return all(len(seat.entries) >= goal for seat in seats)

        resume(seats, no_fault)
        in_time = wait(seats, further)
        late = end(seats)
        if seats[0].tables != seats[1].tables:
            return "only one of them has the table"
        if seats[0].tables:
            return late or (None if in_time and further(seats) else "the table does not go on")
    open_table(seats, no_fault)
    in_time = wait(seats, has_begun)
    late = end(seats)
    return late or (None if in_time and has_begun(seats) else "no table can be begun any more")


def go_on_to_the_end(seats: Seats) -> str | None:
    """Play on to the end; return a complaint unless both have the same record in a file."""
    resume(seats, no_fault)
    in_time = wait(seats, has_ended, ENDING)
    late = end(seats)
    records = [record for seat in seats for record in seat.records()]
    if not all(seat.records() for seat in seats):
        return "somebody has no record of the match" if in_time else late or "nobody goes on"
    if len(set(records)) > 1:
        return "their records differ"
    (charter,) = seats[0].rows("SELECT charter FROM tables")[0]
    if MAGIC + b"".join(map(framed, (charter, *seats[0].entries))) != records[0]:
        return "the record is not what the journal holds"
    return late


SCENES: Mapping[str, tuple[Callable[[Seats, FaultOf], None], IsDone, GoOn]] = {
    "begin": (open_table, has_begun, go_on_with_the_table),
    "end": (resume, has_ended, go_on_to_the_end),
}
"""For each scene, how both players begin it, when it is over, and how they go on after it.

The scene "end" begins with saved homes, the other one with empty homes.
"""


def complaint_about(seats: Seats) -> str | None:
    """Return a complaint about output or exit codes that a failing call may not cause."""
    for seat in seats:
        said = seat.said
        for sign in NOT_MEANT:
            if sign in said:
                return f"player {seat.number} says {said[said.index(sign) :][-700:]!r}"
        codes = (0, 1, EXIT_UNREADABLE, EXIT_INTERRUPTED, -signal.SIGKILL, -signal.SIGINT)
        if seat.code not in codes:
            return f"player {seat.number} ended with {seat.code}: {said[-300:]!r}"
        if seat.code in (1, EXIT_UNREADABLE) and not any(one in said for one in SENTENCES):
            return f"player {seat.number} ended with {seat.code} and no sentence: {said[-300:]!r}"
    return None


def play(
    name: str, player: int, fault: str, number: int, folder: Path, saved: Path
) -> tuple[FailedCall | str, str | None]:
    """Play one game in which the call with this number fails.

    Return the call that has failed, or a sentence if there was none, and a complaint or None.
    """
    place = folder / "game"
    place.mkdir()
    begin, is_done, go_on = SCENES[name]
    try:
        seats = (Seat(0, place), Seat(1, place))
        for seat in seats:
            if name == "end":
                restore_home(saved / f"{seat.number}", seat.home)
            else:
                seat.home.mkdir(0o700)

        def fault_of(seat: Seat) -> Callable[[], None]:
            if seat.number != player:
                return no_fault(seat)
            return partial(arm, number, FAULTS[fault], seat.home, seat.report)

        begin(seats, fault_of)
        in_time = wait(seats, is_done)
        late = end(seats)
        victim = seats[player]
        counted = victim.counted.read_text() if victim.counted.exists() else "0"
        failed = FailedCall.read(victim.report) or f"not reached, of {counted}"
        complaint = complaint_about(seats) or late
        if not in_time:
            complaint = complaint or f"stands still: {[seat.said[-200:] for seat in seats]}"
        told = victim.said
        complaint = complaint or go_on(seats) or complaint_about(seats)
        if any(seat.rows("SELECT 1 FROM evidence") for seat in seats):
            complaint = complaint or "somebody is exposed"
        return failed, complaint and f"{complaint} (it had said {told[-300:]!r})"
    finally:
        shutil.rmtree(place)


@contextmanager
def prepared() -> Iterator[tuple[Path, Path]]:
    """Prepare a folder to play in, and saved homes.

    Proofs are left out, and all modules are imported before processes are forked.
    """
    for name in (*(f"client.cli.commands.{one}" for one in COMMANDS), *LOADED_LATER):
        import_module(name)
    gc.freeze()  # processes of players need not collect garbage that they inherit
    with TemporaryDirectory(dir=MEMORY if MEMORY.is_dir() else None) as folder, without_proofs():
        saved = Path(folder) / "saved"
        _, status = os.waitpid(in_a_child(partial(save_table, saved)), 0)
        if status:
            raise RuntimeError("no match could be played to begin with")
        yield Path(folder), saved


def main(arguments: Sequence[str]) -> int:
    """Play a game for each number of a call, until a game has fewer calls."""
    name, player, fault, every = arguments
    with suppress(FileNotFoundError):  # only in its own network namespace
        subprocess.run(["ip", "link", "set", "lo", "up"], check=False, capture_output=True)
    with prepared() as (folder, saved):
        for number in count(1, int(every)):
            began = time.monotonic()
            failed, complaint = play(name, int(player), fault, number, folder, saved)
            told = f"{name} {player} {fault} {number} {time.monotonic() - began:.1f} s: {failed}"
            print(f"{told}: {complaint or 'holds'}", flush=True)
            if isinstance(failed, str):
                break
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))

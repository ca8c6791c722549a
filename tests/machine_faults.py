"""Every command under every fault of the machine: `python -m tests.machine_faults`.

Each cell of the table is the real command in a process of its own, in a home of its own. A cell
holds if there is no traceback, the process ends by itself or by Ctrl-C, a command that fails says
why in a sentence, and none succeeds whose words were lost. Faults that this machine cannot make are
named and left out. The helps are tried where output is not taken.
"""

import argparse
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import IO

from attrs import evolve, frozen

from client.cli.main import COMMANDS as SUBCOMMANDS
from client.session.ending_signals import EXIT_INTERRUPTED

COMMAND = Path(sys.executable).with_name("sobremesa")
REFEREE_CASES = Path(__file__).parents[1] / "spec" / "referee" / "examples.txt"
PATIENCES = (8.0, 32.0, 128.0)
"""Seconds after which a command that goes on by its nature is interrupted. On a busy machine it may
not have started by then: it is tried again with the next.
"""
HUNG = 300
"""Seconds after the interruption in which it must have ended: a busy machine takes many of them."""

COMMANDS: Mapping[str, tuple[str, ...]] = {
    "--version": ("--version",),
    "--help": ("--help",),
    "rules": ("rules", "canasta"),
    "referee": ("referee", str(REFEREE_CASES)),
    "audit": ("audit", "RECORD"),
    "audit --html": ("audit", "RECORD", "--html", "OUT/page.html"),
    "ledger": ("ledger", "RECORD"),
    "share": ("share", "RECORD", "--interface", "lo"),
    "export": ("export", "RECORD"),
    "replay": ("replay", "RECORD", "--plain"),
    "replay --html": ("replay", "RECORD", "--html", "OUT/replay.html"),
    "players": ("players",),
    "tables": ("tables", "--once"),
    "doctor": ("doctor",),
    "resume": ("resume",),
    "join": ("join", "127.0.0.1:9"),
    "watch": ("watch", "127.0.0.1:9"),
    "host": ("host", "--game", "canastra", "--autoplay"),
    "solo": ("solo", "--game", "canastra", "--linear"),
    "play": ("play",),
    "demo": ("demo", "--seed", "1", "--game", "canastra", "--record", "OUT/game.sobremesa"),
    "bench": ("bench", "deal", "--players", "2", "--cards", "20", "--repeat", "1"),
    "screenshot": ("screenshot", "OUT/table.svg", "--turns", "1"),
    **{f"{name} --help": (name, "--help") for name in SUBCOMMANDS},
}
QUICK = ("--version", "rules", "players", "resume")
"""Commands that end in a moment: pytest tries these."""

PRINT_NOTHING = ("replay --html", "screenshot")
"""Commands without a word on standard output."""

PRINT_NOTES = ("audit --html", "replay --html")
"""Commands that succeed and say something on standard error."""


class CannotBeMade(Exception):
    """This machine cannot make the fault, and why."""


@frozen
class Start:
    """How a process is to be started."""

    words: tuple[str, ...]
    home: Path
    out: Path
    environment: Mapping[str, str]
    before: tuple[str, ...] = ()
    """Words in front of the command, of a program that makes the fault and then is the command."""
    closed: int | None = None
    """A standard stream that is closed."""
    full: int | None = None
    """A standard stream that takes nothing."""
    input: int = subprocess.DEVNULL
    """The descriptor of standard input."""
    interrupted_after: float | None = None
    """Seconds, where that is the fault."""


Fault = Callable[[Start, ExitStack], Start]


@frozen
class Ended:
    """`code`: None if it had to be killed. `printed` and `said`: to standard output and error."""

    code: int | None
    printed: str
    said: str


def _closed(stream: int) -> Fault:
    return lambda start, _cleanup: evolve(start, closed=stream)


def _full(stream: int) -> Fault:
    def fault(start: Start, _cleanup: ExitStack) -> Start:
        if not Path("/dev/full").exists():
            raise CannotBeMade("there is no /dev/full")
        return evolve(start, full=stream)

    return fault


def _unbuffered(fault: Fault) -> Fault:
    """Whoever exports that, and containers do, hides what goes wrong with a buffer."""

    def unbuffered(start: Start, cleanup: ExitStack) -> Start:
        start = fault(start, cleanup)
        return evolve(start, environment={**start.environment, "PYTHONUNBUFFERED": "1"})

    return unbuffered


def _without_rights() -> tuple[str, ...]:
    """Root may write everywhere; what makes it ordinary."""
    if os.name != "posix":
        raise CannotBeMade("file modes are POSIX")
    if os.geteuid():
        return ()
    if shutil.which("setpriv") is None:
        raise CannotBeMade("root without rights takes setpriv")
    return ("setpriv", "--bounding-set=-dac_override,-dac_read_search")


def read_only_home(start: Start, _cleanup: ExitStack) -> Start:
    before = _without_rights()
    start.home.chmod(0o500)
    return evolve(start, before=before)


def read_only_output(start: Start, _cleanup: ExitStack) -> Start:
    before = _without_rights()
    start.out.chmod(0o500)
    return evolve(start, before=before)


def home_is_a_file(start: Start, _cleanup: ExitStack) -> Start:
    start.home.rmdir()
    start.home.write_text("something else")
    return start


def _folder_in_place_of(name: str) -> Fault:
    def fault(start: Start, _cleanup: ExitStack) -> Start:
        (start.home / name).mkdir()
        return start

    return fault


def empty_journal(start: Start, _cleanup: ExitStack) -> Start:
    (start.home / "journal.sqlite3").touch(0o600)
    return start


def no_home_at_all(start: Start, _cleanup: ExitStack) -> Start:
    """No $HOME, and a user whom the system's list does not have."""
    before = ("unshare", "--user", "--map-user=54321")
    if shutil.which("unshare") is None or subprocess.run([*before, "true"], check=False).returncode:
        raise CannotBeMade("user namespaces are not allowed")
    environment = {
        name: value
        for name, value in start.environment.items()
        if name not in ("HOME", "SOBREMESA_HOME")
    }
    return evolve(start, before=before, environment=environment)


def _small_disk(options: str, fill: bool) -> Fault:
    """The home is on a file system of its own that has no room."""

    def fault(start: Start, cleanup: ExitStack) -> Start:
        if os.name != "posix" or os.geteuid():
            raise CannotBeMade("mounting takes root")
        mount = ["mount", "-t", "tmpfs", "-o", options, "tmpfs", str(start.home)]
        if subprocess.run(mount, check=False, capture_output=True).returncode:
            raise CannotBeMade("nothing can be mounted here")
        cleanup.callback(subprocess.run, ["umount", "-l", str(start.home)], check=False)
        start.home.chmod(0o700)
        if fill:
            with suppress(OSError), (start.home / "filling").open("wb", buffering=0) as file:
                while file.write(bytes(4096)):
                    pass
        return start

    return fault


def taken_port(start: Start, cleanup: ExitStack) -> Start:
    if start.words[0] not in ("host", "join", "resume", "doctor"):
        return start
    taken = cleanup.enter_context(socket.socket())
    taken.bind(("0.0.0.0", 0))
    taken.listen()
    return evolve(start, words=(*start.words, "--port", str(taken.getsockname()[1])))


def _port(number: str) -> Fault:
    def fault(start: Start, _cleanup: ExitStack) -> Start:
        if start.words[0] not in ("host", "join", "resume", "doctor"):
            return start
        return evolve(start, words=(*start.words, f"--port={number}"))

    return fault


def _interrupted(seconds: float) -> Fault:
    return lambda start, _cleanup: evolve(start, interrupted_after=seconds)


def terminal_gone(start: Start, cleanup: ExitStack) -> Start:
    """Standard input is a terminal whose other side is closed."""
    if sys.platform == "win32":
        raise CannotBeMade("pseudo-terminals are POSIX")
    other_side, terminal = os.openpty()
    os.close(other_side)
    cleanup.callback(os.close, terminal)
    return evolve(start, input=terminal)


_LOSSES: Mapping[str, Fault] = {
    "output closed": _closed(1),
    "errors closed": _closed(2),
    "output full": _full(1),
    "errors full": _full(2),
}
LOSSES: Mapping[str, Fault] = {
    **_LOSSES,
    **{f"{name}, unbuffered": _unbuffered(fault) for name, fault in _LOSSES.items()},
}
"""Faults in which what is printed goes nowhere."""

FAULTS: Mapping[str, Fault] = {
    "input closed": _closed(0),
    **LOSSES,
    "home read-only": read_only_home,
    "home is a file": home_is_a_file,
    "lock is a folder": _folder_in_place_of("lock"),
    "identity is a folder": _folder_in_place_of("identity.pem"),
    "journal is a folder": _folder_in_place_of("journal.sqlite3"),
    "settings are a folder": _folder_in_place_of("settings.toml"),
    "journal is empty": empty_journal,
    "no home at all": no_home_at_all,
    "disk full": _small_disk("size=64k", fill=True),
    "no inodes": _small_disk("size=4m,nr_inodes=1", fill=False),
    "out read-only": read_only_output,
    "port taken": taken_port,
    "port -1": _port("-1"),
    "port 99999": _port("99999"),
    "terminal gone": terminal_gone,
    "Ctrl-C at once": _interrupted(0.06),
    "Ctrl-C early": _interrupted(0.15),
    "Ctrl-C soon": _interrupted(0.4),
}


def complaint_about(
    command: str, fault: str, record: Path | None, how: Callable[[Start], Ended]
) -> str | None:
    """What is wrong with the command under that fault; None if the cell holds. `how` it is run: as
    `run` does, or a test in its own process.

    Raises CannotBeMade.
    """
    with _places() as (home, out), ExitStack() as cleanup:
        environment = {**os.environ, "SOBREMESA_HOME": str(home), "LANG": "C.UTF-8"}
        environment.pop("PYTHONUNBUFFERED", None)
        start = Start(COMMANDS[command], home, out, environment)
        start = FAULTS[fault](start, cleanup)
        words = tuple(
            word.replace("OUT", str(out)).replace("RECORD", str(record)) for word in start.words
        )
        ended = how(evolve(start, words=words))
    return _wrong_about(command, start, ended, interrupted=fault.startswith("Ctrl-C"))


def _wrong_about(command: str, start: Start, ended: Ended, *, interrupted: bool) -> str | None:
    """What is wrong with the end of the command that was started like that; None if nothing is."""
    code, said, lost = ended.code, ended.said, {start.closed, start.full}
    if code is None:
        return f"did not end within {HUNG} s of Ctrl-C: {said[-300:]!r}"
    for sign in ("Traceback", "Exception ignored", "During handling"):
        # Before our first line runs, Python answers Ctrl-C by itself, and nobody can stop it.
        if sign in said and not (interrupted and "/client/" not in said):
            return f"ended with {code} and a traceback: {said[-300:]!r}"
    if code not in (0, 1, 2, EXIT_INTERRUPTED, -signal.SIGINT):
        return f"ended with {code}: {said[-300:]!r}"
    silent = () if 2 in lost else (said,) if 1 in lost or code == 2 else (said, ended.printed)
    if code in (1, 2) and silent and not any(map(_SENTENCE[code].search, silent)):
        return f"ended with {code} without a sentence: {said[-300:]!r}"
    prints = (1 in lost and command not in PRINT_NOTHING) or (2 in lost and command in PRINT_NOTES)
    if prints and code not in (2, EXIT_INTERRUPTED):
        return f"ended with {code}, though what it printed was lost: {said[-300:]!r}"
    return None


_SENTENCE = {1: re.compile(r"\w\w"), 2: re.compile("^sobremesa.*: .*\\w", re.MULTILINE)}
"""What has to be printed by a command that ends with that code: at 1 the answer was no."""


def is_tried(command: str, fault: str) -> bool:
    """Helps only where nobody takes them: to a help nothing else can happen."""
    return fault in LOSSES or not command.endswith(" --help")


def run(start: Start) -> Ended:
    """The command as a process of its own.

    Raises CannotBeMade if the command had not even started when it was interrupted.
    """
    if start.interrupted_after is not None:
        return _run(start, start.interrupted_after)
    for patience in PATIENCES:
        ended = _run(start, patience)
        if not _is_interrupted_before_its_start(ended):
            return ended
    raise CannotBeMade(f"the command had not started after {PATIENCES[-1]:g} s")


def _is_interrupted_before_its_start(ended: Ended) -> bool:
    """Whether the system, or Python by itself, has answered Ctrl-C: the command does it later."""
    by_python = "KeyboardInterrupt" in ended.said and "/client/" not in ended.said
    return ended.code == -signal.SIGINT or by_python


def _run(start: Start, interrupted_after: float) -> Ended:
    def prepare() -> None:
        signal.signal(signal.SIGINT, signal.SIG_DFL)  # a shell ignores it in the background
        if start.closed is not None:
            os.close(start.closed)

    with _output_file(start, 1) as output, _output_file(start, 2) as errors:
        process = subprocess.Popen(
            [*start.before, str(COMMAND), *start.words],
            env=start.environment,
            stdin=start.input,
            stdout=output,
            stderr=errors,
            cwd=start.out,
            preexec_fn=prepare,  # noqa: PLW1509 - it does nothing else
        )
        try:
            process.wait(interrupted_after)
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGINT)
        try:
            code: int | None = process.wait(HUNG)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
            code = None
        return Ended(code, _read(output), _read(errors))


def _output_file(start: Start, stream: int) -> IO[bytes]:
    """What the process has as that standard stream."""
    return open("/dev/full", "wb") if start.full == stream else tempfile.TemporaryFile()


def _read(file: IO[bytes]) -> str:
    """What is in it by now; nothing where nothing can be read."""
    if not file.readable():
        return ""
    file.seek(0)
    return file.read().decode("utf-8", "replace")


@contextmanager
def _places() -> Iterator[tuple[Path, Path]]:
    folder = Path(tempfile.mkdtemp(prefix="sobremesa-faults-"))
    try:
        for name in ("home", "out"):
            (folder / name).mkdir(0o700)
        yield folder / "home", folder / "out"
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def main(arguments: Sequence[str] | None = None) -> int:
    """Tries the table, as far as asked; 1 if a cell does not hold."""
    parser = argparse.ArgumentParser(prog="python -m tests.machine_faults", description=__doc__)
    parser.add_argument("--command", action="append", choices=tuple(COMMANDS), help="only that one")
    parser.add_argument("--fault", action="append", choices=tuple(FAULTS), help="only that one")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, metavar="N")
    parser.add_argument("--verbose", action="store_true", help="print cells that hold, too")
    given = parser.parse_args(arguments)
    cells = [
        (command, fault)
        for fault in given.fault or FAULTS
        for command in given.command or COMMANDS
        if is_tried(command, fault)
    ]
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(given.jobs) as pool:
        record = Path(folder) / "game.sobremesa"
        subprocess.run(
            [COMMAND, "demo", "--seed", "1", "--game", "canastra", "--record", record],
            env={**os.environ, "SOBREMESA_HOME": folder},
            check=True,
            capture_output=True,
        )
        results = []
        for (command, fault), result in zip(
            cells, pool.map(partial(_tried, record), cells), strict=True
        ):
            results.append(result)
            if given.verbose or result is not None:
                print(f"{command}, {fault}: {result or 'holds'}", flush=True)
    broken = sum(result is not None and not result.startswith("left out") for result in results)
    print(f"{len(COMMANDS)} commands, {len(FAULTS)} faults: {len(cells)} tried, {broken} wrong")
    return 1 if broken else 0


def _tried(record: Path, cell: tuple[str, str]) -> str | None:
    command, fault = cell
    try:
        return complaint_about(command, fault, record, run)
    except CannotBeMade as reason:
        return f"left out, for {reason}"


if __name__ == "__main__":
    raise SystemExit(main())

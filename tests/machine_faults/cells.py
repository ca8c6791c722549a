"""Cells of the trial: each runs a command under a fault, and gives a verdict."""

import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory, TemporaryFile
from typing import IO

from attrs import evolve, frozen

from client.cli.main import COMMANDS as SUBCOMMANDS
from client.session.ending_signals import EXIT_INTERRUPTED
from tests.machine_faults.faults import FAULTS, LOSSES, CannotBeMade, Start

COMMAND = Path(sys.executable).with_name("sobremesa")
REFEREE_CASES = Path(__file__).parents[2] / "spec" / "referee" / "examples.txt"
PATIENCES = (8.0, 32.0, 128.0)
"""Seconds after which a command that never ends by itself is interrupted.

On a busy machine the command may not have started by then, so the next value is tried.
"""
HUNG = 300
"""Maximum seconds until an interrupted command must end; busy machines take long."""

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
    "review": ("review", "RECORD", "--seat", "1", "--plain"),
    "players": ("players",),
    "tables": ("tables", "--once"),
    "doctor": ("doctor",),
    "resume": ("resume",),
    "join": ("join", "127.0.0.1:9"),
    "watch": ("watch", "127.0.0.1:9"),
    "host": ("host", "--game", "canastra", "--autoplay"),
    "learn": ("learn", "canasta", "--linear"),
    "solo": ("solo", "--game", "canastra", "--linear"),
    "play": ("play",),
    "demo": ("demo", "--seed", "1", "--game", "canastra", "--record", "OUT/game.sobremesa"),
    **{f"{name} --help": (name, "--help") for name in SUBCOMMANDS},
}
QUICK = ("--version", "rules", "resume")
"""Commands that end in a moment: pytest tries these."""

PRINT_NOTHING = ("replay --html",)
"""Commands that print nothing on standard output."""

PRINT_NOTES = ("audit --html", "replay --html")
"""Commands that succeed and write a note on standard error."""


@frozen
class Ended:
    """Result of a process."""

    code: int | None
    """Exit code; None if the process had to be killed."""
    printed: str
    """Text on standard output."""
    said: str
    """Text on standard error."""


def complaint_about(
    command: str, fault: str, record: Path | None, how: Callable[[Start], Ended]
) -> str | None:
    """Return a complaint about the command under this fault; None if there is none.

    `how` starts the command. The function `run` of this module starts a process for it; a test may
    give a function that runs the command in the test's own process. Raises CannotBeMade.
    """
    with (
        TemporaryDirectory(prefix="sobremesa-faults-", ignore_cleanup_errors=True) as folder,
        ExitStack() as cleanup,
    ):
        home, out = Path(folder) / "home", Path(folder) / "out"
        for place in (home, out):
            place.mkdir(0o700)
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
    """Return a complaint about the end of a command; None if there is none."""
    code, said, lost = ended.code, ended.said, {start.closed, start.full}
    if code is None:
        return f"did not end within {HUNG} s of Ctrl-C: {said[-300:]!r}"
    for sign in ("Traceback", "Exception ignored", "During handling"):
        # Until the program's first line runs, Python itself handles Ctrl-C.
        if sign in said and not (interrupted and "/client/" not in said):
            return f"ended with {code} and a traceback: {said[-300:]!r}"
    if code not in (0, 1, 2, EXIT_INTERRUPTED, -signal.SIGINT):
        return f"ended with {code}: {said[-300:]!r}"
    # One of these outputs must have the sentence. If it may have been lost, none is searched.
    heard = () if 2 in lost else (said,) if 1 in lost or code == 2 else (said, ended.printed)
    if code in (1, 2) and heard and not any(map(_SENTENCE[code].search, heard)):
        return f"ended with {code} without a sentence: {said[-300:]!r}"
    prints = (1 in lost and command not in PRINT_NOTHING) or (2 in lost and command in PRINT_NOTES)
    if prints and code not in (2, EXIT_INTERRUPTED):
        return f"ended with {code}, though its output was lost: {said[-300:]!r}"
    return None


_SENTENCE = {1: re.compile(r"\w\w"), 2: re.compile("^sobremesa.*: .*\\w", re.MULTILINE)}
"""Patterns of the output, by exit code.

Code 1 is the answer "no", in any words. Code 2 is an error, with a line "sobremesa: ...".
"""


def is_tried(command: str, fault: str) -> bool:
    """Return False for a help text unless its output is lost: no other fault matters to it."""
    return fault in LOSSES or not command.endswith(" --help")


def run(start: Start) -> Ended:
    """Run the command as a process of its own.

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
    """Return True if Ctrl-C came before the command could answer it.

    Then the system has ended the process, or Python has printed a traceback of its own files.
    """
    by_python = "KeyboardInterrupt" in ended.said and "/client/" not in ended.said
    return ended.code == -signal.SIGINT or by_python


def _run(start: Start, interrupted_after: float) -> Ended:
    def prepare() -> None:
        signal.signal(signal.SIGINT, signal.SIG_DFL)  # a background process of a shell ignores it
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
            preexec_fn=prepare,  # noqa: PLW1509 - it does nothing unsafe
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
    """Return the file for this standard stream of the process."""
    return open("/dev/full", "wb") if start.full == stream else TemporaryFile()


def _read(file: IO[bytes]) -> str:
    """Return the content of the file so far; nothing if it cannot be read."""
    if not file.readable():
        return ""
    file.seek(0)
    return file.read().decode("utf-8", "replace")

"""`python -m tests.bench start`: the time until the first output, and the cost of a waiting screen.

A time is the processor time of a whole process. Of several runs the shortest time counts, so that
other work on this machine does not disturb it. It is compared with the time of the bare
interpreter. Files of bytecode exist, as in an installed program.

The screen is on a pseudo-terminal. Its time is taken when it has been drawn. Then it waits for some
seconds without a key, and the processor time of the wait is taken, too. The time for leaving the
screen is not counted. Linux only.
"""

import argparse
import os
import select
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from client.settings import Settings, save_settings
from p2p.storage.data_path import HOME_VARIABLE
from tests.bench.figures import Figures, add_number
from tests.bench.process_memory import resident_megabytes

COMMANDS = {"version": ("--version",), "help": ("--help",), "rules": ("rules", "canasta")}
_START = "from client.cli.entry_point import main; raise SystemExit(main())"
_TIMEOUT = 60.0
_NEVER = b"\0"
"""Bytes that no program writes to a terminal: waiting for them reads everything."""
_FIRST_SCREEN = b"\x1b[?1049h"
"""Bytes with which a program switches to the whole screen (xterm, DECSET 1049)."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `run`."""
    add_number(parser, "--repeat", 1, 100, 7, "run N times, and take the shortest times")
    add_number(parser, "--seconds", 1, 600, 10, "seconds that the screen waits without a key")


def run(repeat: int, seconds: int) -> list[Figures]:
    """Measure `repeat` times, with the screen waiting for `seconds` each time.

    Times are compared with that of the bare interpreter. `waiting` is the share of a core that the
    waiting screen takes.
    """
    with tempfile.TemporaryDirectory(prefix="sobremesa-bench-") as home:
        environment = os.environ | {"HOME": home, "TERM": "xterm-256color"}
        for elsewhere in (HOME_VARIABLE, "XDG_DATA_HOME"):  # most people have set none of these
            environment.pop(elsewhere, None)
        data = Path(home) / ".local/share/sobremesa"
        data.mkdir(0o700, parents=True)
        save_settings(data, Settings(name="Ana"))  # or the first screen would ask for a name
        # With COLORFGBG the program does not ask the terminal for its colours.
        environment |= {"COLORFGBG": "15;0"}
        environment |= {"PYTHONPYCACHEPREFIX": home, "PYTHONDONTWRITEBYTECODE": ""}

        commands = [("-c", "pass"), *(("-c", _START, *words) for words in COMMANDS.values())]

        def once(seconds: float) -> tuple[list[float], tuple[float, float, float]]:
            nothing = subprocess.DEVNULL
            started = (
                subprocess.Popen(
                    [sys.executable, *words], env=environment, stdin=nothing, stdout=nothing
                )
                for words in commands
            )
            return list(map(_ended, started)), _screen(environment, seconds)

        once(1.0)  # writes the bytecode
        # The commands run in turn, so that a machine that becomes faster or slower does so for all.
        seen = [once(seconds) for _again in range(repeat)]
    least = [min(times) for times in zip(*(times for times, _shown in seen), strict=True)]
    play, size, waiting = zip(*(shown for _times, shown in seen), strict=True)
    times = dict(zip(("bare", *COMMANDS, "play"), (*least, min(play)), strict=True))
    return [
        {
            "repeat": repeat,
            **{f"{name}_ms": time for name, time in times.items()},
            **{f"{name}_ratio": times[name] / times["bare"] for name in (*COMMANDS, "play")},
            "waiting": min(waiting),
            "screen_mb": max(size),
        }
    ]


def _screen(environment: dict[str, str], seconds: float) -> tuple[float, float, float]:
    """Run `play`, leave it after `seconds` at its first screen, and return its figures.

    They are the processor milliseconds until the screen is drawn, its megabytes at the end, and the
    share of a core that it takes while it waits.
    """
    master, slave = os.openpty()
    process = subprocess.Popen(
        [sys.executable, "-c", _START, "play"],
        env=environment,
        stdin=slave,
        stdout=slave,
        stderr=slave,
        start_new_session=True,
    )
    os.close(slave)
    try:
        if _FIRST_SCREEN not in (_read(master, _TIMEOUT, _FIRST_SCREEN) or b""):
            raise RuntimeError("the first screen did not come")
        _read(master, 0.5)  # the rest of the screen
        until_drawn = _processor_seconds(process.pid)
        _read(master, seconds)
        waited = _processor_seconds(process.pid) - until_drawn
        size = resident_megabytes(process.pid)
        os.write(master, b"\x03")
        # The program ends only when everything that it has written has been read.
        if _read(master, _TIMEOUT) is not None:
            raise RuntimeError("the first screen could not be left")
        return 1000 * until_drawn, size, waited / seconds
    finally:
        process.kill()
        process.wait()
        os.close(master)


def _processor_seconds(process: int) -> float:
    """Return the processor time of all threads of a process so far.

    Python does not have clock_getcpuclockid(3). On Linux the number of that clock follows from the
    process's id.
    """
    return time.clock_gettime(~process << 3 | 2)


def _read(terminal: int, seconds: float, wanted: bytes = _NEVER) -> bytes | None:
    """Return the bytes read within `seconds`, or until `wanted` has been read.

    Returns None if the program ends.
    """
    data, end = b"", time.monotonic() + seconds
    while (left := end - time.monotonic()) > 0 and wanted not in data:
        if not select.select([terminal], [], [], left)[0]:
            break
        try:
            portion = os.read(terminal, 1 << 16)
        except OSError:  # Linux raises this when no process has the terminal open any more
            return None
        if not portion:
            return None
        data += portion
    return data


def _ended(process: "subprocess.Popen[bytes]") -> float:
    """Wait for the end of a process, and return its processor milliseconds."""
    _pid, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return 1000 * (used.ru_utime + used.ru_stime)

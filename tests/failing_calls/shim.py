"""The library `shim.c`, which makes one system call fail in a process that loads it.

It needs Linux with a C compiler; if it cannot be used, `why_not` returns the reason.
"""

import ctypes
import errno
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path

from attrs import frozen

_SOURCE = Path(__file__).with_name("shim.c")

FAULTS: Mapping[str, int] = {
    "ENOSPC": errno.ENOSPC,
    "EIO": errno.EIO,
    "EMFILE": errno.EMFILE,
    "EACCES": errno.EACCES,
    "ENETDOWN": errno.ENETDOWN,
    "short": -1,
    "death": -2,
}
"""Ways in which a call fails, with their numbers. Each way applies to some of the calls.

A positive number is the error with which the call fails. "short": the call does half of its work.
"death": the process ends before the call.
"""


MEMORY = Path("/dev/shm")
"""Folder in memory, where no sync waits for a disk."""


@frozen
class FailedCall:
    """Call that was made to fail: its number, its function, and its file ("" for none)."""

    number: int
    function: str
    about: str

    @classmethod
    def read(cls, report: Path) -> "FailedCall | None":
        """Return the first failed call that a process has reported; None if there is none."""
        if not report.exists():
            return None
        number, function, about = report.read_text().splitlines()[0].split(" ", 2)
        return cls(int(number), function, about)

    def __str__(self) -> str:
        return f"call {self.number}, {self.function} {Path(self.about).name}".rstrip()


def why_not() -> str | None:
    """Return the reason why calls cannot be made to fail here; None if they can."""
    if not sys.platform.startswith("linux"):
        return "LD_PRELOAD works like this only on Linux"
    return None if shutil.which("cc") else "there is no C compiler"


def shimmed_environment(folder: Path) -> dict[str, str]:
    """Return the environment for a process that calls `arm`."""
    shim = folder / "failing_calls.so"
    subprocess.run(["cc", "-shared", "-fPIC", "-O1", "-o", shim, _SOURCE], check=True)
    return {"LD_PRELOAD": str(shim)}


def arm(number: int, fault: int, below: Path, report: Path) -> None:
    """Make the call with this number fail in this process, from now on.

    Only calls on files in the folder `below` and on network sockets have numbers, from 1 on. With
    number 0 no call fails: the calls are only counted.
    """
    shim = ctypes.CDLL(None)
    types = (ctypes.c_long, ctypes.c_int, ctypes.c_char_p, ctypes.c_char_p)
    shim.failing_calls_arm.argtypes = types
    shim.failing_calls_arm(number, fault, os.fsencode(below), os.fsencode(report))


def disarm() -> int:
    """Let all calls succeed again, and return the number of calls that could have failed."""
    shim = ctypes.CDLL(None)
    shim.failing_calls_count.restype = ctypes.c_long
    calls: int = shim.failing_calls_count()
    arm(-1, 0, Path(), Path())
    return calls


def in_a_child(run: Callable[[], int], output: Path | None = None) -> int:
    """Fork, run the function in the child, and return the child's process id.

    The child prints to the file `output`, if it is given.
    """
    child = os.fork()
    if child:
        return child
    code = 70
    try:
        if output is not None:
            file = os.open(output, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
            os.dup2(file, 1)
            os.dup2(file, 2)
            nothing = os.open(os.devnull, os.O_RDONLY)
            os.dup2(nothing, 0)
        code = run()
    except BaseException:
        sys.excepthook(*sys.exc_info())
        code = 1
    finally:
        for stream in (sys.stdout, sys.stderr):
            with suppress(OSError, ValueError):
                stream.flush()
        os._exit(code)

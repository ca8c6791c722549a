"""Faults of the machine: functions that change how a process is started."""

import os
import shutil
import socket
import subprocess
import sys
from collections.abc import Callable, Mapping
from contextlib import ExitStack, suppress
from pathlib import Path

from attrs import evolve, frozen


class CannotBeMade(Exception):
    """The error that this machine cannot make a fault, with the reason."""


@frozen
class Start:
    """Settings with which a process is started."""

    words: tuple[str, ...]
    home: Path
    out: Path
    environment: Mapping[str, str]
    before: tuple[str, ...] = ()
    """Words before the command: a program that makes the fault and then becomes the command."""
    closed: int | None = None
    """Number of a standard stream that is closed."""
    full: int | None = None
    """Number of a standard stream that is written to a full disk."""
    input: int = subprocess.DEVNULL
    """Descriptor of standard input."""
    interrupted_after: float | None = None
    """Seconds until the process is interrupted, if that is the fault."""


Fault = Callable[[Start, ExitStack], Start]


def _closed(stream: int) -> Fault:
    return lambda start, _cleanup: evolve(start, closed=stream)


def _full(stream: int) -> Fault:
    def fault(start: Start, _cleanup: ExitStack) -> Start:
        if not Path("/dev/full").exists():
            raise CannotBeMade("this system has no /dev/full")
        return evolve(start, full=stream)

    return fault


def _unbuffered(fault: Fault) -> Fault:
    """Return the fault with an unbuffered Python, as containers often have it.

    Then each write fails at once; with a buffer, only its flushing at the end fails.
    """

    def unbuffered(start: Start, cleanup: ExitStack) -> Start:
        start = fault(start, cleanup)
        return evolve(start, environment={**start.environment, "PYTHONUNBUFFERED": "1"})

    return unbuffered


def _without_rights() -> tuple[str, ...]:
    """Return the words that run a command as an ordinary user, because root may write anywhere."""
    if os.name != "posix":
        raise CannotBeMade("only POSIX has file modes that forbid writing")
    if os.geteuid():
        return ()
    if shutil.which("setpriv") is None:
        raise CannotBeMade("dropping the rights of root needs setpriv")
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


def _pipe_in_place_of(name: str) -> Fault:
    """Return a fault that puts a pipe in the place of a file.

    A process that opens the pipe waits for its other end for ever.
    """

    def fault(start: Start, _cleanup: ExitStack) -> Start:
        if sys.platform == "win32":
            raise CannotBeMade("only POSIX has pipes in folders")
        os.mkfifo(start.home / name, 0o600)
        return start

    return fault


def _link_in_place_of(name: str, to: str) -> Fault:
    def fault(start: Start, _cleanup: ExitStack) -> Start:
        if os.name != "posix":
            raise CannotBeMade("symbolic links need a privilege here")
        (start.home / name).symlink_to(to)
        return start

    return fault


def empty_journal(start: Start, _cleanup: ExitStack) -> Start:
    (start.home / "journal.sqlite3").touch(0o600)
    return start


def no_home_at_all(start: Start, _cleanup: ExitStack) -> Start:
    """Remove $HOME, and choose a user who is not in the system's list of users."""
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
    """Return a fault that puts the home on a full file system of its own."""

    def fault(start: Start, cleanup: ExitStack) -> Start:
        if os.name != "posix" or os.geteuid():
            raise CannotBeMade("only root can mount a file system")
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
    """Give the process, as its standard input, a terminal whose other side is closed."""
    if sys.platform == "win32":
        raise CannotBeMade("only POSIX has pseudo-terminals")
    other_side, terminal = os.openpty()
    os.close(other_side)
    cleanup.callback(os.close, terminal)
    return evolve(start, input=terminal)


def _limited(limit: str) -> Fault:
    """Return a fault made by the shell's `ulimit`, on open files or on kilobytes of memory."""

    def fault(start: Start, _cleanup: ExitStack) -> Start:
        if os.name != "posix":
            raise CannotBeMade("only POSIX has limits for a process")
        return evolve(start, before=("sh", "-c", f'ulimit {limit}; exec "$@"', "sh"))

    return fault


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
"""Faults in which all text on standard output, or all text on standard error, is lost."""

FAULTS: Mapping[str, Fault] = {
    "input closed": _closed(0),
    **LOSSES,
    "home read-only": read_only_home,
    "home is a file": home_is_a_file,
    "lock is a folder": _folder_in_place_of("lock"),
    "identity is a folder": _folder_in_place_of("identity.pem"),
    "journal is a folder": _folder_in_place_of("journal.sqlite3"),
    "settings are a folder": _folder_in_place_of("settings.toml"),
    **{
        f"{name} is a pipe": _pipe_in_place_of(name)
        for name in ("lock", "identity.pem", "journal.sqlite3", "settings.toml", "log")
    },
    "guard is a pipe": _pipe_in_place_of("rollback_guard"),
    "lock leads nowhere": _link_in_place_of("lock", "nowhere/at/all"),
    "journal leads in circles": _link_in_place_of("journal.sqlite3", "journal.sqlite3"),
    "guard is endless": _link_in_place_of("rollback_guard", "/dev/zero"),
    "identity is endless": _link_in_place_of("identity.pem", "/dev/zero"),
    "settings are endless": _link_in_place_of("settings.toml", "/dev/zero"),
    "journal is empty": empty_journal,
    "no home at all": no_home_at_all,
    "disk full": _small_disk("size=64k", fill=True),
    "no inodes": _small_disk("size=4m,nr_inodes=1", fill=False),
    "out read-only": read_only_output,
    "port taken": taken_port,
    "port -1": _port("-1"),
    "port 99999": _port("99999"),
    "terminal gone": terminal_gone,
    **{f"{files} files": _limited(f"-n {files}") for files in (7, 10, 13, 16, 20, 30)},
    **{f"{size} MB": _limited(f"-v {size}000") for size in (70, 90, 120)},
    "Ctrl-C at once": _interrupted(0.06),
    "Ctrl-C early": _interrupted(0.15),
    "Ctrl-C soon": _interrupted(0.4),
}

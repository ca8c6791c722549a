"""Faults of the machine: functions that change how a process is started."""

import os
import shutil
import socket
import subprocess
import sys
from collections.abc import Callable, Mapping
from contextlib import ExitStack, suppress
from functools import partial
from pathlib import Path

from attrs import evolve, frozen


class CannotBeMade(Exception):
    """Raised, with the reason, if a fault cannot be made on this machine."""


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
    """Return the words to put before a command so that file modes bind root, too."""
    if os.name != "posix":
        raise CannotBeMade("only POSIX has file modes that forbid writing")
    if os.geteuid():
        return ()
    if shutil.which("setpriv") is None:
        raise CannotBeMade("dropping the rights of root needs setpriv")
    return ("setpriv", "--bounding-set=-dac_override,-dac_read_search")


def _read_only(folder: str) -> Fault:
    """Return a fault that forbids writing into `home` or `out`."""

    def fault(start: Start, _cleanup: ExitStack) -> Start:
        before = _without_rights()
        getattr(start, folder).chmod(0o500)
        return evolve(start, before=before)

    return fault


def home_is_a_file(start: Start, _cleanup: ExitStack) -> Start:
    start.home.rmdir()
    start.home.write_text("something else")
    return start


def _in_place_of(name: str, make: Callable[[Path], object]) -> Fault:
    """Return a fault that makes something else in the place of a file of the home."""

    def fault(start: Start, _cleanup: ExitStack) -> Start:
        make(start.home / name)
        return start

    return fault


def _pipe(path: Path) -> None:
    """Make a pipe. A process that opens the pipe waits for its other end for ever."""
    if sys.platform == "win32":
        raise CannotBeMade("only POSIX has pipes in folders")
    os.mkfifo(path, 0o600)


def _link_to(target: str) -> Callable[[Path], None]:
    def link(path: Path) -> None:
        if os.name != "posix":
            raise CannotBeMade("symbolic links need a privilege here")
        path.symlink_to(target)

    return link


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
    taken = cleanup.enter_context(socket.socket())
    taken.bind(("0.0.0.0", 0))
    taken.listen()
    return _port(f"{taken.getsockname()[1]}")(start, cleanup)


def _port(number: str) -> Fault:
    """Return a fault that gives a port to each command that takes one."""

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

FILES = {
    "lock": "lock",
    "identity": "identity.pem",
    "journal": "journal.sqlite3",
    "settings file": "settings.toml",
    "guard": "rollback_guard",
    "log": "log",
}
"""Names of files in the home by their short names."""
FAULTS: Mapping[str, Fault] = {
    "input closed": _closed(0),
    **LOSSES,
    "home read-only": _read_only("home"),
    "home is a file": home_is_a_file,
    **{
        f"{name} is a folder": _in_place_of(FILES[name], Path.mkdir)
        for name in ("lock", "identity", "journal", "settings file")
    },
    **{f"{name} is a pipe": _in_place_of(file, _pipe) for name, file in FILES.items()},
    "lock leads nowhere": _in_place_of(FILES["lock"], _link_to("nowhere/at/all")),
    "journal leads in circles": _in_place_of(FILES["journal"], _link_to(FILES["journal"])),
    **{
        f"{name} is endless": _in_place_of(FILES[name], _link_to("/dev/zero"))
        for name in ("guard", "identity", "settings file")
    },
    "journal is empty": _in_place_of(FILES["journal"], partial(Path.touch, mode=0o600)),
    "no home at all": no_home_at_all,
    "disk full": _small_disk("size=64k", fill=True),
    "no inodes": _small_disk("size=4m,nr_inodes=1", fill=False),
    "out read-only": _read_only("out"),
    "port taken": taken_port,
    **{f"port {number}": _port(number) for number in ("-1", "99999")},
    "terminal gone": terminal_gone,
    **{f"{files} files": _limited(f"-n {files}") for files in (7, 10, 13, 16, 20, 30)},
    **{f"{size} MB": _limited(f"-v {size}000") for size in (70, 90, 120)},
    "Ctrl-C at once": _interrupted(0.06),
    "Ctrl-C early": _interrupted(0.15),
    "Ctrl-C soon": _interrupted(0.4),
}

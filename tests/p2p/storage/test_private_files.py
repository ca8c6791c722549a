"""The data folder: its place on each system, private files, syncing, and paths that are no file."""

import contextlib
import errno
import os
import re
import socket
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest.mock import ANY, Mock, call

import platformdirs
import pytest

from p2p.storage import private_files
from p2p.storage.data_path import HOME_VARIABLE, JOURNAL_FILE, find_data_path
from p2p.storage.identity import KEY_FILE, Identity
from p2p.storage.journal import Journal
from p2p.storage.private_files import (
    FolderError,
    IdentityInUse,
    check_is_file,
    check_private,
    create_private,
    data_folder,
    locked,
    make_private,
    read_own,
    replace_private,
)
from p2p.storage.rollback_guard import GUARD_FILE

posix = pytest.mark.skipif(os.name != "posix", reason="modes are POSIX's")


def mode(path: Path) -> int:
    return path.stat().st_mode & 0o777


@pytest.fixture
def unset(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """Unset the variables from which the place of the data folder is found."""
    for name in (HOME_VARIABLE, "HOME", "XDG_DATA_HOME", "ANDROID_DATA"):
        monkeypatch.delenv(name, raising=False)
    return monkeypatch


@posix
def test_the_data_folder_of_the_variable_is_made_and_private(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(HOME_VARIABLE, str(tmp_path / "a" / "b"))
    assert data_folder() == tmp_path / "a" / "b"
    assert mode(tmp_path / "a" / "b") == 0o700


@posix
@pytest.mark.parametrize(
    "environment",
    [
        {"HOME": "/home/ana"},
        {"HOME": "/home/ana/"},
        {"HOME": "/"},
        {"HOME": "here"},
        {"HOME": ""},
        {"HOME": "/home/ana", "XDG_DATA_HOME": "/data"},
        {"HOME": "/home/ana", "XDG_DATA_HOME": "here"},
        {"HOME": "/home/ana", "XDG_DATA_HOME": ""},
        {"XDG_DATA_HOME": "/data"},
        {},
    ],
)
def test_the_default_data_folder_is_that_of_the_library_platformdirs(
    environment: dict[str, str], unset: pytest.MonkeyPatch
) -> None:
    for name, value in environment.items():
        unset.setenv(name, value)
    assert find_data_path() == platformdirs.user_data_dir("sobremesa", appauthor=False)


@pytest.mark.parametrize("system", ["darwin", "Android", "Termux"])
def test_the_library_finds_the_data_folder_of_each_system(
    system: str, unset: pytest.MonkeyPatch
) -> None:
    """The library is asked, because on Android the program is told that it runs on Linux."""
    unset.setenv("HOME", "/home/ana")
    unset.setattr(sys, "platform", "darwin" if system == "darwin" else "linux")
    if system == "Android":
        unset.setattr(sys, "getandroidapilevel", lambda: 21, raising=False)
    if system == "Termux":
        unset.setenv("ANDROID_DATA", "/data")
    unset.setattr("platformdirs.user_data_dir", asked := Mock(return_value="/elsewhere"))
    assert find_data_path() == "/elsewhere"
    asked.assert_called_once_with("sobremesa", appauthor=False)


def test_without_a_home_folder_the_error_names_the_variable(unset: pytest.MonkeyPatch) -> None:
    """There is no default, for example, if the system's list of users lacks the account."""
    unset.setattr(os.path, "expanduser", lambda path: path)
    with pytest.raises(FolderError, match=HOME_VARIABLE):
        data_folder()
    unset.setenv(HOME_VARIABLE, "~somebody/table")
    with pytest.raises(RuntimeError, match="home directory"):
        find_data_path()


@posix
@pytest.mark.parametrize("bits", [0o040, 0o004, 0o020, 0o001])
def test_a_path_open_to_others_is_refused_with_the_remedy(tmp_path: Path, bits: int) -> None:
    create_private(tmp_path / "file")
    for path, right in ((tmp_path / "file", 0o600), (tmp_path, 0o700)):
        path.chmod(right | bits)
        with pytest.raises(FolderError, match=f"chmod {right:o}"):
            check_private(path)
    with pytest.raises(FolderError, match="chmod 700"):
        make_private(tmp_path)


ELSEWHERE = "Set SOBREMESA_HOME to a folder of your own."


@posix
@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("file", "{} is in the place of a folder. Move it away."),
        ("file/folder", f"The folder {{}} cannot be made (Not a directory). {ELSEWHERE}"),
        ("a" * 300, f"The folder {{}} cannot be made (File name too long). {ELSEWHERE}"),
        ("full", "The folder {} cannot be made (No space left on device). Make room there."),
    ],
)
def test_the_error_for_a_folder_that_cannot_be_made_says_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, says: str
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv(HOME_VARIABLE, str(tmp_path / name))
    make = Path.mkdir

    def mkdir(path: Path, *arguments: Any, **more: Any) -> None:
        if path.name == "full":
            raise OSError(errno.ENOSPC, "full")
        make(path, *arguments, **more)

    monkeypatch.setattr(Path, "mkdir", mkdir)
    with pytest.raises(FolderError) as refused:
        data_folder()
    assert str(refused.value) == says.format(tmp_path / name)


def test_creating_never_touches_a_file_that_is_there(tmp_path: Path) -> None:
    create_private(tmp_path / "a", b"old")
    with pytest.raises(FileExistsError):
        create_private(tmp_path / "a", b"new")
    assert (tmp_path / "a").read_bytes() == b"old"


@pytest.mark.parametrize("step", ["fsync", "replace"])
def test_a_failed_write_leaves_the_old_file_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    replace_private(tmp_path / "a", b"old")
    monkeypatch.setattr(os, step, Mock(side_effect=OSError("the power went")))
    with pytest.raises(OSError, match="power"):
        replace_private(tmp_path / "a", b"new")
    assert [path.name for path in tmp_path.iterdir()] == ["a"]
    assert (tmp_path / "a").read_bytes() == b"old"


def test_another_process_is_kept_out_until_this_one_dies(tmp_path: Path) -> None:
    program = (
        "import sys; from pathlib import Path; from p2p.storage.private_files import locked\n"
        "with locked(Path(sys.argv[1])): print('held', flush=True); sys.stdin.read()"
    )
    with subprocess.Popen(
        [sys.executable, "-c", program, str(tmp_path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        cwd=Path(__file__).parents[3],
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline().strip() == b"held"
        with pytest.raises(IdentityInUse), locked(tmp_path):
            pass
        process.kill()
        process.wait(10)
    with locked(tmp_path):
        pass


@pytest.fixture
def synced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """Return a list of all that is synced to the disk, as sizes in bytes.

    A file of 3 bytes is noted as 3, and a folder with a file of 3 and one of 6 bytes as [3, 6].
    """
    found: list[object] = []
    fsync = os.fsync

    def noted(descriptor: int) -> None:
        status = os.fstat(descriptor)
        inside = sorted(path.stat().st_size for path in tmp_path.iterdir())
        found.append(inside if stat.S_ISDIR(status.st_mode) else status.st_size)
        fsync(descriptor)

    monkeypatch.setattr(os, "fsync", noted)
    return found


@posix
def test_each_step_of_creating_and_replacing_a_file_is_synced(
    tmp_path: Path, synced: list[object]
) -> None:
    create_private(tmp_path / "a", b"old")
    assert synced == [3, [3]]
    replace_private(tmp_path / "a", b"secret")
    assert synced[2:] == [6, [3, 6], [6]]  # the new file, beside the old one, and in its place


@posix
def test_no_file_stays_open(tmp_path: Path) -> None:
    before = os.listdir("/dev/fd")
    create_private(tmp_path / "a", b"secret")
    replace_private(tmp_path / "a", b"another")
    with locked(tmp_path):
        pass
    assert len(os.listdir("/dev/fd")) == len(before)


def test_on_windows_a_byte_of_the_lock_file_is_locked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    locking = Mock(side_effect=[None, PermissionError(errno.EACCES, "")])
    windows = SimpleNamespace(LK_NBLCK=2, locking=locking)
    monkeypatch.setattr(private_files, "msvcrt", windows, raising=False)
    monkeypatch.setattr(sys, "platform", "win32")
    with locked(tmp_path), pytest.raises(IdentityInUse), locked(tmp_path):
        pass
    assert locking.call_args_list == [call(ANY, 2, 1)] * 2


@posix
def test_an_error_on_a_disk_without_locks_blames_no_other_program(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The error says that nothing can be locked, as on some network disks."""
    monkeypatch.setattr("fcntl.flock", Mock(side_effect=OSError(errno.ENOLCK, "")))
    with pytest.raises(FolderError, match="Nothing can be locked") as refused, locked(tmp_path):
        pass
    assert not isinstance(refused.value, IdentityInUse)


# -- A pipe, a device or a broken link in the place of one of our files

FILES = (JOURNAL_FILE, f"{JOURNAL_FILE}-wal", f"{JOURNAL_FILE}-shm", GUARD_FILE, "lock")


def _socket(path: Path) -> None:
    # The path of a socket must be short.
    with socket.socket(socket.AF_UNIX) as one, contextlib.chdir(path.parent):
        one.bind(path.name)


KINDS: dict[str, Callable[[Path], None]] = {
    "a folder": Path.mkdir,
    "a pipe": os.mkfifo,
    "a socket": _socket,
    "a device": lambda path: path.symlink_to("/dev/zero"),
    "a link in circles": lambda path: path.symlink_to(path.name),
    "a link to nowhere": lambda path: path.symlink_to("nowhere/at/all"),
}


@posix
@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("kind", KINDS)
def test_the_error_for_a_path_that_is_no_file_says_what_to_do(
    tmp_path: Path, name: str, kind: str
) -> None:
    """The system itself would say "illegal seek", or nothing at all."""
    home = tmp_path / "home"
    Journal.open(home / JOURNAL_FILE).close()
    (home / name).unlink(missing_ok=True)
    KINDS[kind](home / name)
    says = f"There is something else in the place of the file {home / name}. Move it away, and "
    with pytest.raises(FolderError, match=f"^{re.escape(says)}start again.$"):
        Journal.open(home / JOURNAL_FILE)


@posix
@pytest.mark.parametrize("kind", KINDS)
def test_a_device_or_pipe_is_refused_without_reading_it(tmp_path: Path, kind: str) -> None:
    KINDS[kind](tmp_path / "lock")
    with contextlib.ExitStack() as closing:
        if kind == "a pipe":  # a full one, so that reading it would fail the test, not block it
            pipe = os.open(tmp_path / "lock", os.O_RDWR)
            closing.callback(os.close, pipe)
            os.write(pipe, bytes(100))
        with pytest.raises(FolderError):
            read_own(tmp_path / "lock", 10)
    with pytest.raises(FolderError), locked(tmp_path):
        pass


@posix
def test_an_existing_and_a_missing_file_are_accepted(tmp_path: Path) -> None:
    path = tmp_path / "file"
    check_is_file(path)
    with pytest.raises(FileNotFoundError):
        read_own(path, 10)
    path.write_bytes(bytes(100))
    assert read_own(path, 10) == bytes(11)  # one byte more shows that the file is too long
    (tmp_path / "link").symlink_to(path)
    assert read_own(tmp_path / "link", 1000) == bytes(100)


@posix
def test_a_key_file_of_gigabytes_is_not_read_into_memory(tmp_path: Path) -> None:
    home = tmp_path / "home"
    key = Identity.load_or_create(home)
    os.truncate(home / KEY_FILE, 1 << 40)
    again = Identity.load(home)
    assert again is not None
    assert again.public == key.public

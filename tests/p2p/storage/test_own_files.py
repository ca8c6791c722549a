"""Something else in the place of a file of ours: a pipe, a device, a link that leads nowhere."""

import os
import socket
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from p2p.storage.data_path import JOURNAL_FILE
from p2p.storage.folders import FolderError, check_is_file, locked, read_own
from p2p.storage.identity import KEY_FILE, Identity
from p2p.storage.journal import Journal
from p2p.storage.rollback_guard import GUARD_FILE

pytestmark = [
    pytest.mark.skipif(sys.platform == "win32", reason="these are POSIX"),
    pytest.mark.usefixtures("on_memory"),
]

TABLE = bytes(32)
FILES = (JOURNAL_FILE, f"{JOURNAL_FILE}-wal", f"{JOURNAL_FILE}-shm", GUARD_FILE, "lock")


def _socket(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as one:
        there = os.getcwd()
        os.chdir(path.parent)  # a socket's path is short
        try:
            one.bind(path.name)
        finally:
            os.chdir(there)


KINDS: dict[str, Callable[[Path], None]] = {
    "a folder": Path.mkdir,
    "a pipe": os.mkfifo,
    "a socket": _socket,
    "a device": lambda path: path.symlink_to("/dev/zero"),
    "a link in circles": lambda path: path.symlink_to(path.name),
    "a link to nowhere": lambda path: path.symlink_to("nowhere/at/all"),
}


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """Return a home with a table."""
    home = tmp_path / "home"
    Identity.load_or_create(home)
    with Journal.open(home / JOURNAL_FILE) as journal:
        journal.create_table(TABLE, b"charter", 0)
    return home


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("kind", KINDS)
def test_what_is_no_file_is_named_with_what_to_do(home: Path, name: str, kind: str) -> None:
    """In the words of the system it would be an illegal seek, or nothing at all."""
    (home / name).unlink(missing_ok=True)
    KINDS[kind](home / name)
    with pytest.raises(FolderError) as refused:
        Journal.open(home / JOURNAL_FILE)
    assert str(refused.value) == (
        f"There is something else in the place of the file {home / name}. Move it away, and start "
        "again."
    )


@pytest.mark.parametrize("kind", KINDS)
def test_nobody_waits_at_it_or_reads_it_to_its_end(tmp_path: Path, kind: str) -> None:
    KINDS[kind](tmp_path / "lock")
    with pytest.raises(FolderError):
        read_own(tmp_path / "lock", 10)
    with pytest.raises(FolderError), locked(tmp_path):
        pass


def test_a_file_and_nothing_at_all_are_well(tmp_path: Path) -> None:
    path = tmp_path / "file"
    check_is_file(path)
    with pytest.raises(FileNotFoundError):
        read_own(path, 10)
    path.write_bytes(bytes(100))
    assert read_own(path, 10) == bytes(11)
    (tmp_path / "link").symlink_to(path)
    assert read_own(tmp_path / "link", 1000) == bytes(100)


def test_a_key_file_of_gigabytes_is_not_read_into_memory(home: Path) -> None:
    key = Identity.load(home)
    os.truncate(home / KEY_FILE, 1 << 40)
    again = Identity.load(home)
    assert key is not None
    assert again is not None
    assert again.public == key.public

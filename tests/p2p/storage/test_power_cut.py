"""Power cuts: what they take of a journal comes again in the same bytes, or is doubted."""

import os
import shutil
from pathlib import Path

import pytest

from p2p.storage.data_path import JOURNAL_FILE
from p2p.storage.journal import Journal
from p2p.storage.rollback_guard import GUARD_FILE, RollbackGuard

TABLE = bytes(32)


@pytest.fixture(autouse=True)
def without_times(monkeypatch: pytest.MonkeyPatch) -> None:
    """Compare only the bytes of the guard.

    Its times tell a copy, which is how these tests cut the power.
    """
    monkeypatch.setattr(RollbackGuard, "seen", lambda guard: guard.path.read_bytes())


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home"


def opened(home: Path) -> Journal:
    journal = Journal.open(home / JOURNAL_FILE)
    journal.create_table(TABLE, b"charter", 0)
    return journal


def cut_off(home: Path, at: Path) -> Path:
    """Return a copy of what is on the disk by now; the power is cut later."""
    shutil.copytree(home, at)
    at.chmod(0o700)
    return at


def is_doubtful(home: Path) -> bool:
    with Journal.open(home / JOURNAL_FILE) as journal:
        return journal.is_doubtful(TABLE)


def test_unlockings_that_a_power_cut_or_a_copy_lacks_bring_no_doubt(
    home: Path, tmp_path: Path
) -> None:
    """They come again in the same bytes, and so does the record before them."""
    with opened(home) as journal:
        journal.append(TABLE, 1, b"a move", {})
        disk = cut_off(home, tmp_path / "disk")
        journal.append(TABLE, 2, b"an unlocking")
        whole = cut_off(home, tmp_path / "whole")
    shutil.copy2(whole / GUARD_FILE, disk / GUARD_FILE)  # which may be newer on the disk
    with Journal.open(disk / JOURNAL_FILE) as journal:
        assert not journal.is_doubtful(TABLE)
        assert journal.entries(TABLE) == (b"a move",)
        journal.append(TABLE, 2, b"an unlocking")
        assert journal.entries(TABLE) == (b"a move", b"an unlocking")


def test_a_move_that_a_power_cut_lacks_is_doubted_with_all_before_it(
    home: Path, tmp_path: Path
) -> None:
    """Its unlockings may stay: another move could be signed upon them."""
    with opened(home) as journal:
        journal.append(TABLE, 1, b"an unlocking")
        disk = cut_off(home, tmp_path / "disk")
        journal.append(TABLE, 2, b"a move", {})
        whole = cut_off(home, tmp_path / "whole")
    shutil.copy2(whole / GUARD_FILE, disk / GUARD_FILE)
    assert is_doubtful(disk)


@pytest.mark.parametrize("own", [None, {}])
def test_what_would_be_signed_in_other_bytes_is_synced_and_nothing_else(
    home: Path, monkeypatch: pytest.MonkeyPatch, own: dict[str, bytes] | None
) -> None:
    """The guard and the journal both, or neither."""
    said: list[str] = []
    guards: list[int] = []
    with opened(home) as journal:
        monkeypatch.setattr(os, "fsync", guards.append)
        journal._database.set_trace_callback(said.append)
        journal.append(TABLE, 1, b"entry", own)
        journal._database.set_trace_callback(None)
    assert ("PRAGMA synchronous = NORMAL" in said) is (own is None)
    assert len(guards) == (own is not None)


def test_a_guard_that_is_older_than_the_journal_is_doubted_and_so_is_a_copy_of_its_time(
    home: Path, tmp_path: Path
) -> None:
    """The two are synced at once: the power may be cut when one of them is done."""
    with opened(home) as journal:
        journal.append(TABLE, 1, b"one", {})
        copy = cut_off(home, tmp_path / "copy")
        journal.append(TABLE, 2, b"two", {})
        disk = cut_off(home, tmp_path / "disk")
    shutil.copy2(copy / GUARD_FILE, disk / GUARD_FILE)
    with Journal.open(disk / JOURNAL_FILE) as journal:
        assert journal.entries(TABLE) == (b"one", b"two")
        assert journal.is_doubtful(TABLE)
    shutil.copy2(disk / GUARD_FILE, copy / GUARD_FILE)
    assert is_doubtful(copy), "the second entry may have been sent since"

"""The rollback guard, and doubt about a journal that may be older than its node's signatures.

`tests.lost_files` tries all ways in which a dead node can lose files; here is a sample.
"""

import errno
import os
import random
import shutil
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from unittest.mock import Mock

import pytest

from p2p.storage.data_path import JOURNAL_FILE
from p2p.storage.identity import Identity
from p2p.storage.journal import Journal
from p2p.storage.journal_file import JournalDamaged
from p2p.storage.private_files import FolderError
from p2p.storage.rollback_guard import GUARD_FILE, RollbackGuard
from tests.lost_files import LOG, Case, Dead, lost, own_entries, put_back
from tests.p2p.storage.journal_files import OTHER, TABLE


@pytest.fixture(scope="module")
def dead(tmp_path_factory: pytest.TempPathFactory) -> Dead:
    """Return a node that has died in the middle of a game."""
    return Dead.made(tmp_path_factory.mktemp("dead"))


def test_a_node_that_died_without_a_fault_has_lost_nothing(tmp_path: Path) -> None:
    with Journal.open(Dead.made(tmp_path).home / JOURNAL_FILE) as journal:
        assert not journal.is_doubtful(*(table.table_id for table in journal.tables()))
        assert own_entries(journal) == [1, 3, 5, 7]


def test_lost_changed_or_older_files_are_noticed_or_do_no_harm(dead: Dead, tmp_path: Path) -> None:
    """The cases are a sample of all faults in up to three files."""
    for case in random.Random(1).sample([*dead.cases(3)], 80):
        assert dead.is_safe_after(case, tmp_path), case


def test_a_lost_log_alone_is_noticed(dead: Dead, tmp_path: Path) -> None:
    assert dead.is_safe_after(Case({LOG: lost}, 0), tmp_path)


def test_a_journal_that_trusts_every_guard_is_not_safe(
    dead: Dead, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """This shows that the tests above can fail."""
    monkeypatch.setattr(Journal, "_doubt_older_copy", lambda journal: None)
    back = dict.fromkeys((JOURNAL_FILE, LOG, GUARD_FILE), put_back)
    assert not dead.is_safe_after(Case(back, 2), tmp_path)


def test_a_restored_copy_is_doubted_until_all_others_have_answered(
    journal: Journal, path: Path, tmp_path: Path
) -> None:
    journal.create_table(OTHER, b"charter", 0)
    journal.append(TABLE, 1, b"one", {})
    journal.close()
    backup = shutil.move(path.parent, tmp_path / "backup")
    shutil.copytree(backup, path.parent)
    doubted = []
    for _start in range(3):  # a restart does not end the doubt
        with Journal.open(path) as again:
            doubted.append([again.is_doubtful(table) for table in (TABLE, OTHER)])
            if len(doubted) == 2:
                again.clear_doubt(TABLE)
    assert doubted == [[True, True], [True, True], [False, True]]


@pytest.mark.parametrize("trace", [GUARD_FILE, f"{JOURNAL_FILE}-wal"])
@pytest.mark.usefixtures("journal")
def test_a_missing_journal_is_not_replaced_silently(path: Path, tmp_path: Path, trace: str) -> None:
    copy = shutil.copytree(path.parent, tmp_path / "copy")
    for file in copy.iterdir():
        if file.name != trace:
            file.unlink()
    with pytest.raises(JournalDamaged, match="is gone"):
        Journal.open(copy / JOURNAL_FILE)
    with pytest.raises(FolderError, match="is gone"):
        Identity.load_or_create(copy)
    (copy / JOURNAL_FILE).touch(0o600)
    with pytest.raises(JournalDamaged, match="is empty"):
        Journal.open(copy / JOURNAL_FILE)
    assert (copy / trace).stat().st_size
    (copy / JOURNAL_FILE).unlink()
    (copy / trace).unlink()
    Journal.open(copy / JOURNAL_FILE).close()


def test_a_death_during_creation_leaves_no_journal(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for call in ("fsync", "replace"):
        with monkeypatch.context() as patch:
            patch.setattr(os, call, Mock(side_effect=KeyboardInterrupt))
            with pytest.raises(KeyboardInterrupt):
                Journal.open(path)
        assert not path.exists()
    with Journal.open(path) as journal:
        journal.create_table(TABLE, b"charter", 0)


@pytest.mark.parametrize("size", [0, 100, 4096])
def test_an_empty_journal_is_reported_as_lost(path: Path, size: int) -> None:
    """A copy may have broken off, or the log with all content may be lost."""
    path.parent.mkdir(mode=0o700)
    path.touch(0o600)
    with closing(sqlite3.connect(path)) as database:
        database.execute("PRAGMA journal_mode = WAL")
    os.truncate(path, min(size, path.stat().st_size))
    for _ in range(2):
        with pytest.raises(JournalDamaged, match=r"[Pp]ut back"):
            Journal.open(path)


# -- The guard itself


def change(guard: RollbackGuard) -> bytes:
    """Change the guard, and return its new fingerprint."""
    with guard.changed() as now:
        return now


@pytest.fixture
def guard(tmp_path: Path) -> Iterator[RollbackGuard]:
    """Return a guard whose file does not exist yet."""
    with closing(RollbackGuard(tmp_path / GUARD_FILE)) as guard:
        yield guard


def test_each_change_of_the_guard_is_visible_even_if_the_clock_stands_still(
    guard: RollbackGuard,
) -> None:
    none = guard.seen()
    tokens = {change(guard)[:16] for _ in range(3)}
    assert len(tokens) == 3
    assert none == bytes(len(guard.seen()))


def test_a_guard_file_dated_before_1970_can_be_read(guard: RollbackGuard) -> None:
    """The clock of a machine without a battery can start at any time."""
    now = change(guard)
    os.utime(guard.path, ns=(-1, -1))
    assert guard.seen()[:16] == now[:16]
    assert guard.seen() != now


@pytest.mark.skipif(os.name == "nt", reason="Windows syncs the guard before it is closed")
def test_a_guard_and_its_journal_are_synced_together_before_anything_is_sent(
    journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    committed, synced = threading.Event(), list[bool]()

    def fsync(_descriptor: int) -> None:
        assert committed.wait(10), "the commit waits for the guard's sync"
        synced.append(True)

    def note(statement: str) -> None:
        if statement == "COMMIT":
            committed.set()

    journal._database.set_trace_callback(note)
    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", fsync)
        journal.append(TABLE, 1, b"own", {})
        assert synced


def test_after_a_failed_sync_of_the_guard_the_same_entry_can_be_written(
    journal: Journal, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", Mock(side_effect=OSError(errno.EIO, "Input/output error")))
        with pytest.raises(OSError, match="Input/output"):
            journal.append(TABLE, 1, b"own", {})
    assert journal.entries(TABLE) in ((), (b"own",))
    journal.append(TABLE, 1, b"own", {})
    journal.close()
    with Journal.open(path) as again:
        assert again.entries(TABLE) == (b"own",)
        assert not again.is_doubtful(TABLE)


def test_an_error_of_the_journal_is_raised_after_the_guard_is_synced(
    guard: RollbackGuard, monkeypatch: pytest.MonkeyPatch
) -> None:
    change(guard)
    monkeypatch.setattr(os, "fsync", synced := Mock())
    with pytest.raises(JournalDamaged), guard.changed():
        raise JournalDamaged("It is damaged.")
    assert synced.called


@pytest.mark.skipif(os.name == "nt", reason="Windows lets nobody replace an open file")
@pytest.mark.parametrize("is_replaced", [True, False])
def test_a_guard_removed_or_replaced_while_it_is_open_is_made_anew(
    guard: RollbackGuard, tmp_path: Path, is_replaced: bool
) -> None:
    change(guard)
    if is_replaced:
        os.replace(shutil.copy2(guard.path, tmp_path / "copy"), guard.path)
    else:
        guard.path.unlink()
        assert guard.seen() == bytes(48)
    now = change(guard)
    with closing(RollbackGuard(guard.path)) as other:
        assert other.seen() == now
    assert guard.path.read_bytes() == now[:16]


def test_a_journal_is_written_without_free_file_descriptors(path: Path) -> None:
    resource = pytest.importorskip("resource", reason="only POSIX has it")
    with Journal.open(path) as journal:
        journal.create_table(TABLE, b"charter", 0)
    for _start in range(2):
        with Journal.open(path) as journal:
            soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
            resource.setrlimit(resource.RLIMIT_NOFILE, (0, hard))
            try:
                with pytest.raises(OSError, match="Too many open files"):
                    os.open(path, os.O_RDONLY)
                height = len(journal.entries(TABLE)) + 1
                journal.append(TABLE, height, b"own", {f"{height}": b"secret"})
                journal.append(TABLE, height + 1, b"another's")
                journal.defer(TABLE, height + 2, b"later")
                journal.keep_statement(TABLE, 1, b"statement")
                journal.keep_addresses(TABLE, b"addresses")
                journal.forget_secrets(TABLE)
            finally:
                resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    with Journal.open(path) as journal:
        assert not journal.is_doubtful(TABLE)
        assert len(journal.entries(TABLE)) == 6


def test_one_thread_syncs_all_signatures_and_ends_with_the_guard(
    guard: RollbackGuard, monkeypatch: pytest.MonkeyPatch
) -> None:
    threads: list[threading.Thread] = []
    before = threading.enumerate()
    monkeypatch.setattr(os, "fsync", lambda _: threads.append(threading.current_thread()))
    for _signature in range(3):
        change(guard)
    guard.close()
    syncing = [thread for thread in threads if thread is not threading.current_thread()]
    assert len(syncing) == 3
    assert len(set(syncing)) == 1
    assert set(threading.enumerate()) <= set(before)


def test_without_a_thread_the_guard_is_synced_before_anything_else(
    guard: RollbackGuard, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The next change tries again to start a thread."""
    change(guard)
    guard.close()
    monkeypatch.setattr(os, "fsync", synced := Mock())
    with monkeypatch.context() as patch:
        refused = Mock(side_effect=RuntimeError("can't start new thread"))
        patch.setattr(threading.Thread, "start", refused)
        with guard.changed():
            assert synced.call_count == 1
    assert synced.call_count == 1
    change(guard)
    assert synced.call_count == 2


@pytest.fixture
def files(monkeypatch: pytest.MonkeyPatch) -> Mock:
    """Return the calls that open and close files."""
    calls = Mock()
    calls.open.side_effect, calls.close.side_effect = os.open, os.close
    monkeypatch.setattr(os, "open", calls.open)
    monkeypatch.setattr(os, "close", calls.close)
    return calls


@pytest.mark.skipif(os.name == "nt", reason="on Windows no guard stays open")
def test_each_guard_is_opened_once(guard: RollbackGuard, tmp_path: Path, files: Mock) -> None:
    guard.path.write_bytes(b"")
    for _ in range(3):
        change(guard)
    os.replace(shutil.copy(guard.path, tmp_path / "other"), guard.path)
    change(guard)
    guard.close()
    assert [name for name, *_ in files.mock_calls] == 2 * ["open", "close"]


def test_on_windows_the_guard_is_synced_and_closed_before_it_is_seen(
    guard: RollbackGuard, monkeypatch: pytest.MonkeyPatch, files: Mock
) -> None:
    """The times of the guard are final only when it is closed."""
    guard.path.write_bytes(b"")
    with monkeypatch.context() as patched:
        patched.setattr(os, "fsync", synced := Mock())
        patched.setattr(os, "name", "nt")
        with guard.changed():  # the guard is written, closed, and then read for its times
            assert [name for name, *_ in files.mock_calls] == 2 * ["open", "close"]
    assert synced.call_count == 1


def test_on_windows_times_are_read_after_closing(
    guard: RollbackGuard, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While the guard is open, its times may differ from those at the next start."""
    now = change(guard)
    guard.close()
    with monkeypatch.context() as patched:
        patched.setattr(os, "fstat", None)  # would read the times of an open file
        patched.setattr(os, "name", "nt")
        assert guard.seen() == now

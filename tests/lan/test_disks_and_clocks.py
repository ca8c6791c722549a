"""Tests of faults in the soak: full disks, restored disks, power cuts, and changed clocks."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from p2p.storage.data_path import JOURNAL_FILE
from p2p.storage.journal import Journal
from p2p.storage.rollback_guard import GUARD_FILE, RollbackGuard
from tests.lan.disks import copy_disk, cut_power, disks_in, fill, give_disk, put_disk_back
from tests.lan.hosts import Host, NoLan, lan, needs_lan
from tests.lan.other_clock import give_clock, set_clock
from tests.lan.soak_faults import keep_spare, put_spare_back
from tests.lost_files import cut, put_back

pytestmark = needs_lan

DAY = 86_400
TABLE = bytes(32)


@pytest.fixture
def host(tmp_path: Path) -> Iterator[Host]:
    """Make a host with its own disk and clock."""
    with ExitStack() as stack:
        try:
            stack.enter_context(disks_in(tmp_path))
            (host,) = stack.enter_context(lan(1, tmp_path)).hosts
            give_disk(host, 1 << 20)
            give_clock(host)
        except NoLan as error:
            pytest.skip(f"{error}")
        yield host


def test_a_full_disk_takes_no_writes_until_there_is_room(host: Host) -> None:
    filling = fill(host.home)
    with pytest.raises(OSError, match="No space left"):
        (host.home / "more").write_bytes(bytes(5000))
    filling.unlink()
    (host.home / "more").write_bytes(bytes(5000))


def test_a_power_cut_loses_unsynced_data(tmp_path: Path) -> None:
    with disks_in(tmp_path), lan(1, tmp_path) as network:
        (host,) = network.hosts
        give_disk(host, 8 << 20, journal=True)
        file = host.home / "file"
        with file.open("wb", buffering=0) as kept:
            kept.write(b"synced")
            os.fsync(kept.fileno())
            kept.write(b" and not synced")
        (host.home / "other").write_bytes(b"not synced")
        cut_power(host)
        assert file.read_bytes() == b"synced"
        assert not (host.home / "other").exists()


def test_a_restored_disk_keeps_file_times_but_a_copied_file_does_not(host: Host) -> None:
    guard = RollbackGuard(host.home / GUARD_FILE)
    with guard.changed() as before:
        pass
    copy = host.home.with_name("copy")
    copy.mkdir()
    (copy / GUARD_FILE).write_bytes(guard.path.read_bytes())
    copy_disk(host)
    with guard.changed():
        pass
    guard.close()
    put_disk_back(host)
    assert guard.seen() == before
    guard.close()
    put_back(guard.path, copy)
    assert guard.seen()[:16] == before[:16]
    assert guard.seen() != before
    guard.close()


def test_a_disk_is_restored_also_for_programs_of_other_hosts(host: Host) -> None:
    """The old disk must be unmounted in their namespaces, too; otherwise it would stay there."""
    file = host.home / "file"
    file.write_bytes(b"before")
    copy_disk(host)
    file.write_bytes(b"after")
    command = ["ip", "netns", "exec", host.namespace, "cat"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as other:
        assert other.stdin is not None
        assert other.stdout is not None
        other.stdin.write(b"here\n")
        other.stdin.flush()
        assert other.stdout.readline() == b"here\n"
        put_disk_back(host)
        assert file.read_bytes() == b"before"
        other.stdin.close()


def test_a_spare_journal_has_the_newest_lock_after_any_loss(host: Host) -> None:
    """A machine that is restored as a whole cannot know that it has lost a lock."""

    def locks() -> list[str]:
        with Journal.open(host.home / JOURNAL_FILE) as journal:
            return sorted(journal.secrets(TABLE))

    def deal(number: int) -> None:
        with Journal.open(host.home / JOURNAL_FILE) as journal:
            if number == 1:
                journal.create_table(TABLE, b"charter", 0)
            journal.append(TABLE, number, b"shuffle", {f"lock/{number:06}": b"secret"})

    deal(1)
    copy_disk(host)
    keep_spare(host)
    deal(2)
    keep_spare(host)
    put_disk_back(host)
    assert locks() == ["lock/000001"]
    keep_spare(host)
    put_spare_back(host)
    assert locks() == ["lock/000001", "lock/000002"]
    cut(host.home / JOURNAL_FILE, host.home)
    keep_spare(host)
    put_spare_back(host)
    assert locks() == ["lock/000001", "lock/000002"]


def test_a_running_program_survives_a_change_of_the_calendar(host: Host) -> None:
    program = """
import datetime, sqlite3, time
for _ in range(2):
    database = sqlite3.connect(":memory:")
    ((now,),) = database.execute("SELECT strftime('%s', 'now')")
    print("at", int(time.time()), int(datetime.datetime.now().timestamp()), now, flush=True)
    began = time.monotonic()
    input()
    print("waited", time.monotonic() - began < 3600, flush=True)
"""
    host.start_program(sys.executable, "-c", program, typed=True)
    host.wait_for("at ")
    set_clock(host, -400 * DAY)
    host.type("")
    host.wait_for("waited True")
    first, second = ([int(word) for word in line.split()[1:]] for line in _lines(host, "at "))
    assert max(first) - min(first) <= 1
    assert max(second) - min(second) <= 1
    assert first[0] - second[0] == pytest.approx(400 * DAY, abs=60)
    host.type("")


def _lines(host: Host, beginning: str) -> list[str]:
    host.wait_for(f"\n{beginning}")
    return [line for line in host.said.splitlines() if line.startswith(beginning)]

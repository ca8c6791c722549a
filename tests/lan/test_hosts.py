"""The figures of a host's journal, also while another process writes or deletes its files."""

import os
from pathlib import Path

import pytest

from p2p.storage.data_path import JOURNAL_FILE
from tests.lan.hosts import Host


@pytest.fixture
def host(tmp_path: Path) -> Host:
    return Host(1, "none", "10.77.0.1", tmp_path, tmp_path / "log")


def test_a_file_that_vanishes_between_listing_and_reading_is_no_error(host: Host) -> None:
    (host.home / JOURNAL_FILE).touch()
    os.utime(host.home / JOURNAL_FILE, (1000, 1000))
    (host.home / f"{JOURNAL_FILE}-shm").symlink_to("gone")  # is listed, but cannot be read
    assert host.last_written == 1000


def test_a_journal_without_tables_has_no_entries(host: Host) -> None:
    assert host.entries == 0
    (host.home / JOURNAL_FILE).touch()
    assert host.entries == 0

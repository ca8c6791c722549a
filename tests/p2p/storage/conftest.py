"""Fixtures: a journal with a table, and its path."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from p2p.storage.data_path import JOURNAL_FILE
from p2p.storage.journal import Journal
from tests.p2p.storage.journal_files import TABLE


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "home" / JOURNAL_FILE


@pytest.fixture
def journal(path: Path) -> Iterator[Journal]:
    with Journal.open(path) as journal:
        journal.create_table(TABLE, b"charter", 2)
        yield journal

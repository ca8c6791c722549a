"""Fixtures: the path of a journal, an open journal without tables, and one with a table."""

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
def empty(path: Path) -> Iterator[Journal]:
    with Journal.open(path) as journal:
        yield journal


@pytest.fixture
def journal(empty: Journal) -> Journal:
    """Return an open journal with one table, at which this node is the third player."""
    empty.create_table(TABLE, b"charter", 2)
    return empty

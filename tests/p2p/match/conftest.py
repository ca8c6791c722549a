"""A fixture: a match of several tables in the journal of one player."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from p2p.storage.journal import Journal
from tests.p2p.match.kept_match import Match


@pytest.fixture
def match(tmp_path: Path) -> Iterator[Match]:
    with Journal.open(tmp_path / "home" / "journal") as journal:
        yield Match(journal)

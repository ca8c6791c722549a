"""Fixtures: the journal of a player in the middle of a match, and a node that is not running."""

import shutil
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest

from p2p.match.match_node import MatchNode
from p2p.storage.identity import Identity
from p2p.storage.journal import Journal
from p2p.storage.memberships import Membership
from p2p.transport.endpoint import Endpoint
from tests.p2p.table.vector_records import open_journal, record_of, signed_charter

FILE = "canastra.json"
LENGTH = 110
"""The number of entries in the journal: more than are read from it at once."""


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a home with the first `LENGTH` entries in its journal, for all tests of a file."""
    home = tmp_path_factory.mktemp("kept") / "home"
    with open_journal(home) as journal:
        record_of(journal, FILE, LENGTH)
    return home


@pytest.fixture
def journal(kept: Path, tmp_path: Path) -> Iterator[Journal]:
    shutil.copytree(kept, tmp_path / "home").chmod(0o700)
    with open_journal(tmp_path / "home") as journal:
        yield journal


@pytest.fixture
def node(journal: Journal) -> MatchNode:
    """Return the node of the first player, whose record is not restored yet."""
    me = SimpleNamespace(public=signed_charter(FILE).charter.key_of(0), sign=None)
    membership = Membership(signed_charter(FILE), 0, ())
    return MatchNode(Endpoint(cast(Identity, me)), journal, membership)

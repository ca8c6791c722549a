"""A node takes up its record again, and gives that up."""

from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest
import trio

from p2p.match.match_node import MatchNode
from p2p.storage.identity import Identity
from p2p.storage.memberships import Membership
from p2p.transport.endpoint import Endpoint
from tests.p2p.table.vector_records import keep_record, open_journal, signed_charter

FILE, LENGTH = "canastra.json", 50


@pytest.fixture
def node(tmp_path: Path) -> Iterator[MatchNode]:
    with open_journal(keep_record(tmp_path / "home", FILE, LENGTH)) as journal:
        me = SimpleNamespace(public=signed_charter(FILE).charter.key_of(0), sign=None)
        membership = Membership(signed_charter(FILE), 0, ())
        yield MatchNode(Endpoint(cast(Identity, me)), journal, membership)


async def test_who_leaves_does_not_wait_for_the_rest_of_the_record(node: MatchNode) -> None:
    """The thread that takes it up ends at the next entry."""
    told: list[int] = []

    def progress(done: int, _total: int) -> None:
        told.append(done)
        if done == 3:
            trio.from_thread.run_sync(scope.cancel)
            # The task hears of it when it waits for this thread again, as it does before this.
            trio.from_thread.run_sync(bool)

    with trio.CancelScope() as scope:
        await node.restore(progress)
    assert scope.cancelled_caught
    assert told == [1, 2, 3]


async def test_who_waits_for_the_record_is_told_how_far_it_is(node: MatchNode) -> None:
    told: list[tuple[int, int]] = []

    def enough(done: int, total: int) -> None:
        told.append((done, total))
        if len(told) == 2:
            raise LookupError

    with pytest.raises(LookupError):
        await node.restore(enough)
    assert told == [(1, LENGTH), (2, LENGTH)]

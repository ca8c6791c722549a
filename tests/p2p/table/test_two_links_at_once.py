"""Entries that come to a node while it takes another one: see `tests/protocol/table/machine`."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest
import trio
from attrs import define

from engine.moves import DrawStock
from p2p.match.match_node import MatchNode
from p2p.storage.folders import make_private
from p2p.storage.identity import Identity
from p2p.storage.memberships import Membership
from p2p.table.live_record import LiveRecord
from p2p.table.node import Node
from p2p.table.node_updates import no_progress
from p2p.transport.endpoint import Endpoint
from tests.p2p.table.vector_records import open_journal
from tests.protocol.played import Moment, played
from tests.protocol.proofless import leave_out_proofs

pytestmark = pytest.mark.usefixtures("autojump_clock")


@define
class Table:
    """A node of a table of three that has the record up to `height`, and all that comes after."""

    node: Node
    height: int
    moments: Sequence[Moment]

    def entry(self, place: int) -> bytes:
        """Return the entry so many heights above the node's record."""
        return self.moments[self.height + place - 1].entry


@pytest.fixture
def table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Table]:
    """Return the table of a member from whom nothing is due, where somebody else draws."""
    one = played("canasta", 3)
    moment = one.moving(DrawStock)
    me = (moment.writer + 2) % 3
    leave_out_proofs(monkeypatch)
    with open_journal(make_private(tmp_path / "home")) as journal:
        membership = Membership(one.ring.charter, me, ())
        membership.keep(journal)
        for height, entry in enumerate(one.entries[: moment.number], start=1):
            journal.append(membership.table_id, height, entry)
        sign = one.ring.signers[me]
        member = SimpleNamespace(public=one.ring.charter.charter.key_of(me), sign=sign)
        node = MatchNode(Endpoint(cast(Identity, member)), journal, membership)
        node._restore(no_progress)
        yield Table(node.node, moment.number, one.moments)


async def test_an_entry_that_two_links_bring_at_once_is_compared_with_nothing(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The second has waited for the first, and is no other one."""
    node = table.node
    monkeypatch.setattr(LiveRecord, "judge", None)  # whoever compares calls it
    async with trio.open_nursery() as nursery:
        for carrier in (1, 2):
            nursery.start_soon(node.carried, carrier, table.height + 1, table.entry(1))
    assert node.state.height == table.height + 1

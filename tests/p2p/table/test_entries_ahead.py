"""Entries that come to a node before what they continue."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest
import trio
from attrs import define
from trio.testing import MockClock, wait_all_tasks_blocked

from engine.moves import DrawStock
from engine.sentences import Sentence
from p2p.match.match_node import MatchNode
from p2p.storage.folders import make_private
from p2p.storage.identity import Identity
from p2p.storage.memberships import Membership
from p2p.table.live_record import LiveRecord
from p2p.table.node import Node
from p2p.table.node_updates import no_progress
from p2p.transport.endpoint import Endpoint
from protocol.entries import CloseContent
from protocol.errors import Exposed
from tests.p2p.table.vector_records import open_journal
from tests.protocol.played import Moment, played
from tests.protocol.proofless import leave_out_proofs


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


async def test_an_entry_that_comes_early_waits_for_what_it_continues(
    table: Table,
    autojump_clock: MockClock,
) -> None:
    node = table.node
    assert not await node.carried(1, table.height + 3, table.entry(3))
    assert not await node.carried(2, table.height + 2, table.entry(2))
    assert node.state.height == table.height
    assert await node.carried(1, table.height + 1, table.entry(1))
    assert node.state.height == table.height + 3


@pytest.mark.parametrize("liar", [1, 2])
async def test_what_a_liar_carries_early_displaces_nothing_and_stops_nobody(
    table: Table, autojump_clock: MockClock, liar: int
) -> None:
    """It displaces nothing honest that came before or comes after it.

    And the link by which the entry before it comes is not to blame.
    """
    node = table.node
    for carrier in (1, 2):
        entry = b"made up" if carrier == liar else table.entry(2)
        assert not await node.carried(carrier, table.height + 2, entry)
    assert await node.carried(1, table.height + 1, table.entry(1))
    assert node.state.height == table.height + 2
    assert node.live_record.exposed is None


async def test_what_is_far_ahead_is_not_kept(table: Table, autojump_clock: MockClock) -> None:
    """A member could fill the memory with it."""
    node = table.node
    for place in range(2, 1_000):
        assert not await node.carried(1, table.height + place, bytes(64))
    kept = {height - table.height for _, height in node.machine._ahead}
    assert kept == {*range(2, 9)}


async def test_an_entry_that_two_links_bring_at_once_is_compared_with_nothing(
    table: Table, autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The second has waited for the first, and is no other one."""
    node = table.node
    monkeypatch.setattr(LiveRecord, "judge", None)  # whoever compares calls it
    async with trio.open_nursery() as nursery:
        for carrier in (1, 2):
            nursery.start_soon(node.carried, carrier, table.height + 1, table.entry(1))
    assert node.state.height == table.height + 1


async def test_what_is_there_already_is_no_news(table: Table, autojump_clock: MockClock) -> None:
    node = table.node
    assert await node.carried(1, table.height + 1, table.entry(1))
    assert not await node.carried(1, table.height + 1, table.entry(1))
    assert not await node.carried(2, table.height, table.entry(0))
    assert node.state.height == table.height + 1


async def test_behind_a_cheat_is_appended_what_others_have_written_before_they_heard_of_it(
    table: Table,
    autojump_clock: MockClock,
) -> None:
    """All of them go on from the same place."""
    node = table.node
    moment = table.moments[table.height + 1]
    cheat = moment.signed(CloseContent(0, (), last=False))
    for carrier, entry in ((1, cheat), (2, table.entry(2))):
        assert not await node.carried(carrier, table.height + 2, entry)
    assert await node.carried(1, table.height + 1, table.entry(1))
    assert node.live_record.exposed is not None
    assert (node.live_record.exposed.player, node.live_record.exposed.cause) == (
        moment.writer,
        "R9",
    )
    assert node.state.height == table.height + 2


async def test_an_entry_that_waits_for_another_one_is_appended_behind_a_cheat(
    table: Table,
    autojump_clock: MockClock,
) -> None:
    node = table.node
    news: list[bool] = []

    async def carry() -> None:
        news.append(await node.carried(1, table.height + 1, table.entry(1)))

    async with trio.open_nursery() as nursery, node.advancing:
        nursery.start_soon(carry)
        await wait_all_tasks_blocked()
        cause = Sentence("They have cheated.")
        node.live_record.expose(Exposed(0, "R9", cause, (b"",), node.charter.key_of(0)))
    assert news == [True]
    assert node.state.height == table.height + 1

"""Who watches believes no node: each entry is checked, and a cheat is seen (record.md, 8.8)."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
import trio
from attrs import evolve
from trio.testing import MockClock

from engine.moves import Pass
from p2p.table.followed_table import FollowedTable
from p2p.transport.endpoint import hear, say
from p2p.transport.frames import LinkError
from p2p.transport.link import Link
from p2p.transport.messages import Agreed, Carry, Message, Noted
from p2p.transport.spectator_messages import Watch
from p2p.visitors.gallery import STILL_HERE_SECONDS
from protocol.audit import Auditor, Verdict
from protocol.charter import SignedCharter
from protocol.entries import MoveContent
from protocol.errors import Malformed, Mismatch, OutOfTurn
from protocol.player import Player
from protocol.record import record_parts
from protocol.reducer import advance
from tests.p2p.machines import failure_of
from tests.p2p.memory_links import memory_link_pair
from tests.p2p.visitors.shown_tables import ANA, EVA, carried, greeting, shown, table_in
from tests.protocol.absent import SUBSTITUTE, ended, replaced
from tests.protocol.ring import Ring
from tests.vectors.other_games import spectators
from tests.vectors.recorded import recorded, recorded_with_spectators

pytestmark = pytest.mark.usefixtures("on_memory", "without_proofs")


@asynccontextmanager
async def followed(folder: Path) -> AsyncIterator[tuple[FollowedTable, Link]]:
    """A table that is followed, and the node's end of the link, at which the wish has come."""
    with table_in(folder) as table:
        async with memory_link_pair(EVA, ANA) as (link, node), trio.open_nursery() as nursery:
            nursery.start_soon(failure_of, table.follow(link))
            assert await hear(node) == Watch("Eva")
            yield table, node
            nursery.cancel_scope.cancel()


async def test_whoever_waits_for_a_change_hears_of_the_end(
    tmp_path: Path, autojump_clock: MockClock
) -> None:
    with table_in(tmp_path) as table:
        changes, progress = table.changes(), table.progress
        table.close()
        assert progress.is_set()
        assert [change async for change in changes] == []


async def test_whoever_waits_for_a_change_hears_of_the_link(
    tmp_path: Path, autojump_clock: MockClock
) -> None:
    """When something comes by it, and when it has ended."""
    async with followed(tmp_path) as (table, node), trio.open_nursery() as nursery:
        await say(node, greeting(recorded_with_spectators()))
        with trio.fail_after(1):
            await table.progress.wait()
            assert table.linked
            nursery.start_soon(node.aclose)
            await table.progress.wait()
        assert not table.linked


async def test_who_watches_says_now_and_then_how_far_they_are(
    tmp_path: Path, autojump_clock: MockClock
) -> None:
    one = recorded_with_spectators()
    async with followed(tmp_path) as (_table, node):
        began = trio.current_time()
        for message in (greeting(one), *carried(one.entries[:3])):
            await say(node, message)
        for beat in (1, 2):
            wish = await hear(node)
            assert wish == Watch("Eva", one.ring.charter.charter.table_id, 3)
            assert trio.current_time() - began == pytest.approx(beat * STILL_HERE_SECONDS)


async def test_a_change_is_told_to_who_asks_for_them_or_kept_until_somebody_does(
    tmp_path: Path, autojump_clock: MockClock
) -> None:
    one = recorded_with_spectators()
    async with followed(tmp_path) as (table, node):
        for message in (greeting(one), *carried(one.entries[:3])):
            await say(node, message)
        await trio.sleep(0.1)
        changes = table.changes()
        for message in carried(one.entries[3:5], 4):
            await say(node, message)
        heard = [(await changes.receive()).after.height for _ in range(2)]
        assert [change.after.height for change in table.past] == [1, 2, 3]
        assert heard == [4, 5]


async def test_the_record_is_followed_entry_by_entry(
    tmp_path: Path, autojump_clock: MockClock
) -> None:
    one = recorded_with_spectators()
    table, error, record = await shown(tmp_path, greeting(one), *carried(one.entries))
    assert isinstance(error, LinkError)  # the goodbye
    assert table.state == one.ring.state
    assert record == one.record()
    assert not table.over


async def test_what_is_no_record_of_such_a_table_is_not_followed(
    tmp_path: Path, autojump_clock: MockClock
) -> None:
    one, other = recorded_with_spectators(), recorded()
    first, second, *_ = carried(one.entries)
    forged = next(record for record in spectators() if record.name == "R4")
    by_a_spectator = carried(one.entries[: forged.keep]) + carried(forged.added, forged.keep + 1)
    signed = one.ring.charter
    unsigned = evolve(signed, signatures=(*signed.signatures[:1], bytes(64)))
    cases: list[tuple[type[Exception], list[Message]]] = [
        (OutOfTurn, [first]),
        (Mismatch, [greeting(other)]),  # its players have not agreed to it
        (Malformed, [Agreed(unsigned.encode())]),
        (OutOfTurn, [greeting(one), second]),
        (Mismatch, [greeting(one), *by_a_spectator]),
        (Mismatch, [greeting(one), first, Carry(2, one.entries[0])]),
        (OutOfTurn, [greeting(one), Noted()]),
    ]
    for number, (kind, messages) in enumerate(cases):
        table, error, _ = await shown(tmp_path / f"{number}", *messages)
        assert type(error) is kind, number
        assert not table.over


async def test_another_table_in_the_place_of_the_first_is_not_followed(
    tmp_path: Path, autojump_clock: MockClock
) -> None:
    one = recorded_with_spectators()
    charter = evolve(one.ring.charter.charter, grace=99)
    signed = SignedCharter(charter, tuple(map(charter.sign, one.ring.signers)))
    messages = greeting(one), *carried(one.entries[:3]), Agreed(signed.encode())
    table, error, _ = await shown(tmp_path, *messages)
    assert type(error) is Mismatch
    assert table.state.height == 3


@pytest.mark.parametrize("late", [False, True])
async def test_a_cheat_is_seen_and_the_record_ends_in_the_evidence(
    tmp_path: Path, autojump_clock: MockClock, late: bool
) -> None:
    """A move against the rules; and two entries in one place, when the record has gone on."""
    one = recorded_with_spectators()
    moment = one.when("move")
    height = moment.state.height + 1
    cheat = moment.signed(MoveContent(Pass(), ()))
    before = one.entries if late else one.entries[: height - 1]
    messages = greeting(one), *carried(before), Carry(height, cheat)
    table, error, record = await shown(tmp_path, *messages)
    assert error is None
    assert table.over
    assert table.exposed is not None
    assert (table.exposed.player, table.exposed.cause == "R8") == (moment.writer, late)
    auditor = Auditor()
    for _ in auditor.feed(record):
        pass
    finding = auditor.finish()
    verdict = Verdict.EXPOSED if late else Verdict.ILLEGAL
    assert (finding.verdict, finding.player) == (verdict, moment.writer)


async def test_8_8_an_absence_that_stands_takes_the_place_of_what_came_late(
    tmp_path: Path, autojump_clock: MockClock
) -> None:
    ring = Ring.sit(players=3, spectators=True)
    start, late = ring.state, ring.write()
    absent = start.writers[0]
    joint = replaced(ring, start, absent)
    ring.players[absent] = Player(absent, SUBSTITUTE)
    ring.state = advance(start, joint)
    then = ring.write()
    messages = Agreed(ring.charter.encode()), Carry(1, late), Carry(1, joint), Carry(2, then)
    table, _, record = await shown(tmp_path, *messages)
    assert table.state.head == advance(ring.state, then).head
    assert [change.taken_back for change in table.past] == [0, 1, 0]
    assert record == b"".join(record_parts(ring.charter, (joint, then)))


async def test_8_8_who_has_gone_on_past_their_own_vote_is_exposed_to_spectators_too(
    tmp_path: Path, autojump_clock: MockClock
) -> None:
    """The record stays as it is, and the absence is the evidence."""
    ring = Ring.sit(players=3, spectators=True)
    start, absent = ring.state, ring.state.writers[0]
    joint = ended(ring, start, absent)
    ring.step()
    assert ring.state.due is not None
    cheat = ring.state.due.player
    ring.step()
    messages = Agreed(ring.charter.encode()), *carried(ring.entries), Carry(1, joint)
    table, error, _ = await shown(tmp_path, *messages)
    assert error is None
    assert table.state.head == ring.state.head
    assert table.exposed is not None
    assert (table.exposed.player, table.exposed.cause) == (cheat, "R20")

"""What a node says to a candidate who waits there, and what they may say."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import cast

import pytest
import trio
from attrs import define
from trio.testing import MockClock

from p2p.rate_limit import RateLimit
from p2p.replacement.votes import vote_of
from p2p.replacement.waiting_room import STILL_HERE_SECONDS
from p2p.transport.endpoint import LOBBY, Caller
from p2p.transport.frames import SlowReader
from p2p.transport.link import Link
from p2p.transport.lobby_messages import Ready, Sit
from p2p.transport.messages import (
    Agreed,
    Carry,
    Hello,
    Invite,
    Message,
    Noted,
    Vote,
    Whereabouts,
    pack,
    unpack,
)
from protocol.absence import absence
from protocol.ballot import Act
from protocol.entries import AbsentContent, Entry
from protocol.errors import OutOfTurn
from tests.p2p.machines import failure_of
from tests.p2p.replacement.table_of_three import BRUNO, LATE, Table
from tests.protocol.absent import NEWCOMER, SUBSTITUTE
from tests.simulation.simulated_mesh import SimulatedLink
from tests.simulation.tables import GRACE

SEAT = AbsentContent((LATE,), (NEWCOMER,))


@define(eq=False)
class SettlingLink(SimulatedLink):
    """Knows whether its node has said that the peer belongs there."""

    is_settled: bool = False

    def settle(self) -> None:
        self.is_settled = True


@define
class Waiting:
    """Somebody who waits at the node of a table; `error` ends their link."""

    table: Table
    link: SimulatedLink
    name: str
    error: Exception | None = None
    ended: bool = False

    async def attend(self, there: SettlingLink) -> None:
        caller = Caller(cast(Link, there), Hello(LOBBY, 0))
        sit = Sit(self.name, NEWCOMER.nonce)
        receive = self.table.node._coordinator.room.receive(caller, sit)
        try:
            self.error = await failure_of(receive)
        except AssertionError:
            self.ended = True

    async def said(self, *, noted: bool = False) -> list[Message]:
        """What the node says now, without what it says again and again, or only that."""
        await trio.sleep(1)
        count = self.link._receiver.statistics().current_buffer_used
        messages = [unpack(await self.link.receive()) for _ in range(count)]
        return [message for message in messages if (message == Noted()) == noted]

    async def say(self, *messages: Message) -> None:
        for message in messages:
            self.link.send_nowait(pack(message))
        await trio.testing.wait_all_tasks_blocked()


@asynccontextmanager
async def at_the_node(
    table: Table, key: bytes = NEWCOMER.key, name: str = NEWCOMER.name
) -> AsyncIterator[Waiting]:
    await trio.sleep(GRACE + 1)
    here, there = SettlingLink.pair(key, table.node.live_record.key)
    progress = table.node.progress
    async with trio.open_nursery() as nursery:
        waiting = Waiting(table, here, name)
        nursery.start_soon(waiting.attend, there)
        assert await waiting.said(noted=True) == [Noted()]
        assert there.is_settled  # so they are none of the strangers, of whom there are few
        assert progress.is_set()
        yield waiting
        nursery.cancel_scope.cancel()


def signature(table: Table, key: bytes = NEWCOMER.key) -> Vote:
    body = table.node.absence(SEAT)
    return Vote(body, key, Entry.vote(body, SUBSTITUTE))


async def test_the_members_see_candidates_come_and_go(
    table: Table, autojump_clock: MockClock
) -> None:
    node = table.node
    async with at_the_node(table) as waiting:
        assert [one.member for one in node.candidates] == [NEWCOMER]
        progress = node.progress
        waiting.link.close()
        await trio.testing.wait_all_tasks_blocked()
        assert waiting.error is not None
        assert progress.is_set()
        assert node.candidates == ()


async def test_when_the_nodes_part_is_over_candidates_go(
    table: Table, autojump_clock: MockClock
) -> None:
    async with at_the_node(table) as waiting:
        table.node._coordinator.room.close()
        await trio.testing.wait_all_tasks_blocked()
        assert waiting.ended
        assert table.node.candidates == ()


async def test_a_candidate_signs_for_nobody_else(table: Table, autojump_clock: MockClock) -> None:
    assert await table.node.told(BRUNO, Invite(table.node.absence(SEAT)))
    bruno = table.node.charter.members[BRUNO].key
    for message in (signature(table, bruno), Noted(), Invite(b"")):
        async with at_the_node(table) as waiting:
            await waiting.say(message)
            assert isinstance(waiting.error, OutOfTurn)
    assert tuple(table.node._coordinator.votes) == ()


async def test_who_lost_their_seat_and_contradicts_themselves_ends_nobodys_program(
    table: Table, autojump_clock: MockClock
) -> None:
    """As a candidate for another seat they could say at whose absence they had agreed before, and
    that they had refused: what exposes a player is for members to show, and ends no node.
    """
    node, ring = table.node, table.played.ring
    late, bruno = (node.charter.members[player].key for player in (LATE, BRUNO))
    states = (moment.state for moment in table.played.moments[: node.height])
    waits = next(s for s in states if s.match.mover == BRUNO)
    body = absence(waits, AbsentContent((BRUNO,))).encode()
    agreed = Act.vote(body, late, ring.signers[LATE])
    refused = Act.refusal(waits.next_place, LATE, late, ring.signers[LATE])
    await trio.sleep(GRACE + 1)
    await node.vote(SEAT, {NEWCOMER.key: signature(table).signature})
    assert await table.told(Act.vote(node.absence(SEAT), bruno, ring.signers[BRUNO]))
    async with at_the_node(table, late, "Zoe") as waiting:
        await waiting.say(vote_of(agreed), vote_of(refused))
        assert isinstance(waiting.error, OutOfTurn)
    assert node.exposed is None
    assert await table.told(agreed)
    assert await table.told(refused)
    assert node.exposed is not None


async def test_a_candidate_does_not_say_too_much(table: Table, autojump_clock: MockClock) -> None:
    async with at_the_node(table) as waiting:
        await waiting.say(*[Ready(True)] * RateLimit().burst)
        assert waiting.error is None
        await waiting.say(Ready(True))
        assert isinstance(waiting.error, OutOfTurn)


async def test_a_candidate_is_shown_the_record_once_and_then_each_invitation(
    table: Table, autojump_clock: MockClock
) -> None:
    """They sign; when the others have agreed they are told where those are, and what is written,
    and they are the one who ends the link.
    """
    node, ring = table.node, table.played.ring
    body = node.absence(SEAT)
    async with at_the_node(table) as waiting:
        await node.told(BRUNO, Invite(body))
        first, *record, last = await waiting.said()
        assert first == node.greeting()
        assert isinstance(first, Agreed)
        assert [one.height for one in record if isinstance(one, Carry)] == [
            *range(1, node.height + 1)
        ]
        assert last == Invite(body)
        node.wake()
        assert await waiting.said() == []
        await waiting.say(signature(table))
        assert node._coordinator.votes.is_signed_by_substitutes(body)
        key = node.charter.members[BRUNO].key
        assert await table.told(Act.vote(body, key, ring.signers[BRUNO]))
        await node.vote(SEAT)
        assert node.charter.members[LATE] == NEWCOMER
        where, entry = await waiting.said()
        assert isinstance(where, Whereabouts)
        assert isinstance(entry, Carry)
        assert entry.height == node.height
        await trio.sleep(1.5 * STILL_HERE_SECONDS)  # with the seconds before: half way to the third
        assert await waiting.said(noted=True) == 2 * [Noted()]
        assert not waiting.ended


async def test_a_candidate_who_is_slow_to_read_stays(
    table: Table, monkeypatch: pytest.MonkeyPatch, autojump_clock: MockClock
) -> None:
    """They have enough to read for now."""
    async with at_the_node(table) as waiting:

        def is_full(_link: SimulatedLink, _frame: bytes) -> None:
            raise SlowReader("The peer is too slow.")

        monkeypatch.setattr(SimulatedLink, "send_nowait", is_full)
        await trio.sleep(2 * STILL_HERE_SECONDS)
        assert waiting.error is None
        assert [one.member for one in table.node.candidates] == [NEWCOMER]

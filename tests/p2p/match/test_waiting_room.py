"""The waiting room of a node: who may wait there, what they are told, and when (nodes.md, 2)."""

from functools import partial
from types import SimpleNamespace
from typing import Any

import pytest
import trio
from attrs import define, evolve, field

from p2p.background_task import beside
from p2p.match.waiting_room import WaitingRoom, _Candidate
from p2p.rate_limit import RateLimit
from p2p.refusals import Reason, Refusal
from p2p.table.node_updates import News
from p2p.transport.frames import SlowReader
from p2p.transport.messages import Goodbye, Noted, Whereabouts, unpack
from protocol.charter import Charter, Member
from protocol.match.messages import MOST_CANDIDATES, Proposal
from protocol.match.negotiation import Offered
from tests.p2p.lobby.lobbies import charter
from tests.p2p.table.in_memory_mesh import MEMBERS

pytestmark = pytest.mark.usefixtures("autojump_clock")

TABLE = charter(*MEMBERS)
IDA = Member(bytes(32), "Ida", bytes(32))
WITH_IDA = evolve(TABLE, members=(*MEMBERS[:2], IDA))
HERE = Whereabouts(())


@define(eq=False)
class Room:
    """A waiting room with a fake match; `told` is all that the candidate was sent, in order."""

    charter: Charter = TABLE
    before: tuple[Charter, ...] = ()
    """The charters of earlier tables."""
    missing: frozenset[int] = frozenset({2})
    offered: Offered | None = None
    complete: bool = False
    spoken: frozenset[int] = frozenset()
    """The players from whom the node at the newest table has heard."""
    has_node: bool = True
    told: list[object] = field(factory=list)
    news: News = field(factory=News)
    room: WaitingRoom = field(init=False)

    def __attrs_post_init__(self) -> None:
        fake: Any = SimpleNamespace(history=self, match=self, node=None)
        if self.has_node:
            known = SimpleNamespace(has_spoken=self.spoken.__contains__)
            peers = SimpleNamespace(known=known, others=(1, 2))
            fake.node = SimpleNamespace(peers=peers, whereabouts_for=lambda _link: HERE)
        self.room = WaitingRoom(
            fake, self._going_on, lambda _key, _talk: None, lambda: self.told.append("changed")
        )

    def _going_on(self) -> Any:
        return SimpleNamespace(missing=self.missing, proposal=self.offered)

    @property
    def state(self) -> Any:
        return self

    def line(self) -> list[Any]:
        charters = (*self.before, self.charter)
        return [SimpleNamespace(state=SimpleNamespace(charter=one)) for one in charters]

    async def show(self) -> None:
        self.told.append("the record")

    def guest(self, member: Member, *, known: bool = False) -> _Candidate:
        async def send(frame: bytes) -> None:
            self.told.append(unpack(frame))

        link: Any = SimpleNamespace(peer=member.key, address="192.0.2.1", send=send)
        record: Any = self
        return _Candidate(link, known, record, RateLimit(), member=member)

    async def is_told(self, **changes: Any) -> list[object]:
        """Return what the candidate is told after these changes."""
        for name, value in changes.items():
            setattr(self, name, value)
        self.news.tell()
        await trio.testing.wait_all_tasks_blocked()
        told, self.told = self.told, []
        return told


@pytest.mark.parametrize(
    ("room", "who", "reason"),
    [
        (Room(), IDA, None),
        (Room(missing=frozenset()), IDA, Reason.NO_VACANT_SEAT),
        (Room(), evolve(IDA, signed_name="bruno"), Reason.NAME_TAKEN),
        # A member who knows of their seat is refused. Somebody who got a seat at the newest table
        # knows of it only once they have spoken there.
        (Room(), MEMBERS[2], Reason.MATCH_NOT_OVER),
        (Room(WITH_IDA, (TABLE,)), MEMBERS[1], Reason.MATCH_NOT_OVER),
        (Room(WITH_IDA, (TABLE,)), IDA, None),
        (Room(WITH_IDA, (TABLE,), has_node=False), IDA, None),
        (Room(WITH_IDA, (TABLE,), spoken=frozenset({1})), IDA, None),
        (Room(WITH_IDA, (TABLE,), spoken=frozenset({2})), IDA, Reason.MATCH_NOT_OVER),
        (Room(WITH_IDA, (TABLE, WITH_IDA)), IDA, Reason.MATCH_NOT_OVER),
        (Room(WITH_IDA, (TABLE, WITH_IDA, TABLE)), IDA, Reason.MATCH_NOT_OVER),
    ],
    ids=[
        "a stranger",
        "no vacant seat",
        "a member's name",
        "a missing member",
        "a member of both tables",
        "a newcomer at the newest table",
        "a newcomer, no node there",
        "a newcomer, another has spoken",
        "a newcomer who has spoken",
        "a newcomer of an earlier table",
        "a newcomer who came back",
    ],
)
async def test_a_candidate_is_refused_for_these_reasons(
    room: Room, who: Member, reason: Reason | None
) -> None:
    assert room.room._refusal(room.guest(who)) == (reason and Refusal.of(reason))


async def test_friends_take_the_places_of_strangers_in_a_full_room() -> None:
    room = Room()
    keys = [bytes([number]) * 32 for number in range(1, MOST_CANDIDATES + 1)]
    others = [Member(key, f"Guest {key[0]}", bytes(32)) for key in keys]
    for other in others:
        room.room._here.enter(room.guest(other))
    assert room.room.members == tuple(others)
    full = Refusal.of(Reason.ENOUGH_CANDIDATES)
    assert room.room._refusal(room.guest(IDA)) == full
    assert room.room._refusal(room.guest(IDA, known=True)) is None


def offer(table: Charter, number: int) -> Offered:
    message = Proposal(MEMBERS[0].key, number, b"charter", bytes(64))
    fake: Any = SimpleNamespace(charter=table, message=message)
    return fake  # type: ignore[no-any-return]


async def test_a_candidate_is_shown_each_proposal_that_seats_them_and_then_the_seat() -> None:
    room = Room()
    guest = room.guest(IDA)
    async with beside(lambda: room.room._accompany(guest)):
        assert await room.is_told() == []
        assert await room.is_told(offered=offer(TABLE, 1)) == []
        one, other = offer(WITH_IDA, 2), offer(WITH_IDA, 3)
        assert await room.is_told(offered=one) == ["the record", one.message]
        assert await room.is_told() == []
        assert await room.is_told(offered=other) == ["the record", other.message]
        assert await room.is_told(offered=one) == []
        assert guest.told == {one.message, other.message}
        assert await room.is_told(charter=WITH_IDA) == [HERE, "the record"]
        assert await room.is_told() == []


@pytest.mark.parametrize("complete", [False, True])
async def test_a_candidate_is_told_that_no_seat_is_vacant_any_more(complete: bool) -> None:
    room = Room(complete=complete, missing=frozenset())
    await room.room._accompany(room.guest(IDA))
    reason = Reason.MATCH_ENDED if complete else Reason.SEAT_NOT_VACANT_ANY_MORE
    assert room.told == [Goodbye(reason)]


async def test_a_candidate_is_told_now_and_then_that_they_are_noted() -> None:
    """The notes go on even if the candidate has not read all that was sent before."""
    room, times = Room(), list[float]()
    guest = room.guest(IDA)

    def send_nowait(frame: bytes) -> None:
        assert unpack(frame) == Noted()
        times.append(trio.current_time())
        raise SlowReader("The queue is full.")

    guest.link.send_nowait = send_nowait  # type: ignore[method-assign]
    async with beside(partial(room.room._beat, guest)):
        await trio.sleep(12)
    assert times == [5, 10]


@pytest.mark.parametrize("complete", [False, True])
async def test_candidates_are_told_of_the_end_of_the_match_before_their_room_closes(
    complete: bool,
) -> None:
    """If the match is over, a change wakes the task of each candidate, which tells them so.

    Otherwise closing the room ends their links at once.
    """
    room = Room(complete=complete)
    guest = room.guest(IDA)
    room.room._here.enter(guest)
    room.room.close()
    assert room.told == ["changed"] * complete
    assert guest.scope.cancel_called != complete

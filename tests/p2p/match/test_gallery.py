"""The gallery of a node: who is admitted there, who is listed, and who is barred (nodes.md, 3)."""

from types import SimpleNamespace
from typing import Any

import pytest
import trio
from attrs import evolve

from p2p.background_task import beside
from p2p.match.spectators import Gallery, _Visitor
from p2p.rate_limit import RateLimit
from p2p.refusals import Reason, Refusal
from p2p.table.asides import AsideCode, Asides
from p2p.table.node_updates import News
from p2p.transport.messages import Message, unpack
from p2p.transport.spectator_messages import (
    MOST_BARRED,
    MOST_SPECTATORS,
    Overheard,
    Spectator,
    Watch,
    Watching,
)
from protocol.charter import Charter
from protocol.errors import Refused
from tests.p2p.lobby.lobbies import charter
from tests.p2p.table.in_memory_mesh import MEMBERS

pytestmark = pytest.mark.usefixtures("autojump_clock")

ME, BRUNOS, CARLAS = range(3)
TABLE = evolve(charter(*MEMBERS), spectators=True)
FAY, GIL, HUGO, IDA = (Spectator(bytes([n]) * 32, name) for n, name in enumerate("FGHI", 1))


def gallery(table: Charter = TABLE) -> Gallery:
    """Return the gallery of player 0's node, which has links to both other players."""
    match = SimpleNamespace(news=News(), asides=Asides(ME, lambda _code: None, lambda: False))
    history = SimpleNamespace(charter=table)
    tables: Any = SimpleNamespace(
        history=history, match=match, match_id=b"match", linked=(CARLAS, BRUNOS)
    )
    return Gallery(tables, lambda: False)


def visitor(who: Spectator, *, known: bool = False, address: str = "192.0.2.1") -> _Visitor:
    sent: list[Message] = []

    async def send(frame: bytes) -> None:
        sent.append(unpack(frame))

    link: Any = SimpleNamespace(peer=who.key, address=address, send=send, sent=sent)
    record: Any = SimpleNamespace(number=-1)
    return _Visitor(link, known, record, RateLimit(), spectator=who)


def tells(here: Gallery, *arguments: Any) -> bool:
    """Let a member tell who watches; return True if that is news for other tasks."""
    news = here.tables.match.news.next
    here.told(*arguments)
    return news.is_set()


async def test_3_7_each_spectator_is_listed_once_and_those_at_this_node_first() -> None:
    here, namesake = gallery(), Spectator(GIL.key, "Other name")
    bruno = Spectator(MEMBERS[BRUNOS].key, "Bruno")
    assert tells(here, CARLAS, Watching((GIL, FAY, bruno)))
    assert tells(here, BRUNOS, Watching((namesake, HUGO)))
    assert not tells(here, BRUNOS, Watching((namesake, HUGO)))
    here._here.enter(visitor(IDA))
    assert here.own == (IDA,)
    assert here.talk == (Watching((IDA,)),)
    assert here.spectators == (IDA, namesake, HUGO, FAY)
    here.tables.linked = frozenset({CARLAS})  # type: ignore[misc]
    assert [*here.spectators] == [IDA, GIL, FAY]
    crowd = tuple(Spectator(bytes([n]) * 32, f"Guest {n}") for n in range(20))
    assert tells(here, CARLAS, Watching(crowd))
    assert here.spectators == (IDA, *(one for one in crowd[:MOST_SPECTATORS] if one.key != IDA.key))


async def test_3_1_a_table_without_spectators_tells_of_none() -> None:
    here = gallery(charter(*MEMBERS))
    assert not tells(here, BRUNOS, Watching((FAY,)))
    assert (here.spectators, here.talk) == ((), ())


async def test_3_9_each_member_can_bar_a_spectator() -> None:
    here, guests = gallery(), [visitor(one) for one in (FAY, GIL, HUGO)]
    for guest in guests:
        here._here.enter(guest)
    with pytest.raises(Refused, match="Nobody with that key"):
        here.bar(IDA.key)
    news = here.tables.match.news.next
    here.bar(GIL.key)
    assert news.is_set()
    assert tells(here, CARLAS, Watching((), (HUGO.key,)))
    sent_away = [(guest.barred, guest.scope.cancel_called) for guest in guests]
    assert sent_away == [(False, False), (True, True), (True, True)]
    assert [here.barred_by(one.key) for one in (FAY, GIL, HUGO)] == [None, ME, CARLAS]
    assert here.talk == (Watching((FAY, GIL, HUGO), (GIL.key,)),)
    # A member's newest MOST_BARRED bars count. After so many others, Gil may come again.
    for number in range(MOST_BARRED):
        assert here.barred_by(GIL.key) == ME
        made_up = Spectator(bytes([100 + number]) * 32, "Guest")
        here.told(BRUNOS, Watching((made_up,)))
        here.bar(made_up.key)
    assert here.barred_by(GIL.key) is None
    assert len(here._barred) == MOST_BARRED


async def test_3_4_a_spectator_hears_the_members_only_after_getting_the_charter() -> None:
    here, guest = gallery(), visitor(FAY)
    async with beside(lambda: here._pass_on_asides(guest)):
        await trio.testing.wait_all_tasks_blocked()
        # -1: the guest has not been sent the charter yet
        for number, code in ((-1, AsideCode.GOOD_LUCK), (0, AsideCode.THANK_YOU)):
            guest.record.number = number
            here.tables.match.asides.say(code)
            await trio.testing.wait_all_tasks_blocked()
    link: Any = guest.link
    assert link.sent == [Overheard(ME, AsideCode.THANK_YOU)]


@pytest.mark.parametrize(("reads_for", "waits"), [(0.9, 0.9), (9, 1)])
async def test_3_6_a_node_that_stops_waits_a_moment_until_its_spectators_have_the_end(
    reads_for: float, waits: float
) -> None:
    here, guests = gallery(), [visitor(FAY), visitor(GIL)]
    for guest in guests:
        here._here.enter(guest)

    async def leave() -> None:
        for guest in guests:
            await trio.sleep(reads_for / 2)
            here._here.leave(guest)
            here.tables.match.news.tell()

    began = trio.current_time()
    async with beside(leave):
        await here.close()
        assert trio.current_time() - began == pytest.approx(waits)
    assert [guest.scope.cancel_called for guest in guests] == 2 * [reads_for > waits]


@pytest.mark.parametrize(
    ("who", "wish", "reason"),
    [
        (IDA, Watch("I"), None),
        (IDA, Watch("I", b"match"), None),
        (IDA, Watch("I", b"other"), Reason.NO_TABLE),
        (Spectator(MEMBERS[0].key, "I"), Watch("I"), Reason.MATCH_NOT_OVER),
        (Spectator(MEMBERS[2].key, "I"), Watch("I", b"other"), Reason.NO_TABLE),
        (GIL, Watch("G", b"other"), Reason.SPECTATOR_BARRED),
        (evolve(IDA, name="ana"), Watch("ana"), Reason.NAME_TAKEN),
        (evolve(IDA, name="f"), Watch("f"), Reason.NAME_TAKEN),
        (FAY, Watch("F"), None),
    ],
    ids=[
        "a stranger",
        "a stranger who names the match",
        "a stranger who names another match",
        "a player",
        "a player who names another match",
        "a barred spectator who names another match",
        "a player's name",
        "a spectator's name",
        "the same spectator again",
    ],
)
async def test_3_3_a_spectator_is_refused_for_these_reasons(
    who: Spectator, wish: Watch, reason: Reason | None
) -> None:
    here = gallery()
    here._here.enter(visitor(FAY))
    here.told(BRUNOS, Watching((), (GIL.key,)))
    assert here._refusal(visitor(who), wish) == (reason and Refusal.of(reason))


async def test_3_3_a_full_or_closed_gallery_refuses_strangers() -> None:
    assert gallery(charter(*MEMBERS))._refusal(visitor(IDA), Watch("I")) == Refusal.of(
        Reason.NO_SPECTATORS
    )
    here = gallery()
    for number in range(MOST_SPECTATORS):
        here._here.enter(visitor(Spectator(bytes([100 + number]) * 32, f"Guest {number}")))
    full = Refusal.of(Reason.ENOUGH_SPECTATORS)
    assert here._refusal(visitor(IDA), Watch("I")) == full
    assert here._refusal(visitor(IDA, known=True), Watch("I")) is None


@pytest.mark.parametrize(
    ("addresses", "most", "seconds"),
    [("192.0.2.1", 4, 60), ("2001:db8::{}", 8, None), ("192.0.2.{}", 16, None)],
)
async def test_3_3_strangers_may_arrive_a_few_times_at_once_and_then_one_by_one(
    addresses: str, most: int, seconds: float | None
) -> None:
    """Strangers of one address, strangers of one network, and all strangers have their limits."""
    here = gallery()
    crowd = [visitor(FAY, address=addresses.format(number)) for number in range(30)]
    assert [here._may_arrive(one) for one in crowd] == most * [True] + (30 - most) * [False]
    friend = visitor(GIL, known=True, address=addresses.format(1))
    assert [here._may_arrive(friend) for _ in range(17)] == 16 * [True] + [False]
    # A friend may arrive 16 times at once, and then once every 15 seconds.
    for wait, again in ((14.5, [False]), (1, [True, False])):
        await trio.sleep(wait)
        assert [here._may_arrive(friend) for _ in again] == again
    if seconds is not None:  # 15.5 seconds have passed by now
        for wait, again in ((seconds - 16, [False]), (1, [True, False])):
            await trio.sleep(wait)
            assert [here._may_arrive(crowd[0]) for _ in again] == again

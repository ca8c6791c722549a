"""The links of a spectator: whom the node calls, whom it calls again, and when it gives up."""

from types import SimpleNamespace
from typing import Any
from unittest.mock import AsyncMock, MagicMock, call

import pytest
import trio

from client.session import watched_table
from client.session.call_retries import GIVE_UP_SECONDS
from client.session.joined_lobby import Target
from client.session.watched_table import SpectatorSeat, WatchedTable
from engine.moves import DrawStock
from engine.sentences import SentenceError
from p2p.background_task import beside
from p2p.lobby.guest import NotUnderstood
from p2p.match.table_status import TableStatus
from p2p.refusals import Reason
from p2p.transport.endpoint import LOBBY, Declined
from p2p.transport.frames import LinkClosed, LinkError, LinkStalled
from p2p.transport.link import Unreachable
from p2p.transport.spectator_messages import Spectator
from p2p.transport.tls import HungUp
from protocol.errors import Malformed, Refused
from protocol.match.messages import Wish, WishKind
from tests.client.lobby_snapshots import key_of
from tests.client.waiting_seat import seat_waiting

pytestmark = pytest.mark.usefixtures("autojump_clock")

EVA = (Spectator(bytes(32), "Eva"),)
AWAY = Unreachable("Nobody answers.")
NOT_BEGUN, NO_TABLE = Declined(Reason.NOT_BEGUN), Declined(Reason.NO_TABLE)
BARRED = Declined(Reason.SPECTATOR_BARRED)


class Table:
    """A stand-in for the match that is watched."""

    def __init__(self, *, begun: bool = False) -> None:
        self.begun, self.over = begun, False
        self.progress = trio.Event()
        self.followed: list[object] = []
        self.asides = None

    async def follow(self, link: object) -> None:
        await trio.lowlevel.checkpoint()
        self.followed.append(link)
        self.over = True

    def close(self) -> None:
        self.progress.set()
        self.progress = trio.Event()


def watching(table: Any, local: Any = None, find: Any = None) -> WatchedTable:
    return WatchedTable(local, table, find)


@pytest.mark.parametrize(
    ("begun", "errors", "at_first", "later"),
    [
        (False, [AWAY], False, False),
        (True, [AWAY], True, True),
        (True, [LinkClosed("It broke.")], True, True),
        (True, [LinkStalled("Slow.")], True, True),
        (True, [NotUnderstood("Nothing.")], True, True),
        (False, [LinkClosed("It broke.")], True, False),
        (False, [NOT_BEGUN], True, True),
        (False, [NO_TABLE], False, False),
        (False, [NOT_BEGUN, NO_TABLE], True, False),
        (False, [LinkClosed("It broke."), NO_TABLE], False, False),
        (True, [LinkClosed("It broke."), NO_TABLE], True, False),
        (True, [NO_TABLE], False, False),
        (True, [BARRED], False, False),
        (True, [LinkClosed("It broke."), BARRED], False, False),
    ],
)
async def test_a_spectator_calls_again_if_that_may_help(
    begun: bool, errors: list[LinkError], at_first: bool, later: bool
) -> None:
    """The last error comes twice: at once, and again after `GIVE_UP_SECONDS`."""
    watched = watching(Table(begun=begun))
    for error in errors[:-1]:
        assert watched._tries_again(error)
    assert watched._tries_again(errors[-1]) is at_first
    await trio.sleep(GIVE_UP_SECONDS)
    assert watched._tries_again(errors[-1]) is later


@pytest.mark.parametrize("announced", [None, key_of(3)])
async def test_a_spectator_follows_the_node_that_answers(
    announced: bytes | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The node must be the one that was announced, and it is called first the next time."""
    link = SimpleNamespace(address="192.0.2.1", peer=key_of(1))
    dial = MagicMock()
    dial.return_value.__aenter__ = AsyncMock(return_value=link)
    known = [Target(("192.0.2.1", "192.0.2.2"), 7, key_of(2), announced)]
    find = AsyncMock(return_value=known)
    monkeypatch.setattr(watched_table, "check_announced", checked := AsyncMock())
    table = Table()
    local = SimpleNamespace(endpoint=SimpleNamespace(dial=dial))
    watched = watching(table, local, find)
    await watched._follow_once()
    dial.assert_called_once_with(("192.0.2.1", "192.0.2.2"), 7, LOBBY, expect=key_of(2))
    assert checked.call_args_list == [call(link, announced)] * bool(announced)
    assert table.followed == [link]
    same = Target(("192.0.2.1",), 7, key_of(1))
    assert await watched._targets() == (same, *known)
    find.side_effect = AWAY
    assert await watched._targets() == (same,)
    watched._at = None  # as before the first answer
    with pytest.raises(Unreachable):
        await watched._targets()


@pytest.mark.parametrize("begun", [False, True])
@pytest.mark.parametrize("error", [Malformed("Not in this program."), BARRED])
async def test_a_permanent_error_ends_watching(
    error: SentenceError, begun: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No error is raised if the person has seen the table: they are told when they leave it."""

    async def once(_watched: WatchedTable) -> None:
        await trio.sleep(1)
        table.begun = begun
        table.close()
        await trio.sleep(1)
        raise error

    monkeypatch.setattr(WatchedTable, "_follow_once", once)
    table, shown = Table(), list[float]()
    watched = watching(table)
    began = trio.current_time()

    async def show_table(seat: object, _asides: object) -> None:
        assert isinstance(seat, SpectatorSeat)
        shown.append(trio.current_time() - began)
        await trio.sleep(3)

    showing = watched.show(lambda reach: reach(print), show_table)
    if begun:
        await showing
    else:
        with pytest.raises(type(error)):
            await showing
    assert watched.failure is error
    assert shown == [1] * begun
    assert trio.current_time() - began == (4 if begun else 2)


def following(
    monkeypatch: pytest.MonkeyPatch, *outcomes: LinkError, begun: bool = False
) -> WatchedTable:
    """Return a watched table: its calls to the player fail with `outcomes`, then one succeeds.

    After the failures the table can be followed for one minute, to its end.
    """
    table, left = Table(begun=begun), list(outcomes)

    async def once(_watched: WatchedTable) -> None:
        await trio.lowlevel.checkpoint()
        if left:
            raise left.pop(0)
        table.begun = True
        table.close()
        await trio.sleep(60)
        table.over = True

    monkeypatch.setattr(WatchedTable, "_follow_once", once)
    return watching(table)


@pytest.mark.parametrize(
    ("outcomes", "told", "least"),
    [
        (
            [Declined(Reason.ENOUGH_SPECTATORS)] * 40,
            ["All places for spectators at that table are taken"],
            200,
        ),
        (
            [Declined(Reason.TOO_MANY_CAME)] * 40,
            ["Too many strangers have come to watch there lately"],
            200,
        ),
        (
            [*[NOT_BEGUN] * 40, NO_TABLE],
            ["The match at that table has not begun", "The link to the table has broken"],
            200,
        ),
        ([HungUp("Busy.")], ["The program of that player is busy"], 0),
    ],
    ids=["full", "crowd", "lobby", "busy"],
)
async def test_a_visitor_retries_until_admitted_and_reads_the_reason(
    outcomes: list[LinkError], told: list[str], least: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Once the table can be seen, the visitor reads no more reasons."""
    watched, lines = following(monkeypatch, *outcomes), list[str]()
    began = trio.current_time()
    async with beside(watched._follow):
        assert await watched._reach(lines.append)
        assert trio.current_time() - began >= least
    assert [line.partition(":")[0] for line in dict.fromkeys(lines)] == told
    assert all(line.endswith("tries again by itself.") for line in lines)


async def test_a_watched_table_is_called_again_until_it_is_gone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A player who restarts opens the table again after a moment, and cannot be reached before."""
    unreached, told = [AWAY] * 900, list[str]()
    watched = following(monkeypatch, LinkClosed("It broke."), *unreached, NO_TABLE, begun=True)
    assert await watched._reach(told.append)
    await watched._follow()
    assert trio.current_time() > 900
    assert (watched.failure, told) == (NO_TABLE, [])
    watched.table.begun = False  # type: ignore[misc]
    assert not await watched._reach(told.append)


async def test_a_spectator_sees_what_the_followed_match_has() -> None:
    """A spectator can neither move nor wish."""
    state = seat_waiting(3).state
    table: Any = SimpleNamespace(
        progress=trio.Event(),
        state=state,
        exposed=None,
        spectators=EVA,
        past=["a change"],
        changes=lambda: "changes",
        record=lambda: "record",
    )
    seat: Any = SpectatorSeat(table)
    assert (seat.progress, seat.state, seat.past) == (table.progress, state, ["a change"])
    assert (seat.changes(), seat.record(), seat.me) == ("changes", "record", 0)
    assert seat.status == TableStatus(
        state=state, view=state.match.round, exposed=None, spectators=EVA
    )
    with pytest.raises(Refused, match="only looks on"):
        await seat.play(DrawStock())
    with pytest.raises(Refused, match="only looks on"):
        seat.wish(Wish(WishKind.END))


async def test_a_person_who_does_not_wait_for_the_table_just_leaves(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def leaves(_reach: object) -> bool:
        await trio.sleep(1)
        return False

    monkeypatch.setattr(WatchedTable, "_follow_once", lambda _: trio.sleep_forever())
    watched, shown = watching(Table()), AsyncMock()
    with trio.fail_after(5):
        await watched.show(leaves, shown)
    assert (watched.failure, shown.called) == (None, False)

"""Evenings with other people, over real sockets of this machine: lobbies, and a rematch."""

from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AbstractContextManager, asynccontextmanager, nullcontext
from functools import partial
from pathlib import Path

import pytest
import trio
from attrs import define, field

from client.session.absence import House
from client.session.bot_pool import Household, Style, open_household
from client.session.hosting import Admission, HostedRoom
from client.session.joining import Target, VisitedRoom
from client.session.lobby import Decision, Room, sit_in_lobby
from client.session.local_node import Home, at_home
from client.session.next_step import Wish
from client.session.run import evening, other_seats
from client.session.table import Manner
from client.ui.linear.lobby import LobbyLines
from engine.games import game_named
from p2p.discovery.beacon import NoBeacon
from p2p.lobby.guest import join
from p2p.lobby.host import KEPT
from p2p.storage.folders import make_private
from p2p.storage.memberships import Membership
from p2p.table.node import Node
from p2p.transport.endpoint import Declined
from p2p.transport.lobby_messages import Terms
from protocol.charter import Charter

PATIENCE = 30


@pytest.fixture(autouse=True)
def _without_beacons(monkeypatch: pytest.MonkeyPatch) -> None:
    def none() -> None:
        raise NoBeacon("There is no network here.")

    @asynccontextmanager
    async def opening() -> AsyncIterator[None]:
        none()
        yield

    monkeypatch.setattr("client.session.local_node.open_beacons", opening)


def terms(game: str, seats: int) -> Terms:
    rules = game_named(game)
    return Terms("Kitchen", rules, rules.options(rounds=1), seats)


@define
class Regular:
    """Somebody who is always ready, and leaves each table with the next wish."""

    wishes: list[Wish]
    charters: list[Charter] = field(factory=list)
    told: list[str] = field(factory=list)
    ready: bool = True

    def stage(self) -> AbstractContextManager[None]:
        return nullcontext()

    def tell(self, line: str) -> None:
        self.told.append(line)

    async def lobby(self, room: Room) -> Membership | None:
        return await sit_in_lobby(room, LobbyLines(self.tell))

    async def table(self, node: Node, _house: House, wishes: Sequence[Wish]) -> Wish:
        await trio.lowlevel.checkpoint()
        assert set(wishes) == {Wish.AGAIN, Wish.OTHER_SEATS}
        self.charters.append(node.charter)
        return self.wishes.pop(0)


async def spend(
    folder: Path, ana: Regular, bruno: Regular, game: str, seats: int, opponents: int
) -> None:
    """Ana opens a table, Bruno sits down there, and they stay as long as they wish."""
    port: list[int] = []

    async def host(home: Home, household: Household) -> Room:
        port.append(home.endpoint.port)
        admission = Admission(opponents)
        return HostedRoom(home, household, "Ana", terms(game, seats), admission, ready=True)

    async def visit(home: Home, _household: Household) -> Room:
        async def find() -> list[Target]:
            while not port:
                await trio.sleep(0.01)
            return [Target(("127.0.0.1",), port[0])]

        return VisitedRoom(home, "Bruno", find, ready=True)

    with trio.fail_after(PATIENCE):
        async with trio.open_nursery() as nursery:
            for name, front, begin in (("a", ana, host), ("b", bruno, visit)):
                home = make_private(folder / name)
                nursery.start_soon(evening, home, 0, front, Manner(Style("easy")), begin)


async def test_who_wants_a_rematch_meets_again_at_the_same_table(tmp_path: Path) -> None:
    ana = Regular([Wish.OTHER_SEATS, Wish.LEAVE])
    bruno = Regular([Wish.AGAIN, Wish.LEAVE])
    await spend(tmp_path, ana, bruno, "kanastic", 3, opponents=1)
    assert ana.charters == bruno.charters
    first, second = ana.charters
    assert first.table_id != second.table_id
    assert not {m.nonce for m in first.members} & {m.nonce for m in second.members}
    assert (first.game, first.options, first.grace) == (second.game, second.options, second.grace)
    assert [m.key for m in second.members] == list(other_seats([m.key for m in first.members]))
    assert any(line.startswith("The table “Kitchen” is open") for line in ana.told[-20:])
    assert "Waiting until Ana opens the table again." in bruno.told


async def test_who_waits_for_a_host_that_has_left_may_leave(tmp_path: Path) -> None:
    waiting = trio.Event()

    def tell(line: str) -> None:
        if "opens the table again" in line:
            waiting.set()

    async with trio.open_nursery() as nursery:
        bruno = Regular([Wish.AGAIN], told=_Told(tell))
        ana = Regular([Wish.LEAVE])
        nursery.start_soon(partial(spend, tmp_path, ana, bruno, "canastra", 2, opponents=0))
        with trio.fail_after(PATIENCE):
            await waiting.wait()
        nursery.cancel_scope.cancel()
    assert len(bruno.charters) == 1


class _Told(list[str]):
    """Lines that somebody listens to."""

    def __init__(self, listen: Callable[[str], None]) -> None:
        super().__init__()
        self._listen = listen

    def append(self, line: str) -> None:
        super().append(line)
        self._listen(line)


@asynccontextmanager
async def hosted(folder: Path, seats: int, admission: Admission) -> AsyncIterator[HostedRoom]:
    """A room in which Ana, who is not ready, hosts as long as the block lasts."""
    async with at_home(make_private(folder), 0) as home, open_household(home) as household:
        room = HostedRoom(home, household, "Ana", terms("canasta", seats), admission, ready=False)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(room.run)
            yield room
            nursery.cancel_scope.cancel()


async def until(room: Room, count: int) -> tuple[str, ...]:
    """Who is there, as soon as there are so many."""
    with trio.fail_after(PATIENCE):
        while True:
            lobby_state = room.snapshot.lobby_state
            if lobby_state is not None and len(lobby_state.present) == count:
                return lobby_state.names
            await room.changed()


async def test_opponents_are_added_and_sent_away(tmp_path: Path) -> None:
    async with hosted(tmp_path / "a", 4, Admission(1)) as room:
        first = await until(room, 2)
        room.decide(Decision.ADD_OPPONENT)
        both = await until(room, 3)
        assert both[:2] == first
        assert len(room.snapshot.opponents) == 2
        room.decide(Decision.SEND_OPPONENT_AWAY)
        assert await until(room, 2) == first
        room.decide(Decision.ADD_OPPONENT)
        room.decide(Decision.ADD_OPPONENT)
        await until(room, 4)
        room.decide(Decision.ADD_OPPONENT)
        assert set(both) < set(await until(room, 4))


async def test_a_table_that_is_kept_refuses_others_and_both_sides_hear_why(
    tmp_path: Path,
) -> None:
    kept = Admission(only=frozenset({bytes(32)}))
    async with (
        hosted(tmp_path / "a", 2, kept) as room,
        at_home(make_private(tmp_path / "b"), 0) as visitor,
    ):
        await until(room, 1)
        port = room.home.endpoint.port
        arguments = (visitor.endpoint, visitor.journal, "127.0.0.1", port)
        with pytest.raises(Declined, match="kept for those"):
            await join(*arguments, "Eva", bytes)
        assert room.snapshot.news[-1] == f"!! Eva was refused: {KEPT}"
        room.decide(Decision.ADD_OPPONENT)  # the host's own opponents may fill up
        await until(room, 2)
        with pytest.raises(Declined, match="full"):
            await join(*arguments, "Eva", bytes)
        assert room.snapshot.news[-1] == "!! Eva was refused: The table is full."


async def test_ready_and_not_ready_are_seen(tmp_path: Path) -> None:
    async with hosted(tmp_path / "a", 2, Admission()) as room:
        await until(room, 1)
        for decision, ready in ((Decision.READY, True), (Decision.WAIT, False)):
            room.decide(decision)
            assert room.snapshot.ready is ready


@pytest.mark.parametrize("players", [2, 3, 4, 6])
def test_other_seats_keep_the_host_and_change_each_ones_partner(players: int) -> None:
    keys = [bytes([number]) for number in range(players)]
    order = other_seats(keys)
    assert order[0] == keys[0]
    assert sorted(order) == keys
    if players == 4:
        assert all(order[(i + 2) % 4] != keys[(keys.index(order[i]) + 2) % 4] for i in range(4))

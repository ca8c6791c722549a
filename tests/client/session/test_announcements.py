"""Beacons of a lobby and of a table, and the ways by which players find each other again."""

import math
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import trio
from attrs import define, evolve, field

from client.session.display.snapshot import AfterMatch
from client.session.hosted_lobby import Admission, HostedLobby
from client.session.joined_lobby import JoinedLobby, Target
from client.session.run import _lobby_again, other_seats
from client.session.table import TableSession, _announce_table
from p2p.background_task import beside
from p2p.discovery.beacon import Beacon, tag_of
from p2p.discovery.beacons import NoBeacon
from p2p.storage.data_path import JOURNAL_FILE
from p2p.storage.journal import Journal
from p2p.transport.lobby_messages import Terms
from protocol.charter import Charter
from tests.client.lobby_snapshots import key_of
from tests.protocol.seeded_table import SeededTable

pytestmark = pytest.mark.usefixtures("autojump_clock")

HERE = Beacon(key_of(9), ("192.0.2.1",), 7)
OWN = key_of(0)


@define
class Local:
    """A stand-in for the node of this machine; `announced` lists its beacons with their times."""

    here: Beacon = HERE
    announced: list[tuple[float, Beacon]] = field(factory=list)
    faults: list[Exception] = field(factory=list)
    seconds: float = 0
    """The time that an announcement takes."""
    identity: object = SimpleNamespace(public=OWN)
    announcer: object = SimpleNamespace(public=HERE.key)
    endpoint: object = SimpleNamespace(identity=identity, port=7)
    journal: object = None
    trouble: str | None = None
    beacons: Any = None

    def beacon(self) -> Beacon:
        return self.here

    async def announce(self, beacon: Beacon) -> None:
        self.announced.append((trio.current_time(), beacon))
        await trio.sleep(self.seconds)
        if self.faults:
            raise self.faults.pop()


def lobby_of(local: Any, admission: Admission, terms: Terms) -> tuple[HostedLobby, Any]:
    """Return a lobby, and a stand-in for the state of that lobby."""
    lobby = HostedLobby(local, SimpleNamespace(), "Ana", terms, admission, ready=False)  # type: ignore[arg-type]
    state = SimpleNamespace(free=3)
    lobby._host = SimpleNamespace(lobby_state=state)  # type: ignore[assignment]
    return lobby, state


@pytest.fixture
def charter() -> Charter:
    return SeededTable.sit("canasta", 3, spectators=True).state.charter


def terms_of(charter: Charter, *, spectators: bool) -> Terms:
    return Terms("Kitchen", charter.game, charter.options, 4, spectators=spectators)


@pytest.mark.parametrize("spectators", [False, True])
async def test_a_lobby_is_announced_anew_when_a_seat_is_taken(
    charter: Charter, spectators: bool
) -> None:
    local = Local()
    lobby, state = lobby_of(local, Admission(), terms_of(charter, spectators=spectators))
    async with beside(lobby._announce):
        await trio.sleep(1)
        state.free = 2
        lobby._wake()
        await trio.sleep(1)
    open_table = evolve(HERE, table="Kitchen", game="canasta", seats=4, spectators=spectators)
    assert [beacon for _, beacon in local.announced] == [
        evolve(open_table, free=3),
        evolve(open_table, free=2),
    ]


async def test_a_seat_taken_during_an_announcement_is_announced_next(charter: Charter) -> None:
    """Announcing takes a moment; a guest who sits down meanwhile must not be overlooked."""
    local = Local(seconds=1)
    lobby, state = lobby_of(local, Admission(), terms_of(charter, spectators=False))
    async with beside(lobby._announce):
        await trio.sleep(0.5)
        state.free = 2
        lobby._wake()
        await trio.sleep(5)
    assert [beacon.free for _, beacon in local.announced] == [3, 2]


async def test_a_rematch_is_announced_only_to_its_players(charter: Charter) -> None:
    """The beacon names no table and no game. Only players of the last table recognise its tag."""
    local = Local(faults=[NoBeacon("The network is down.")])
    former = bytes(range(32))
    kept = Admission(only=frozenset({OWN}), former=former)
    lobby, _state = lobby_of(local, kept, terms_of(charter, spectators=True))
    await lobby._announce()
    tag = tag_of(former, OWN, HERE.key)
    assert [beacon for _, beacon in local.announced] == [evolve(HERE, free=3, tag=tag)]
    assert lobby._news.lines == ("The network is down.",)


def node_of(charter: Charter, **more: Any) -> Any:
    return SimpleNamespace(charter=charter, match_id=charter.table_id, **more)


async def test_a_table_is_announced_anew_when_its_beacon_changes(charter: Charter) -> None:
    """Without a vacant seat or spectators, only the members recognise the beacon.

    The node looks once a second. Here the first announcement, at 0 s, fails, and is tried again at
    1 s. The later announcements are for the new port and for the vacant seat.
    """
    local: Any = Local(faults=[NoBeacon("The network is down.")])
    node = node_of(evolve(charter, spectators=False), vacant=None)
    began = trio.current_time()
    async with beside(partial(_announce_table, local, node)):
        await trio.sleep(4.5)
        local.here = evolve(HERE, port=8)
        await trio.sleep(1)
        node.vacant = 0
        await trio.sleep(1)
    quiet = evolve(HERE, tag=tag_of(node.match_id, OWN, HERE.key))
    moved = evolve(quiet, port=8)
    times, beacons = zip(*local.announced, strict=True)
    assert [time - began for time in times] == [0, 1, 5, 6]
    assert beacons[:3] == (quiet, quiet, moved)
    assert (beacons[3].tag, beacons[3].free, beacons[3].seats) == (quiet.tag, 1, 3)


async def test_a_table_that_can_be_watched_is_announced_to_everybody(charter: Charter) -> None:
    local: Any = Local()
    async with beside(partial(_announce_table, local, node_of(charter, vacant=None))):
        await trio.sleep(0.5)
    ((_, beacon),) = local.announced
    assert (beacon.game, beacon.seats, beacon.spectators, beacon.free) == ("canasta", 3, True, 0)
    assert beacon.table.startswith("Canasta")


@define
class Heard:
    """A stand-in for the beacons of others, which change at the times in `at`."""

    at: list[float]
    asked: list[tuple[bytes, Sequence[bytes]]] = field(factory=list)
    places: tuple[Any, ...] = ()

    def of(self, table: bytes, keys: Sequence[bytes]) -> tuple[Any, ...]:
        self.asked.append((table, list(keys)))
        return self.places

    async def changed(self) -> None:
        await trio.sleep_until(self.at.pop(0) if self.at else math.inf)


async def test_a_node_learns_new_addresses_every_few_seconds(
    charter: Charter, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It looks two seconds after a change of the beacons, and otherwise every four seconds.

    Here the beacons change after 0 s and after 2.5 s.
    """
    learnt: list[float] = []
    node = node_of(charter, learn=lambda _found: learnt.append(trio.current_time()))
    began = trio.current_time()
    local: Any = SimpleNamespace(endpoint=None, journal=None, beacons=Heard([began, began + 2.5]))
    monkeypatch.setattr("client.session.table.MatchNode", lambda *_, **_more: node)
    none: Any = SimpleNamespace(bots=None)
    session = TableSession(local, none, none, none, none)
    async with beside(session._follow):
        await trio.sleep(9.9)
    assert [time - began for time in learnt] == [0, 2, 4.5, 8.5]
    keys = [member.key for member in charter.members]
    assert local.beacons.asked == [(charter.table_id, keys)] * 4


# -- the lobby of a rematch


def left(charter: Charter, me: int, journal: Journal, **more: Any) -> Any:
    """Return a stand-in for a table that player `me` has left."""
    identity = SimpleNamespace(public=charter.members[me].key)
    local = Local(identity=identity, journal=journal, **more)
    places = {0: [("192.0.2.5", 5), ("192.0.2.6", 6)]}
    node = node_of(charter, me=me, places_of=places.__getitem__)
    bots = SimpleNamespace(keys=frozenset({charter.members[2].key, key_of(7)}))
    return SimpleNamespace(local=local, node=node, seated_bots=bots)


Order = Callable[[Sequence[bytes]], Sequence[bytes]]


@pytest.mark.parametrize(
    ("choice", "order"), [(AfterMatch.AGAIN, tuple), (AfterMatch.OTHER_SEATS, other_seats)]
)
@pytest.mark.parametrize("title", ["Kitchen", ""])
async def test_the_host_opens_a_rematch_for_the_same_players(
    charter: Charter, choice: AfterMatch, order: Order, title: str, tmp_path: Path
) -> None:
    with Journal.open(tmp_path / JOURNAL_FILE) as journal:
        table = left(charter, 0, journal)
        lobby: Any = _lobby_again(table, choice, title)
    keys = tuple(member.key for member in charter.members)
    assert (lobby.local, lobby.seated_bots) == (table.local, table.seated_bots)
    assert (lobby.name, lobby.ready) == (charter.members[0].name, True)
    assert lobby.admission == Admission(
        opponents=1, only=frozenset(keys), former=charter.table_id, order=order(keys)
    )
    named = lobby.terms.title
    assert named == "Kitchen" if title else named.startswith("Canasta ")
    assert lobby.terms == Terms(
        named, charter.game, charter.options, 3, charter.grace, charter.spectators
    )


@pytest.mark.parametrize("places", [None, (SimpleNamespace(host="a", port=1),)])
async def test_a_guest_looks_for_the_rematch_where_the_host_was(
    charter: Charter, places: Any, tmp_path: Path
) -> None:
    heard = places and Heard([], places=places)
    with Journal.open(tmp_path / JOURNAL_FILE) as journal:
        table = left(charter, 1, journal, beacons=heard)
        lobby = _lobby_again(table, AfterMatch.AGAIN, "Kitchen")
    assert isinstance(lobby, JoinedLobby)
    host = charter.members[0]
    assert (lobby.name, lobby.host, lobby.ready) == (charter.members[1].name, host.name, True)
    announced = [Target(("a",), 1, host.key)] if heard else []
    assert await lobby.find() == [
        Target(("192.0.2.5",), 5, host.key),
        Target(("192.0.2.6",), 6, host.key),
        *announced,
    ]
    if heard:
        assert heard.asked == [(charter.table_id, [host.key])]

"""Beacons of members of one table: nobody keeps them from finding each other."""

from collections.abc import Callable

import pytest
import trio
from attrs import evolve

from p2p.background_task import beside
from p2p.discovery.beacon import Beacon, tag_of
from p2p.discovery.beacons import MOST_BEACONS, MOST_OF_ADDRESS, MOST_OF_MEMBER, Beacons
from p2p.discovery.mdns import Mdns
from p2p.storage.identity import Identity
from tests.p2p.discovery.heard_beacons import BEACON, everybody, heard, nobody

pytestmark = pytest.mark.usefixtures("autojump_clock")

MEMBER = Identity.generate().public


def node(number: int, *, moment: int = 9, tag: str | None = None) -> Beacon:
    """Return the beacon of a node that plays at the table of 32 zero bytes."""
    key = number.to_bytes(32, "little")
    tag = tag_of(bytes(32), MEMBER, key) if tag is None else tag
    hosts = (f"192.0.2.{number % 250}",)
    return evolve(BEACON, key=key, hosts=hosts, table="", tag=tag, moment=moment)


def places(beacons: Beacons) -> list[str]:
    return [address.host for address in beacons.of(bytes(32), [MEMBER])]


async def test_who_copies_the_tag_of_a_member_is_not_called() -> None:
    real = node(1)
    beacons = heard(everybody, real, node(2, tag=real.tag))
    assert places(beacons) == ["192.0.2.1"]


async def test_false_nodes_and_goodbyes_hide_no_member() -> None:
    beacons = heard(everybody)
    assert places(beacons) == []
    beacons.note(node(1).name, node(1))
    for number in range(100, 100 + 4 * MOST_BEACONS):
        beacons.note(f"{number}", node(number, tag=""))
    beacons.note(node(1).name, None)
    assert places(beacons) == ["192.0.2.1"]
    for number in range(2, 9):  # a member who starts again and again has a new beacon each time
        beacons.note(node(number).name, node(number, moment=9 + number))
    assert places(beacons) == ["192.0.2.6", "192.0.2.7", "192.0.2.8"]
    assert MOST_OF_MEMBER == 3


async def test_a_member_is_where_their_latest_beacon_says() -> None:
    """One of the same second counts, too: the node was found at another of its addresses."""
    elsewhere = {at: evolve(node(1, moment=at), hosts=(f"192.0.2.{at}",)) for at in (8, 9, 10)}
    beacons = heard(everybody, node(1))
    assert places(beacons) == ["192.0.2.1"]
    for at, place in ((8, 1), (9, 9), (10, 10), (9, 10)):
        beacons.note(node(1).name, elsewhere[at])
        assert places(beacons) == [f"192.0.2.{place}"]


async def test_of_many_beacons_of_a_member_the_latest_are_kept_in_whatever_order_they_come() -> (
    None
):
    beacons = heard(everybody)
    assert places(beacons) == []
    for number in (7, 2, 8, 1, 5):
        beacons.note(node(number).name, node(number, moment=number))
    assert sorted(places(beacons)) == ["192.0.2.5", "192.0.2.7", "192.0.2.8"]


async def test_a_member_whose_calendar_was_set_back_is_found() -> None:
    """By the beacon that is heard last; who repeats old ones displaces none of the latest."""
    beacons = heard(everybody)
    assert places(beacons) == []
    for number in (1, 2, 3):
        beacons.note(node(number).name, node(number, moment=100 + number))
    beacons.note(node(4).name, node(4, moment=50))
    assert sorted(places(beacons)) == [f"192.0.2.{number}" for number in (1, 2, 3, 4)]
    for number in (5, 6):
        beacons.note(node(number).name, node(number, moment=40))
    assert sorted(places(beacons)) == [f"192.0.2.{number}" for number in (1, 2, 3, 6)]


async def test_members_of_four_tables_are_told_apart() -> None:
    """A machine may play at several; who asks for a fifth gives up the first."""
    tables, other = [bytes([number]) * 32 for number in range(5)], bytes(31) + b"9"
    beacons = heard(everybody)

    def at(number: int, member: bytes) -> list[str]:
        return [address.host for address in beacons.of(tables[number], [member])]

    for table_id in tables[:4]:
        beacons.of(table_id, [MEMBER, other])
    for number, table_id in enumerate(tables):
        for place, member in ((number, MEMBER), (100 + number, other)):
            key = place.to_bytes(32, "little")
            found = node(place, tag=tag_of(table_id, member, key))
            beacons.note(found.name, found)
    for number in range(4):
        assert at(number, MEMBER) == [f"192.0.2.{number}"]
        assert at(number, other) == [f"192.0.2.{100 + number}"]
        assert len(beacons.of(tables[number], [MEMBER, other])) == 2
    assert at(4, MEMBER) == ["192.0.2.4"]
    assert list(beacons._wanted) == tables[1:]


async def test_a_node_whose_table_has_died_is_not_called() -> None:
    """Neither by what it said before it opened the table."""
    opened = evolve(node(1), table="Kitchen", moment=10)
    beacons = heard(nobody, node(1), opened)
    with trio.move_on_after(30):
        await beacons.call_tables()
    assert places(beacons) == []


async def test_a_node_that_has_gone_before_it_was_looked_for_is_not_called() -> None:
    beacons = heard(everybody, node(1), node(2))
    beacons.note(node(1).name, None)
    assert places(beacons) == ["192.0.2.2"]


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> list[Callable[[], None]]:
    """Return the actions for each time that the network is listened to anew."""
    found: list[Callable[[], None]] = []
    monkeypatch.setattr(Mdns, "open", lambda _mdns: [call() for call in found])
    monkeypatch.setattr(Mdns, "is_outdated", False)
    return found


def at_one_address(number: int) -> Beacon:
    """Return the beacon of a table; the node of the first one is the member's."""
    return evolve(node(number, tag=None if number == 1 else ""), hosts=("192.0.2.1",), table="T")


NODES = [node(1), *(node(number, tag="") for number in range(100, 100 + MOST_BEACONS))]
SILENT = [at_one_address(number) for number in range(1, 2 + MOST_OF_ADDRESS)]
ANSWERING = [at_one_address(number) for number in range(1 + MOST_OF_ADDRESS, 0, -1)]


@pytest.mark.parametrize("crowd", [NODES, SILENT, ANSWERING], ids=["nodes", "silent", "answering"])
async def test_a_member_whom_others_had_displaced_before_is_heard_again(
    opened: list[Callable[[], None]], crowd: list[Beacon]
) -> None:
    """Once: whoever is not heard then is not there."""
    beacons = heard(everybody, *crowd[:MOST_OF_ADDRESS])
    async with beside(beacons.call_tables), beside(beacons.follow_network):
        await trio.sleep(1 if crowd is ANSWERING else 0)
        for beacon in crowd[MOST_OF_ADDRESS:]:
            beacons.note(beacon.name, beacon)
        assert places(beacons) == []
        times: list[float] = []
        opened.append(lambda: times.append(trio.current_time()))
        opened.append(lambda: beacons.note(node(1).name, node(1)))
        await trio.sleep(20)
    assert places(beacons) == ["192.0.2.1"]
    assert len(times) == 1


@pytest.mark.parametrize("again", [False, True])
async def test_nobody_is_heard_again_for_whom_nobody_new_asks(
    opened: list[Callable[[], None]], again: bool
) -> None:
    """The same members are asked for each second, and a network full of others is forgotten of."""
    beacons = heard(everybody)
    assert places(beacons) == []
    opened.append(lambda: pytest.fail("the network is listened to anew"))
    for number in range(100, 100 + MOST_BEACONS):
        beacons.note(node(number).name, node(number, tag=""))
    if again:
        for number in range(100, 100 + MOST_BEACONS):  # said again, they are no more than before
            beacons.note(node(number).name, node(number, tag="", moment=10))
        beacons.of(bytes(32), [bytes(32)])
    else:
        beacons.note(node(1).name, node(1, tag=""))
        assert places(beacons) == []
    with trio.move_on_after(20):
        await beacons.follow_network()


async def test_an_older_beacon_of_a_node_displaces_nothing() -> None:
    """A later search for its member calls it where it is; one of the same second counts."""
    for moment, place in ((8, "192.0.2.1"), (9, "192.0.2.99"), (10, "192.0.2.99")):
        moved = evolve(node(1, moment=moment), hosts=("192.0.2.99",))
        assert places(heard(everybody, node(1), moved)) == [place]

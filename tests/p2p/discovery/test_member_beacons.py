"""Beacons of one table's members, and forged ones: finding members, and limits on calls."""

from collections import Counter
from collections.abc import Callable

import pytest
import trio
from attrs import evolve

from p2p.background_task import beside
from p2p.discovery.beacon import Beacon, BeaconAnswer, tag_of
from p2p.discovery.beacons import MOST_BEACONS, MOST_OF_ADDRESS, Beacons
from p2p.discovery.mdns import Mdns
from p2p.discovery.outgoing_call_limits import CALLS_OF_PLACE, CALLS_OF_SENDER, CallLimits
from p2p.storage.identity import Identity
from tests.p2p.discovery.heard_beacons import (
    BEACON,
    OWNER,
    calling,
    everybody,
    heard,
    names,
    nobody,
    table,
)

pytestmark = pytest.mark.usefixtures("autojump_clock")

MEMBER = Identity.generate().public


def node(number: int, *, moment: int = 9, tag: str | None = None) -> Beacon:
    """Return the beacon of a node at the table whose id is 32 zero bytes."""
    key = number.to_bytes(32, "little")
    tag = tag_of(bytes(32), MEMBER, key) if tag is None else tag
    hosts = (f"192.0.2.{number % 250}",)
    return evolve(BEACON, key=key, hosts=hosts, table="", tag=tag, moment=moment)


def places(beacons: Beacons) -> list[str]:
    return [address.host for address in beacons.of(bytes(32), [MEMBER])]


async def test_a_node_that_copies_the_tag_of_a_member_is_not_called() -> None:
    assert places(heard(everybody, node(1), node(2, tag=node(1).tag))) == ["192.0.2.1"]


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


async def test_the_latest_beacon_of_a_member_tells_their_address() -> None:
    """If two beacons of a node have the same moment, the one heard last counts."""
    at = {
        moment: evolve(node(1, moment=moment), hosts=(f"192.0.2.{moment}",))
        for moment in (8, 9, 10)
    }
    steps = ((node(1), 1), (at[8], 1), (at[9], 9), (at[10], 10), (at[9], 10))
    for before in range(len(steps)):  # the number of beacons heard before the member is looked for
        beacons = heard(everybody)
        for number, (beacon, place) in enumerate(steps):
            beacons.note(beacon.name, beacon)
            assert number < before or places(beacons) == [f"192.0.2.{place}"]


async def test_the_latest_beacons_of_a_member_are_kept_in_any_order_of_arrival() -> None:
    beacons = heard(everybody)
    assert places(beacons) == []
    for number in (7, 2, 8, 1, 5):
        beacons.note(node(number).name, node(number, moment=number))
    assert sorted(places(beacons)) == ["192.0.2.5", "192.0.2.7", "192.0.2.8"]


async def test_a_member_whose_calendar_was_set_back_is_found() -> None:
    """The beacon heard last is kept, even if others have later moments.

    If another beacon with an early moment is heard, it displaces only that one.
    """
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
    """A search for the members of a fifth table replaces that for the first."""
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
    """A beacon from before the node opened the table is ignored, too."""
    opened = evolve(node(1), table="Kitchen", moment=10)
    beacons = heard(nobody, node(1), opened)
    with trio.move_on_after(30):
        await beacons.call_tables()
    assert places(beacons) == []


async def test_a_node_that_has_gone_before_it_is_looked_for_is_not_called() -> None:
    beacons = heard(everybody, node(1), node(2))
    beacons.note(node(1).name, None)
    assert places(beacons) == ["192.0.2.2"]


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> list[Callable[[], None]]:
    """Return a list of actions that run each time the network is opened."""
    found: list[Callable[[], None]] = []
    monkeypatch.setattr(Mdns, "open", lambda _mdns: [call() for call in found])
    monkeypatch.setattr(Mdns, "is_outdated", False)
    return found


def at_one_address(number: int) -> Beacon:
    """Return the beacon of table `number`; all have one address, and table 1 is the member's."""
    return evolve(node(number, tag=None if number == 1 else ""), hosts=("192.0.2.1",), table="T")


NODES = [node(1), *(node(number, tag="") for number in range(100, 100 + MOST_BEACONS))]
SILENT = [at_one_address(number) for number in range(1, 2 + MOST_OF_ADDRESS)]
ANSWERING = [at_one_address(number) for number in range(1 + MOST_OF_ADDRESS, 0, -1)]


@pytest.mark.parametrize(
    "crowd", [NODES, SILENT, ANSWERING], ids=["by nodes", "by silent tables", "by answering tables"]
)
async def test_a_displaced_member_is_heard_again(
    opened: list[Callable[[], None]], crowd: list[Beacon]
) -> None:
    """For this the network is opened anew once. A member who is not heard then counts as away."""
    async with (
        calling(beacons := heard(everybody, *crowd[:MOST_OF_ADDRESS])),
        beside(beacons.follow_network),
    ):
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
async def test_the_network_is_not_opened_anew_without_a_reason(
    opened: list[Callable[[], None]], again: bool
) -> None:
    """The network is opened anew only if a beacon was forgotten and somebody new is looked for.

    Nodes ask for the same members each second.
    """
    beacons = heard(everybody)
    assert places(beacons) == []
    opened.append(lambda: pytest.fail("the network is opened anew"))
    for number in range(100, 100 + MOST_BEACONS):
        beacons.note(node(number).name, node(number, tag=""))
    if again:
        for number in range(100, 100 + MOST_BEACONS):  # repeated beacons add nothing
            beacons.note(node(number).name, node(number, tag="", moment=10))
        beacons.of(bytes(32), [bytes(32)])
    else:
        beacons.note(node(1).name, node(1, tag=""))
        assert places(beacons) == []
    with trio.move_on_after(20):
        await beacons.follow_network()


# -- A sender of beacons cannot make all programs on the network call a victim

VICTIM, FORGER, HERE = "192.0.2.1", "192.0.2.66", "192.0.2.5"
SECONDS = 10


def forged(number: int, *, first: str = "") -> Beacon:
    """Return a beacon that names a made-up address and then the victim's."""
    return evolve(table(number), hosts=(first or f"198.51.100.{number % 250}", VICTIM))


def listening(answering: dict[str, bytes], called: Counter[str]) -> Beacons:
    """Return a `Beacons` that counts its calls; `answering` has the key that answers at a host."""

    async def call(beacon: Beacon) -> BeaconAnswer | None:
        called.update(beacon.hosts)
        await trio.sleep(0.01)
        right = (host for host in beacon.hosts if answering.get(host) == beacon.key)
        host = next(right, None)
        return None if host is None else BeaconAnswer(OWNER, host)

    limits = CallLimits(lambda host: host == HERE)
    return Beacons(Mdns("", lambda *_: None), call, limits)


@pytest.mark.parametrize("senders", [1, 200], ids=["one sender", "a crowd of senders"])
@pytest.mark.parametrize("first", ["", VICTIM], ids=["another address first", "the victim first"])
async def test_forged_beacons_do_not_make_nodes_call_often(senders: int, first: str) -> None:
    """The node hears 120 forged beacons a second, but calls the victim about once a second.

    The victim's node accepts four calls a second from one address.
    """
    async with calling(beacons := listening({}, called := Counter[str]())):
        for number in range(120 * SECONDS):
            sender = f"10.0.0.{number % senders}"
            beacons.note(f"{number}", forged(number, first=first), (sender,))
            await trio.sleep(1 / 120)
    assert 0 < called[VICTIM] <= CALLS_OF_PLACE + SECONDS


async def test_forged_beacons_hide_no_table_of_others() -> None:
    """Failed calls count against the sender of the beacon."""
    real = table(1, VICTIM)
    async with calling(beacons := listening({VICTIM: real.key}, called := Counter[str]())):
        for number in range(10, 120 * SECONDS):
            beacons.note(f"{number}", forged(number), (FORGER,))
            if number == 50 * SECONDS:
                beacons.note(real.name, real, (VICTIM,))
            await trio.sleep(1 / 120)
        await trio.sleep(5)
        assert names(beacons) == ["Table 1"]
    # The real table gets less than a call a second. The other calls count against the forger.
    assert called[VICTIM] - SECONDS <= CALLS_OF_SENDER + SECONDS


async def test_a_table_is_called_although_a_flooder_repeats_its_beacon() -> None:
    real = table(1, VICTIM)
    async with calling(beacons := listening({VICTIM: real.key}, Counter[str]())):
        for number in range(10, 200):
            beacons.note(f"{number}", forged(number), (FORGER,))
            await trio.sleep(0.01)
        beacons.note(real.name, real, (FORGER, VICTIM))
        await trio.sleep(5)
        assert names(beacons) == ["Table 1"]


async def test_false_goodbyes_do_not_make_a_table_be_called_more_often() -> None:
    real = table(1, VICTIM)
    beacons = listening({VICTIM: real.key}, called := Counter[str]())
    beacons.note(real.name, real, (VICTIM,))
    async with calling(beacons):
        await trio.sleep(1)
        for _ in range(120 * SECONDS):
            beacons.note(real.name, None)
            await trio.sleep(1 / 120)
        assert names(beacons) == ["Table 1"]
    assert called[VICTIM] <= 5 + SECONDS


@pytest.mark.parametrize(("answers", "calls"), [(False, CALLS_OF_SENDER), (True, 12)])
async def test_only_calls_without_an_answer_count_against_the_sender(
    answers: bool, calls: int
) -> None:
    tables = [table(number, f"198.51.100.{number}") for number in range(12)]
    found = {one.hosts[0]: one.key for one in tables if answers}
    async with calling(beacons := listening(found, called := Counter[str]())):
        for one in tables:
            beacons.note(one.name, one, (FORGER,))
            await trio.sleep(0.02)
    assert called.total() == calls
    assert len(names(beacons)) == len(found)


async def test_a_beacon_without_a_known_sender_counts_for_its_first_address() -> None:
    assert heard(everybody, BEACON)._tables[BEACON.name].senders == BEACON.hosts[:1]
    assert len(BEACON.hosts) == 2


async def test_an_address_may_be_called_a_few_times_together_or_alone() -> None:
    """Each of several addresses counts twice, as they are called together and then alone."""
    limits = CallLimits(lambda host: host == HERE)

    def allowed(*hosts: str, port: int = 7, senders: tuple[str, ...] = (FORGER,)) -> object:
        return limits.allowed(hosts, port, senders)

    assert [allowed("a") for _ in range(5)] == [*4 * [("a",)], None]
    assert [allowed("b", "c") for _ in range(3)] == [*2 * [("b", "c")], None]
    assert [allowed("d", "e", "f") for _ in range(3)] == [*2 * [("d", "e", "f")], None]
    assert allowed("a", "g") == ("g",)
    assert allowed("a", port=8) == ("a",)
    assert allowed(HERE) == ()
    assert allowed(HERE, senders=(FORGER, HERE)) == (HERE,)
    assert allowed(HERE, "h", senders=(HERE,)) == (HERE, "h")
    limits.own_port = 7
    assert allowed(HERE, "i", senders=(HERE,)) == ("i",)
    await trio.sleep(2)
    assert [allowed("a") for _ in range(2)] == [("a",), None]


@pytest.mark.parametrize(
    ("sender", "port", "is_called"),
    [(FORGER, BEACON.port, False), (HERE, BEACON.port, True), (HERE, 9, False)],
    ids=["forged elsewhere", "another program here", "this program"],
)
async def test_an_own_address_is_called_only_for_another_program_on_this_machine(
    sender: str, port: int, is_called: bool
) -> None:
    beacons = listening({}, called := Counter[str]())
    beacons._limits.own_port = 9
    beacon = evolve(BEACON, hosts=(HERE, VICTIM), port=port)
    beacons.note("one", beacon, (sender,))
    async with calling(beacons):
        await trio.sleep(1)
    assert (called[HERE] > 0) == is_called
    assert called[VICTIM] > 0

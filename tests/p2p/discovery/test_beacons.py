"""The beacons that a node hears and the ones it announces, tested without a network."""

import time
from unittest.mock import Mock

import pytest
import trio
from attrs import evolve
from trio.testing import wait_all_tasks_blocked

from p2p.background_task import beside
from p2p.discovery import beacons as module
from p2p.discovery.beacon import MOST_HOSTS, Beacon, BeaconAnswer, Call, tag_of
from p2p.discovery.beacons import (
    CALL_SECONDS,
    MOST_FAILURES,
    MOST_OF_ADDRESS,
    Beacons,
    NoBeacon,
    open_beacons,
)
from tests.p2p.discovery.heard_beacons import (
    BEACON,
    HOST,
    OWNER,
    calling,
    everybody,
    heard,
    names,
    nobody,
    table,
)

pytestmark = pytest.mark.usefixtures("autojump_clock")

SENDERS = ("192.0.2.1",)


@pytest.fixture
def network(monkeypatch: pytest.MonkeyPatch) -> Mock:
    """Return the fake mDNS that `open_beacons` opens."""
    found = Mock(is_outdated=False, is_flooded=False)
    found.open.side_effect = lambda: found.configure_mock(is_outdated=False, is_flooded=False)
    monkeypatch.setattr(module, "Mdns", Mock(return_value=found))
    return found


def calls(network: Mock) -> list[str]:
    return [name for name, *_ in network.mock_calls]


def announced(network: Mock) -> list[Beacon]:
    return [Beacon.from_service(call.args[0]) for call in network.announce.call_args_list]


# What is announced


async def test_each_beacon_of_a_node_has_a_later_moment(
    network: Mock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The moment goes up by 1 if the second is the same, or if the clock was set back or fails."""
    beacons = Beacons(network, everybody)
    times = [0.0, 100.9, 100.9, 3.0, 200.0, OverflowError("timestamp too large")]
    monkeypatch.setattr(time, "time", Mock(side_effect=times))
    for _ in times:
        await beacons.announce(BEACON, HOST.sign)
    assert [beacon.moment for beacon in announced(network)] == [1, 100, 101, 102, 200, 201]


async def test_a_failed_announcement_is_reported_and_the_next_can_succeed(network: Mock) -> None:
    network.announce.side_effect = [OSError("no network"), None]
    beacons = Beacons(network, everybody)
    with pytest.raises(NoBeacon, match="cannot be announced on the network \\(no network\\)"):
        await beacons.announce(BEACON, HOST.sign)
    await beacons.announce(BEACON, HOST.sign)
    assert len(announced(network)) == 2


async def test_a_machine_whose_addresses_have_changed_announces_anew(
    network: Mock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All beacons heard at the old addresses are forgotten, and the calls to them cancelled."""
    here = [f"192.0.2.{number}" for number in range(MOST_HOSTS + 1)]
    monkeypatch.setattr(module, "lan_addresses", lambda: tuple(here))
    given_up: list[Beacon] = []

    async def call(beacon: Beacon) -> BeaconAnswer | None:
        try:
            return await (everybody(beacon) if beacon.table == "Table 1" else trio.sleep_forever())
        except trio.Cancelled:
            given_up.append(beacon)
            raise

    beacons = Beacons(network, call)
    await beacons.announce(BEACON, HOST.sign)
    tag = tag_of(bytes(32), OWNER, node := bytes(31) + b"9")
    beacons.note("node", evolve(BEACON, key=node, table="", tag=tag))
    beacons.note("one", table(1))
    async with calling(beacons), beside(beacons.follow_network):
        await trio.sleep(1)
        assert names(beacons) == ["Table 1"]
        beacons.note("two", table(2))
        await trio.sleep(0.5)
        assert calls(network) == ["announce"]
        network.is_outdated = True
        seen = trio.Event()

        async def watch() -> None:
            await beacons.changed()
            assert names(beacons) == []
            seen.set()

        async with trio.open_nursery() as nursery:
            nursery.start_soon(watch)
            await trio.sleep(1)
            assert seen.is_set()
        await trio.sleep(9)
        assert [beacon.table for beacon in given_up] == ["Table 2"]
        assert beacons.of(bytes(32), [OWNER]) == ()
        assert calls(network) == ["announce", "close", "open", "announce"]
    before, now = announced(network)
    assert now.hosts == tuple(here[:MOST_HOSTS])
    assert evolve(now, hosts=before.hosts, moment=before.moment) == before
    assert now.moment > before.moment


async def test_a_table_that_answers_stays_listed_after_a_flood(network: Mock) -> None:
    """Only tables that have never answered are forgotten."""

    async def call(beacon: Beacon) -> BeaconAnswer | None:
        return await (trio.sleep_forever() if beacon.table == "Table 2" else everybody(beacon))

    beacons = Beacons(network, call)
    for number in (1, 2):
        beacons.note(f"{number}", table(number))
    async with calling(beacons), beside(beacons.follow_network):
        await trio.sleep(1)
        network.is_flooded = True
        with trio.move_on_after(3):
            while True:
                assert names(beacons) == ["Table 1"]
                await beacons.changed()
        assert calls(network) == ["close", "open"]
    assert list(beacons._tables) == ["1"]


async def test_a_node_that_announces_nothing_stays_silent(
    network: Mock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "lan_addresses", lambda: ("192.0.2.1",))
    network.is_outdated = True
    async with beside(Beacons(network, everybody).follow_network):
        await trio.sleep(9)
    assert calls(network) == ["close", "open"]


# While the network is open


async def test_valid_beacons_are_noted_and_nonsense_is_not(network: Mock) -> None:
    """A beacon has its name in lower case here, because names have no case (RFC 6762, 16)."""
    real = BEACON.to_service(HOST.sign)
    forged = evolve(BEACON, table="Forged").to_service(HOST.sign)
    forged.port = 9
    async with open_beacons(everybody) as beacons:
        assert calls(network) == ["open"]
        _, hear = module.Mdns.call_args.args  # type: ignore[attr-defined]
        hear(forged.name, forged, SENDERS)
        hear(real.name.upper(), real, SENDERS)
        await trio.sleep(1)
        assert names(beacons) == ["Küche"]
        beacons._call = nobody
        hear(real.name, None, SENDERS)
        await trio.sleep(1)
        assert names(beacons) == []
    assert calls(network) == ["open", "close"]


async def test_a_player_without_a_network_is_told_what_still_works(network: Mock) -> None:
    network.open.side_effect = OSError("no network")
    with pytest.raises(NoBeacon, match="by address works nevertheless"):
        async with open_beacons(everybody):
            raise AssertionError


async def test_an_interrupted_node_takes_back_its_announcement(network: Mock) -> None:
    with trio.CancelScope() as scope:
        async with open_beacons(everybody) as beacons:
            await beacons.announce(BEACON, HOST.sign)
            scope.cancel()
            await trio.sleep_forever()
    assert calls(network) == ["open", "announce", "close"]


# Which tables are listed


async def test_a_table_is_called_again_after_some_seconds_but_at_once_if_it_has_moved() -> None:
    """Each table has a schedule of its own, whether or not the other tables answer."""
    called: list[float] = []

    async def call(beacon: Beacon) -> BeaconAnswer | None:
        if beacon.key == table(1).key:
            called.append(trio.current_time())
        return await (trio.sleep_forever() if beacon.table == "Table 3" else everybody(beacon))

    async with calling(beacons := heard(call, table(1))):
        await trio.sleep(1)
        beacons.note("two", table(2))
        await trio.sleep(0.5)
        beacons.note("three", table(3))
        await trio.sleep(3 * CALL_SECONDS)
        assert called == [0, CALL_SECONDS, 2 * CALL_SECONDS, 3 * CALL_SECONDS]
        name, later = table(1).name, evolve(table(1), moment=20, free=1)
        for moved, calls in (
            (later, 0),
            (evolve(later, port=9), 1),
            (evolve(later, port=9, hosts=("192.0.2.9",)), 1),
        ):
            called.clear()
            beacons.note(name, moved)
            await trio.sleep(0.1)
            assert len(called) == calls
            assert beacons.tables[0] == moved


async def test_at_most_four_tables_that_answer_from_one_address_are_listed() -> None:
    async def elsewhere(_beacon: Beacon) -> BeaconAnswer | None:
        await trio.lowlevel.checkpoint()
        return BeaconAnswer(OWNER, "192.0.2.99")

    crowd = [table(number, f"192.0.2.{number}") for number in range(MOST_OF_ADDRESS + 2)]
    async with calling(beacons := heard(elsewhere, *crowd[:MOST_OF_ADDRESS])):
        await trio.sleep(1)
        for late in crowd[MOST_OF_ADDRESS:]:
            beacons.note(late.name, late)
        await trio.sleep(10)
        assert names(beacons) == [f"Table {number}" for number in range(MOST_OF_ADDRESS)]
        assert len(beacons._tables) == MOST_OF_ADDRESS


async def test_tables_are_listed_by_name_and_then_by_key() -> None:
    namesakes = [evolve(table(number), table="Table 9") for number in (6, 5)]
    crowd = [*namesakes, table(2), table(1)]
    async with calling(beacons := heard(everybody, *crowd)):
        await trio.sleep(1)
        assert [one.key[0] for one in beacons.tables] == [1, 2, 5, 6]


async def test_one_unanswered_call_is_tolerated() -> None:
    """A table that answers only every second call stays listed."""
    answers = True

    async def call(beacon: Beacon) -> BeaconAnswer | None:
        nonlocal answers
        answers = not answers
        return await (nobody(beacon) if answers else everybody(beacon))

    async with calling(beacons := heard(call, table(1))):
        for _ in range(5 * MOST_FAILURES):
            await trio.sleep(CALL_SECONDS)
            assert names(beacons) == ["Table 1"]


async def test_a_task_that_waits_for_changes_sees_a_table_answer_and_go() -> None:
    answer: Call = everybody

    async def call(beacon: Beacon) -> BeaconAnswer | None:
        return await answer(beacon)

    async with calling(beacons := heard(call, table(1))):
        await beacons.changed()
        assert names(beacons) == ["Table 1"]
        answer = nobody
        while names(beacons):
            await beacons.changed()
        assert trio.current_time() == MOST_FAILURES * CALL_SECONDS


@pytest.mark.parametrize("tag", ["", tag_of(bytes(32), OWNER, table(1).key)])
async def test_a_node_that_has_closed_its_table_is_no_longer_listed(tag: str) -> None:
    """Its table goes even if the node is that of a member of another table who is looked for."""
    beacons = heard(everybody, opened := evolve(table(1), tag=tag))
    beacons.of(bytes(32), [OWNER])
    async with calling(beacons):
        await trio.sleep(1)
        assert names(beacons) == ["Table 1"]
        beacons.note(opened.name, evolve(opened, table="", moment=10))
        assert names(beacons) == []
        assert len(beacons.of(bytes(32), [OWNER])) == bool(tag)


async def test_only_tables_that_have_not_answered_make_room() -> None:
    """When another table of the same address comes, the oldest silent one is dropped."""

    async def call(beacon: Beacon) -> BeaconAnswer | None:
        return await (everybody(beacon) if beacon.free else trio.sleep_forever())

    crowd = [evolve(table(number), free=number % 2) for number in range(MOST_OF_ADDRESS)]
    async with calling(beacons := heard(call, *crowd)):
        await trio.sleep(1)
        silent = [number for number in range(MOST_OF_ADDRESS) if not number % 2]
        for number in range(100, 100 + len(silent)):
            beacons.note(table(number).name, table(number))
            await trio.sleep(0)
            gone = table(silent[number - 100]).name
            assert gone not in beacons._tables
            await wait_all_tasks_blocked()
        await trio.sleep(5)  # too short: that address was called often, so the new tables wait
        assert len(names(beacons)) == len(beacons._tables) == MOST_OF_ADDRESS
        beacons.note(table(200).name, table(200))
        assert table(200).name not in beacons._tables  # now all have answered

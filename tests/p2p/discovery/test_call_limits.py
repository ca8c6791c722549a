"""Whoever sends beacons does not have all programs on the network call whom they like."""

from collections import Counter

import pytest
import trio
from attrs import evolve

from p2p.background_task import beside
from p2p.discovery.beacon import Beacon
from p2p.discovery.beacons import BeaconAnswer, Beacons
from p2p.discovery.call_limits import CALLS_OF_PLACE, CALLS_OF_SENDER, CallLimits
from p2p.discovery.mdns import Mdns
from tests.p2p.discovery.heard_beacons import BEACON, OWNER, names, table

pytestmark = pytest.mark.usefixtures("autojump_clock")

VICTIM, FORGER, HERE = "192.0.2.1", "192.0.2.66", "192.0.2.5"
SECONDS = 10


def forged(number: int, *, first: str = "") -> Beacon:
    """Return a beacon whose first address is made up; then comes the victim's."""
    return evolve(table(number), hosts=(first or f"198.51.100.{number % 250}", VICTIM))


def listening(answering: dict[str, bytes], called: Counter[str]) -> Beacons:
    """Return beacons that count the calls of each address; at `answering` a node answers."""

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
async def test_forged_beacons_have_nobody_called_often(senders: int, first: str) -> None:
    """A hundred and twenty a second; a node hears four calls a second from one address."""
    beacons = listening({}, called := Counter[str]())
    async with beside(beacons.call_tables):
        for number in range(120 * SECONDS):
            sender = f"10.0.0.{number % senders}"
            beacons.note(f"{number}", forged(number, first=first), (sender,))
            await trio.sleep(1 / 120)
    assert 0 < called[VICTIM] <= CALLS_OF_PLACE + SECONDS


async def test_one_who_forges_beacons_hides_no_table_of_others() -> None:
    """The calls that lead nowhere count for whoever has sent the beacon."""
    real = table(1, VICTIM)
    beacons = listening({VICTIM: real.key}, called := Counter[str]())
    async with beside(beacons.call_tables):
        for number in range(10, 120 * SECONDS):
            beacons.note(f"{number}", forged(number), (FORGER,))
            if number == 50 * SECONDS:
                beacons.note(real.name, real, (VICTIM,))
            await trio.sleep(1 / 120)
        await trio.sleep(5)
        assert names(beacons) == ["Table 1"]
    assert called[VICTIM] - SECONDS <= CALLS_OF_SENDER + SECONDS


async def test_a_beacon_that_others_send_again_is_called_for_whoever_sent_it_first() -> None:
    real = table(1, VICTIM)
    beacons = listening({VICTIM: real.key}, Counter[str]())
    async with beside(beacons.call_tables):
        for number in range(10, 200):
            beacons.note(f"{number}", forged(number), (FORGER,))
            await trio.sleep(0.01)
        beacons.note(real.name, real, (FORGER, VICTIM))
        await trio.sleep(5)
        assert names(beacons) == ["Table 1"]


async def test_a_table_that_answers_is_not_called_more_often_because_others_take_it_back() -> None:
    real = table(1, VICTIM)
    beacons = listening({VICTIM: real.key}, called := Counter[str]())
    beacons.note(real.name, real, (VICTIM,))
    async with beside(beacons.call_tables):
        await trio.sleep(1)
        for _ in range(120 * SECONDS):
            beacons.note(real.name, None)
            await trio.sleep(1 / 120)
        assert names(beacons) == ["Table 1"]
    assert called[VICTIM] <= 5 + SECONDS


@pytest.mark.parametrize(
    ("sender", "port", "is_called"),
    [(FORGER, BEACON.port, False), (HERE, BEACON.port, True), (HERE, 9, False)],
    ids=["forged elsewhere", "another program here", "this program"],
)
async def test_an_own_address_is_called_for_another_program_on_this_machine_alone(
    sender: str, port: int, is_called: bool
) -> None:
    beacons = listening({}, called := Counter[str]())
    beacons._limits.own_port = 9
    beacon = evolve(BEACON, hosts=(HERE, VICTIM), port=port)
    beacons.note("one", beacon, (sender,))
    async with beside(beacons.call_tables):
        await trio.sleep(1)
    assert (called[HERE] > 0) == is_called
    assert called[VICTIM] > 0

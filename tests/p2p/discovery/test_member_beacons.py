"""Beacons of members of one table: nobody keeps them from finding each other."""

import pytest
import trio
from attrs import evolve
from trio.testing import MockClock

from p2p.discovery.beacon import Beacon, tag_of
from p2p.discovery.beacons import MOST_BEACONS, MOST_OF_MEMBER, Beacons
from p2p.discovery.mdns import Mdns
from p2p.storage.identity import Identity
from tests.p2p.discovery.test_beacon import BEACON, everybody, heard

MEMBER = Identity.generate().public


def node(number: int, *, moment: int = 9, tag: str | None = None) -> Beacon:
    """What a node announces that plays at the table of 32 zero bytes."""
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


async def test_a_node_that_has_gone_before_it_was_looked_for_is_not_called() -> None:
    beacons = heard(everybody, node(1), node(2))
    beacons.note(node(1).name, None)
    assert places(beacons) == ["192.0.2.2"]


async def test_a_member_whom_others_had_displaced_before_is_heard_again(
    autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    beacons = heard(everybody, node(1), *(node(number, tag="") for number in range(100, 200)))
    assert places(beacons) == []

    def open_again(_mdns: Mdns) -> None:
        beacons.note(node(1).name, node(1))

    monkeypatch.setattr(Mdns, "open", open_again)
    monkeypatch.setattr(Mdns, "is_outdated", False)
    with trio.move_on_after(5):
        await beacons.follow_network()
    assert places(beacons) == ["192.0.2.1"]

"""Beacons: what is announced, what is believed of it, and how much is remembered."""

import os

import pytest
import trio
from attrs import evolve
from zeroconf import ServiceInfo

from p2p.discovery.beacon import MOST_BEACONS, SERVICE, Beacon, Beacons, mark_of, open_beacons
from p2p.discovery.mdns import MDNS_ERRORS, MOST_ASKED, Mdns
from protocol.errors import Malformed

KEY = bytes(range(32))
BEACON = Beacon(KEY, ("192.0.2.1", "2001:db8::1"), 7, "Küche", "canasta", 4, 3)


def service(**changes: bytes | None) -> ServiceInfo:
    """The service of BEACON with other text fields."""
    text: dict[str, bytes | None] = {
        "v": b"1",
        "k": KEY.hex().encode(),
        "t": "Küche".encode(),
        "g": b"canasta",
        "s": b"4",
        "f": b"3",
    }
    return ServiceInfo(
        SERVICE,
        f"x.{SERVICE}",
        port=7,
        properties={name: text for name, text in {**text, **changes}.items() if text is not None},
        parsed_addresses=["192.0.2.1"],
        server="x.local.",
    )


def test_a_beacon_comes_through_its_service() -> None:
    found = Beacon.from_service(BEACON.to_service())
    assert evolve(found, hosts=()) == evolve(BEACON, hosts=())
    assert set(found.hosts) == set(BEACON.hosts)


def test_the_scope_of_an_address_is_not_announced() -> None:
    beacon = evolve(BEACON, hosts=("fe80::1%eth0", "192.0.2.1"))
    assert beacon.to_service().parsed_addresses() == ["192.0.2.1", "fe80::1"]


@pytest.mark.parametrize(
    "changes",
    [
        {"t": b"\x1b[31mred"},
        {"t": "a\u202eb".encode()},
        {"t": b"x" * 200},
        {"t": b"\xff"},
        {"k": b"00"},
        {"k": b"zz" * 32},
        {"k": KEY.hex().upper().replace("0", "A").encode()},
        {"k": None},
        {"g": b"rm -rf"},
        {"g": "canásta".encode()},
        {"s": b"7"},
        {"s": b"-1"},
        {"f": "٣".encode()},
        {"f": b""},
        {"v": b"99999999999"},
        {"b": b"00"},
        {"b": b"kitchen!" * 2},
    ],
    ids=repr,
)
def test_nonsense_in_a_beacon_is_refused(changes: dict[str, bytes | None]) -> None:
    with pytest.raises(Malformed):
        Beacon.from_service(service(**changes))


def test_a_beacon_that_leads_nowhere_is_refused() -> None:
    nowhere = service()
    nowhere.addresses = []
    with pytest.raises(Malformed, match="where"):
        Beacon.from_service(nowhere)
    multicast = service()
    multicast.addresses = [bytes([224, 0, 0, 1])]
    with pytest.raises(Malformed, match="where"):
        Beacon.from_service(multicast)


async def test_no_more_than_a_few_are_remembered() -> None:
    beacons = Beacons(None)  # type: ignore[arg-type]
    for number in range(2 * MOST_BEACONS):
        beacons.note(f"{number}", evolve(BEACON, key=number.to_bytes(32, "big")))
    assert len(list(beacons)) == MOST_BEACONS
    beacons.note("0", None)
    beacons.note("late", BEACON)
    assert BEACON in list(beacons)


async def test_a_table_that_has_begun_is_listed_once() -> None:
    """All its nodes announce it, and say of it what can be known anyway."""
    beacons = Beacons(None)  # type: ignore[arg-type]
    nodes = [
        evolve(BEACON, key=bytes([number]) * 32, begun=mark_of(bytes(32))) for number in range(3)
    ]
    other = evolve(BEACON, key=bytes([9]) * 32, begun=mark_of(bytes([1]) * 32))
    for number, beacon in enumerate((*nodes, BEACON, other)):
        beacons.note(f"{number}", Beacon.from_service(beacon.to_service()))
    assert {beacon.key for beacon in beacons.tables} == {nodes[0].key, KEY, other.key}
    assert mark_of(bytes(32)) != bytes(8).hex()


async def test_a_table_is_found_changes_and_goes() -> None:
    """Real mDNS on this machine's own interfaces."""
    key = os.urandom(32)
    mine = evolve(BEACON, key=key)

    def found(beacons: Beacons) -> list[int]:
        return [beacon.free for beacon in beacons.tables if beacon.key == key]

    with trio.fail_after(20):
        async with open_beacons() as watching:
            async with open_beacons() as announcing:
                await announcing.announce(mine)
                while found(watching) != [3]:
                    await watching.changed()
                assert watching.of([key])[0].port == 7
                await announcing.announce(evolve(mine, free=0))
                while found(watching) != [0]:
                    await watching.changed()
            while found(watching):
                await watching.changed()


async def test_names_that_nobody_answers_for_hold_nothing_up() -> None:
    """A thousand of them are announced; a real table is found, and closing waits for none."""
    heard: list[str] = []
    found = trio.Event()
    token = trio.lowlevel.current_trio_token()

    def note(name: str, service: ServiceInfo | None) -> None:
        if service is not None:
            heard.append(name)
            token.run_sync_soon(found.set)

    mdns, other = Mdns(SERVICE, note), Mdns(SERVICE, lambda *_: None)
    try:
        await trio.to_thread.run_sync(mdns.open)
        await trio.to_thread.run_sync(other.open)
    except MDNS_ERRORS:
        pytest.skip("no mDNS on this machine")
    assert mdns._listener is not None
    assert mdns._zeroconf is not None
    for number in range(1000):
        mdns._listener.add_service(mdns._zeroconf, SERVICE, f"nobody-{number}.{SERVICE}")
    assert len(mdns._listener._asking) <= MOST_ASKED
    key = os.urandom(32)
    await trio.to_thread.run_sync(other.announce, evolve(BEACON, key=key).to_service())
    with trio.fail_after(20):
        while not any(name.startswith(key.hex()[:24]) for name in heard):
            await found.wait()
            found = trio.Event()
    listener = mdns._listener
    await trio.to_thread.run_sync(mdns.close)
    assert listener._asking == {}
    await trio.to_thread.run_sync(other.close)

"""Beacons: what is announced, what is believed of it, and how much is remembered."""

from collections.abc import Awaitable, Callable

import pytest
import trio
from attrs import evolve
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from trio.testing import MockClock
from zeroconf import ServiceInfo

from p2p.discovery.beacon import SERVICE, Beacon, mark_of, tag_of
from p2p.discovery.beacons import (
    ANSWER_SECONDS,
    CALL_SECONDS,
    MOST_BEACONS,
    MOST_FAILURES,
    MOST_OF_ADDRESS,
    Answer,
    Beacons,
    open_beacons,
)
from p2p.discovery.mdns import MDNS_ERRORS, MOST_ASKED, Mdns
from p2p.storage.identity import Identity
from protocol.errors import Malformed
from tests.patience import PATIENCE

HOST, OTHER = (
    Identity(Ed25519PrivateKey.from_private_bytes(bytes([number]) * 32)) for number in (1, 2)
)
KEY = HOST.public
BEACON = Beacon(KEY, ("192.0.2.1", "2001:db8::1"), 7, "Küche", "canasta", 4, 3, moment=9)
OWNER = bytes(32)


def service(**changes: bytes | None) -> ServiceInfo:
    """The service of BEACON with other text fields."""
    made = BEACON.to_service(HOST.sign)
    text = {**made.properties, **{name.encode(): text for name, text in changes.items()}}
    return ServiceInfo(
        SERVICE,
        made.name,
        port=made.port,
        properties={name: value for name, value in text.items() if value is not None},
        parsed_addresses=made.parsed_addresses(),
        server=made.server,
    )


@pytest.mark.parametrize("table", ["Küche", ""], ids=["open", "of a node"])
def test_a_beacon_comes_through_its_service(table: str) -> None:
    beacon = evolve(BEACON, table=table)
    assert Beacon.from_service(beacon.to_service(HOST.sign)) == beacon


def test_the_scope_of_an_address_is_not_announced() -> None:
    beacon = evolve(BEACON, hosts=("fe80::1%eth0", "192.0.2.1"))
    assert set(beacon.to_service(HOST.sign).parsed_addresses()) == {"192.0.2.1", "fe80::1"}


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
        {"w": b"00"},
        {"m": b"99999999999999"},
        {"x": None},
        {"x": b"00" * 64},
        {"t": b"Kitchen"},
        {"f": b"2"},
        {"s": b"5"},
        {"m": b"10"},
        {"v": b"2"},
        {"k": OTHER.public.hex().encode()},
    ],
    ids=repr,
)
def test_nonsense_in_a_beacon_is_refused(changes: dict[str, bytes | None]) -> None:
    with pytest.raises(Malformed):
        Beacon.from_service(service(**changes))


@pytest.mark.parametrize("number", [b"2", b"00000000000001", b"+1"])
def test_a_number_that_is_signed_as_another_is_refused(number: bytes) -> None:
    """The signature is over what the field means: who passes it on could write it otherwise."""
    made = evolve(BEACON, spectators=True).to_service(HOST.sign)
    found = ServiceInfo(
        SERVICE,
        made.name,
        port=made.port,
        properties={**made.properties, b"o": number},
        parsed_addresses=made.parsed_addresses(),
        server=made.server,
    )
    with pytest.raises(Malformed):
        Beacon.from_service(found)


def test_nothing_is_announced_before_the_network_is_heard() -> None:
    with pytest.raises(OSError, match="not open"):
        Mdns(SERVICE, lambda *_: None).announce(BEACON.to_service(HOST.sign))


def test_a_beacon_that_leads_nowhere_is_refused() -> None:
    for hosts in ((), ("224.0.0.1",), ("fe80::1%eth0",)):
        nowhere = evolve(BEACON, hosts=hosts).to_service(HOST.sign)
        nowhere.addresses = []
        with pytest.raises(Malformed, match="where"):
            Beacon.from_service(nowhere)


def test_a_beacon_at_another_port_or_under_another_name_is_none() -> None:
    for name, port in ((BEACON.name, 8), (f"x.{SERVICE}", 7)):
        made = BEACON.to_service(HOST.sign)
        moved = ServiceInfo(
            SERVICE, name, port=port, properties=made.properties, parsed_addresses=["192.0.2.1"]
        )
        with pytest.raises(Malformed, match="named after its key"):
            Beacon.from_service(moved)


def test_nothing_in_a_beacon_is_the_same_on_every_network() -> None:
    """But for the members of a table, who know each other by it."""
    identity = Identity.generate()
    text = Beacon(KEY, ("192.0.2.1",), 7, tag=tag_of(bytes(32), identity.public, KEY))
    assert identity.public.hex()[:16] not in str(text.to_service(HOST.sign).properties)
    assert tag_of(bytes(32), identity.public, KEY) != tag_of(bytes(31) + b"1", identity.public, KEY)


def table(number: int, host: str = "192.0.2.1") -> Beacon:
    return evolve(BEACON, key=number.to_bytes(32, "little"), hosts=(host,), table=f"Table {number}")


def heard(call: Callable[[Beacon], Awaitable[Answer | None]], *tables: Beacon) -> Beacons:
    """Without a network: these were heard, in this order."""
    beacons = Beacons(Mdns(SERVICE, lambda *_: None), call)
    for beacon in tables:
        beacons.note(beacon.name, beacon)
    return beacons


async def everybody(beacon: Beacon) -> Answer | None:
    await trio.lowlevel.checkpoint()
    return Answer(OWNER, beacon.hosts[0])


def names(beacons: Beacons) -> list[str]:
    return [beacon.table for beacon in beacons.tables]


async def test_a_table_is_listed_when_it_has_answered_and_as_long_as_it_does(
    autojump_clock: MockClock,
) -> None:
    alive = {2}

    async def call(beacon: Beacon) -> Answer | None:
        if int.from_bytes(beacon.key, "little") in alive:
            return Answer(OWNER, beacon.hosts[0])
        await trio.sleep_forever()
        return None

    beacons = heard(call, table(1), table(2))
    assert names(beacons) == []
    assert not beacons.settled
    async with trio.open_nursery() as nursery:
        nursery.start_soon(beacons.call_tables)
        await trio.sleep(ANSWER_SECONDS + 1)
        assert names(beacons) == ["Table 2"]
        assert beacons.settled
        assert beacons.tables[0].owner == OWNER
        alive.clear()
        await trio.sleep(MOST_FAILURES * (CALL_SECONDS + ANSWER_SECONDS))
        assert MOST_FAILURES * (CALL_SECONDS + ANSWER_SECONDS) <= 10
        assert names(beacons) == []
        nursery.cancel_scope.cancel()


async def test_who_waits_for_a_change_sleeps_until_there_is_one() -> None:
    beacons = heard(everybody)
    seen: list[bool] = []

    async def watch() -> None:
        await beacons.changed()
        seen.append(True)

    async with trio.open_nursery() as nursery:
        nursery.start_soon(watch)
        await trio.testing.wait_all_tasks_blocked()
        assert seen == []
        beacons.note("one", table(1))
        await trio.testing.wait_all_tasks_blocked()
        assert seen == [True]


async def test_who_says_that_a_table_has_gone_is_not_believed(autojump_clock: MockClock) -> None:
    beacons = heard(everybody, table(1))
    async with trio.open_nursery() as nursery:
        nursery.start_soon(beacons.call_tables)
        await trio.sleep(1)
        for _ in range(20):
            beacons.note(table(1).name, None)
            await trio.sleep(0.1)
            assert names(beacons) == ["Table 1"]
        nursery.cancel_scope.cancel()


async def test_a_table_that_has_gone_goes_as_soon_as_somebody_says_so(
    autojump_clock: MockClock,
) -> None:
    open_ = True

    async def call(_beacon: Beacon) -> Answer | None:
        await trio.lowlevel.checkpoint()
        return Answer(OWNER, "192.0.2.1") if open_ else None

    beacons = heard(call, table(1))
    async with trio.open_nursery() as nursery:
        nursery.start_soon(beacons.call_tables)
        await trio.sleep(1)
        open_ = False
        beacons.note(table(1).name, None)
        await trio.sleep(0.1)
        assert names(beacons) == []
        nursery.cancel_scope.cancel()


async def test_false_tables_hide_no_real_one(autojump_clock: MockClock) -> None:
    """Those of one address, and those that answer nobody, give way; those that answer stay."""

    async def call(beacon: Beacon) -> Answer | None:
        await trio.sleep(1)
        return Answer(OWNER, "192.0.2.1") if beacon.hosts[0] == "192.0.2.1" else None

    beacons = heard(call, table(1))
    async with trio.open_nursery() as nursery:
        nursery.start_soon(beacons.call_tables)
        await trio.sleep(2)
        for number in range(100, 100 + 4 * MOST_BEACONS):
            beacons.note(f"{number}", table(number, f"198.51.100.{number % 250}"))
        beacons.note(table(2).name, table(2))
        await trio.sleep(0.1)
        for number in range(1000, 1000 + 4 * MOST_OF_ADDRESS):
            beacons.note(f"{number}", table(number, "203.0.113.1"))
        await trio.sleep(30)
        assert names(beacons) == ["Table 1", "Table 2"]
        nursery.cancel_scope.cancel()


async def test_a_flood_of_false_tables_hides_no_real_one(autojump_clock: MockClock) -> None:
    """Five hundred a second, at addresses that answer nothing: nobody waits for these."""

    async def call(beacon: Beacon) -> Answer | None:
        if beacon.table != "Table 1":
            await trio.sleep_forever()
        await trio.sleep(0.05)
        return Answer(OWNER, beacon.hosts[0])

    beacons = heard(call)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(beacons.call_tables)
        for number in range(5000):
            beacons.note(f"{number}", table(number + 9, f"198.51.{number % 250}.{number % 99}"))
            if number == 2500:
                beacons.note(table(1).name, table(1))
            await trio.sleep(0.002)
            assert number < 2600 or names(beacons) == ["Table 1"]
        assert trio.lowlevel.current_statistics().tasks_living < MOST_BEACONS + 20
        nursery.cancel_scope.cancel()


async def test_no_more_than_a_few_are_remembered(autojump_clock: MockClock) -> None:
    crowd = [table(number, f"198.51.{number}.1") for number in range(2 * MOST_BEACONS)]
    beacons = heard(everybody, *crowd)
    assert len(beacons._tables) == MOST_BEACONS
    beacons = heard(everybody, *(table(number) for number in range(2 * MOST_BEACONS)))
    assert len(beacons._tables) == MOST_OF_ADDRESS
    for number in range(2 * MOST_BEACONS):
        beacons.note(f"{number}", evolve(table(number), table=""))
    assert len(beacons._nodes) == MOST_BEACONS


async def test_an_older_beacon_displaces_nothing(autojump_clock: MockClock) -> None:
    beacons = heard(everybody, evolve(BEACON, moment=9, free=2))
    async with trio.open_nursery() as nursery:
        nursery.start_soon(beacons.call_tables)
        await trio.sleep(1)
        beacons.note(BEACON.name, evolve(BEACON, moment=8, free=3, hosts=("198.51.100.1",)))
        await trio.sleep(1)
        (listed,) = beacons.tables
        assert (listed.free, listed.hosts) == (2, BEACON.hosts)
        nursery.cancel_scope.cancel()


def test_addresses_that_are_not_signed_are_not_tried() -> None:
    """Anybody can answer for a name with addresses of their own."""
    made = BEACON.to_service(HOST.sign)
    added = ServiceInfo(
        SERVICE, made.name, port=7, properties=made.properties,
        parsed_addresses=["198.51.100.1", "2001:db8::1"],
    )  # fmt: skip
    assert Beacon.from_service(added).hosts == BEACON.hosts
    with pytest.raises(Malformed):
        Beacon.from_service(service(a=b"198.51.100.1"))


async def test_a_machine_that_names_many_addresses_lists_few_tables(
    autojump_clock: MockClock,
) -> None:
    """What counts is from where it answers."""

    async def call(beacon: Beacon) -> Answer | None:
        await trio.lowlevel.checkpoint()
        return Answer(OWNER, beacon.hosts[-1])

    crowd = [
        evolve(table(number), hosts=(f"198.51.100.{number}", "203.0.113.1"))
        for number in range(MOST_BEACONS)
    ]
    beacons = heard(call, *crowd)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(beacons.call_tables)
        await trio.sleep(30)
        beacons.note(table(999).name, table(999))
        await trio.sleep(1)
        nursery.cancel_scope.cancel()
    assert len(names(beacons)) == MOST_OF_ADDRESS + 1
    assert "Table 999" in names(beacons)


def test_the_mark_of_a_table_that_has_begun_cannot_be_copied() -> None:
    """Else a false table with the same mark would hide the real one."""
    real = BEACON.vouched(bytes(32))
    assert Beacon.from_service(real.to_service(HOST.sign)).begun == mark_of(bytes(32))
    copied = evolve(real, key=OTHER.public)
    with pytest.raises(Malformed, match="not vouched"):
        Beacon.from_service(copied.to_service(OTHER.sign))
    without = evolve(real, key=OTHER.public, voucher="")
    with pytest.raises(Malformed):
        Beacon.from_service(without.to_service(OTHER.sign))


async def test_a_table_that_has_begun_is_listed_once(autojump_clock: MockClock) -> None:
    """All its nodes announce it, and say of it what can be known anyway."""
    nodes = [table(number).vouched(bytes(32)) for number in range(3)]
    other = table(9, "192.0.2.9").vouched(bytes([1]) * 32)
    beacons = heard(everybody, *nodes, other)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(beacons.call_tables)
        await trio.sleep(1)
        nursery.cancel_scope.cancel()
    assert {beacon.key for beacon in beacons.tables} == {nodes[0].key, other.key}
    assert mark_of(bytes(32)) != bytes(8).hex()


async def test_a_table_is_found_changes_and_goes() -> None:
    """Real mDNS on this machine's own interfaces; the port is called by nobody."""
    open_ = True
    announcer = Identity.generate()
    mine = evolve(BEACON, key=announcer.public, tag=tag_of(OWNER, OWNER, announcer.public))

    async def call(_beacon: Beacon) -> Answer | None:
        await trio.lowlevel.checkpoint()
        return Answer(OWNER, "192.0.2.1") if open_ else None

    def found(beacons: Beacons) -> list[int]:
        return [beacon.free for beacon in beacons.tables if beacon.key == mine.key]

    with trio.fail_after(PATIENCE):
        async with open_beacons(call) as watching:
            async with open_beacons(call) as announcing:
                await announcing.announce(mine, announcer.sign)
                while found(watching) != [3]:
                    await watching.changed()
                assert watching.of(OWNER, [OWNER])[0].port == 7
                assert not watching.of(OWNER, [KEY])
                await announcing.announce(evolve(mine, free=0), announcer.sign)
                while found(watching) != [0]:
                    await watching.changed()
                open_ = False
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
    announcer = Identity.generate()
    key = announcer.public
    real = evolve(BEACON, key=key).to_service(announcer.sign)
    await trio.to_thread.run_sync(other.announce, real)
    with trio.fail_after(PATIENCE):
        while not any(name.startswith(key.hex()[:24]) for name in heard):
            await found.wait()
            found = trio.Event()
    listener = mdns._listener
    await trio.to_thread.run_sync(mdns.close)
    assert listener._asking == {}
    await trio.to_thread.run_sync(other.close)

"""Beacons: their content, the checks on it, and the limits on remembered beacons."""

from collections.abc import Mapping, Sequence

import pytest
import trio
from attrs import evolve
from zeroconf import ServiceInfo

from p2p.discovery.beacon import (
    MOST_HOSTS,
    SERVICE,
    Beacon,
    BeaconAnswer,
    mark_of,
    tag_of,
    title_of,
)
from p2p.discovery.beacons import (
    ANSWER_SECONDS,
    CALL_SECONDS,
    MOST_BEACONS,
    MOST_FAILURES,
    MOST_OF_ADDRESS,
)
from p2p.storage.identity import Identity
from protocol.errors import Malformed
from tests.p2p.discovery.heard_beacons import (
    BEACON,
    HOST,
    KEY,
    OTHER,
    OWNER,
    calling,
    everybody,
    heard,
    names,
    table,
)

pytestmark = pytest.mark.usefixtures("autojump_clock")


def service(
    beacon: Beacon = BEACON,
    *,
    name: str = "",
    port: int = 0,
    addresses: Sequence[str] = BEACON.hosts,
    interface: int | None = None,
    changes: Mapping[str, bytes | None] | None = None,
) -> ServiceInfo:
    """Return the service of a beacon as it is heard, with changed text fields; None removes one."""
    made = beacon.to_service(HOST.sign)
    changed = {field.encode(): value for field, value in (changes or {}).items()}
    text = {**made.properties, **changed}
    return ServiceInfo(
        SERVICE,
        name or made.name,
        port=port or made.port,
        properties={field: value for field, value in text.items() if value is not None},
        parsed_addresses=list(addresses),
        server=made.server,
        interface_index=interface,
    )


@pytest.mark.parametrize(
    "beacon",
    [BEACON, evolve(BEACON, table="", game="", seats=0, free=0)],
    ids=["of an open table", "of a node without one"],
)
def test_a_beacon_survives_encoding_as_a_service(beacon: Beacon) -> None:
    assert Beacon.from_service(beacon.to_service(HOST.sign)) == beacon


def test_a_title_that_cannot_be_announced_is_refused_early() -> None:
    """The longest title that fits is announced unchanged."""
    accents = "a" + 3 * "\U0001d167"  # one column: a letter and three accents of four bytes each
    longest = 19 * accents + "\u16a0"
    assert len(title_of(longest).encode()) == 250
    beacon = evolve(BEACON, table=longest)
    assert Beacon.from_service(beacon.to_service(HOST.sign)) == beacon
    assert title_of("  Küche ") == "Küche"
    with pytest.raises(Malformed, match="it has 251 bytes, and at most 250 can be announced"):
        title_of(19 * accents + "\U00010300")


def test_the_scope_of_an_address_is_not_announced() -> None:
    beacon = evolve(BEACON, hosts=("fe80::1%eth0", "192.0.2.1"))
    assert set(beacon.to_service(HOST.sign).parsed_addresses()) == {"192.0.2.1", "fe80::1"}


@pytest.mark.parametrize(
    ("sentence", "field", "values"),
    [
        ("not in its clean form", "t", [b"\x1b[31mred", "a\u202eb".encode()]),
        ("columns wide", "t", [b"x" * 200]),
        ("too long", "t", [b"x" * 251]),
        ("is no text", "t", [b"\xff"]),
        ("not have 32 bytes", "k", [b"00", KEY.hex().upper().encode(), None]),
        ("not hexadecimal", "k", [b"zz" * 32]),
        ("no name of a game", "g", [b"rm -rf", "canásta".encode(), b"x" * 33]),
        ("is no number", "s", [b"7", b"-1"]),
        ("is no number", "f", ["٣".encode(), b"", b"7"]),
        ("is no number", "v", [b"4294967297", b"99999999999"]),
        ("not have 32 bytes", "b", [b"00"]),
        ("not hexadecimal", "b", [b"kitchen!" * 2]),
        ("not have 32 bytes", "y", [b"00" * 64]),
        ("not have 8 bytes", "w", [b"00"]),
        ("is no number", "m", [b"1099511627777", b"99999999999999"]),
        ("is no number", "o", [b"2", b"00000000000001", b"+1"]),
        ("not have 64 bytes", "x", [None, b"00"]),
        ("too many addresses", "a", [b"192.0.2.1,kitchen", b"::ffff:192.0.2.1"]),
        ("signed with it", "t", [b"Kitchen", None]),
        ("signed with it", "g", [b"kanastic"]),
        ("signed with it", "f", [b"2"]),
        ("signed with it", "s", [b"5"]),
        ("signed with it", "m", [b"10"]),
        ("signed with it", "v", [b"2"]),
        ("signed with it", "o", [b"1"]),
        ("signed with it", "w", [b"00" * 8]),
        ("signed with it", "a", [b"192.0.2.1", b"198.51.100.1"]),
        ("signed with it", "k", [OTHER.public.hex().encode()]),
        ("signed with it", "x", [b"00" * 64]),
    ],
)
def test_nonsense_in_beacons_is_refused(
    sentence: str, field: str, values: list[bytes | None]
) -> None:
    """Each field is checked, because anybody can make a key and sign nonsense with it.

    For example, t is the title, k the key, g the game, s the seats, and x the signature
    (`Beacon.to_service`).
    """
    for value in values:
        with pytest.raises(Malformed, match=sentence):
            Beacon.from_service(service(changes={field: value}))


def test_a_beacon_with_the_highest_allowed_numbers_is_read() -> None:
    """Other or later programs may use all that `spec/messages.md`, 10, allows."""
    most = evolve(
        BEACON,
        hosts=tuple(f"192.0.2.{number}" for number in range(MOST_HOSTS)),
        port=65535,
        game="x" * 32,
        seats=6,
        free=6,
        spectators=True,
        moment=1 << 40,
        version=1 << 32,
    )
    assert Beacon.from_service(most.to_service(HOST.sign)) == most
    assert Beacon.from_service(evolve(BEACON, port=1).to_service(HOST.sign)).port == 1
    crowd = evolve(most, hosts=(*most.hosts, "192.0.2.9"))
    with pytest.raises(Malformed, match="too many addresses"):
        Beacon.from_service(crowd.to_service(HOST.sign))


def test_a_beacon_without_a_usable_address_or_port_is_refused() -> None:
    for hosts in ((), ("224.0.0.1",), ("fe80::1%eth0",)):
        nowhere = evolve(BEACON, hosts=hosts).to_service(HOST.sign)
        nowhere.addresses = []
        with pytest.raises(Malformed, match="where"):
            Beacon.from_service(nowhere)
    for port in (None, 0, 65536):
        made = BEACON.to_service(HOST.sign)
        made.port = port
        with pytest.raises(Malformed, match="where"):
            Beacon.from_service(made)


def test_a_link_local_address_gets_the_scope_of_this_machines_interface() -> None:
    """The scope that the sender gives means nothing here."""
    beacon = evolve(BEACON, hosts=("192.0.2.1", "fe80::1%eth0", "fe80::2%eth0"))
    found = service(beacon, addresses=["192.0.2.1", "fe80::1"], interface=4)
    assert Beacon.from_service(found).hosts == ("192.0.2.1", "fe80::1%4")


def test_a_beacon_at_another_port_or_under_another_name_is_refused() -> None:
    for moved in (service(port=8), service(name=f"x.{SERVICE}")):
        with pytest.raises(Malformed, match="named after its key"):
            Beacon.from_service(moved)


def test_nothing_in_a_beacon_is_the_same_on_every_network() -> None:
    """Only members of a common table can tell that two beacons are of one node."""
    identity = Identity.generate()
    text = Beacon(KEY, ("192.0.2.1",), 7, tag=tag_of(bytes(32), identity.public, KEY))
    assert identity.public.hex()[:16] not in str(text.to_service(HOST.sign).properties)
    assert tag_of(bytes(32), identity.public, KEY) != tag_of(bytes(31) + b"1", identity.public, KEY)


async def test_a_table_is_listed_as_long_as_it_answers() -> None:
    """A search is settled when each table has answered or its time is up."""
    alive = {2, 4, 3}
    called: list[Beacon] = []

    async def call(beacon: Beacon) -> BeaconAnswer | None:
        called.append(beacon)
        assert len(called) < 40, "tables are called all the time"
        if int.from_bytes(beacon.key, "little") in alive:
            return BeaconAnswer(OWNER, beacon.hosts[0])
        await trio.sleep_forever()
        return None

    beacons = heard(call, table(1), *(table(number) for number in alive))
    assert names(beacons) == []
    assert not beacons.settled
    async with calling(beacons):
        await trio.sleep(ANSWER_SECONDS / 2)
        assert names(beacons) == ["Table 2", "Table 3", "Table 4"]
        assert not beacons.settled
        await trio.sleep(ANSWER_SECONDS)
        assert beacons.settled
        assert beacons.tables[0].owner == OWNER
        alive.clear()
        await trio.sleep(MOST_FAILURES * (CALL_SECONDS + ANSWER_SECONDS))
        assert MOST_FAILURES * (CALL_SECONDS + ANSWER_SECONDS) <= 10
        assert names(beacons) == []


async def test_false_tables_hide_no_real_one() -> None:
    """Tables that share an address or do not answer are dropped to make room."""

    async def call(beacon: Beacon) -> BeaconAnswer | None:
        await trio.sleep(1)
        return BeaconAnswer(OWNER, "192.0.2.1") if beacon.hosts[0] == "192.0.2.1" else None

    async with calling(beacons := heard(call, table(1))):
        await trio.sleep(2)
        for number in range(100, 100 + 4 * MOST_BEACONS):
            beacons.note(f"{number}", table(number, f"198.51.100.{number % 250}"))
        beacons.note(table(2).name, table(2))
        await trio.sleep(0.1)
        for number in range(1000, 1000 + 4 * MOST_OF_ADDRESS):
            beacons.note(f"{number}", table(number, "203.0.113.1"))
        await trio.sleep(30)
        assert names(beacons) == ["Table 1", "Table 2"]


async def test_a_flood_of_false_tables_hides_no_real_one() -> None:
    """A real table is listed at once, among 500 false ones a second that never answer."""

    async def call(beacon: Beacon) -> BeaconAnswer | None:
        if beacon.table != "Table 1":
            await trio.sleep_forever()
        await trio.sleep(0.05)
        return BeaconAnswer(OWNER, beacon.hosts[0])

    async with calling(beacons := heard(call)):
        for number in range(2600):
            beacons.note(f"{number}", table(number + 9, f"198.51.{number % 250}.{number % 99}"))
            if number == 1300:
                beacons.note(table(1).name, table(1))
            await trio.sleep(0.002)
            assert number < 1400 or names(beacons) == ["Table 1"]
        assert trio.lowlevel.current_statistics().tasks_living < MOST_BEACONS + 20


async def test_only_a_few_beacons_are_remembered() -> None:
    crowd = [table(number, f"198.51.{number}.1") for number in range(2 * MOST_BEACONS)]
    beacons = heard(everybody, *crowd)
    assert len(beacons._tables) == MOST_BEACONS
    beacons = heard(everybody, *(table(number) for number in range(2 * MOST_BEACONS)))
    assert len(beacons._tables) == MOST_OF_ADDRESS
    for number in range(2 * MOST_BEACONS):
        beacons.note(f"{number}", evolve(table(number), table=""))
    assert len(beacons._nodes) == MOST_BEACONS


async def test_an_older_beacon_replaces_nothing() -> None:
    async with calling(beacons := heard(everybody, evolve(BEACON, moment=9, free=2))):
        await trio.sleep(1)
        beacons.note(BEACON.name, evolve(BEACON, moment=8, free=3, hosts=("198.51.100.1",)))
        await trio.sleep(1)
        (listed,) = beacons.tables
        assert (listed.free, listed.hosts) == (2, BEACON.hosts)


def test_unsigned_addresses_are_not_called() -> None:
    """Anybody can answer mDNS for a name with their own addresses."""
    added = service(addresses=["198.51.100.1", "2001:db8::1"])
    assert Beacon.from_service(added).hosts == BEACON.hosts


async def test_only_a_few_tables_of_a_machine_with_many_addresses_are_listed() -> None:
    """Each table of the machine names an address of its own and one that they all have."""

    async def call(beacon: Beacon) -> BeaconAnswer | None:
        await trio.lowlevel.checkpoint()
        return BeaconAnswer(OWNER, beacon.hosts[-1])

    crowd = [
        evolve(table(number), hosts=(f"198.51.100.{number}", "203.0.113.1"))
        for number in range(MOST_BEACONS)
    ]
    async with calling(beacons := heard(call, *crowd)):
        await trio.sleep(30)
        beacons.note(table(999).name, table(999))
        await trio.sleep(1)
    assert len(names(beacons)) == MOST_OF_ADDRESS + 1
    assert "Table 999" in names(beacons)
    assert beacons.settled, "the search still waits for an answer"


def test_the_mark_of_a_table_that_has_begun_cannot_be_copied() -> None:
    """Vouchers hold for one beacon: a false table with a copied mark would hide the real one."""
    real = BEACON.vouched(bytes(32))
    assert Beacon.from_service(real.to_service(HOST.sign)).begun == mark_of(bytes(32))
    copied = evolve(real, key=OTHER.public)
    with pytest.raises(Malformed, match="voucher"):
        Beacon.from_service(copied.to_service(OTHER.sign))
    for without in (evolve(real, voucher=""), evolve(real, begun="")):
        with pytest.raises(Malformed, match=r"not have (32|64) bytes"):
            Beacon.from_service(without.to_service(HOST.sign))


async def test_a_table_that_has_begun_is_listed_once() -> None:
    """Each of its nodes announces the table. The mark in their beacons does not tell its id."""
    nodes = [table(number).vouched(bytes(32)) for number in range(3)]
    other = table(9, "192.0.2.9").vouched(bytes([1]) * 32)
    async with calling(beacons := heard(everybody, *nodes, other)):
        await trio.sleep(1)
    assert {beacon.key for beacon in beacons.tables} == {nodes[0].key, other.key}
    assert mark_of(bytes(32)) != bytes(8).hex()

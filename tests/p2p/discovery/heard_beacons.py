"""Beacons heard without a network, and the nodes that answer when they are called."""

from collections.abc import Awaitable, Callable

import trio
from attrs import evolve
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from p2p.discovery.beacon import SERVICE, Beacon
from p2p.discovery.beacons import BeaconAnswer, Beacons
from p2p.discovery.mdns import Mdns
from p2p.storage.identity import Identity

HOST, OTHER = (
    Identity(Ed25519PrivateKey.from_private_bytes(bytes([number]) * 32)) for number in (1, 2)
)
KEY = HOST.public
BEACON = Beacon(KEY, ("192.0.2.1", "2001:db8::1"), 7, "Küche", "canasta", 4, 3, moment=9)
OWNER = bytes(32)


def table(number: int, host: str = "192.0.2.1") -> Beacon:
    return evolve(BEACON, key=number.to_bytes(32, "little"), hosts=(host,), table=f"Table {number}")


def heard(call: Callable[[Beacon], Awaitable[BeaconAnswer | None]], *tables: Beacon) -> Beacons:
    """Return a `Beacons` without a network that has heard these tables in this order."""
    beacons = Beacons(Mdns(SERVICE, lambda *_: None), call)
    for beacon in tables:
        beacons.note(beacon.name, beacon)
    return beacons


async def everybody(beacon: Beacon) -> BeaconAnswer | None:
    await trio.lowlevel.checkpoint()
    return BeaconAnswer(OWNER, beacon.hosts[0])


def names(beacons: Beacons) -> list[str]:
    return [beacon.table for beacon in beacons.tables]


async def nobody(_beacon: Beacon) -> BeaconAnswer | None:
    """Answer no call."""
    await trio.lowlevel.checkpoint()
    return None

"""Beacons heard without a network, the nodes that answer when they are called, and real mDNS."""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

import pytest
import trio
from attrs import evolve
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from p2p.background_task import beside
from p2p.discovery.beacon import SERVICE, Beacon, BeaconAnswer
from p2p.discovery.beacons import Beacons
from p2p.discovery.mdns import MDNS_ERRORS, Heard, Mdns
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


@asynccontextmanager
async def calling(beacons: Beacons) -> AsyncIterator[None]:
    """Call the tables of these beacons during the block."""
    async with beside(beacons.call_tables):
        yield


@asynccontextmanager
async def real_mdns(hear: Heard = lambda *_: None) -> AsyncIterator[Mdns]:
    """Open mDNS on this machine's interfaces for the block; skip the test if there is none."""
    mdns = Mdns(SERVICE, hear)
    try:
        await trio.to_thread.run_sync(mdns.open)
    except MDNS_ERRORS:
        pytest.skip("no mDNS on this machine")
    try:
        yield mdns
    finally:
        await trio.to_thread.run_sync(mdns.close)


async def everybody(beacon: Beacon) -> BeaconAnswer | None:
    """Answer each call, as the owner of every table."""
    await trio.lowlevel.checkpoint()
    return BeaconAnswer(OWNER, beacon.hosts[0])


def names(beacons: Beacons) -> list[str]:
    return [beacon.table for beacon in beacons.tables]


async def nobody(_beacon: Beacon) -> BeaconAnswer | None:
    """Answer no call."""
    await trio.lowlevel.checkpoint()
    return None

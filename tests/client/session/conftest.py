"""Fixture that switches beacons off for all tests of sessions, so guests must know an address."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from p2p.discovery.beacons import NoBeacon


@pytest.fixture(autouse=True)
def _without_beacons(monkeypatch: pytest.MonkeyPatch) -> None:
    def none(*_: object) -> None:
        raise NoBeacon("There is no network here.")

    @asynccontextmanager
    async def opening(*_: object) -> AsyncIterator[None]:
        none()
        yield

    monkeypatch.setattr("client.session.network_node.open_beacons", opening)

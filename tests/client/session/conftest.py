"""Sessions without mDNS: whoever comes is told an address."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from p2p.discovery.beacon import NoBeacon


@pytest.fixture(autouse=True)
def _without_beacons(monkeypatch: pytest.MonkeyPatch) -> None:
    def none() -> None:
        raise NoBeacon("There is no network here.")

    @asynccontextmanager
    async def opening() -> AsyncIterator[None]:
        none()
        yield

    monkeypatch.setattr("client.session.local_node.open_beacons", opening)

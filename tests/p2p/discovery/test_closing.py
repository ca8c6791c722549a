"""Nothing on the network holds up the end of a program for long."""

import threading

import pytest
import trio
from trio.testing import MockClock
from zeroconf import EventLoopBlocked

from p2p.discovery.beacon import Beacon
from p2p.discovery.beacons import CLOSE_SECONDS, BeaconAnswer, open_beacons
from p2p.discovery.mdns import Mdns
from tests.patience import PATIENCE


async def unanswered(_beacon: Beacon) -> BeaconAnswer | None:
    return None


@pytest.fixture(autouse=True)
def _opens_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Mdns, "open", lambda _mdns: None)
    monkeypatch.setattr(Mdns, "is_outdated", False)


async def test_mdns_that_does_not_close_is_left_behind(
    monkeypatch: pytest.MonkeyPatch, mock_clock: MockClock
) -> None:
    """The clock jumps on while its thread waits: nobody else has anything to do."""
    mock_clock.autojump_threshold = 0
    end = threading.Event()
    closed: list[Mdns] = []

    def close(mdns: Mdns) -> None:
        end.wait(PATIENCE)
        closed.append(mdns)

    monkeypatch.setattr(Mdns, "close", close)
    try:
        began = trio.current_time()
        async with open_beacons(unanswered):
            pass
        assert trio.current_time() - began == pytest.approx(CLOSE_SECONDS)
        assert not closed
    finally:
        end.set()


async def test_what_goes_wrong_when_mdns_closes_is_no_news_to_who_leaves(
    monkeypatch: pytest.MonkeyPatch, autojump_clock: MockClock
) -> None:
    """The library zeroconf raises that where its thread is too busy to say goodbye."""
    closed: list[Mdns] = []

    def close(mdns: Mdns) -> None:
        closed.append(mdns)
        raise EventLoopBlocked

    monkeypatch.setattr(Mdns, "close", close)
    async with open_beacons(unanswered):
        pass
    assert closed

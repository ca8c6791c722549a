"""A member at the other end of a link: notes about them, and the times of messages to them."""

from collections.abc import Callable
from typing import Any

import pytest
import trio
from trio.testing import MockClock

from p2p.table.calls import QUIET_SECONDS
from p2p.table.peer import WINDOW, Peer
from p2p.transport.frames import LinkError, SlowReader
from p2p.transport.messages import Carry, Status
from tests.p2p.table.mesh_peers import CARLAS, FakeLink, entry, status

HEIGHT = 100
"""The height of the own record."""


def at(height: int) -> Status:
    return status(height, entry(height))


def peer_at(height: int | None = None) -> Peer:
    """Return a member who has said that they have so much; with None, who has said nothing."""
    link: Any = FakeLink()
    peer = Peer(link, 1)
    if height is not None:
        peer.hears(at(height))
    return peer


def due(peer: Peer, is_due: Callable[[int], bool] = lambda _: True) -> list[int]:
    return peer.take_due(HEIGHT, is_due)


async def test_nobody_is_sent_anything_before_they_have_said_what_they_have() -> None:
    peer = peer_at()
    assert due(peer) == []
    assert peer.lacking(3) == range(1, 4)  # as far as is known
    peer.hears(at(0))
    assert due(peer) == [*range(1, 1 + WINDOW)]


@pytest.mark.parametrize("has", [0, 1, 7])
async def test_who_lacks_much_is_sent_a_window_of_it_once(has: int) -> None:
    peer = peer_at(has)
    assert peer.lacking(HEIGHT) == range(has + 1, has + WINDOW + 1)
    assert peer.lacking(has + 2) == range(has + 1, has + 3)
    assert not peer.lacking(has)
    assert due(peer, lambda height: height == has + 2) == [has + 2]
    assert due(peer) == [has + 1, *range(has + 3, has + WINDOW + 1)]
    assert due(peer) == []
    peer.hears(at(has + 1))
    assert due(peer) == [has + WINDOW + 1]


async def test_what_is_not_confirmed_for_long_is_sent_again(autojump_clock: MockClock) -> None:
    await trio.sleep(100)
    peer = peer_at(3)
    assert peer.take_due(5, lambda _: True) == [4, 5]
    await trio.sleep(4.9)
    peer.hears(at(3))
    assert peer.take_due(5, lambda _: True) == []
    await trio.sleep(0.1)
    peer.hears(at(3))
    assert peer.take_due(5, lambda _: True) == [4, 5]


async def test_who_confirms_slowly_is_sent_nothing_twice(autojump_clock: MockClock) -> None:
    peer = peer_at(3)
    assert peer.take_due(5, lambda _: True) == [4, 5]
    await trio.sleep(60)
    peer.hears(at(4))
    assert peer.take_due(5, lambda _: True) == []
    assert peer.sent == {5}


async def test_what_they_have_carried_is_not_sent_to_them() -> None:
    """As much is remembered of the heights that they claim as a window has."""
    peer = peer_at(3)
    for height in (2, 3, 4, 3 + WINDOW, 4 + WINDOW):
        peer.has_carried(height)
    assert peer.sent == {4, 3 + WINDOW}
    peer.has_shown(4)
    assert (peer.has, peer.sent) == (4, {3 + WINDOW})
    peer.has_shown(2)
    assert (peer.has, peer.sent) == (4, {3 + WINDOW})
    assert due(peer) == [*range(5, 3 + WINDOW), 4 + WINDOW]


async def test_who_gets_entries_from_their_writer_is_helped_no_more() -> None:
    peer = peer_at(3)
    peer.relayed |= {0, CARLAS}
    said = at(3)
    peer.hears(Status(said.own, (), (CARLAS,)))
    assert peer.direct == {CARLAS}
    assert peer.relayed == {0}


async def test_who_does_not_read_loses_what_is_sent_and_gets_it_after_their_next_status() -> None:
    peer, link = peer_at(3), FakeLink(error=SlowReader("full"))
    peer.link = link  # type: ignore[assignment]
    assert peer.take_due(5, lambda _: True) == [4, 5]
    peer.send(Carry(4, entry(4)))
    assert peer.sent == set()
    link.error = LinkError("closed")
    assert peer.take_due(5, lambda _: True) == [4, 5]
    peer.send(Carry(4, entry(4)))  # whose task notices
    assert peer.sent == {4, 5}
    link.error = None
    peer.tell(at(7))
    assert link.said == [at(7)]
    assert peer.told == at(7)


async def test_who_says_nothing_is_quiet_after_a_while(autojump_clock: MockClock) -> None:
    await trio.sleep(100)
    peer = peer_at()
    await trio.sleep(QUIET_SECONDS - 0.1)
    assert not peer.is_quiet(QUIET_SECONDS)
    await trio.sleep(0.1)
    assert peer.is_quiet(QUIET_SECONDS)

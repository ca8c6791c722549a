"""The peers of a node: their heights, entries under way to them, and the wait after a restart."""

import math
from collections.abc import Collection
from types import SimpleNamespace
from typing import Any

import pytest

from protocol.table import events, tasks
from protocol.table.messages import Acknowledgement, Status
from protocol.table.peer import WINDOW, Peer
from protocol.table.relaying import Relaying
from protocol.table.resync import Resync, Unheard
from tests.protocol.table.peers_world import PeersWorld

ANA, BRUNO, CARLA = range(3)


def status(height: int, *direct: int) -> Status:
    return Status(Acknowledgement(height, bytes(32), bytes(64)), (), direct)


def test_entries_are_sent_again_if_a_peer_confirms_nothing_for_five_seconds() -> None:
    peer = Peer[str](BRUNO, relayed={ANA, CARLA})
    assert peer.take_due(9, lambda _: True, 0.0) == []  # their height is not known yet
    peer.hears(status(3), 0.0)
    assert peer.take_due(9, lambda height: height > 4, 1.0) == [5, 6, 7, 8, 9]
    # Now entry 4 is due, too. The others are under way.
    assert peer.take_due(9, lambda _: True, 2.0) == [4]
    assert peer.take_due(9, lambda _: True, 3.0) == []
    for height, now, again in (
        (3, 6.9, []),
        (4, 7.5, []),  # it has confirmed one more
        (4, 7.6, [5, 6, 7, 8, 9]),
        (4, 8.0, []),
    ):
        peer.hears(status(height, CARLA), now)
        assert peer.take_due(9, lambda _: True, now) == again, now
    assert peer.direct == {CARLA}
    assert peer.relayed == {ANA}


def test_at_most_a_window_of_entries_is_under_way() -> None:
    peer = Peer[str](BRUNO, confirmed=3)
    for height in (4, 3 + WINDOW, 4 + WINDOW):
        peer.has_carried(height)
    assert peer.take_due(100, lambda _: True, 0.0) == [*range(5, 3 + WINDOW)]
    peer.has_shown(6)
    peer.has_shown(5)
    assert [*peer.lacking(100)] == [*range(7, 7 + WINDOW)]
    assert [*peer.lacking(8)] == [7, 8]
    peer.has_lost()
    assert peer.take_due(8, lambda _: True, 0.0) == [7, 8]


def test_talk_is_sent_once_until_messages_are_lost() -> None:
    peer = Peer[str](BRUNO)
    assert peer.new_talk(["a", "b"]) == ["a", "b"]
    assert peer.new_talk(["b", "c"]) == ["c"]
    assert peer.new_talk(["a"]) == ["a"]
    peer.has_lost()
    assert peer.new_talk(["a"]) == ["a"]


def test_entries_of_others_are_due_after_a_while_or_with_the_next_own_entry() -> None:
    relaying, peer = Relaying(ANA, settled=2), Peer[str](CARLA, confirmed=0)
    writers = [BRUNO, BRUNO, BRUNO, CARLA, ANA, BRUNO]
    for height, writer in enumerate(writers, 1):
        relaying.grown(height, writer)
    # Entries 1 and 2 are settled, 3 and 4 come before our own entry 5, and 7 has no known writer.
    due = [relaying.is_due(peer, height) for height in range(1, 8)]
    assert due == [True, True, True, True, True, False, True]
    peer.direct = frozenset({BRUNO})
    assert [relaying.is_due(peer, height) for height in (2, 3, 4)] == [True, False, True]
    assert relaying.is_due(peer, 3, asked=True)
    peer.sent = {3, 4}
    relaying.settle(1, [peer])
    assert (relaying.settled, peer.relayed) == (2, {BRUNO})
    assert [relaying.is_due(peer, height) for height in (3, 6)] == [True, True]
    for height in range(7, 7 + WINDOW):
        relaying.grown(height, CARLA)
    assert [relaying.writer(height) for height in (6, 7, 6 + WINDOW)] == [None, CARLA, CARLA]
    late = Peer[str](BRUNO, confirmed=0)
    relaying.settle(30, [late])
    assert (relaying.settled, late.relayed) == (30, {CARLA})


def test_a_new_node_knows_no_heights_and_no_links() -> None:
    world = PeersWorld()
    list(world.happens("record 5 bruno"))
    peers = world.peers
    assert (peers.known.all, peers.others) == ((5, 0, 0), (BRUNO, CARLA))
    assert not peers.linked
    assert peers.lacking(0) == {BRUNO, CARLA}
    for event in ("link bruno", "bruno: status 4"):
        list(world.happens(event))
    assert peers.linked == {BRUNO}
    assert [peers.lacking(height) for height in (4, 5)] == [{CARLA}, {BRUNO, CARLA}]
    assert peers.known.all == (5, 4, 0)
    assert peers.handle(events.Grown(BRUNO, None), 0.0).has_changed


@pytest.mark.parametrize(
    ("height", "shown"), [(0, []), (1, [1]), (2, [1, 2]), (20, [*range(5, 21)])]
)
def test_a_different_record_is_compared_by_its_newest_window(height: int, shown: list[int]) -> None:
    world = PeersWorld()
    for event in ("record 20 bruno", "link carla"):
        list(world.happens(event))
    said = world._message("carla", f"status {height} of another record")
    sent = world.peers.handle(events.Heard(1, said), 0.0).send
    key = world.chain.charter.key_of(ANA)
    compared = [one for _, one in sent if isinstance(one, tasks.Entries) and one.without == key]
    assert [[*one.heights] for one in compared] == ([shown] if shown else [])


def resync_of(
    others: int, silent: Collection[int], ahead: Collection[int] = (), apart: Collection[int] = ()
) -> Any:
    """Return the wait of player 0: some others are silent, claim more, or have another record."""
    members = range(1, others + 1)
    heights = (5, *(6 if player in ahead else 5 for player in members))
    known = SimpleNamespace(
        has_heard=lambda player: player not in silent,
        has_spoken=lambda player: player not in silent,
        is_apart=lambda player: player in apart,
        all=heights,
    )
    chain = SimpleNamespace(height=5)
    peers: Any = SimpleNamespace(others=(*members,), known=known, chain=chain, linked={1})
    resync = Resync(peers)
    resync.begin(0.0)
    return resync


@pytest.mark.parametrize(
    ("others", "silent", "enough"),
    [
        (1, {1}, 0),
        (2, {1, 2}, 1),
        (2, {1}, None),
        (3, {1, 2, 3}, 2),
        (3, {1, 2}, 1),
        (3, {1}, None),
        (4, {1, 2, 3}, 1),
        (4, {1, 2}, None),
        (5, {1, 2, 3}, 1),
        (7, {1, 2, 3, 4}, 1),
    ],
)
def test_after_ten_seconds_more_than_half_are_enough(
    others: int, silent: set[int], enough: int | None
) -> None:
    """`enough` is the number of silent members who are still needed, or None if none are."""
    resync = resync_of(others, silent)
    assert resync.look(9.0) == 10.0
    assert resync.awaited == Unheard(frozenset(silent))
    looks = [resync.look(10.0), resync.look(11.0)]
    if enough is None:
        assert (looks, resync.done, bool(resync.awaited)) == ([11.0, math.inf], True, False)
    else:
        assert (looks, resync.done) == ([14.0, 15.0], False)
        assert resync.awaited == Unheard(frozenset(silent), enough=enough)


def test_claims_are_awaited_for_a_while() -> None:
    resync = resync_of(3, set(), ahead={1})
    looks = [resync.look(0.0)]
    resync.peers.known.all = (5, 6, 6, 5)
    looks += [resync.look(3.0)]
    assert resync.awaited == Unheard()
    looks += [resync.look(4.0)]
    assert resync.awaited == Unheard(empty=frozenset({1}))
    looks += [resync.look(7.0), resync.look(8.0)]
    assert looks == [4.0, 4.0, 7.0, 8.0, math.inf]
    assert resync.done


def test_a_record_that_only_differs_is_awaited_only_by_a_node_in_doubt() -> None:
    for doubtful, looks in ((False, [1.0, math.inf]), (True, [4.0, 5.0])):
        resync = resync_of(2, set(), apart={2})
        resync.doubtful = doubtful
        assert [resync.look(0.0), resync.look(1.0)] == looks
        assert resync.done == (not doubtful)

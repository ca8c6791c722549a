"""Keeping one's hand closed, so that a round that somebody else has won is not counted."""

from collections.abc import Callable
from copy import deepcopy
from functools import cache

import pytest
from attrs import evolve

from protocol.entries import Body, CloseContent, Entry, OpenContent
from protocol.errors import Exposed
from protocol.reducer import advance
from protocol.state import State
from tests.engine.simulation import eagerly
from tests.protocol.continuing import (
    ended,
    follow,
    replaced,
    seat_newcomers,
)
from tests.protocol.ring import Ring

_SEEDS = {3: 2, 5: 3}  # with these somebody goes out soon; if the moves change, with a later one


pytestmark = pytest.mark.usefixtures("proofless")


@cache
def _won(players: int) -> Ring:
    for seed in range(_SEEDS[players], 100):
        ring = Ring.sit("canasta", players, seed=seed, rounds=2)
        while not ring.state.match.opening and len(ring.entries) < 75 * players:
            ring.step(eagerly)
        round_ = ring.state.match.round
        if ring.state.match.opening and round_ is not None and round_.closer is not None:
            return ring
    raise AssertionError


def won(players: int = 3) -> tuple[Ring, int]:
    """Return a table at which hands are to be opened, and the player who has gone out."""
    kept = _won(players)
    own = {name: deepcopy(getattr(kept, name)) for name in ("entries", "players", "rng")}
    ring = evolve(kept, signers=[*kept.signers], **own)
    assert ring.state.match.round is not None
    assert ring.state.match.round.closer is not None
    return ring, ring.state.match.player_at(ring.state.match.round.closer)


def counted(ring: Ring) -> CloseContent:
    """Return the closing that is to be signed when all hands that are due have been opened."""
    ring.play_until("close")
    return ring.state.closing


def side_of(state: State, player: int) -> int:
    return state.match.seat_of(player) % len(state.closing.points)


@pytest.mark.parametrize("agree", [ended, replaced])
def test_a_loser_who_never_opens_cancels_nothing(agree: Callable[..., bytes]) -> None:
    """Let the others go on, or end the match.

    The winner's points stand, and the loser has no more than an open hand would have brought.
    """
    honest = counted(won()[0])
    ring, winner = won()
    loser = ring.state.writers[0]
    seat_newcomers(ring, agree(ring, ring.state, loser))
    assert not ring.state.complete
    closed = counted(ring)
    assert (closed.round_number, closed.last) == (honest.round_number, honest.last)
    for player in {0, 1, 2} - {loser}:
        side = side_of(ring.state, player)
        assert closed.points[side] == honest.points[side]
    side = side_of(ring.state, loser)
    assert closed.points[side] < honest.points[side]
    assert max(closed.points) == closed.points[side_of(ring.state, winner)]
    ring.play_until("shuffle")
    assert ring.state.match.totals == closed.points
    assert ring.state.ended == (agree is ended)


def test_a_loser_who_signs_nothing_either_cancels_nothing() -> None:
    ring, _ = won()
    points = counted(ring).points
    loser = ring.state.writers[-1]
    while ring.state.writers[0] != loser:
        ring.step()
    after = follow(ring.state, ended(ring, ring.state, loser))
    assert after.ended
    assert after.match.totals == points


def test_two_losers_who_never_open_cancel_nothing() -> None:
    """Take two of five, one after the other or both at once."""
    ring, winner = won(5)
    first, second = ring.state.writers[0], 0
    after = follow(ring.state, replaced(ring, ring.state, first))
    second = after.writers[0]
    seat_newcomers(ring, replaced(ring, ring.state, first, second))
    assert ring.state.match == after.match.interrupted([second])
    closed = counted(ring)
    assert max(closed.points) == closed.points[side_of(ring.state, winner)]


def test_what_is_closed_stays_closed() -> None:
    """It was counted as closed: who opens it afterwards is out of turn, whatever is in it."""
    ring, _ = won()
    late = Entry.decode(ring.write())
    loser = ring.state.writers[0]
    after = follow(ring.state, ended(ring, ring.state, loser))
    content = Body.decode(late.body, ring.state.match.deck).content
    assert isinstance(content, OpenContent)
    again = Body(after.next_place, loser, content).encode()
    with pytest.raises(Exposed) as raised:
        advance(after, Entry.sign(again, ring.signers[loser]).encode())
    assert (raised.value.player, raised.value.cause) == (loser, "R11")

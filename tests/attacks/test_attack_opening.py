"""Keeping one's hand closed, so that a round that somebody else has won is not counted."""

from collections.abc import Callable, Iterator
from copy import deepcopy
from functools import cache

import pytest
from attrs import evolve

from engine.orders import OpenHand
from protocol.absence import absence
from protocol.entries import AbsentContent, Body, CloseContent, Entry, OpenContent
from protocol.errors import Exposed, Refused
from protocol.player import Player
from protocol.reducer import advance
from protocol.state import State
from tests.engine.simulation import eagerly
from tests.protocol.absent import NEWCOMER, SUBSTITUTE, ended, joint, others, refused, replaced
from tests.protocol.ring import Ring
from tests.simulation.tables import without_proofs

_SEEDS = {3: 2, 5: 3}  # with these somebody goes out soon; if the moves change, with a later one


@pytest.fixture(autouse=True, scope="module")
def _without_proofs() -> Iterator[None]:
    """Nobody here lies about a card."""
    with without_proofs():
        yield


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
    """A table at which somebody has gone out and hands are to be opened, and who that is."""
    kept = _won(players)
    own = {name: deepcopy(getattr(kept, name)) for name in ("entries", "players", "rng")}
    ring = evolve(kept, **own)
    assert ring.state.match.round is not None
    assert ring.state.match.round.closer is not None
    return ring, ring.state.match.player_at(ring.state.match.round.closer)


def counted(ring: Ring) -> CloseContent:
    """What is to be signed when all hands that are due have been opened."""
    ring.play_until("close")
    return ring.state.closing


def side_of(state: State, player: int) -> int:
    return state.match.seat_of(player) % len(state.closing.points)


@pytest.mark.parametrize("agree", [ended, replaced])
def test_a_loser_who_never_opens_cancels_nothing(
    agree: Callable[[Ring, State, int], bytes],
) -> None:
    """The others agree on the absence: what the winner has stands, and the loser has no more than
    an open hand would have brought.
    """
    honest = counted(won()[0])
    ring, winner = won()
    loser = ring.state.writers[0]
    ring.state = advance(ring.state, agree(ring, ring.state, loser))
    assert not ring.state.complete
    if agree is replaced:
        ring.players[loser] = Player(loser, SUBSTITUTE)
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


def test_a_loser_who_signs_nothing_either_cancels_nothing() -> None:
    ring, _ = won()
    loser = ring.state.writers[0]
    ring.state = advance(ring.state, ended(ring, ring.state, loser))
    points = counted(ring).points
    while ring.state.writers[0] != loser:
        ring.step()
    after = advance(ring.state, ended(ring, ring.state, loser))
    assert after.ended
    assert after.match.totals == points


def test_two_losers_who_never_open_cancel_nothing() -> None:
    """Of five; one after the other, or both at once."""
    ring, winner = won(5)
    after = ring.state
    for _ in range(2):
        after = advance(after, ended(ring, after, after.writers[0]))
    first, second = (p for p in range(5) if after.match.seat_of(p) in after.match.round.closed)  # type: ignore[union-attr]
    both = joint(absence(ring.state, AbsentContent((first, second))), others(ring, first, second))
    at_once = advance(ring.state, both)
    assert at_once.match == after.match
    ring.state = at_once
    closed = counted(ring)
    assert max(closed.points) == closed.points[side_of(ring.state, winner)]


def test_who_has_gone_out_cannot_be_called_absent() -> None:
    """Their hand is empty, and they are never waited for to open it."""
    ring, winner = won()
    while ring.state.due is not None and ring.state.due.kind == "open":
        assert isinstance(ring.state.due.order, OpenHand)
        assert ring.state.due.order.slots
        assert ring.state.due.player != winner
        with pytest.raises(Refused, match="does not wait"):
            absence(ring.state, AbsentContent((winner,)))
        ring.step()


@pytest.mark.parametrize("opening", [False, True])
def test_the_others_cannot_cancel_a_round_that_is_over(opening: bool) -> None:
    """Losers who agree that a third is away say that the round is void, or what it counts."""
    ring, _ = won()
    due = ring.state.writers[0]
    body = absence(ring.state, AbsentContent((due,)))
    points = CloseContent(1, (0, 0, 0), last=False)
    for wrong in (None, points) if not opening else (points,):
        content = AbsentContent((due,), opening=opening, counted=wrong)
        lie = evolve(body, content=content)
        assert refused(ring.state, joint(lie, others(ring, due))) == "R19"
    ring.play_until("close")
    due = ring.state.writers[0]
    body = absence(ring.state, AbsentContent((due,)))
    lie = evolve(body, content=AbsentContent((due,), opening=True, counted=ring.state.closing))
    assert refused(ring.state, joint(lie, others(ring, due))) == "R19"


def test_hands_are_not_said_to_be_opened_while_a_round_is_played() -> None:
    """It would be counted before anybody has gone out."""
    ring = Ring.sit("canasta", 3, seed=1, rounds=1)
    ring.play_until("move")
    due = ring.state.writers[0]
    body = absence(ring.state, AbsentContent((due,)))
    lie = evolve(body, content=AbsentContent((due,), opening=True))
    assert refused(ring.state, joint(lie, others(ring, due))) == "R19"


def test_what_is_closed_stays_closed() -> None:
    """It was counted as closed: who opens it afterwards is out of turn, whatever is in it."""
    ring, _ = won()
    late = Entry.decode(ring.write())
    loser = ring.state.writers[0]
    after = advance(ring.state, ended(ring, ring.state, loser))
    assert refused(after, late.encode()) == "R6"
    content = Body.decode(late.body, ring.state.match.game.deck).content
    assert isinstance(content, OpenContent)
    again = Body(after.next_place, loser, content).encode()
    with pytest.raises(Exposed) as raised:
        advance(after, Entry.sign(again, ring.signers[loser]).encode())
    assert (raised.value.player, raised.value.cause) == (loser, "R11")


def test_a_substitute_signs_what_the_closed_hand_counts() -> None:
    ring, _ = won()
    loser = ring.state.writers[0]
    ring.state = advance(ring.state, replaced(ring, ring.state, loser))
    assert ring.state.charter.members[loser] == NEWCOMER
    ring.players[loser] = Player(loser, SUBSTITUTE)
    ring.play_until("close")
    while ring.state.writers[0] != loser:
        ring.step()
    honest = ring.state.closing
    lie = evolve(honest, points=tuple(points + 5 for points in honest.points))
    body = Body(ring.state.next_place, loser, lie).encode()
    with pytest.raises(Exposed) as raised:
        advance(ring.state, Entry.sign(body, SUBSTITUTE).encode())
    assert (raised.value.player, raised.value.cause) == (loser, "R17")

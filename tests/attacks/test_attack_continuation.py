"""Attacks with continuations: leaving out a present player, or never opening one's hand."""

from collections.abc import Callable
from copy import deepcopy
from functools import cache

import pytest
from attrs import evolve

from protocol.charter import SignedCharter
from protocol.codec import encode
from protocol.entries import Body, CloseContent, Entry, OpenContent
from protocol.errors import Exposed, Malformed
from protocol.evidence import Evidence, Statement, statements_of
from protocol.reducer import advance
from protocol.state import State
from tests.engine.simulation import eagerly
from tests.protocol.continuing import (
    OLGA,
    concluded,
    ended,
    exposure_by,
    follow,
    offered,
    replaced,
    seat_newcomers,
    statement,
)
from tests.protocol.ring import Ring

pytestmark = pytest.mark.usefixtures("proofless")


@cache
def at_a_move(players: int) -> Ring:
    """Return a table before a move, cached: tests must not play on it."""
    ring = Ring.sit(players=players, rounds=2)
    ring.play_until("move")
    return ring


def test_a_statement_of_a_continuation_is_no_entry_of_its_signer() -> None:
    """Refuse to take a player's signature for a continuation as that of an entry, to frame them."""
    ring = at_a_move(3)
    for one in statements_of(concluded(ring, ring.state, offered(ring.state, [0]))):
        for body in (one.charter.encode(), encode((one.charter.encode(), []))):
            entry = Entry(body, one.signature)
            assert not any(entry.is_signed_by(member.key) for member in one.charter.members)


def exposed_by(part: Evidence, match_id: bytes) -> tuple[bytes, str]:
    found = Evidence.decode(part.encode()).exposes(match_id)
    return found.key, found.cause


def test_two_players_who_end_a_match_and_play_on_are_exposed() -> None:
    """Expose two players who end a match without the third, but play on with the third.

    Each of the two is exposed by their first entry after the end that is no unlocking.
    """
    ring = evolve(at_a_move(3), entries=[], players=[*at_a_move(3).players])
    start, away = ring.state, ring.state.writers[0]
    cut = SignedCharter.decode(ended(ring, start, away))
    exposed = set[int]()
    while len(exposed) < 2:
        writer, charter, due = ring.state.writers[0], ring.state.charter, ring.state.due
        ring.step()
        assert due is not None
        for one in statements_of(cut):
            found = exposure_by(one, ring.entries[-1], charter, start.table_id)
            assert (found is not None) == (one.player == writer and due.kind != "unlock")
            if found is not None:
                assert (found.key, found.cause) == (charter.key_of(writer), "C1")
                exposed.add(writer)
    assert away not in exposed


def test_a_made_up_table_exposes_nobody() -> None:
    """Let two of three make up a charter that would contradict what the victim has signed."""
    ring = at_a_move(3)
    state, victim = ring.state, 0
    one = statement(ring, state, offered(state, [1]), victim)
    honest = next(
        entry
        for entry in ring.entries
        if Entry.decode(entry).is_signed_by(state.charter.key_of(victim))
    )
    assert one.charter.continues is not None
    lower = evolve(one.charter, continues=evolve(one.charter.continues, attempt=1, ends=True))
    for table in (one.charter, lower, evolve(ring.charter.charter, grace=11)):
        assert exposure_by(one, honest, table, state.table_id) is None
        assert exposure_by(one, honest, table, table.match_id) is None
    for player in range(3):
        forged = Statement(one.charter, player, one.signature)
        if player != victim:
            part = Evidence(forged, one)
            with pytest.raises(Malformed, match="not signed"):
                Evidence.decode(part.encode())


def test_a_substitute_who_signs_two_continuations_of_one_attempt_is_exposed() -> None:
    """Expose only the substitute, not the members who sign one of the continuations."""
    ring = at_a_move(3)
    state = ring.state
    one, other = (offered(state, [left], seats=[OLGA]) for left in (0, 1))
    evidence = Evidence(statement(ring, state, one, 0), statement(ring, state, other, 1))
    assert exposed_by(evidence, state.table_id) == (OLGA.member.key, "C3")


# -- Keeping one's hand closed, to prevent the count of a round that another player has won

_SEEDS = {3: 2, 5: 3}  # with these seeds somebody goes out soon; otherwise later seeds are tried


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
    """Return a table before the opening of hands, and the player who has gone out."""
    kept = _won(players)
    own = {name: deepcopy(getattr(kept, name)) for name in ("entries", "players", "rng")}
    ring = evolve(kept, signers=[*kept.signers], **own)
    assert ring.state.match.round is not None
    assert ring.state.match.round.closer is not None
    return ring, ring.state.match.player_at(ring.state.match.round.closer)


def counted(ring: Ring) -> CloseContent:
    """Open all hands that are due, and return the closing to be signed then."""
    ring.play_until("close")
    return ring.state.closing


def side_of(state: State, player: int) -> int:
    return state.match.seat_of(player) % len(state.closing.points)


@pytest.mark.parametrize("agree", [ended, replaced])
def test_a_round_counts_although_a_loser_never_opens_the_hand(agree: Callable[..., bytes]) -> None:
    """Let the others go on, or end the match.

    All others have the same points as with an open hand, and the loser has fewer.
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


def test_a_round_counts_although_a_loser_does_not_sign_the_points() -> None:
    ring, _ = won()
    points = counted(ring).points
    loser = ring.state.writers[-1]
    while ring.state.writers[0] != loser:
        ring.step()
    after = follow(ring.state, ended(ring, ring.state, loser))
    assert after.ended
    assert after.match.totals == points


def test_a_round_counts_although_two_losers_never_open_their_hands() -> None:
    """Leaving out two of five one after the other gives the same as both at once."""
    ring, winner = won(5)
    first, second = ring.state.writers[0], 0
    after = follow(ring.state, replaced(ring, ring.state, first))
    second = after.writers[0]
    seat_newcomers(ring, replaced(ring, ring.state, first, second))
    assert ring.state.match == after.match.interrupted([second])
    closed = counted(ring)
    assert max(closed.points) == closed.points[side_of(ring.state, winner)]


def test_a_hand_that_was_counted_as_closed_cannot_be_opened_later() -> None:
    """Treat a later opening as out of turn, even though the cards are true."""
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

"""Attacks with continuations: leaving out a present player, or never opening one's hand."""

from collections.abc import Callable
from copy import deepcopy
from functools import cache
from itertools import count

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
from tests.protocol.seeded_table import SeededTable

pytestmark = pytest.mark.usefixtures("proofless")


@cache
def at_a_move(players: int) -> SeededTable:
    """Return a table before a move, cached: tests must not play on it."""
    table = SeededTable.sit(players=players, rounds=2)
    table.play_until("move")
    return table


def test_a_statement_of_a_continuation_is_no_entry_of_its_signer() -> None:
    """If such a signature could pass for that of an entry, it would frame its signer."""
    table = at_a_move(3)
    for one in statements_of(concluded(table, table.state, offered(table.state, [0]))):
        for body in (one.charter.encode(), encode((one.charter.encode(), []))):
            entry = Entry(body, one.signature)
            assert not any(entry.is_signed_by(member.key) for member in one.charter.members)


def exposed_by(part: Evidence, match_id: bytes) -> tuple[bytes, str]:
    found = Evidence.decode(part.encode()).exposes(match_id)
    return found.key, found.cause


def test_two_players_who_end_a_match_and_play_on_are_exposed() -> None:
    """Two players end a match without the third, but play on with the third.

    Each of the two is exposed by their first entry after the end, unlockings excepted.
    """
    table = evolve(at_a_move(3), entries=[], players=[*at_a_move(3).players])
    start, away = table.state, table.state.writers[0]
    cut = SignedCharter.decode(ended(table, start, away))
    exposed = set[int]()
    while len(exposed) < 2:
        writer, charter, due = table.state.writers[0], table.state.charter, table.state.due
        table.step()
        assert due is not None
        for one in statements_of(cut):
            found = exposure_by(one, table.entries[-1], charter, start.table_id)
            assert (found is not None) == (one.player == writer and due.kind != "unlock")
            if found is not None:
                assert (found.key, found.cause) == (charter.key_of(writer), "C1")
                exposed.add(writer)
    assert away not in exposed


def test_a_made_up_table_exposes_nobody() -> None:
    """Two of three players make up a charter that would contradict what the victim has signed."""
    table = at_a_move(3)
    state, victim = table.state, 0
    one = statement(table, state, offered(state, [1]), victim)
    honest = next(
        entry
        for entry in table.entries
        if Entry.decode(entry).is_signed_by(state.charter.key_of(victim))
    )
    assert one.charter.continues is not None
    lower = evolve(one.charter, continues=evolve(one.charter.continues, attempt=1, ends=True))
    for charter in (one.charter, lower, evolve(table.charter.charter, grace=11)):
        assert exposure_by(one, honest, charter, state.table_id) is None
        assert exposure_by(one, honest, charter, charter.match_id) is None
    for player in range(3):
        forged = Statement(one.charter, player, one.signature)
        if player != victim:
            part = Evidence(forged, one)
            with pytest.raises(Malformed, match="not signed"):
                Evidence.decode(part.encode())


def test_a_substitute_who_signs_two_continuations_of_one_attempt_is_exposed() -> None:
    """The members are not exposed, because each of them signs only one of the two."""
    table = at_a_move(3)
    state = table.state
    one, other = (offered(state, [left], seats=[OLGA]) for left in (0, 1))
    evidence = Evidence(statement(table, state, one, 0), statement(table, state, other, 1))
    assert exposed_by(evidence, state.table_id) == (OLGA.member.key, "C3")


# -- Keeping one's hand closed, to prevent the count of a round that another player has won


@cache
def _won() -> SeededTable:
    for seed in count(2):  # with this seed somebody goes out soon; otherwise later seeds are tried
        table = SeededTable.sit("canasta", 3, seed=seed, rounds=2)
        while not table.state.match.opening and len(table.entries) < 225:
            table.step(eagerly)
        round_ = table.state.match.round
        if table.state.match.opening and round_ is not None and round_.closer is not None:
            return table
    raise AssertionError


def won() -> tuple[SeededTable, int]:
    """Return a table before the opening of hands, and the player who has gone out."""
    kept = _won()
    own = {name: deepcopy(getattr(kept, name)) for name in ("entries", "players", "rng")}
    table = evolve(kept, signers=[*kept.signers], **own)
    assert table.state.match.round is not None
    assert table.state.match.round.closer is not None
    return table, table.state.match.player_at(table.state.match.round.closer)


def counted(table: SeededTable) -> CloseContent:
    """Open all hands that are due, and return the closing to be signed then."""
    table.play_until("close")
    return table.state.closing


def side_of(state: State, player: int) -> int:
    return state.match.seat_of(player) % len(state.closing.points)


@pytest.mark.parametrize("agree", [ended, replaced])
def test_a_round_counts_although_a_loser_never_opens_the_hand(agree: Callable[..., bytes]) -> None:
    """The others go on without the loser, or end the match.

    The others have the same points as if the hand were opened, and the loser has fewer.
    """
    honest = counted(won()[0])
    table, winner = won()
    loser = table.state.writers[0]
    seat_newcomers(table, agree(table, table.state, loser))
    assert not table.state.complete
    closed = counted(table)
    assert (closed.round_number, closed.last) == (honest.round_number, honest.last)
    for player in {0, 1, 2} - {loser}:
        side = side_of(table.state, player)
        assert closed.points[side] == honest.points[side]
    side = side_of(table.state, loser)
    assert closed.points[side] < honest.points[side]
    assert max(closed.points) == closed.points[side_of(table.state, winner)]
    table.play_until("shuffle")
    assert table.state.match.totals == closed.points
    assert table.state.ended == (agree is ended)


def test_a_round_counts_although_a_loser_does_not_sign_the_points() -> None:
    table, _ = won()
    points = counted(table).points
    loser = table.state.writers[-1]
    while table.state.writers[0] != loser:
        table.step()
    after = follow(table.state, ended(table, table.state, loser))
    assert after.ended
    assert after.match.totals == points


def test_a_hand_that_was_counted_as_closed_cannot_be_opened_later() -> None:
    """The later opening is out of turn, although it shows the true cards."""
    table, _ = won()
    late = Entry.decode(table.write())
    loser = table.state.writers[0]
    after = follow(table.state, ended(table, table.state, loser))
    content = Body.decode(late.body, table.state.match.deck).content
    assert isinstance(content, OpenContent)
    again = Body(after.next_place, loser, content).encode()
    with pytest.raises(Exposed) as raised:
        advance(after, Entry.sign(again, table.signers[loser]).encode())
    assert (raised.value.player, raised.value.cause) == (loser, "R11")

"""Going on without somebody who is there, at two tables, and what others make of signatures."""

from functools import cache

import pytest
from attrs import evolve

from protocol.charter import SignedCharter
from protocol.codec import encode
from protocol.entries import Entry
from protocol.errors import Malformed
from protocol.evidence import Evidence, Statement, find, statements_of
from tests.protocol.continuing import (
    OLGA,
    concluded,
    ended,
    offered,
    statement,
)
from tests.protocol.ring import Ring

pytestmark = pytest.mark.usefixtures("proofless")


@cache
def at_a_move(players: int) -> Ring:
    """Return a table at which somebody is to move; not to be played on."""
    ring = Ring.sit(players=players, rounds=2)
    ring.play_until("move")
    return ring


def test_a_statement_is_no_entry_of_whoever_gave_it() -> None:
    """Somebody puts a signature under a continuation into an entry, to make its giver a cheat."""
    ring = at_a_move(3)
    for one in statements_of(concluded(ring, ring.state, offered(ring.state, [0]))):
        for body in (one.charter.encode(), encode((one.charter.encode(), []))):
            entry = Entry(body, one.signature)
            assert not any(entry.is_signed_by(member.key) for member in one.charter.members)


def exposed_by(part: Evidence, match_id: bytes) -> tuple[bytes, str]:
    found = Evidence.decode(part.encode()).exposes(match_id)
    return found.key, found.cause


def test_two_of_three_cut_a_match_that_they_go_on_with() -> None:
    """Expose two who end a match without the third, and play on with them.

    Each of the two is exposed by their first entry after it that is no unlocking.
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
            found = find(one, ring.entries[-1], charter, start.table_id)
            assert (found is not None) == (one.player == writer and due.kind != "unlock")
            if found is not None:
                assert (found.key, found.cause) == (charter.key_of(writer), "C1")
                exposed.add(writer)
    assert away not in exposed


def test_nobody_is_exposed_by_a_table_that_others_have_made_up() -> None:
    """Two of three make up a first charter, or an attempt, against what the third has signed."""
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
        assert find(one, honest, table, state.table_id) is None
        assert find(one, honest, table, table.match_id) is None
    for player in range(3):
        forged = Statement(one.charter, player, one.signature)
        if player != victim:
            part = Evidence(forged, one)
            with pytest.raises(Malformed, match="not signed"):
                Evidence.decode(part.encode())


def test_a_substitute_who_sits_down_twice_is_exposed() -> None:
    """And whoever they sit with is not."""
    ring = at_a_move(3)
    state = ring.state
    one, other = (offered(state, [left], seats=[OLGA]) for left in (0, 1))
    evidence = Evidence(statement(ring, state, one, 0), statement(ring, state, other, 1))
    assert exposed_by(evidence, state.table_id) == (OLGA.member.key, "C3")

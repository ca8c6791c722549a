"""Going on without somebody who is there, by a few or with friends, and what those sign who do."""

from collections.abc import Callable
from functools import cache

import pytest
from attrs import evolve

from protocol.charter import Charter, SignedCharter
from protocol.codec import encode
from protocol.entries import Body, Entry, ShuffleContent
from protocol.errors import Exposed, Malformed, Refused
from protocol.evidence import Evidence, Statement, find, statements_of
from protocol.reducer import advance
from protocol.state import State
from tests.protocol.audited import audit
from tests.protocol.continuing import (
    NEWCOMERS,
    OLGA,
    PABLO,
    concluded,
    ended,
    offered,
    refused,
    replaced,
    seat_newcomers,
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


def forced(state: State, left: tuple[int, ...], *, ends: bool = False) -> Charter:
    """Return a charter that asks no rule: friends have the seats, or the match ends."""
    whole = offered(state, ())
    members = list(whole.members)
    if not ends:
        for player, friend in zip(left, NEWCOMERS, strict=False):
            members[player] = friend.member
    assert whole.continues is not None
    continues = evolve(whole.continues, left=left, ends=ends)
    return evolve(whole, members=tuple(members), continues=continues)


# -- too few


@pytest.mark.parametrize("ends", [False, True])
@pytest.mark.parametrize(("players", "away"), [(2, 1), (3, 2), (4, 2), (6, 3)])
def test_half_of_the_founders_cannot_go_on_with_friends(
    players: int, away: int, ends: bool
) -> None:
    """However many friends sign for the seats of the others. Nobody is blamed for trying."""
    ring = Ring.sit(players=players, rounds=2)
    charter = forced(ring.state, tuple(range(away)), ends=ends)
    assert refused(ring.state, concluded(ring, ring.state, charter).encode()) == "R19"
    with pytest.raises(Refused, match="More than half"):
        offered(ring.state, range(away), ends=ends)


def test_a_signature_is_for_what_it_says() -> None:
    """Refuse signatures that were given for another continuation.

    Those for the end of the match seat nobody, nor the other way round; nor do they serve at
    another place, or for a charter that begins a match.
    """
    ring = at_a_move(3)
    end = concluded(ring, ring.state, offered(ring.state, [0], ends=True))
    seat = concluded(ring, ring.state, offered(ring.state, [0]))
    assert seat.charter.continues is not None
    place = evolve(seat.charter.continues.place, height=3)
    elsewhere = evolve(seat.charter, continues=evolve(seat.charter.continues, place=place))
    for swapped in (
        evolve(end, signatures=seat.signatures[1:], abandons=seat.abandons[1:]),
        evolve(seat, signatures=(seat.signatures[0], *end.signatures)),
        evolve(seat, charter=elsewhere),
    ):
        assert refused(ring.state, swapped.encode()) == "R19"
    alone = encode((seat.charter.encode(), seat.signatures))
    assert refused(ring.state, alone) == "R19"


def test_a_statement_is_no_entry_of_whoever_gave_it() -> None:
    """Somebody puts a signature under a continuation into an entry, to make its giver a cheat."""
    ring = at_a_move(3)
    for one in statements_of(concluded(ring, ring.state, offered(ring.state, [0]))):
        for body in (one.charter.encode(), encode((one.charter.encode(), []))):
            entry = Entry(body, one.signature)
            assert not any(entry.is_signed_by(member.key) for member in one.charter.members)


# -- those who are left out


@pytest.mark.parametrize(("agree", "cause"), [(replaced, "R4"), (ended, "R5")])
def test_what_who_has_left_writes_late_exposes_nobody(
    agree: Callable[..., bytes], cause: str
) -> None:
    """Neither at the old table nor as evidence: they have signed no continuation."""
    ring = at_a_move(3)
    late, away = ring.write(), ring.state.writers[0]
    signed = agree(ring, ring.state, away)
    found = audit(b"".join((ring.record(), *map(_framed, (signed, late)))))
    assert (found.verdict.value, found.cause, found.player) == ("broken", cause, None)
    for one in statements_of(SignedCharter.decode(signed)):
        assert find(one, late, ring.charter.charter, ring.state.table_id) is None


def _framed(part: bytes) -> bytes:
    return len(part).to_bytes(4, "big") + part


def test_a_substitute_answers_for_what_they_sign() -> None:
    """Here they take over the key of the one who left, whose lock a friend may have."""
    ring = Ring.sit("kanastic", 3, rounds=2)
    while (left := ring.state.writers[0]) not in ring.state.cards.last.keys:
        ring.step()
    old = ring.state.cards.last.keys[left].encode()
    seat_newcomers(ring, replaced(ring, ring.state, left))
    while ring.state.writers[0] != left:
        ring.step()
    body = Body.decode(Entry.decode(ring.write()).body, ring.state.match.deck)
    assert isinstance(body.content, ShuffleContent)
    stolen = evolve(body, content=evolve(body.content, unlock_key=old)).encode()
    with pytest.raises(Exposed) as raised:
        advance(ring.state, Entry.sign(stolen, OLGA.sign).encode())
    assert (raised.value.player, raised.value.cause) == (left, "R13")
    assert raised.value.key == OLGA.member.key


# -- those who play at two tables


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


def test_whoever_goes_on_at_two_tables_is_exposed() -> None:
    """One of three goes on with each of the others, who do not hear of each other."""
    ring = at_a_move(3)
    state, cheat = ring.state, 1
    tables = [
        concluded(ring, state, offered(state, [left], seats=[friend]))
        for left, friend in ((0, OLGA), (2, PABLO))
    ]
    one, other = (statements_of(table) for table in tables)
    (pair,) = [(a, b) for a in one for b in other if a.key == b.key]
    assert exposed_by(Evidence(*pair), state.table_id) == (state.charter.key_of(cheat), "C3")


def test_a_round_that_was_closed_is_not_left_out() -> None:
    """All have closed it, and two go on as if they had not: both are exposed, and not the third."""
    ring = Ring.sit("canasta", 3, rounds=2, seed=2)
    ring.play_until("close")
    before = evolve(ring, entries=[*ring.entries])
    closings = {}
    for _ in range(3):
        writer = ring.state.writers[0]
        ring.step()
        closings[writer] = ring.entries[-1]
    whole = offered(before.state, [0])
    assert whole.continues is not None
    without = evolve(whole, continues=evolve(whole.continues, results=()))
    table = ring.charter.charter
    match_id = table.table_id
    for player in (1, 2):
        one = statement(before, before.state, without, player)
        found = find(one, closings[player], table, match_id)
        assert found is not None
        assert (found.key, found.cause) == (table.key_of(player), "C1"), "they were written later"
        earlier = evolve(
            without, continues=evolve(whole.continues, results=(), place=ring.state.place)
        )
        one = statement(ring, ring.state, earlier, player)
        found = find(one, closings[player], table, match_id)
        assert found is not None
        assert (found.key, found.cause) == (table.key_of(player), "C2")
        assert find(one, closings[0], table, match_id) is None


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

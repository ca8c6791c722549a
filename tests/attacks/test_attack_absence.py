"""Voting somebody away who is there, by a few or with friends, and coming back when one is away."""

from collections.abc import Callable, Iterator
from functools import cache

import pytest
from attrs import evolve

from protocol.absence import absence
from protocol.entries import AbsentContent, Body, Entry, ShuffleContent
from protocol.errors import Exposed
from protocol.player import Player
from protocol.reducer import advance
from protocol.state import State
from tests.protocol.absent import NEWCOMER, SUBSTITUTE, ended, joint, refused, replaced
from tests.protocol.ring import Ring
from tests.simulation.tables import without_proofs


@pytest.fixture(autouse=True, scope="module")
def _without_proofs() -> Iterator[None]:
    """Nobody here lies about a card."""
    with without_proofs():
        yield


@cache
def at_a_move(players: int) -> Ring:
    """A table at which somebody is to move; not to be played on."""
    ring = Ring.sit(players=players, rounds=1)
    ring.play_until("move")
    return ring


def called_absent(ring: Ring, content: AbsentContent, writer: int) -> Body:
    """What a node that keeps no rules would sign."""
    return Body(ring.state.next_place, writer, content)


def test_one_of_two_cannot_call_the_other_absent() -> None:
    """With one signature it is no joint entry, and with two there is nobody else to sign: neither
    one's own again, nor a friend's who takes the seat, nor one that the other gave for something.
    """
    ring = at_a_move(2)
    away = ring.state.writers[0]
    me = 1 - away
    mine = ring.signers[me]
    alone = called_absent(ring, AbsentContent((away,)), me)
    assert refused(ring.state, joint(alone, [mine])) == "R4"
    assert refused(ring.state, joint(alone, [mine, mine])) == "R19"
    assert refused(ring.state, joint(alone, [mine, SUBSTITUTE])) == "R19"
    invited = evolve(alone, content=AbsentContent((away,), (NEWCOMER,)))
    assert refused(ring.state, joint(invited, [mine, SUBSTITUTE])) == "R19"
    encoded = alone.encode()
    given = next(
        entry.signature
        for entry in map(Entry.decode, ring.entries)
        if entry.is_signed_by(ring.state.charter.members[away].key)
    )
    taken = Entry(encoded, Entry.vote(encoded, mine) + given).encode()
    assert refused(ring.state, taken) == "R19"


def test_an_absence_as_an_entry_of_ones_own_exposes_who_signs_it() -> None:
    ring = at_a_move(2)
    away = ring.state.writers[0]
    body = called_absent(ring, AbsentContent((away,)), 1 - away).encode()
    with pytest.raises(Exposed) as raised:
        advance(ring.state, Entry.sign(body, ring.signers[1 - away]).encode())
    assert (raised.value.player, raised.value.cause) == (1 - away, "R9")


def test_one_of_three_cannot_put_friends_in_the_seats_of_the_others() -> None:
    """Also not one by one: the second seat takes the signature of the other who is there."""
    ring = at_a_move(3)
    away = ring.state.writers[0]
    me, other = ((away + step) % 3 for step in (1, 2))
    both = tuple(sorted((away, other)))
    friends = AbsentContent(both, (NEWCOMER, evolve(NEWCOMER, key=bytes([2]) * 32)))
    body = called_absent(ring, friends, me)
    assert refused(ring.state, joint(body, [ring.signers[me], SUBSTITUTE, SUBSTITUTE])) == "R19"
    one = absence(ring.state, AbsentContent((away,), (NEWCOMER,)))
    assert refused(ring.state, joint(one, [ring.signers[me], SUBSTITUTE])) == "R19"
    assert refused(ring.state, joint(one, [ring.signers[me], SUBSTITUTE, SUBSTITUTE])) == "R19"


@pytest.mark.parametrize("more", [bytes(64), bytes(5 * 64)])
def test_a_carrier_makes_a_joint_entry_of_an_honest_one(more: bytes) -> None:
    """More signatures after one's own: then nobody has signed it alone, and nobody is to blame."""
    ring = Ring.sit(players=2)
    before = ring.state
    honest = Entry.decode(ring.write())
    longer = evolve(honest, signature=honest.signature + more).encode()
    assert refused(before, longer) == "R9"


def test_a_vote_is_for_what_it_says() -> None:
    """Signatures for the end of the match do not seat anybody, nor the other way round."""
    ring = at_a_move(3)
    away = ring.state.writers[0]
    end = Entry.decode(ended(ring, ring.state, away))
    seat = Entry.decode(replaced(ring, ring.state, away))
    swapped = Entry(seat.body, end.signature + seat.signature[-64:])
    assert refused(ring.state, swapped.encode()) == "R19"
    assert refused(ring.state, Entry(end.body, seat.signature[:-64]).encode()) == "R19"


@pytest.mark.parametrize(("agree", "cause"), [(replaced, "R4"), (ended, "R6")])
def test_what_the_absent_one_has_written_late_exposes_nobody(
    agree: Callable[[Ring, State, int], bytes], cause: str
) -> None:
    ring = at_a_move(3)
    late = ring.write()
    after = advance(ring.state, agree(ring, ring.state, ring.state.writers[0]))
    assert advance(ring.state, late).height == after.height
    assert refused(after, late) == cause


def test_who_was_replaced_writes_nothing_any_more() -> None:
    """It is their seat's turn, and another one's key is in it."""
    ring = Ring.sit("kanastic", 3, rounds=1)
    away = ring.state.writers[0]
    ring.state = advance(ring.state, replaced(ring, ring.state, away))
    assert ring.state.writers[0] == away
    assert refused(ring.state, ring.write()) == "R4"


def test_a_substitute_answers_for_what_they_sign() -> None:
    """Here they take over the key of the one who left, whose lock a friend may have."""
    ring = Ring.sit("kanastic", 3, rounds=1)
    while (left := ring.state.writers[0]) not in ring.state.cards.last.keys:
        ring.step()
    old = ring.state.cards.last.keys[left].encode()
    ring.state = advance(ring.state, replaced(ring, ring.state, left))
    ring.players[left] = Player(left, SUBSTITUTE)
    while ring.state.writers[0] != left:
        ring.step()
    body = Body.decode(Entry.decode(ring.write()).body, ring.state.match.game.deck)
    assert isinstance(body.content, ShuffleContent)
    stolen = evolve(body, content=evolve(body.content, unlock_key=old)).encode()
    with pytest.raises(Exposed) as raised:
        advance(ring.state, Entry.sign(stolen, SUBSTITUTE).encode())
    assert (raised.value.player, raised.value.cause) == (left, "R13")

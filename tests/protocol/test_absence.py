"""Absence (R19): who can agree on it, what follows, and that nobody can be voted out by a few."""

from collections.abc import Iterator
from functools import cache

import pytest
from attrs import evolve

from protocol.absence import absence, is_agreed_absence
from protocol.entries import AbsentContent, Body, CloseContent, Entry
from protocol.errors import Exposed, Refused, Unattributable
from protocol.player import Player
from protocol.reducer import advance, check_equivocation
from tests.protocol.absent import (
    NEWCOMER,
    SUBSTITUTE,
    ended,
    joint,
    others,
    refused,
    replaced,
)
from tests.protocol.ring import Ring
from tests.simulation.tables import without_proofs


@pytest.fixture(autouse=True, scope="module")
def _without_proofs() -> Iterator[None]:
    """They are not what is tested."""
    with without_proofs():
        yield


@cache
def at(kind: str, players: int = 3) -> tuple[Ring, int]:
    """A table at which an entry of that kind is due, and who owes it; not to be played on."""
    return played(kind, players)


def closing() -> tuple[Ring, int]:
    """A table at which a round is to be closed, and who is the first; to be played on a little."""
    ring, first = at("close")
    return evolve(ring, entries=[*ring.entries]), first


def played(kind: str, players: int = 3) -> tuple[Ring, int]:
    ring = Ring.sit(players=players, rounds=2)
    ring.play_until(kind)
    assert ring.state.due is not None
    return ring, ring.state.due.player


@pytest.mark.parametrize("kind", ["shuffle", "unlock", "move"])
def test_without_a_substitute_the_match_ends_there(kind: str) -> None:
    ring, absent = at(kind)
    after = advance(ring.state, ended(ring, ring.state, absent))
    assert after.complete
    assert after.ended
    assert after.match.totals == ring.state.match.totals
    assert after.height == ring.state.height + 1


@pytest.mark.parametrize("kind", ["unlock", "move"])
def test_a_substitute_takes_the_seat_and_the_round_begins_again(kind: str) -> None:
    ring, absent = played(kind)
    before = ring.state
    ring.state = advance(before, replaced(ring, before, absent))
    assert ring.state.charter.members[absent] == NEWCOMER
    assert ring.state.table_id == before.table_id
    assert ring.state.match.round_number == before.match.round_number
    assert ring.state.due is not None
    assert ring.state.due.kind == "shuffle"
    ring.players[absent] = Player(absent, SUBSTITUTE)
    for player in ring.players:
        player.forget(ring.state)
    ring.play_until("move")


def test_a_counted_round_stands() -> None:
    ring, absent = at("close")
    assert ring.state.match.round_over
    after = advance(ring.state, ended(ring, ring.state, absent))
    assert len(after.match.sheets) == 1
    assert after.match.totals != (0, 0, 0)


def test_what_is_signed_of_a_counted_round_is_what_the_rules_count() -> None:
    """Also when some have signed it already; and there is nothing to sign of another round."""
    ring, absent = closing()
    for _ in range(2):
        body = absence(ring.state, AbsentContent((absent,)))
        assert isinstance(body.content, AbsentContent)
        counted = body.content.counted
        assert counted == ring.state.closing
        points = (counted.points[0] + 5, *counted.points[1:])
        for wrong in (None, evolve(counted, points=points), evolve(counted, last=True)):
            lie = evolve(body, content=evolve(body.content, counted=wrong))
            assert refused(ring.state, joint(lie, others(ring, absent))) == "R19"
        ring.step()
        (absent, *_) = ring.state.writers
    moving, absent = at("move")
    body = absence(moving.state, AbsentContent((absent,)))
    lie = evolve(body, content=AbsentContent((absent,), counted=CloseContent(1, (0, 0, 0), True)))
    assert refused(moving.state, joint(lie, others(moving, absent))) == "R19"


def test_a_counted_round_stands_and_the_next_one_is_dealt_with_the_substitute() -> None:
    ring, absent = closing()
    ring.step()
    (absent, *_) = ring.state.writers
    after = advance(ring.state, replaced(ring, ring.state, absent))
    assert (after.match.round_number, len(after.match.sheets)) == (2, 1)
    assert after.match.dealer == (ring.state.match.dealer + 1) % 3


def test_the_last_round_counted_is_the_end_with_a_substitute_or_without() -> None:
    ring = Ring.sit(players=3, rounds=1)
    ring.play_until("close")
    (absent, *_) = ring.state.writers
    for entry in (ended(ring, ring.state, absent), replaced(ring, ring.state, absent)):
        after = advance(ring.state, entry)
        assert after.complete
        assert after.match.over
        assert after.match.totals == ring.state.closing.points


def test_all_the_others_have_to_sign() -> None:
    ring, absent = at("move", players=4)
    body = absence(ring.state, AbsentContent((absent,)))
    signers = others(ring, absent)
    assert refused(ring.state, joint(body, signers[:2])) == "R19"
    assert refused(ring.state, joint(body, signers[::-1])) == "R19"
    assert refused(ring.state, joint(body, [*signers[:2], ring.signers[absent]])) == "R19"
    assert refused(ring.state, joint(body, [*signers, ring.signers[absent]])) == "R19"


def test_half_of_the_players_are_too_few() -> None:
    two, absent = at("shuffle", players=2)
    with pytest.raises(Refused, match="More than half"):
        absence(two.state, AbsentContent((absent,)))
    four, absent = at("move", players=4)
    pair = tuple(sorted((absent, (absent + 1) % 4)))
    with pytest.raises(Refused, match="More than half"):
        absence(four.state, AbsentContent(pair))
    with pytest.raises(Refused, match="More than half"):
        absence(four.state, AbsentContent((0, 1, 2, 3)))


def test_nobody_is_absent_for_whom_the_table_does_not_wait() -> None:
    ring, due = at("move", players=4)
    with pytest.raises(Refused, match="does not wait"):
        absence(ring.state, AbsentContent(((due + 1) % 4,)))


def test_an_absence_is_written_in_the_name_of_the_first_who_is_there() -> None:
    """Else there would be several entries that say the same, each signed by all."""
    ring, absent = at("move", players=4)
    body = absence(ring.state, AbsentContent((absent,)))
    first, second, third = sorted({0, 1, 2, 3} - {absent})
    assert body.writer == first
    for other in (second, third, absent):
        signed = joint(evolve(body, writer=other), others(ring, absent))
        assert refused(ring.state, signed) == "R19"
        charter, place = ring.state.charter, ring.state.next_place
        assert not is_agreed_absence(charter, Entry.decode(signed), place)


def test_a_substitute_is_new_and_has_signed() -> None:
    ring, absent = at("move")
    sitting = ring.state.charter.members[(absent + 1) % 3]
    with pytest.raises(Refused, match="new"):
        absence(ring.state, AbsentContent((absent,), (evolve(sitting, signed_name="Other"),)))
    with pytest.raises(Refused):  # also who comes back into their own seat
        absence(ring.state, AbsentContent((absent,), (ring.state.charter.members[absent],)))
    second = evolve(NEWCOMER, key=bytes([2]) * 32)
    with pytest.raises(Refused, match="one substitute"):
        absence(ring.state, AbsentContent((absent,), (NEWCOMER, second)))
    body = absence(ring.state, AbsentContent((absent,), (NEWCOMER,)))
    assert refused(ring.state, joint(body, others(ring, absent))) == "R19"
    unsigned = [*others(ring, absent), ring.signers[absent]]
    assert refused(ring.state, joint(body, unsigned)) == "R19"


def test_a_vote_is_no_entry_of_who_gave_it() -> None:
    """Somebody cuts one signature out of a joint entry, to make its giver look like a cheat."""
    ring, absent = at("move")
    body = absence(ring.state, AbsentContent((absent,))).encode()
    for sign in others(ring, absent):
        alone = Entry(body, Entry.vote(body, sign)).encode()
        assert refused(ring.state, alone) == "R4"


def test_an_absence_signed_as_an_entry_of_ones_own_exposes() -> None:
    ring, absent = at("move")
    body = absence(ring.state, AbsentContent((absent,)))
    with pytest.raises(Exposed) as caught:
        advance(ring.state, Entry.sign(body.encode(), ring.signers[absent]).encode())
    assert (caught.value.player, caught.value.cause) == (absent, "R9")


@pytest.mark.parametrize("change", ["table", "height", "head"])
def test_an_absence_is_for_one_place(change: str) -> None:
    ring, absent = at("move")
    body = absence(ring.state, AbsentContent((absent,)))
    places = {
        "table": (evolve(body.place, table_id=bytes(32)), "R5"),
        "height": (evolve(body.place, height=body.place.height + 1), "R6"),
        "head": (evolve(body.place, previous=bytes(32)), "R7"),
    }
    place, cause = places[change]
    elsewhere = evolve(body, place=place)
    assert refused(ring.state, joint(elsewhere, others(ring, absent))) == cause


def test_another_content_is_not_signed_by_several() -> None:
    ring, absent = at("move")
    body = Body(ring.state.next_place, 0, CloseContent(1, (0,), last=True))
    assert refused(ring.state, joint(body, others(ring, absent))) == "R9"


def test_who_has_been_replaced_answers_for_what_they_signed_before() -> None:
    """Two entries of one player in one place; the first was played on, the other comes late."""
    ring, absent = at("move")
    height, entry = next(
        (height, Entry.decode(data))
        for height, data in enumerate(ring.entries, 1)
        if Body.decode(Entry.decode(data).body, ring.state.match.game.deck).writer == absent
    )
    ours = entry.encode()
    place = Body.decode(entry.body, ring.state.match.game.deck).place
    closing = Body(place, absent, CloseContent(1, (0,), last=True))
    rival = Entry.sign(closing.encode(), ring.signers[absent]).encode()
    after = advance(ring.state, replaced(ring, ring.state, absent))
    with pytest.raises(Unattributable):
        check_equivocation(after.charter, ours, rival)
    assert after.charter_at(height) == ring.charter.charter
    assert after.charter_at(after.height) == ring.charter.charter
    assert after.charter_at(after.height + 1) == after.charter
    with pytest.raises(Exposed) as exposed:
        check_equivocation(after.charter_at(height), ours, rival)
    assert (exposed.value.player, exposed.value.cause) == (absent, "R8")
    assert exposed.value.evidence == (ours, rival)


def test_absent_players_are_named_in_their_order_and_sit_there() -> None:
    """Of five, two may be absent: the cases that a smaller table does not have."""
    ring, due = at("unlock", 5)
    other, third = sorted({0, 1, 2, 3, 4} - {due})[:2]
    two = tuple(sorted((due, other)))
    said = absence(ring.state, AbsentContent(two))
    assert advance(ring.state, joint(said, others(ring, *two))).ended
    for wrong in (two[::-1], (due, due), (due, 5), (due, due, other), (*two, third)):
        there = sorted({0, 1, 2, 3, 4} - set(wrong))
        body = evolve(said, writer=there[0], content=AbsentContent(wrong))
        if -1 not in wrong:
            assert refused(ring.state, joint(body, others(ring, *wrong))) == "R19", wrong
        with pytest.raises(Refused):
            absence(ring.state, AbsentContent(wrong))


def test_an_absence_is_agreed_on_by_more_than_half_of_all() -> None:
    """What others have signed of somebody who is in the record already."""
    ring, due = at("unlock", 4)
    charter, place = ring.charter.charter, ring.state.next_place

    def agreed(*players: int, signers: tuple[int, ...]) -> bool:
        body = Body(place, min(signers), AbsentContent(players))
        signed = joint(body, [ring.signers[player] for player in signers])
        return is_agreed_absence(charter, Entry.decode(signed), place)

    everybody = {0, 1, 2, 3}
    rest = tuple(sorted(everybody - {due}))
    assert agreed(due, signers=rest)
    assert not agreed(due, signers=rest[:2])
    assert not agreed(signers=(0, 1, 2, 3))
    assert not agreed(due, due, signers=rest)
    two = tuple(sorted((due, rest[0])))
    assert not agreed(*two, signers=tuple(sorted(everybody - set(two))))
    five, away = at("unlock", 5)
    first = min({0, 1, 2, 3, 4} - {away})
    twice = Body(five.state.next_place, first, AbsentContent((away, away)))
    signed = Entry.decode(joint(twice, others(five, away)))
    assert not is_agreed_absence(five.charter.charter, signed, twice.place)
    alone = Body(five.state.next_place, 0, AbsentContent((5,)))
    signed = Entry.decode(joint(alone, five.signers))
    assert not is_agreed_absence(five.charter.charter, signed, alone.place)
    closing = Body(place, rest[0], CloseContent(1, (0, 0), last=True))
    signed = Entry.decode(joint(closing, [ring.signers[player] for player in rest]))
    assert not is_agreed_absence(charter, signed, place)


def test_a_late_entry_exposes_nobody_and_continues_nothing() -> None:
    ring, absent = at("move")
    late = ring.write()
    agreed = replaced(ring, ring.state, absent)
    after = advance(ring.state, agreed)
    with pytest.raises(Unattributable):
        advance(after, late)
    for ours, theirs in ((agreed, late), (late, agreed)):
        with pytest.raises(Unattributable) as caught:
            check_equivocation(ring.charter.charter, ours, theirs)
        assert caught.value.cause == "R7"
    place = ring.state.next_place
    assert is_agreed_absence(ring.charter.charter, Entry.decode(agreed), place)
    assert not is_agreed_absence(ring.charter.charter, Entry.decode(agreed), after.next_place)
    cut = evolve(Entry.decode(agreed), signature=Entry.decode(agreed).signature[:-64])
    assert not is_agreed_absence(ring.charter.charter, cut, place)


def test_nobody_is_absent_when_the_match_is_over() -> None:
    ring, absent = at("move")
    after = advance(ring.state, ended(ring, ring.state, absent))
    with pytest.raises(Refused, match="does not wait"):
        absence(after, AbsentContent((absent,)))


def test_who_goes_on_after_an_absence_has_ended_the_match_is_exposed() -> None:
    ring, absent = at("move")
    after = advance(ring.state, ended(ring, ring.state, absent))
    more = Body(after.next_place, absent, CloseContent(1, (0, 0, 0), last=True)).encode()
    with pytest.raises(Exposed) as caught:
        advance(after, Entry.sign(more, ring.signers[absent]).encode())
    assert (caught.value.player, caught.value.cause) == (absent, "R11")

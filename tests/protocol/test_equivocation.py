"""Two entries of one player in one place: R8 of spec/record.md, and what shows nothing."""

import pytest
from attrs import evolve

from engine.moves import Discard, Pass
from protocol.codec import encode
from protocol.entries import (
    Entry,
    MoveContent,
    UnlockContent,
)
from protocol.errors import Exposed, Unattributable
from protocol.reducer import check_equivocation
from tests.protocol.played import (
    played,
    unattributable,
)


def test_r8_a_second_entry_in_a_place_exposes_its_writer_within_a_record_too() -> None:
    first = played().when("unlock")
    then = played().at(first.state.height + 2)
    rival = first.signed(evolve(first.the(UnlockContent), shares=()))
    assert then.exposes(rival) == (first.writer, "R8")


def test_r8_check_equivocation_exposes_who_signed_both() -> None:
    moment = played().moving(Discard)
    charter = moment.state.charter
    rival = moment.signed(MoveContent(Pass(), ()))
    with pytest.raises(Exposed) as raised:
        check_equivocation(charter, moment.entry, rival)
    assert (raised.value.player, raised.value.cause) == (moment.writer, "R8")
    assert raised.value.evidence == (moment.entry, rival)


def test_r8_it_does_not_matter_what_the_second_entry_continues_or_says() -> None:
    moment = played().at(7)
    place = evolve(moment.state.next_place, previous=bytes(32))
    body = encode((*place.fields(), moment.writer, "no such kind", ()))
    with pytest.raises(Exposed) as raised:
        check_equivocation(moment.state.charter, moment.entry, moment.signed_bytes(body))
    assert (raised.value.player, raised.value.cause) == (moment.writer, "R8")


def test_r8_one_body_signed_twice_is_one_entry() -> None:
    moment = played().at(7)
    entry = Entry.decode(moment.entry)
    for signature in (entry.signature, bytes(64)):
        check_equivocation(
            moment.state.charter, moment.entry, Entry(entry.body, signature).encode()
        )


def test_r8_a_rival_out_of_turn_exposes_who_signed_it() -> None:
    moment = played().at(7)
    rival = moment.signed(MoveContent(Pass(), ()), moment.other)
    with pytest.raises(Exposed) as raised:
        check_equivocation(moment.state.charter, moment.entry, rival)
    assert (raised.value.player, raised.value.cause) == (moment.other, "R11")
    assert played().at(8).exposes(rival) == (moment.other, "R11")


def test_r8_another_record_of_honest_players_shows_nothing() -> None:
    """They were shown another entry further back; the one who signed that is to blame."""
    moment = played().at(7)
    place = evolve(moment.state.next_place, previous=bytes(32))
    rival = moment.signed(MoveContent(Pass(), ()), moment.other, place)
    with pytest.raises(Unattributable) as raised:
        check_equivocation(moment.state.charter, moment.entry, rival)
    assert raised.value.cause == "R7"
    assert unattributable(played().at(8).state, rival) == "R6"


@pytest.mark.parametrize("height", [6, 8])
def test_r8_an_entry_of_another_height_shows_nothing(height: int) -> None:
    with pytest.raises(Unattributable):
        check_equivocation(
            played().ring.charter.charter, played().entries[6], played().entries[height - 1]
        )


def test_r8_bytes_that_nobody_signed_show_nothing() -> None:
    moment = played().at(7)
    for data, cause in ((b"", "R3"), (Entry(b"", bytes(64)).encode(), "R4")):
        with pytest.raises(Unattributable) as raised:
            check_equivocation(moment.state.charter, moment.entry, data)
        assert raised.value.cause == cause


def test_r9_a_rival_that_is_no_body_exposes_who_signed_it() -> None:
    moment = played().at(7)
    with pytest.raises(Exposed) as raised:
        check_equivocation(
            moment.state.charter, moment.entry, moment.signed_bytes(b"junk", moment.other)
        )
    assert (raised.value.player, raised.value.cause) == (moment.other, "R9")

"""The reducer, clause by clause of spec/record.md.

The clauses are about what continues a record, and whose fault it is when something does not.
"""

from itertools import groupby

import pytest
from attrs import evolve

from engine.games import GAMES
from engine.orders import Deal
from protocol.codec import encode
from protocol.entries import (
    CONTENTS,
    Body,
    Entry,
)
from protocol.place import Place
from protocol.reducer import advance
from tests.protocol.played import (
    played,
    unattributable,
)
from tests.protocol.ring import Ring

KINDS = tuple(CONTENTS)


@pytest.mark.parametrize("game", GAMES)
def test_a_round_of_every_game_ends_complete_and_signed_by_all(game: str) -> None:
    players = GAMES[game].players[0]
    end = played(game, players).ring.state
    assert end.complete
    assert end.due is None
    assert len(end.match.sheets) == 1
    assert end.height == len(played(game, players).entries)


def test_four_play_a_round() -> None:
    end = played("canasta", 4).ring.state
    assert end.complete
    assert len(end.used_keys) == 8


def test_the_state_before_stays_as_it_was() -> None:
    moment = played().when("unlock")
    before = (moment.state.head, dict(moment.state.cards.points), moment.state.writers)
    advance(moment.state, moment.entry)
    assert before == (moment.state.head, dict(moment.state.cards.points), moment.state.writers)


# -- whose turn it is


def test_shufflers_go_clockwise_from_the_dealer() -> None:
    """In the draw player 0 stands for the dealer; afterwards those whom the draw has seated."""
    moments = [m for m in played("canasta", 4).moments if m.body.content.kind == "shuffle"]
    match = moments[-1].state.match
    clockwise = match.seating[match.dealer :] + match.seating[: match.dealer]
    assert tuple(moment.writer for moment in moments) == (0, 1, 2, 3, *clockwise)


def test_who_receives_cards_unlocks_last_and_not_for_themselves_alone() -> None:
    """Clockwise from the left of whoever gets the first card named."""
    unlockings = groupby(
        (m for m in played("canasta", 4).moments if m.body.content.kind == "unlock"),
        lambda moment: (moment.state.due and moment.state.due.order, moment.state.match.seating),
    )
    for (order, seating), group in unlockings:
        moments = list(group)
        assert isinstance(order, Deal)
        first = order.gives[0].seat
        seat = moments[0].state.match.dealer if first is None else first
        seats = seating or (0, 1, 2, 3)
        clockwise = (*seats[seat + 1 :], *seats[: seat + 1])
        alone = first is not None and {give.seat for give in order.gives} == {first}
        assert tuple(m.writer for m in moments) == (clockwise[:-1] if alone else clockwise)


def test_everybody_signs_the_end_the_dealer_first() -> None:
    moments = [m for m in played("canasta", 4).moments if m.body.content.kind == "close"]
    match = moments[0].state.match
    clockwise = match.seating[match.dealer :] + match.seating[: match.dealer]
    assert tuple(moment.writer for moment in moments) == clockwise


# -- R3, R4: bytes that are nobody's


@pytest.mark.parametrize("data", [b"", b"\xc0", b"\x93\x01\x02\x03", bytes(70_000)], ids=len)
def test_r3_bytes_that_are_no_entry_blame_nobody(data: bytes) -> None:
    assert unattributable(played().at(1).state, data) == "R3"


def test_r3_a_second_encoding_of_an_entry_blames_nobody() -> None:
    """Anybody can re-encode what somebody else has signed."""
    moment = played().at(1)
    assert moment.entry[:1] == b"\x92"
    assert unattributable(moment.state, b"\xdc\x00\x02" + moment.entry[1:]) == "R3"


def test_r4_an_entry_signed_by_nobody_at_the_table_blames_nobody() -> None:
    moment = played().at(1)
    stranger = Ring.sit(players=2, seed=99).signers[0]
    body = Entry.decode(moment.entry).body
    assert unattributable(moment.state, Entry.sign(body, stranger).encode()) == "R4"
    assert unattributable(moment.state, Entry(body, bytes(64)).encode()) == "R4"


@pytest.mark.parametrize("kind", KINDS)
def test_r4_a_changed_body_blames_nobody(kind: str) -> None:
    """A carrier can change bytes, and is no better than the signature."""
    moment = played().when(kind)
    entry = Entry.decode(moment.entry)
    for at in range(0, len(entry.body), max(1, len(entry.body) // 12)):
        changed = entry.body[:at] + bytes([entry.body[at] ^ 1]) + entry.body[at + 1 :]
        assert unattributable(moment.state, Entry(changed, entry.signature).encode()) == "R4"


# -- R5, R6, R7: honest entries in the wrong place


def test_r5_an_entry_of_another_table_blames_nobody() -> None:
    moment = played().when("close")
    place = evolve(moment.state.next_place, table_id=bytes(32))
    assert unattributable(moment.state, moment.signed(moment.body.content, place=place)) == "R5"


def test_r5_an_entry_of_another_game_is_not_taken_for_a_malformed_one() -> None:
    """It may name kinds and cards that this game does not have: its writer was honest there."""
    moment = played().at(3)
    body = encode((bytes(32), 3, bytes(32), moment.writer, "meditate", (1, 2)))
    assert unattributable(moment.state, moment.signed_bytes(body)) == "R5"


def test_r6_entries_that_come_again_or_too_early_blame_nobody() -> None:
    moments = played().moments
    for now, when in ((40, 39), (40, 40), (40, 12), (40, 42)):
        expected = None if when == now else "R6"
        if expected:
            assert unattributable(moments[now].state, moments[when].entry) == expected
    assert unattributable(moments[0].state, moments[1].entry) == "R6"


def test_r6_the_newest_entry_again_with_another_signature_blames_nobody() -> None:
    moments = played().moments
    body = Entry.decode(moments[0].entry).body
    again = moments[0].signed_bytes(body)
    assert unattributable(moments[1].state, again) == "R6"


def test_r7_an_entry_that_continues_another_record_blames_nobody() -> None:
    """Its writer may have been shown another entry before it: who signed both is to blame."""
    moment = played().when("close")
    place = evolve(moment.state.next_place, previous=bytes(32))
    assert unattributable(moment.state, moment.signed(moment.body.content, place=place)) == "R7"


# -- R9, R10, R11: signed, in its place, and wrong


@pytest.mark.parametrize("body", [b"", b"\xc0", encode(()), encode((1, 2, 3))], ids=repr)
def test_r9_a_signed_body_that_is_none_exposes_its_signer(body: bytes) -> None:
    moment = played().at(4)
    for signer in (moment.writer, moment.other):
        assert moment.exposes(moment.signed_bytes(body, signer)) == (signer, "R9")


def test_r9_an_unknown_kind_in_this_place_exposes_its_signer() -> None:
    moment = played().at(4)
    body = encode((*moment.state.next_place.fields(), moment.writer, "meditate", ()))
    assert moment.exposes(moment.signed_bytes(body)) == (moment.writer, "R9")


def test_r9_a_second_encoding_of_a_body_exposes_its_signer() -> None:
    moment = played().when("close")
    body = Entry.decode(moment.entry).body
    longer = b"\xdc\x00\x07" + body[1:]
    assert moment.exposes(moment.signed_bytes(longer)) == (moment.writer, "R9")


@pytest.mark.parametrize("kind", KINDS)
def test_r10_who_writes_in_the_name_of_another_is_exposed(kind: str) -> None:
    moment = played().when(kind)
    body = Body(moment.state.next_place, moment.writer, moment.body.content)
    assert moment.exposes(moment.signed_body(body, moment.other)) == (moment.other, "R10")
    body = evolve(body, writer=5)
    assert moment.exposes(moment.signed_body(body, moment.writer)) == (moment.writer, "R10")


@pytest.mark.parametrize("kind", KINDS)
def test_r11_who_writes_out_of_turn_is_exposed(kind: str) -> None:
    moment = played().when(kind)
    entry = moment.signed(moment.body.content, moment.other)
    assert moment.exposes(entry) == (moment.other, "R11")


@pytest.mark.parametrize("due", KINDS)
@pytest.mark.parametrize("kind", KINDS)
def test_r11_an_entry_of_another_kind_exposes_its_writer(due: str, kind: str) -> None:
    if kind != due:
        moment = played().when(due)
        entry = moment.signed(played().when(kind).body.content)
        assert moment.exposes(entry) == (moment.writer, "R11")


def test_r11_nothing_follows_the_end() -> None:
    last = played().moments[-1]
    end = evolve(last, state=played().ring.state)
    entry = end.signed(last.body.content, 0)
    assert end.exposes(entry) == (0, "R11")


def test_a_place_names_table_height_and_head() -> None:
    state = played().at(3).state
    assert state.next_place == Place(state.table_id, 3, state.head)

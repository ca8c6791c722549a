"""The reducer, tested clause by clause of `spec/record.md`.

The clauses say which entries continue a record, and who is to blame for an entry that does not.
"""

from itertools import groupby

import pytest
from attrs import evolve

from engine.canasta.deck import CANASTA
from engine.moves import Cut, Discard, Pass, shown_by
from engine.orders import Deal
from engine.slots import Shown, Slot
from protocol.codec import encode
from protocol.entries import (
    CONTENTS,
    Body,
    CloseContent,
    Entry,
    Given,
    MoveContent,
    OpenContent,
    ShuffleContent,
    UnlockContent,
)
from protocol.errors import Exposed, Unattributable
from protocol.place import Place
from protocol.reducer import advance, check_equivocation
from tests.protocol.played import (
    Moment,
    discarding,
    from_a_second_deal,
    opening,
    played,
    shuffling,
    unattributable,
    unlocking,
)
from tests.protocol.seeded_table import SeededTable

KINDS = tuple(CONTENTS)


def test_the_state_before_stays_as_it_was() -> None:
    moment = played().when("unlock")
    before = (moment.state.head, dict(moment.state.cards.points), moment.state.writers)
    advance(moment.state, moment.entry)
    assert before == (moment.state.head, dict(moment.state.cards.points), moment.state.writers)


# -- whose turn it is


@pytest.mark.parametrize(("kind", "first"), [("shuffle", (0, 1, 2, 3)), ("close", ())])
def test_shufflers_and_signers_go_clockwise_from_dealer(kind: str, first: tuple[int, ...]) -> None:
    """In the draw for seats player 0 begins, and after the draw the dealer."""
    moments = [m for m in played("canasta", 4).moments if m.body.content.kind == kind]
    match = moments[-1].state.match
    clockwise = match.seating[match.dealer :] + match.seating[: match.dealer]
    assert tuple(moment.writer for moment in moments) == (*first, *clockwise)


def test_the_receiver_unlocks_last_or_not_at_all_if_nobody_else_gets_cards() -> None:
    """Players unlock clockwise, beginning to the left of the receiver of the first card."""
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


# -- R3, R4: bytes that nobody signed


def test_r3_bytes_that_are_no_entry_blame_nobody() -> None:
    """A second encoding of a signed entry is refused, too: anybody can make one."""
    moment = played().at(1)
    assert moment.entry[:1] == b"\x92"
    again = b"\xdc\x00\x02" + moment.entry[1:]
    for data in (b"", b"\xc0", b"\x93\x01\x02\x03", bytes(70_000), again):
        assert unattributable(moment.state, data) == "R3"


def test_r4_an_entry_signed_by_nobody_at_the_table_blames_nobody() -> None:
    moment = played().at(1)
    stranger = SeededTable.sit(players=2, seed=99).signers[0]
    body = Entry.decode(moment.entry).body
    assert unattributable(moment.state, Entry.sign(body, stranger).encode()) == "R4"
    assert unattributable(moment.state, Entry(body, bytes(64)).encode()) == "R4"


@pytest.mark.parametrize("kind", KINDS)
def test_r4_a_changed_body_blames_nobody(kind: str) -> None:
    """The signature does not fit any more, and a carrier may have changed the bytes."""
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
    """The table is checked before the content, which may name things of the other game."""
    moment = played().at(3)
    body = encode((bytes(32), 3, bytes(32), moment.writer, "meditate", (1, 2)))
    assert unattributable(moment.state, moment.signed_bytes(body)) == "R5"


def test_r6_entries_that_come_again_or_too_early_blame_nobody() -> None:
    """The newest entry is refused, too, if another member signs it again."""
    moments = played().moments
    for now, when in ((40, 39), (40, 12), (40, 42), (0, 1)):
        assert unattributable(moments[now].state, moments[when].entry) == "R6"
    again = moments[0].signed_bytes(Entry.decode(moments[0].entry).body, moments[0].other)
    assert unattributable(moments[1].state, again) == "R6"


def test_r7_an_entry_that_continues_another_record_blames_nobody() -> None:
    """The writer may have been shown another entry at the height before."""
    moment = played().when("close")
    place = evolve(moment.state.next_place, previous=bytes(32))
    assert unattributable(moment.state, moment.signed(moment.body.content, place=place)) == "R7"


# -- R9, R10, R11: signed, in its place, and wrong


def test_r9_a_signed_body_that_is_none_exposes_its_signer() -> None:
    moment = played().at(4)
    unknown = encode((*moment.state.next_place.fields(), moment.writer, "meditate", ()))
    for body in (b"", b"\xc0", encode(()), encode((1, 2, 3)), unknown):
        for signer in (moment.writer, moment.other):
            assert moment.exposes(moment.signed_bytes(body, signer)) == (signer, "R9")


def test_r9_a_second_encoding_of_a_body_exposes_its_signer() -> None:
    moment = played().when("close")
    body = Entry.decode(moment.entry).body
    longer = b"\xdc\x00\x07" + body[1:]
    assert moment.exposes(moment.signed_bytes(longer)) == (moment.writer, "R9")


@pytest.mark.parametrize("kind", KINDS)
def test_r10_a_player_who_writes_in_the_name_of_another_is_exposed(kind: str) -> None:
    moment = played().when(kind)
    body = Body(moment.state.next_place, moment.writer, moment.body.content)
    assert moment.exposes(moment.signed_body(body, moment.other)) == (moment.other, "R10")
    body = evolve(body, writer=5)
    assert moment.exposes(moment.signed_body(body, moment.writer)) == (moment.writer, "R10")


@pytest.mark.parametrize("kind", KINDS)
def test_r11_a_player_who_writes_out_of_turn_is_exposed(kind: str) -> None:
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
    end = evolve(last, state=played().table.state)
    entry = end.signed(last.body.content, 0)
    assert end.exposes(entry) == (0, "R11")


def test_a_place_names_table_height_and_head() -> None:
    state = played().at(3).state
    assert state.next_place == Place(state.table_id, 3, state.head)


# -- Two entries of one player in one place: R8 of spec/record.md, and pairs that expose nobody


def test_r8_a_second_entry_in_a_place_exposes_its_writer_within_a_record_too() -> None:
    first = played().when("unlock")
    then = played().at(first.state.height + 2)
    rival = first.signed(evolve(first.the(UnlockContent), shares=()))
    assert then.exposes(rival) == (first.writer, "R8")


def compared(moment: Moment, rival: bytes) -> Exposed:
    """Return the error that exposes the signer of the moment's entry and of `rival`."""
    with pytest.raises(Exposed) as raised:
        check_equivocation(moment.state.charter, moment.entry, rival)
    return raised.value


def test_r8_check_equivocation_exposes_the_signer_of_both() -> None:
    """The player is exposed whatever the second entry continues and contains."""
    moment = played().moving(Discard)
    rival = moment.signed(MoveContent(Pass(), ()))
    error = compared(moment, rival)
    assert (error.player, error.cause) == (moment.writer, "R8")
    assert error.evidence == (moment.entry, rival)
    place = evolve(moment.state.next_place, previous=bytes(32))
    body = encode((*place.fields(), moment.writer, "no such kind", ()))
    error = compared(moment, moment.signed_bytes(body))
    assert (error.player, error.cause) == (moment.writer, "R8")


def test_r8_a_rival_out_of_turn_or_malformed_exposes_its_signer() -> None:
    moment = played().at(7)
    rival = moment.signed(MoveContent(Pass(), ()), moment.other)
    assert played().at(8).exposes(rival) == (moment.other, "R11")
    junk = moment.signed_bytes(b"junk", moment.other)
    for entry, cause in ((rival, "R11"), (junk, "R9")):
        error = compared(moment, entry)
        assert (error.player, error.cause) == (moment.other, cause)


def test_r8_one_body_signed_twice_is_one_entry() -> None:
    moment = played().at(7)
    entry = Entry.decode(moment.entry)
    for signature in (entry.signature, bytes(64)):
        check_equivocation(
            moment.state.charter, moment.entry, Entry(entry.body, signature).encode()
        )


def test_r8_honest_entries_of_different_records_expose_nobody() -> None:
    """Only the player who signed two entries further back is to blame, not the others."""
    moment = played().at(7)
    place = evolve(moment.state.next_place, previous=bytes(32))
    rival = moment.signed(MoveContent(Pass(), ()), moment.other, place)
    with pytest.raises(Unattributable) as raised:
        check_equivocation(moment.state.charter, moment.entry, rival)
    assert raised.value.cause == "R7"
    assert unattributable(played().at(8).state, rival) == "R6"


def test_r8_an_unlocking_and_an_entry_after_another_head_expose_nobody() -> None:
    """The unlocking may have been lost in a power cut, together with the entry before it.

    For example, a cheat signs two entries 7. After the first one, the honest neighbour unlocks a
    card (entry 8), and loses both entries in a power cut. Then the cheat shows the second one, and
    the neighbour makes a move after it, another entry 8.
    """
    moment = played().when("unlock")
    place = moment.state.next_place
    moves = MoveContent(Pass(), ())
    assert compared(moment, moment.signed(moves)).cause == "R8"
    for content in (moves, moment.the(UnlockContent)):
        again = moment.signed(content, place=evolve(place, previous=bytes(32)))
        with pytest.raises(Unattributable):
            check_equivocation(moment.state.charter, moment.entry, again)
        with pytest.raises(Unattributable):
            check_equivocation(moment.state.charter, again, moment.entry)


def test_r8_bytes_that_nobody_signed_in_that_place_expose_nobody() -> None:
    moment, entries = played().at(7), played().entries
    unsigned = Entry(b"", bytes(64)).encode()
    for data, cause in ((b"", "R3"), (unsigned, "R4"), (entries[5], "R7"), (entries[7], "R7")):
        with pytest.raises(Unattributable) as raised:
            check_equivocation(moment.state.charter, moment.entry, data)
        assert raised.value.cause == cause


# -- Contents of each kind of entry: R12 to R17 of spec/record.md, and the points in them (R9)


def test_r12_a_shuffle_is_of_the_cards_that_are_to_be_shuffled() -> None:
    moment = shuffling()
    content = moment.the(ShuffleContent)
    cards = content.cards
    for wrong in (cards[:-1], cards[::-1], (1, *cards[1:]), ()):
        assert moment.cause(evolve(content, cards=wrong)) == "R12"
    assert moment.cause(evolve(content, first=Slot(1))) == "R12"


def test_r13_an_unlock_key_is_new() -> None:
    moment = shuffling()
    content = moment.the(ShuffleContent)
    before = played().at(1).the(ShuffleContent)
    assert moment.cause(evolve(content, unlock_key=before.unlock_key)) == "R13"


def test_a_shuffled_deck_has_as_many_cards_as_before() -> None:
    moment = shuffling()
    content = moment.the(ShuffleContent)
    for wrong in (content.outputs[:-32], content.outputs[:-1], b"", 2 * content.outputs[:32]):
        assert moment.cause(evolve(content, outputs=wrong)) == "shuffle:length"
    assert moment.cause(evolve(content, proof=content.proof[:-32])) == "R9"


def test_r14_an_unlocking_is_for_the_ordered_cards() -> None:
    moment = unlocking()
    content = moment.the(UnlockContent)
    first, second, *rest = content.gives
    for wrong in (
        content.gives[1:],
        (second, first, *rest),
        (*content.gives, first),
        (evolve(first, player=None), second, *rest),
        (evolve(first, player=1 - (first.player or 0)), second, *rest),
        (evolve(first, slot=Slot(107)), second, *rest),
        (),
    ):
        assert moment.cause(evolve(content, gives=wrong)) == "R14"


def test_r14_a_player_who_unlocks_a_card_that_was_not_ordered_is_exposed() -> None:
    """Otherwise a player could let another one see cards of the stock."""
    moment = unlocking()
    content = moment.the(UnlockContent)
    more = Given(Slot(107), moment.other)
    shares = (*content.shares, content.shares[0])
    assert moment.cause(evolve(content, gives=(*content.gives, more), shares=shares)) == "R14"


def test_an_unlocking_has_a_share_for_each_card_and_a_proof() -> None:
    moment = unlocking()
    content = moment.the(UnlockContent)
    for shares in (content.shares[1:], (*content.shares, content.shares[0]), ()):
        assert moment.cause(evolve(content, shares=shares)) == "unlock:length"
    for proofs in ((), 2 * content.proofs):
        assert moment.cause(evolve(content, proofs=proofs)) == "unlock:length"
    assert moment.cause(evolve(content, shares=(bytes(32), *content.shares[1:]))) == "R9"


def test_a_move_that_the_rules_forbid_exposes_its_player_with_the_clause() -> None:
    moment = discarding()
    assert moment.cause(MoveContent(Pass(), ())).startswith("C")
    assert moment.cause(MoveContent(Cut(2), ())) == "X10"


def test_a_player_of_a_card_that_is_not_in_their_hand_is_exposed() -> None:
    moment = discarding()
    content = moment.the(MoveContent)
    round_ = moment.state.match.round
    assert round_ is not None
    seat = moment.state.match.seat_of(moment.other)
    for slot in (round_.hands[seat][0], round_.stock[0], round_.pile[-1].slot, Slot(60_000)):
        move = Discard(Shown(slot, shown_by(content.move)[0].card))
        assert moment.cause(evolve(content, move=move)) == "X11"


def test_r15_a_card_that_was_seen_keeps_its_face() -> None:
    moment = opening()
    content = moment.the(OpenContent)
    state = moment.state
    at = next(i for i, c in enumerate(content.cards) if state.cards.face(c.slot) is not None)
    lie = evolve(content.cards[at], card=CANASTA[content.cards[at].card.number - 1])
    cards = (*content.cards[:at], lie, *content.cards[at + 1 :])
    assert moment.cause(evolve(content, cards=cards)) == "R15"


def test_r15_a_card_is_one_of_its_deal() -> None:
    """A card that lay on the table when the new stock was shuffled cannot come from that stock."""
    moment = next(filter(from_a_second_deal, played("kanastic", 2).moments))
    content = moment.the(MoveContent)
    slot = shown_by(content.move)[0].slot
    in_deal = set(moment.state.cards.last.deck.card_numbers)
    deck = moment.state.match.deck
    foreign = next(card for card in deck if card.number not in in_deal and card.suit is not None)
    move = Discard(Shown(slot, foreign))
    assert moment.cause(evolve(content, move=move)) == "R15"


def test_r16_the_whole_hand_is_opened_in_its_order() -> None:
    moment = opening()
    content = moment.the(OpenContent)
    cards = content.cards
    assert len(cards) > 1
    for wrong in (cards[1:], cards[:-1], cards[::-1], (*cards, cards[0]), ()):
        assert moment.cause(evolve(content, cards=wrong)) == "R16"


def test_r17_all_sign_the_same_points_of_the_same_round() -> None:
    for moment in [m for m in played().moments if m.body.content.kind == "close"]:
        content = moment.the(CloseContent)
        mine, theirs = content.points
        for wrong in (
            evolve(content, points=(mine + 5, theirs)),
            evolve(content, points=(theirs, mine)) if mine != theirs else None,
            evolve(content, points=(mine,)),
            evolve(content, points=()),
            evolve(content, round_number=2),
            evolve(content, last=not content.last),
        ):
            if wrong is not None:
                assert moment.cause(wrong) == "R17"

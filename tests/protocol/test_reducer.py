"""The reducer: whose turn it is, and who is to blame for an entry that does not fit.

The records of `spec/vectors` break each clause of `spec/record.md`; here are the cases that they
lack.
"""

from itertools import groupby

import pytest
from attrs import evolve

from engine.moves import Discard, Pass
from engine.orders import Deal
from engine.slots import Slot
from protocol.codec import encode
from protocol.entries import CONTENTS, Body, Entry, MoveContent, UnlockContent
from protocol.errors import Exposed, Unattributable
from protocol.reducer import advance, check_equivocation
from tests.protocol.played import Moment, played, unattributable, unlocking

KINDS = tuple(CONTENTS)


def test_advance_does_not_change_the_state_before() -> None:
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


def test_the_receiver_unlocks_last_and_a_sole_receiver_not_at_all() -> None:
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


# -- R6: honest entries in the wrong place


def test_r6_entries_that_come_again_or_too_early_blame_nobody() -> None:
    """The newest entry is refused, too, if another member signs it again."""
    moments = played().moments
    for now, when in ((40, 39), (40, 12), (40, 42), (0, 1)):
        assert unattributable(moments[now].state, moments[when].entry) == "R6"
    again = moments[0].signed_bytes(Entry.decode(moments[0].entry).body, moments[0].other)
    assert unattributable(moments[1].state, again) == "R6"


# -- R9, R10, R11, R14: signed, in its place, and wrong


def test_r9_signed_bytes_that_are_no_body_expose_their_signer() -> None:
    """The signer is exposed even if it was another player's turn."""
    moment = played().at(4)
    unknown = encode((*moment.state.next_place.fields(), moment.writer, "meditate", ()))
    for body in (b"", b"\xc0", encode(()), encode((1, 2, 3)), unknown):
        for signer in (moment.writer, moment.other):
            assert moment.exposes(moment.signed_bytes(body, signer)) == (signer, "R9")


@pytest.mark.parametrize("kind", KINDS)
def test_r10_r11_a_player_who_writes_for_another_or_out_of_turn_is_exposed(kind: str) -> None:
    moment = played().when(kind)
    body = Body(moment.state.next_place, moment.writer, moment.body.content)
    assert moment.exposes(moment.signed_body(body, moment.other)) == (moment.other, "R10")
    stranger = evolve(body, writer=5)
    assert moment.exposes(moment.signed_body(stranger, moment.writer)) == (moment.writer, "R10")
    entry = moment.signed(moment.body.content, moment.other)
    assert moment.exposes(entry) == (moment.other, "R11")


@pytest.mark.parametrize("due", KINDS)
@pytest.mark.parametrize("kind", KINDS)
def test_r11_an_entry_of_another_kind_exposes_its_writer(due: str, kind: str) -> None:
    if kind != due:
        moment = played().when(due)
        entry = moment.signed(played().when(kind).body.content)
        assert moment.exposes(entry) == (moment.writer, "R11")


def test_r14_an_unlocking_gives_exactly_the_ordered_cards_with_shares_and_proofs() -> None:
    moment = unlocking()
    content = moment.the(UnlockContent)
    first, second, *rest = content.gives
    for gives in (
        content.gives[1:],
        (second, first, *rest),
        (*content.gives, first),
        (evolve(first, player=None), second, *rest),
        (evolve(first, player=1 - (first.player or 0)), second, *rest),
        (evolve(first, slot=Slot(107)), second, *rest),
    ):
        assert moment.cause(evolve(content, gives=gives)) == "R14"
    more = (*content.shares, content.shares[0])
    for many in (evolve(content, shares=more), evolve(content, proofs=2 * content.proofs)):
        assert moment.cause(many) == "unlock:length"


# -- R8: two entries of one player in one place, and pairs that expose nobody


def test_r8_a_second_entry_in_a_place_of_the_record_exposes_its_writer() -> None:
    first = played().when("unlock")
    then = played().at(first.state.height + 2)
    rival = first.signed(evolve(first.the(UnlockContent), shares=()))
    assert then.exposes(rival) == (first.writer, "R8")


def compared(moment: Moment, rival: bytes) -> tuple[int | None, str]:
    """Return the player whom the moment's entry and `rival` expose, or None, and the clause."""
    with pytest.raises((Exposed, Unattributable)) as raised:
        check_equivocation(moment.state.charter, moment.entry, rival)
    error = raised.value
    if isinstance(error, Exposed):
        assert error.cause != "R8" or error.evidence == (moment.entry, rival)
        return error.player, error.cause
    assert isinstance(error, Unattributable)
    return None, error.cause


def test_r8_check_equivocation_exposes_the_signer_of_both() -> None:
    """The player is exposed whatever the second entry continues and contains."""
    moment = played().moving(Discard)
    place = evolve(moment.state.next_place, previous=bytes(32))
    unknown = encode((*place.fields(), moment.writer, "no such kind", ()))
    for rival in (moment.signed(MoveContent(Pass(), ())), moment.signed_bytes(unknown)):
        assert compared(moment, rival) == (moment.writer, "R8")


def test_r8_a_rival_entry_of_another_player_exposes_that_player_unless_it_can_be_honest() -> None:
    """The entry may be honest if somebody has signed two entries further back.

    Its writer may know only the other one of these two, and continue that one.
    """
    moment, then = played().at(7), played().at(8)
    out_of_turn, junk = moment.signed(MoveContent(Pass(), ()), moment.other), b"junk"
    assert then.exposes(out_of_turn) == compared(moment, out_of_turn) == (moment.other, "R11")
    assert compared(moment, moment.signed_bytes(junk, moment.other)) == (moment.other, "R9")
    place = evolve(moment.state.next_place, previous=bytes(32))
    honest = moment.signed(MoveContent(Pass(), ()), moment.other, place)
    assert compared(moment, honest) == (None, "R7")
    assert unattributable(then.state, honest) == "R6"


def test_r8_one_body_signed_twice_is_one_entry() -> None:
    moment = played().at(7)
    entry = Entry.decode(moment.entry)
    for signature in (entry.signature, bytes(64)):
        again = Entry(entry.body, signature).encode()
        check_equivocation(moment.state.charter, moment.entry, again)


def test_r8_an_unlocking_and_an_entry_after_another_head_expose_nobody() -> None:
    """The unlocking may have been lost in a power cut, together with the entry before it.

    For example, a cheat signs two entries 7. After the first one, the honest neighbour unlocks a
    card (entry 8), and loses both entries in a power cut. Then the cheat shows the second one, and
    the neighbour makes a move after it, another entry 8.
    """
    moment = played().when("unlock")
    elsewhere = evolve(moment.state.next_place, previous=bytes(32))
    move = MoveContent(Pass(), ())
    assert compared(moment, moment.signed(move)) == (moment.writer, "R8")
    for content in (move, moment.the(UnlockContent)):
        again = moment.signed(content, place=elsewhere)
        assert compared(moment, again)[0] is None
        assert compared(evolve(moment, entry=again), moment.entry)[0] is None


def test_r8_bytes_that_nobody_signed_in_that_place_expose_nobody() -> None:
    moment, entries = played().at(7), played().entries
    unsigned = Entry(b"", bytes(64)).encode()
    for data, cause in ((b"", "R3"), (unsigned, "R4"), (entries[5], "R7"), (entries[7], "R7")):
        assert compared(moment, data) == (None, cause)

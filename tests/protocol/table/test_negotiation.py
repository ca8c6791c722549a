"""The stances and proposals of members: when they are told, and what they say."""

from collections.abc import Callable
from typing import TypeVar

import pytest
from attrs import evolve

from protocol.codec import Fields, encode
from protocol.errors import Malformed
from protocol.match.messages import NO_WISH, Candidates, Stance, Wish, WishKind
from protocol.match.negotiation import Negotiation
from protocol.wire_fields import Wire
from tests.protocol.continuing import NEWCOMERS, OLGA, offered
from tests.protocol.seeded_table import SeededTable

END, PERSON = Wish(WishKind.END), Wish(WishKind.PERSON, OLGA.member.key)


W = TypeVar("W", bound=Wire)


def decoded(message: W) -> W:
    """Return the message as a member decodes it."""
    data = encode(message.fields())
    return type(message).from_fields(Fields.decode(data, "message", limit=len(data)))


def talk_of(table: SeededTable, player: int = 0) -> Negotiation:
    first = table.state.charter
    return Negotiation(first.table_id, first.key_of(player), table.signers[player])


def test_a_stance_is_told_when_it_changes_and_every_five_seconds() -> None:
    talk = talk_of(SeededTable.sit(players=3))
    ours = bytes(32)
    # The time, what happens then, and the number, wish and accepted table of the stance after it.
    steps: tuple[tuple[float, Callable[[], None], tuple[int, Wish, bytes]], ...] = (
        (2.0, talk.beat, (0, NO_WISH, b"")),
        (3.0, lambda: talk.wish(END), (1, END, b"")),
        (7.0, lambda: talk.wish(END), (1, END, b"")),
        (7.9, talk.beat, (1, END, b"")),
        (8.0, talk.beat, (2, END, b"")),
        (9.0, lambda: talk.accept(b""), (2, END, b"")),
        (9.0, lambda: talk.accept(ours), (3, END, ours)),
        (13.9, talk.beat, (3, END, ours)),
        (14.0, talk.beat, (4, END, ours)),
        (15.0, talk.settle, (5, NO_WISH, b"")),
    )
    for talk.now, change, told in steps:
        change()
        mine = talk.mine
        assert talk.stances.get(talk.key, mine) is mine
        assert (mine.number, mine.wish, mine.accepts) == told


def test_wishes_and_acceptances_are_those_of_the_newest_stances_until_the_match_goes_on() -> None:
    table = SeededTable.sit(players=3)
    talk, other = talk_of(table), talk_of(table, 1)
    third = table.state.charter.key_of(2)
    talk.now = 100.0
    for wish, wishing in ((END, {other.key}), (NO_WISH, set()), (PERSON, {other.key})):
        other.wish(wish)
        other.accept(bytes(32))
        assert talk.hear(other.mine, {other.key})
        assert talk.wishing == wishing
        everybody = talk.key, other.key, third
        assert [talk.wish_of(key) for key in everybody] == [NO_WISH, wish, NO_WISH]
        accepted = [talk.has_accepted(key, bytes(32)) for key in everybody]
        assert accepted == [False, True, False]
        assert not talk.has_accepted(other.key, b"")
    assert talk.is_present(other.key)
    talk.forget(other.key)
    talk.forget(other.key)
    assert not talk.is_present(other.key)
    talk.propose(offered(table.state, [2]))
    talk.settle()
    assert (talk.offered, talk.stances) == ({}, {talk.key: talk.mine})


def test_proposals_have_rising_numbers_and_name_their_signers() -> None:
    table = SeededTable.sit(players=3)
    talk, first = talk_of(table), table.state.charter
    numbers = []
    for left in ([1], [2], [2]):
        charter = offered(table.state, left)
        talk.propose(charter)
        (proposed,) = talk.offered.values()
        assert (proposed.charter, proposed.proposer) == (charter, talk.key)
        assert proposed.table_id == charter.table_id
        assert proposed.message.is_signed
        numbers.append(proposed.message.number)
    assert numbers == [1, 2, 3]
    talk.begin(9)  # after a restart, numbers continue
    assert talk.mine.number == 10
    talk.propose(charter)
    assert talk.offered[talk.key].message.number == 10
    assert proposed.signers == {first.key_of(0), first.key_of(1), OLGA.member.key}


@pytest.mark.parametrize("wish", [Wish(WishKind.PERSON), Wish(WishKind.END, OLGA.member.key)])
def test_only_a_wish_for_a_person_names_somebody(wish: Wish) -> None:
    stance = Stance(bytes(32), 1, wish, b"", bytes(64))
    with pytest.raises(Malformed, match="must name one"):
        decoded(stance)
    for sound in (NO_WISH, PERSON):
        told = evolve(stance, wish=sound)
        assert decoded(told) == told


def test_candidates_have_clean_names() -> None:
    members = tuple(newcomer.member for newcomer in NEWCOMERS)
    assert decoded(Candidates(members)) == Candidates(members)
    for name in ("Ol\u200bga", " Olga"):
        unclean = Candidates((*members, evolve(OLGA.member, signed_name=name)))
        with pytest.raises(Malformed, match="clean form"):
            decoded(unclean)


def test_a_proposal_is_signed_with_its_number_and_charter() -> None:
    table = SeededTable.sit(players=3)
    talk = talk_of(table)
    talk.propose(offered(table.state, [2]))
    message = talk.offered[talk.key].message
    assert decoded(message) == message
    for changed in ({"number": 9}, {"charter": b""}, {"key": OLGA.member.key}):
        assert not evolve(message, **changed).is_signed

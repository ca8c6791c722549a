"""Acts about an absence (6.7 to 6.11): what they are, whom they release, what contradicts what."""

from functools import cache

import pytest
from attrs import evolve

from protocol.absence import absence
from protocol.ballot import (
    Act,
    Ballot,
    Contradiction,
    check_releases,
    check_two_absences,
    height_of,
    is_contradiction,
    is_void,
    releases,
    with_step,
)
from protocol.codec import encode
from protocol.entries import AbsentContent, Body, Entry, Place
from protocol.errors import Exposed, Malformed, Refused
from protocol.state import Step
from tests.protocol.absent import NEWCOMER, SUBSTITUTE, joint, others
from tests.protocol.ring import Ring


@cache
def table() -> Ring:
    """Five players of whom the first is to shuffle; nothing is written yet."""
    return Ring.sit(players=5)


AWAY, ANA, BRUNO, CARLA, DIEGO = range(5)
END = AbsentContent((AWAY,))
TWO = AbsentContent((AWAY, ANA))
SEAT = AbsentContent((AWAY,), (NEWCOMER,))


def key_of(player: int) -> bytes:
    return table().state.charter.members[player].key


def vote(by: int, content: AbsentContent = END) -> Act:
    body = absence(table().state, content).encode()
    return Act.vote(body, key_of(by), table().signers[by])


def refusal(by: int, place: Place | None = None, number: int | None = None) -> Act:
    place, number = place or table().state.next_place, by if number is None else number
    return Act.refusal(place, number, key_of(by), table().signers[by])


def of_substitute(content: AbsentContent = SEAT) -> Act:
    return Act.vote(absence(table().state, content).encode(), NEWCOMER.key, SUBSTITUTE)


def ballot(me: int = ANA) -> Ballot:
    state = table().state
    return Ballot(state.charter, state.next_place, key_of(me))


# -- acts


def test_6_7_an_act_is_a_vote_or_a_refusal_of_the_player_that_it_names() -> None:
    charter = table().state.charter
    assert refusal(ANA).said(charter).content is None
    assert vote(ANA).said(charter).content == END
    with pytest.raises(Malformed, match="not signed by the player"):
        refusal(ANA, number=BRUNO).said(charter)


def test_6_7_a_refusal_says_nothing_else() -> None:
    """In a longer one a key could be told."""
    body = encode((*table().state.next_place.fields(), ANA, "refuse", 1))
    longer = Act(body, key_of(ANA), Entry.refusal(body, table().signers[ANA]))
    with pytest.raises(Malformed):
        longer.said(table().state.charter)


def test_6_7_two_acts_that_have_more_to_say_are_no_contradiction() -> None:
    one, other = vote(ANA), refusal(ANA)
    assert Act.decode(one.encode()) == one
    with pytest.raises(Malformed):
        Act.decode(encode((one.body, one.key, one.signature, 1)))
    fields = [(act.body, act.key, act.signature) for act in (one, other)]
    assert Contradiction.decode(encode(fields)) == Contradiction(one, other)
    for longer in (
        encode([(*fields[0], 1), fields[1]]),
        encode([fields[0], (*fields[1], 1)]),
        encode([*fields, 1]),
    ):
        with pytest.raises(Malformed):
            Contradiction.decode(longer)


# -- the ballot of a place


def test_6_2_a_joint_entry_has_the_votes_of_all_whom_it_takes() -> None:
    votes = ballot()
    assert not votes.holds_back
    for by in (DIEGO, CARLA, ANA):
        assert votes.add(vote(by))
        assert votes.joint() is None
    assert votes.add(vote(BRUNO))
    ring = table()
    assert votes.joint() == joint(absence(ring.state, END), others(ring, AWAY))


def test_6_2_what_some_have_signed_is_told_by_their_keys() -> None:
    votes = ballot()
    for by in (DIEGO, ANA):
        votes.add(vote(by))
    body = vote(ANA).body
    members = table().state.charter.members
    assert votes.signatures(body, members[ANA:DIEGO]) == {key_of(ANA): vote(ANA).signature}
    assert votes.signatures(refusal(ANA).body, members) == {}


def test_6_3_a_substitute_votes_as_often_as_they_are_asked_and_it_is_news_once() -> None:
    votes = ballot()
    assert votes.add(of_substitute())
    assert not votes.add(of_substitute())
    assert votes.add(vote(ANA, SEAT))
    assert not votes.add(vote(ANA, SEAT))


def test_6_3_votes_of_members_are_told_before_those_of_substitutes() -> None:
    """Nodes take the latter only for what a member has voted for."""
    votes = ballot()
    votes.add(of_substitute())
    votes.add(vote(ANA, SEAT))
    assert [act.key for act in votes] == [key_of(ANA), NEWCOMER.key]


def test_6_7_who_has_acted_in_a_place_does_no_other_act_there() -> None:
    votes = ballot(ANA)
    votes.add(votes.vote(vote(ANA).body, table().signers[ANA]))
    with pytest.raises(Refused, match="voted for something else"):
        votes.vote(vote(ANA, SEAT).body, table().signers[ANA])
    refused = ballot(ANA)
    assert refused.add(refusal(ANA))
    assert not refused.add(refusal(ANA))
    with pytest.raises(Refused, match="have refused"):
        refused.vote(vote(ANA).body, table().signers[ANA])


def test_6_7_nobody_votes_for_their_own_absence() -> None:
    """It would be signed and kept, and no node would count it."""
    votes = ballot(ANA)
    body = vote(BRUNO, TWO).body
    with pytest.raises(Refused, match="absent yourself"):
        votes.vote(body, table().signers[ANA])
    with pytest.raises(Malformed, match="not asked for"):
        votes.add(Act.vote(body, key_of(ANA), table().signers[ANA]))


def test_6_7_an_act_for_another_place_or_that_nobody_asks_for_is_not_counted() -> None:
    votes, place = ballot(), table().state.next_place
    with pytest.raises(Malformed, match="another place"):
        votes.add(refusal(BRUNO, evolve(place, height=place.height + 1)))
    unasked = Act.vote(vote(ANA).body, key_of(AWAY), table().signers[AWAY])
    stranger = Act.vote(vote(ANA).body, NEWCOMER.key, SUBSTITUTE)
    for act in (unasked, stranger):
        with pytest.raises(Malformed, match="not asked for"):
            votes.add(act)
    assert tuple(votes) == ()
    assert votes.keys_for(vote(ANA).body) == frozenset()


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (vote(ANA), refusal(ANA)),
        (refusal(ANA), vote(ANA)),
        (vote(ANA, END), vote(ANA, SEAT)),
    ],
)
def test_6_11_a_second_act_in_a_place_exposes_whoever_has_told_it(first: Act, second: Act) -> None:
    votes = ballot(BRUNO)
    assert votes.add(vote(CARLA))
    assert votes.add(first)
    with pytest.raises(Exposed) as raised:
        votes.add(second)
    assert (raised.value.player, raised.value.cause) == (ANA, "R20")
    assert raised.value.evidence == (Contradiction(first, second).encode(),)


@pytest.mark.parametrize(
    ("acts", "owes"),
    [
        ((), False),
        ((vote(BRUNO),), True),
        ((vote(BRUNO), refusal(ANA)), False),
        ((vote(BRUNO), vote(ANA)), False),
        ((refusal(BRUNO),), False),
        ((vote(BRUNO, TWO),), False),  # which does not take Ana's signature
        ((vote(BRUNO, TWO), vote(CARLA)), True),
        ((of_substitute(),), False),  # whom no member has asked for anything yet
        ((of_substitute(), vote(BRUNO, SEAT)), True),
    ],
)
def test_6_9_who_goes_on_without_a_vote_refuses_when_a_member_waits_for_them(
    acts: tuple[Act, ...], owes: bool
) -> None:
    votes = ballot(ANA)
    for act in acts:
        votes.add(act)
    assert votes.owes_refusal == owes


# -- releases


def test_6_8_who_has_voted_is_released_by_another_member_for_another_body_only() -> None:
    charter, mine = table().state.charter, vote(ANA, SEAT)
    for act, frees in (
        (refusal(BRUNO), True),
        (vote(BRUNO, END), True),
        (vote(BRUNO, SEAT), False),  # the same joint entry
        (refusal(ANA), False),  # one's own
        (refusal(AWAY), False),  # whose signature it does not take
        (of_substitute(evolve(SEAT, substitutes=(evolve(NEWCOMER, signed_name="Eva"),))), False),
        (Act.vote(vote(BRUNO, END).body, NEWCOMER.key, SUBSTITUTE), False),  # no member
        (own_seat(BRUNO), False),  # as a substitute, whom nobody counts
    ):
        assert releases(charter, mine, act) == frees, act


def own_seat(by: int) -> Act:
    """A vote for an absence in which they take the seat themselves."""
    state = table().state
    content = AbsentContent((AWAY,), (state.charter.members[by],))
    body = Body(state.next_place, ANA, content).encode()
    return Act.vote(body, key_of(by), table().signers[by])


def test_6_8_a_release_is_an_act_of_a_member_of_this_table() -> None:
    state = table().state
    body = Body(state.next_place, ANA, END)
    elsewhere = refusal(BRUNO, evolve(state.next_place, table_id=bytes(32)))
    check_releases(state.charter, state.table_id, evolve(body, releases=(refusal(BRUNO).encode(),)))
    for act in (elsewhere, of_substitute()):
        said = evolve(body, releases=(act.encode(),))
        with pytest.raises(Malformed, match="member of this table"):
            check_releases(state.charter, state.table_id, said)


# -- contradictions


def test_6_11_two_acts_of_one_member_expose_them_and_nobody_else() -> None:
    state = table().state
    both = Contradiction(vote(ANA), refusal(ANA))
    assert both.exposes(state.charter, state.table_id).player == ANA
    with pytest.raises(Malformed, match="different places"):
        both.exposes(state.charter, bytes(32))
    with pytest.raises(Malformed, match="two acts of one member"):
        Contradiction(
            of_substitute(),
            of_substitute(evolve(SEAT, substitutes=(evolve(NEWCOMER, signed_name="Eva"),))),
        ).exposes(state.charter, state.table_id)


def test_6_11_of_two_absences_who_has_signed_both_is_exposed() -> None:
    """Ana is called absent in the one, and has signed the other: that is no contradiction."""
    ring = table()
    place = ring.state.next_place
    one = Entry.decode(joint(absence(ring.state, END), others(ring, AWAY)))
    other = Entry.decode(joint(absence(ring.state, TWO), others(ring, AWAY, ANA)))
    with pytest.raises(Exposed) as raised:
        check_two_absences(ring.state.charter, place, one, other)
    assert (raised.value.player, raised.value.cause) == (BRUNO, "R20")


def test_6_11_what_shows_a_contradiction_is_told_from_an_entry() -> None:
    """By it a node finds the place of what it keeps as evidence, and the members of then."""
    place = table().state.next_place
    both = Contradiction(vote(ANA), refusal(ANA)).encode()
    entry = joint(absence(table().state, END), others(table(), AWAY))
    assert is_contradiction(both)
    assert not is_contradiction(entry)
    far = evolve(place, height=7)
    later = Contradiction(refusal(ANA, far), refusal(ANA, far)).encode()
    for evidence, height in ((both, 1), (entry, 1), (later, 7), (b"junk", 9)):
        assert height_of(evidence, 9) == height
    assert height_of(later, 4) == 4


def step(by: int, height: int) -> Step:
    return Step(Place(bytes(32), height, bytes(32)), (key_of(by),))


@pytest.mark.parametrize(
    ("writers", "kept"),
    [
        ([], 1),
        ([ANA, BRUNO], 3),  # Carla has written nothing yet
        ([ANA, BRUNO, CARLA], 3),
        ([ANA, BRUNO, ANA, CARLA], 3),  # back to after Bruno's
        ([ANA, BRUNO, CARLA, BRUNO, CARLA], 5),
    ],
)
def test_6_11_the_places_behind_are_known_back_to_where_all_have_written(
    writers: list[int], kept: int
) -> None:
    keys = [key_of(player) for player in (ANA, BRUNO, CARLA)]
    recent = tuple(step(by, height) for height, by in enumerate(writers, 1))
    newest = step(BRUNO, len(writers) + 1)
    after = with_step(recent, keys, newest)
    assert after == (*recent, newest)[-kept:]


def test_6_10_a_later_joint_entry_of_a_signer_makes_one_void() -> None:
    ring = table()
    place = ring.state.next_place
    cut = Entry.decode(joint(absence(ring.state, END), others(ring, AWAY)))
    strangers = Step(place, (NEWCOMER.key,), is_joint=True)
    theirs = evolve(strangers, signers=(NEWCOMER.key, key_of(CARLA)))
    assert not is_void(ring.state.charter, place, cut, [strangers])
    assert is_void(ring.state.charter, place, cut, [strangers, theirs])
    elsewhere = refusal(BRUNO, evolve(place, height=place.height + 1)).encode()
    alone = Step(place, (key_of(CARLA),), releases=(elsewhere,))  # from a vote in another place
    with pytest.raises(Exposed) as raised:
        is_void(ring.state.charter, place, cut, [strangers, alone])
    assert raised.value.player == CARLA

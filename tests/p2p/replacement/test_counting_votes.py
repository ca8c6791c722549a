"""Which invitations and votes a node takes for the next place, and what it proposes of them."""

from functools import cache

import pytest
from attrs import evolve
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from p2p.replacement.votes import MOST_INVITATIONS, Votes, vote_of
from p2p.transport.messages import Invite, Vote
from protocol.absence import absence
from protocol.ballot import Act, Ballot
from protocol.charter import Member
from protocol.entries import AbsentContent, Entry, Place
from protocol.errors import Malformed, Mismatch
from protocol.signing import Signer
from tests.protocol.absent import NEWCOMER, SUBSTITUTE
from tests.protocol.ring import Ring, signer_of

AWAY, ANA, BRUNO = 0, 1, 3
END = AbsentContent((AWAY,))
SEAT = AbsentContent((AWAY,), (NEWCOMER,))
OTHER = Member(bytes([1]) * 32, "Eva", bytes(32))


@cache
def table() -> Ring:
    """Five players of whom the first is to shuffle; nothing is written yet."""
    return Ring.sit(players=5)


@pytest.fixture
def votes() -> Votes:
    state = table().state
    return Votes(state, Ballot(state.charter, state.next_place, key_of(ANA)))


def key_of(player: int) -> bytes:
    return table().state.charter.members[player].key


def body_of(content: AbsentContent) -> bytes:
    return absence(table().state, content).encode()


def by_member(player: int, body: bytes) -> Vote:
    return signed(body, key_of(player), table().signers[player])


def by_substitute(body: bytes) -> Vote:
    return signed(body, NEWCOMER.key, SUBSTITUTE)


def signed(body: bytes, key: bytes, signer: Signer) -> Vote:
    return Vote(body, key, Entry.vote(body, signer))


def refusal(player: int, place: Place) -> Vote:
    return vote_of(Act.refusal(place, player, key_of(player), table().signers[player]))


def further(place: Place) -> Place:
    return evolve(place, height=place.height + 1)


# -- invitations


def test_an_invitation_is_news_once_whoever_tells_it(votes: Votes) -> None:
    invitation = Invite(body_of(SEAT))
    assert votes.invite(ANA, invitation)
    assert not votes.invite(ANA, invitation)
    assert not votes.invite(BRUNO, invitation)
    assert votes.invitations == (invitation,)


def test_of_each_member_the_first_few_invitations_are_remembered(votes: Votes) -> None:
    names = [evolve(SEAT, substitutes=(evolve(OTHER, signed_name=f"Eva{n}"),)) for n in range(9)]
    *first, last = map(Invite, map(body_of, names))
    assert len(first) == MOST_INVITATIONS
    assert all(votes.invite(ANA, one) for one in first)
    assert not votes.invite(ANA, last)
    assert votes.invitations == tuple(first)
    assert votes.invite(BRUNO, last)


def test_a_candidate_is_shown_the_invitations_that_name_them(votes: Votes) -> None:
    mine, other = Invite(body_of(SEAT)), Invite(body_of(evolve(SEAT, substitutes=(OTHER,))))
    for one in (mine, other):
        votes.invite(ANA, one)
    assert votes.invitations_for(NEWCOMER) == (mine,)
    assert votes.invitations_for(OTHER) == (other,)
    assert votes.invitations_for(evolve(OTHER, signed_name="Ida")) == ()


def test_what_invites_nobody_is_passed_on_by_nobody(votes: Votes) -> None:
    with pytest.raises(Mismatch, match="invites nobody"):
        votes.invite(ANA, Invite(body_of(END)))
    assert votes.invitations == ()


def test_an_invitation_to_another_place_is_no_news(votes: Votes) -> None:
    body = absence(table().state, SEAT)
    elsewhere = evolve(body, place=further(body.place)).encode()
    assert not votes.invite(ANA, Invite(elsewhere))
    assert votes.invitations == ()


# -- votes


def test_6_3_a_substitute_is_heard_when_a_member_has_invited_them(votes: Votes) -> None:
    body = body_of(SEAT)
    assert not votes.add(by_substitute(body))
    assert tuple(votes) == ()
    votes.invite(ANA, Invite(body))
    assert votes.add(by_substitute(body))
    assert tuple(votes) == (by_substitute(body),)


def test_6_3_a_substitute_is_heard_when_a_member_has_voted_for_them(votes: Votes) -> None:
    body = body_of(SEAT)
    assert votes.add(by_member(BRUNO, body))
    assert votes.add(by_substitute(body))
    assert not votes.add(by_substitute(body))


def test_6_3_a_signature_alone_is_not_taken_for_an_invitation(votes: Votes) -> None:
    """The substitute of one absence has signed another one, to which nobody has invited them."""
    votes.invite(ANA, Invite(body_of(SEAT)))
    again = body_of(evolve(SEAT, substitutes=(evolve(NEWCOMER, signed_name="Eva"),)))
    assert not votes.add(by_substitute(again))


def test_6_7_an_act_in_another_place_is_no_news(votes: Votes) -> None:
    place = table().state.next_place
    assert not votes.add(refusal(BRUNO, further(place)))
    assert tuple(votes) == ()
    assert votes.add(refusal(BRUNO, place))


def test_6_1_a_vote_is_for_the_entry_that_can_follow(votes: Votes) -> None:
    """Not for an absence of somebody who is not waited for, nor for one in another name."""
    right = absence(table().state, END)
    not_due = evolve(right, content=AbsentContent((ANA,)), writer=AWAY)
    in_another_name = evolve(right, writer=BRUNO)
    with pytest.raises(Malformed, match="That is no vote"):
        votes.add(by_member(BRUNO, not_due.encode()))
    with pytest.raises(Malformed, match="the one entry that says so"):
        votes.add(by_member(BRUNO, in_another_name.encode()))
    with pytest.raises(Malformed, match="That is no vote"):
        votes.invite(BRUNO, Invite(right.encode()[:-1]))
    assert tuple(votes) == ()


# -- what is proposed


def test_an_absence_is_proposed_when_a_member_has_voted_and_all_substitutes_have_signed(
    votes: Votes,
) -> None:
    body = body_of(SEAT)
    votes.invite(ANA, Invite(body))
    votes.add(by_substitute(body))
    assert not votes.proposals
    assert votes.is_signed_by_substitutes(body)
    votes.add(by_member(BRUNO, body))
    assert votes.proposals == (SEAT,)


def test_nothing_is_proposed_before_the_last_substitute_has_signed(votes: Votes) -> None:
    key = Ed25519PrivateKey.from_private_bytes(bytes(32))
    second = Member(key.public_key().public_bytes_raw(), "Eva", bytes(32))
    both = AbsentContent((AWAY, BRUNO), (NEWCOMER, second))
    body = body_of(both)
    votes.add(by_member(ANA, body))
    assert not votes.proposals
    votes.add(by_substitute(body))
    assert not votes.proposals
    votes.add(signed(body, second.key, signer_of(key)))
    assert votes.proposals == (both,)


def test_the_own_vote_is_known_as_soon_as_it_is_counted(votes: Votes) -> None:
    assert votes.mine is None
    mine = by_member(ANA, body_of(END))
    votes.add(mine)
    assert votes.mine == mine

"""What is kept of a node's own votes and refusals, and what they keep it from."""

from functools import cache
from typing import Any, cast

import pytest
from attrs import define, evolve, field
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from p2p.replacement import own_acts
from p2p.replacement.own_acts import _DIGEST_BYTES, _LABEL, OwnActs
from protocol.absence import absence
from protocol.ballot import Act
from protocol.charter import Charter
from protocol.codec import decode, encode
from protocol.entries import MOST_RELEASES, AbsentContent, Place
from protocol.errors import Refused
from protocol.hashing import digest
from tests.protocol.ring import Ring, signer_of

KEY = Ed25519PrivateKey.from_private_bytes(bytes(32))
PLACE = Place(bytes(32), 7, bytes(32))

AWAY, ME, BRUNO, CARLA = range(4)


@define
class Kept:
    """A journal that keeps one thing."""

    content: bytes | None = None
    written: int = 0
    doubted: bool = False

    def keep_vote(self, table_id: bytes, vote: bytes) -> None:
        self.content = vote
        self.written += 1

    def vote(self, table_id: bytes) -> bytes | None:
        return self.content

    def doubt(self, table_id: bytes) -> None:
        self.doubted = True


@define
class Record:
    """A record with entries up to `height`, and places up to the next one."""

    height: int
    settled: int = 0
    is_seated: bool = True
    signed: dict[bytes, int] = field(factory=dict)

    def head_at(self, height: int) -> bytes:
        raise NotImplementedError

    def place_of(self, height: int) -> tuple[Place, Charter]:
        assert 1 <= height <= self.height + 1, "there is no such place"
        return place_at(height), table().state.charter


@cache
def table() -> Ring:
    """Four players."""
    return Ring.sit(players=4)


def place_at(height: int) -> Place:
    return evolve(table().state.next_place, height=height)


def key_of(player: int) -> bytes:
    return table().state.charter.members[player].key


def vote(height: int, by: int = ME) -> Act:
    """That the first player is absent."""
    body = evolve(absence(table().state, AbsentContent((AWAY,))), place=place_at(height))
    return Act.vote(body.encode(), key_of(by), table().signers[by])


def refusal(height: int, by: int = ME) -> Act:
    return Act.refusal(place_at(height), by, key_of(by), table().signers[by])


def acts(journal: Kept) -> OwnActs:
    return OwnActs(cast(Any, journal), table().state.table_id)


def recalled(journal: Kept) -> OwnActs:
    return OwnActs.recalled(cast(Any, journal), table().state.table_id)


# -- in the journal


@pytest.fixture
def kept() -> Kept:
    """One vote with the signature of its substitute, released by nobody."""
    journal, key = Kept(), KEY.public_key().public_bytes_raw()
    own = OwnActs(cast(Any, journal), bytes(32))
    own.keep(Act.vote(encode(PLACE.fields()), key, signer_of(KEY)), {bytes(32): bytes(64)})
    return journal


def test_a_vote_comes_back_with_its_substitutes(kept: Kept) -> None:
    own = OwnActs.recalled(cast(Any, kept), bytes(32))
    assert own.votes[PLACE].substitutes == {bytes(32): bytes(64)}


@pytest.mark.parametrize("place", [(2,), (2, 0), (2, 0, 2, 0)])
def test_nothing_may_follow_what_is_kept(kept: Kept, place: tuple[int, ...]) -> None:
    """In the whole, in a vote, and in the signature of a substitute."""

    def longer(value: Any, at: tuple[int, ...]) -> Any:
        if not at:
            return [*value, 0]
        return [*value[: at[0]], longer(value[at[0]], at[1:]), *value[at[0] + 1 :]]

    assert kept.content is not None
    value = decode(kept.content[_DIGEST_BYTES:], limit=1 << 20)
    content = encode(longer(value, place[:-1] if place == (2,) else place))
    kept.content = digest(_LABEL, content) + content
    assert not OwnActs.recalled(cast(Any, kept), bytes(32)).votes
    assert kept.doubted


def test_of_acts_with_a_changed_bit_none_is_taken_and_the_table_is_doubted(kept: Kept) -> None:
    """By one bit of its place a vote would be one in another, and this node refuse where it has
    voted: who has both would have it exposed.
    """
    whole = kept.content
    assert whole is not None
    assert not kept.doubted
    for at in range(len(whole)):
        kept.content = whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :]
        kept.doubted = False
        own = OwnActs.recalled(cast(Any, kept), bytes(32))
        assert (own.votes, own.refuses_after, kept.doubted) == ({}, 0, True), at


def test_6_7_a_vote_in_a_place_is_kept_once() -> None:
    journal = Kept()
    own = acts(journal)
    own.keep(vote(3), {bytes(32): bytes(64)})
    own.keep(vote(3))
    assert journal.written == 1
    assert recalled(journal).votes[place_at(3)].substitutes == {bytes(32): bytes(64)}


def test_6_8_what_has_released_a_vote_first_is_kept() -> None:
    journal = Kept()
    own = acts(journal)
    own.keep_release(place_at(3), refusal(3, BRUNO))  # of no vote
    own.keep(vote(3))
    own.keep_release(place_at(3), None)
    assert journal.written == 1
    for by in (BRUNO, CARLA):
        own.keep_release(place_at(3), refusal(3, by))
    assert journal.written == 2
    again = recalled(journal)
    assert again.votes[place_at(3)].release == refusal(3, BRUNO)
    assert list(again.acts_in(place_at(3))) == [refusal(3, BRUNO)]
    assert again.releases(Record(5)) == (refusal(3, BRUNO).encode(),)


def test_the_highest_doubt_stays() -> None:
    journal = Kept()
    own = acts(journal)
    for height in (5, 9, 7):
        own.keep_doubt(height)
    assert recalled(journal).refuses_after == 9


def test_a_dismissal_is_kept() -> None:
    journal = Kept()
    acts(journal).keep_dismissal(b"joint entry")
    assert recalled(journal).dismissal == b"joint entry"


# -- refusals


def test_6_7_a_refusal_after_the_newest_own_entry_is_kept_once() -> None:
    journal = Kept()
    own = acts(journal)
    for height in (3, 4, 5, 5):
        own.keep_refusal(refusal(height), Record(6, settled=4))
    assert journal.written == 1
    assert list(recalled(journal).refusals) == [place_at(5)]


def test_of_many_refusals_the_newest_are_kept_in_whichever_order_they_came(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(own_acts, "_MOST_REFUSALS", 3)
    journal = Kept()
    own = acts(journal)
    for height in (9, 6, 8, 7):
        own.keep_refusal(refusal(height), Record(10))
    assert {place.height for place in own.refusals} == {7, 8, 9}
    assert recalled(journal).refusals == own.refusals


# -- votes that are not settled


def test_6_9_a_node_answers_for_votes_after_its_last_entry_up_to_the_next_place() -> None:
    own = acts(Kept())
    for height in (1, 2, 3, 4, 6, 7, 8):
        own.keep(vote(height))
    record = Record(6, settled=2)
    assert [one.place.height for one in own.unsettled(record)] == [3, 4, 6, 7]


def test_6_9_nobody_votes_more_often_than_one_entry_can_answer_for() -> None:
    own = acts(Kept())
    for height in range(1, MOST_RELEASES):
        own.keep(vote(height))
    own.check_room(Record(MOST_RELEASES))
    own.keep(vote(MOST_RELEASES))
    with pytest.raises(Refused, match="too often"):
        own.check_room(Record(MOST_RELEASES))
    own.check_room(Record(MOST_RELEASES, settled=1))


def test_nobody_votes_more_often_at_a_table_than_can_be_kept(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(own_acts, "_MOST_VOTES", 2)
    own = acts(Kept())
    own.keep(vote(1))
    own.check_room(Record(6, settled=6))
    own.keep(vote(2))
    with pytest.raises(Refused, match="too often"):
        own.check_room(Record(6, settled=6))


def test_6_8_a_vote_binds_until_one_of_its_other_signers_has_written_after_its_place() -> None:
    own = acts(Kept())
    own.keep(vote(4))
    assert not own.binds(Record(3), key_of(ME))  # nobody has gone past it
    assert own.binds(Record(4), key_of(ME))
    for signed, bound in (
        ({key_of(BRUNO): 4, key_of(CARLA): 3}, True),
        ({key_of(AWAY): 6, key_of(ME): 6}, True),  # not theirs to complete, and one's own
        ({key_of(CARLA): 5}, False),
    ):
        assert own.binds(Record(6, signed=signed), key_of(ME)) == bound
    own.keep_release(place_at(4), refusal(4, BRUNO))
    assert not own.binds(Record(6), key_of(ME))


def test_6_8_one_vote_that_binds_is_enough() -> None:
    own = acts(Kept())
    for height in (2, 4):
        own.keep(vote(height))
    own.keep_release(place_at(2), refusal(2, BRUNO))
    assert own.binds(Record(5), key_of(ME))
    own.keep_release(place_at(4), refusal(4, BRUNO))
    assert not own.binds(Record(5), key_of(ME))

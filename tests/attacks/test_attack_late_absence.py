"""Votes for an absence that are kept, and completed when play has gone on (6.7-6.11)."""

from functools import cache

import pytest
from attrs import define, evolve, field

from protocol.absence import absence, is_agreed_absence
from protocol.audit import Auditor, Verdict
from protocol.ballot import (
    Act,
    Ballot,
    Contradiction,
    check_two_absences,
    is_void,
    step_of,
)
from protocol.entries import AbsentContent, Body, Entry
from protocol.errors import Exposed, Malformed, Unattributable
from protocol.reducer import advance
from protocol.state import State, Step
from tests.protocol.absent import NEWCOMER, SUBSTITUTE, ended, joint, others, replaced
from tests.protocol.played import Moment, Played, play


@cache
def three() -> Played:
    """A round of three, played to its end; who leaves has all locks in every moment of it."""
    return play("canasta", 3)


@cache
def late() -> Moment:
    """Somebody's entry comes late here; the entries after it are of the other two."""
    return three().when("unlock", lambda moment: moment.state.match.round is not None)


@define
class Node:
    """What an honest member keeps of that place, and of the record after it."""

    me: int
    ballot: Ballot = field(init=False)

    def __attrs_post_init__(self) -> None:
        state = late().state
        key = state.charter.members[self.me].key
        self.ballot = Ballot(state.charter, state.next_place, key)


def vote(by: int, content: AbsentContent | None = None) -> Act:
    moment = late()
    body = absence(moment.state, content or AbsentContent((moment.writer,))).encode()
    return Act.vote(body, moment.state.charter.members[by].key, moment.ring.signers[by])


def refusal(by: int) -> Act:
    state = late().state
    key = state.charter.members[by].key
    return Act.refusal(state.next_place, by, key, late().ring.signers[by])


def two_others() -> tuple[int, int]:
    """Who writes next after the late entry, and the third."""
    first = three().at(late().state.height + 2).writer
    return first, ({0, 1, 2} - {first, late().writer}).pop()


def gone_on(released_by: Act | None) -> tuple[State, Step]:
    """The record after the late entry and the next one, which says what has released its writer."""
    after = three().at(late().state.height + 2)
    releases = () if released_by is None else (released_by.encode(),)
    entry = after.signed_body(evolve(after.body, releases=releases), after.writer)
    return advance(after.state, entry), step_of(after.state.charter, Entry.decode(entry))


def exposed_by(data: bytes, state: State) -> tuple[int, str]:
    with pytest.raises(Exposed) as caught:
        advance(state, data)
    return caught.value.player, caught.value.cause


def test_a_vote_that_was_released_completes_nothing_without_exposing() -> None:
    """Bruno votes that silent Carla is absent; the late entry comes, Ana refuses, and play goes on.
    Later Ana completes the absence with Bruno's vote: Ana is exposed, and Bruno is not.
    """
    bruno, ana = two_others()
    node = Node(bruno)
    node.ballot.add(vote(bruno))
    assert node.ballot.holds_back
    node.ballot.add(refusal(ana))
    assert not node.ballot.holds_back
    state, _ = gone_on(node.ballot.release)
    cut = ended(late().ring, late().state, late().writer)
    assert exposed_by(cut, state) == (ana, "R20")


def test_whoever_refuses_and_votes_is_exposed_at_every_node() -> None:
    """Also before anything is complete, and whichever of the two comes first."""
    bruno, ana = two_others()
    for acts in ((vote(ana), refusal(ana)), (refusal(ana), vote(ana))):
        node = Node(bruno)
        node.ballot.add(acts[0])
        with pytest.raises(Exposed) as caught:
            node.ballot.add(acts[1])
        assert (caught.value.player, caught.value.cause) == (ana, "R20")
        (evidence,) = caught.value.evidence
        assert exposed_by(evidence, late().state) == (ana, "R20")
        auditor = Auditor()
        list(auditor.feed(three().record(evidence, upto=late().state.height + 9)))
        finding = auditor.finish()
        assert (finding.verdict, finding.player) == (Verdict.EXPOSED, ana)


def test_two_of_three_cut_a_match_that_they_have_gone_on_with() -> None:
    """Nobody has voted or refused; the first of the two to write after the place is exposed."""
    state, step = gone_on(None)
    cut = ended(late().ring, late().state, late().writer)
    first, _ = two_others()
    assert exposed_by(cut, state) == (first, "R20")
    assert is_agreed_absence(late().state.charter, Entry.decode(cut), late().state.next_place)
    with pytest.raises(Exposed) as caught:
        is_void(late().state.charter, late().state.next_place, Entry.decode(cut), [step])
    assert (caught.value.player, caught.value.evidence) == (first, (cut,))


def test_who_has_written_in_a_place_signs_nobody_elses_absence_there() -> None:
    """Two of three would have the third dismissed in a place that has not waited for them."""
    state, named = late().state, two_others()[0]
    signing = others(late().ring, named)
    place = Body(state.next_place, min({0, 1, 2} - {named}), AbsentContent((named,)))
    false = joint(place, signing)
    after = three().at(state.height + 2).state
    assert exposed_by(false, after) == (late().writer, "R20")


def test_a_release_of_ones_own_or_of_somebody_who_was_not_asked_frees_nobody() -> None:
    bruno, _ = two_others()
    cut = ended(late().ring, late().state, late().writer)
    for act in (refusal(bruno), vote(bruno), refusal(late().writer)):
        state, _ = gone_on(act)
        assert exposed_by(cut, state) == (bruno, "R20")
    node = Node(bruno)
    node.ballot.add(vote(bruno))
    node.ballot.add(refusal(late().writer))
    assert node.ballot.holds_back


def test_a_finished_match_is_not_cut_by_an_absence() -> None:
    """Its record holds; the absence behind it takes nothing of it away."""
    cut = ended(late().ring, late().state, late().writer)
    auditor = Auditor()
    list(auditor.feed(three().record()))
    assert auditor.finish().verdict is Verdict.SOUND
    assert auditor.state is not None
    with pytest.raises(Unattributable) as caught:
        advance(auditor.state, cut)
    assert caught.value.cause == "R6"
    closings = [moment for moment in three().moments if moment.body.content.kind == "close"]
    steps = (step_of(late().state.charter, Entry.decode(moment.entry)) for moment in closings)
    with pytest.raises(Exposed):
        is_void(late().state.charter, late().state.next_place, Entry.decode(cut), steps)


def test_the_record_that_was_cut_is_not_called_sound() -> None:
    height = late().state.height
    auditor = Auditor()
    cut = ended(late().ring, late().state, late().writer)
    list(auditor.feed(three().record(cut, upto=height)))
    assert auditor.finish().verdict is Verdict.ENDED


def test_two_absences_in_one_place_expose_who_has_signed_both() -> None:
    ring, state = late().ring, late().state
    one, other = ended(ring, state, late().writer), replaced(ring, state, late().writer)
    place = state.next_place
    with pytest.raises(Exposed) as caught:
        check_two_absences(state.charter, place, Entry.decode(one), Entry.decode(other))
    assert caught.value.player != late().writer
    (evidence,) = caught.value.evidence
    assert exposed_by(evidence, state) == (caught.value.player, "R20")
    check_two_absences(state.charter, place, Entry.decode(one), Entry.decode(one))


def test_a_later_absence_of_the_same_members_makes_the_first_one_void() -> None:
    """They have written nothing in between: nobody is exposed, and what came later stands."""
    ring, state = late().ring, late().state
    cut = Entry.decode(ended(ring, state, late().writer))
    place = state.next_place
    after = three().at(state.height + 2).state
    second = Entry.decode(joint(absence(after, AbsentContent((after.writers[0],))), ring.signers))
    assert is_void(state.charter, place, cut, [step_of(after.charter, second)])
    assert not is_void(state.charter, place, cut, [])


def test_acts_that_do_not_contradict_each_other_expose_nobody() -> None:
    bruno, ana = two_others()
    elsewhere = three().at(late().state.height + 2).state.next_place
    far = Act.refusal(elsewhere, ana, vote(ana).key, late().ring.signers[ana])
    forged = evolve(refusal(ana), signature=refusal(bruno).signature)
    for acts in (
        (vote(ana), vote(ana)),
        (vote(ana), refusal(bruno)),
        (vote(ana), far),
        (vote(ana), forged),
    ):
        with pytest.raises(Unattributable) as caught:
            advance(late().state, Contradiction(*acts).encode())
        assert caught.value.cause == "R20"


def asked_twice() -> tuple[Act, Act]:
    """What the newcomer has signed who came for the seat, went, and came again with a new nonce."""
    state = late().state
    contents = (
        AbsentContent((late().writer,), (member,))
        for member in (NEWCOMER, evolve(NEWCOMER, nonce=bytes([1] * 32)))
    )
    bodies = (absence(state, content).encode() for content in contents)
    one, other = (Act.vote(body, NEWCOMER.key, SUBSTITUTE) for body in bodies)
    return one, other


def test_signatures_of_substitutes_contradict_nothing_when_they_have_the_seat() -> None:
    """They sign as often as they are asked, and bind nobody (6): whoever keeps two of theirs shows
    nothing with them.
    """
    ring, state = late().ring, late().state
    seated = advance(state, replaced(ring, state, late().writer))
    assert seated.charter.player_of(NEWCOMER.key) == late().writer
    member = Act.refusal(state.next_place, late().writer, NEWCOMER.key, SUBSTITUTE)
    substitute, again = asked_twice()
    for acts in (
        (substitute, again),
        (again, substitute),
        (substitute, member),
        (member, substitute),
    ):
        with pytest.raises(Unattributable) as caught:
            advance(seated, Contradiction(*acts).encode())
        assert caught.value.cause == "R20"
        auditor = Auditor()
        entry = replaced(ring, state, late().writer)
        evidence = Contradiction(*acts).encode()
        list(auditor.feed(three().record(entry, evidence, upto=state.height)))
        finding = auditor.finish()
        assert (finding.verdict, finding.player) == (Verdict.BROKEN, None)


def test_who_votes_for_themselves_as_a_substitute_releases_nobody() -> None:
    """It is no vote of a member: nobody counts it, and whoever goes on by it has no release."""
    bruno, ana = two_others()
    state = late().state
    body = absence(state, AbsentContent((late().writer,), (NEWCOMER,)))
    own = evolve(body, content=AbsentContent((late().writer,), (state.charter.members[ana],)))
    act = Act.vote(own.encode(), state.charter.members[ana].key, late().ring.signers[ana])
    node = Node(bruno)
    node.ballot.add(vote(bruno))
    with pytest.raises(Malformed):
        node.ballot.add(act)
    after, _ = gone_on(act)
    assert exposed_by(ended(late().ring, state, late().writer), after) == (bruno, "R20")


def test_votes_of_substitutes_contradict_nothing() -> None:
    """They sign as often as they are asked, and bind nobody."""
    bruno, _ = two_others()
    node = Node(bruno)
    content = AbsentContent((late().writer,), (NEWCOMER,))
    node.ballot.add(vote(bruno, content))
    assert node.ballot.release is None
    assert node.ballot.joint() is None
    assert len(others(late().ring, late().writer)) == 2

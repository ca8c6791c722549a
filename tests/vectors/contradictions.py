"""Records with acts about an absence that contradict each other or the record (R20).

They are made from a round that a substitute plays to its end, and show the releases too.
"""

from collections.abc import Iterator

from attrs import evolve, frozen

from protocol.absence import absence
from protocol.ballot import Act, Contradiction
from protocol.charter import Member
from protocol.entries import AbsentContent, Body
from protocol.signing import Signer
from tests.protocol.absent import NEWCOMER, SUBSTITUTE, joint, others
from tests.protocol.played import Moment
from tests.protocol.ring import Ring
from tests.vectors.absences import agreed_on, ending, signed_by_others
from tests.vectors.recorded import Forge, Record, recorded_with_substitute


@frozen
class _Acts:
    """Acts about an absence that the members of a table sign at a moment."""

    moment: Moment

    def vote(self, content: AbsentContent, by: int) -> Act:
        return Act.vote(absence(self.moment.state, content).encode(), *self.key(by))

    def refusal(self, by: int, *, of: int | None = None, higher: int = 0) -> Act:
        """Return a refusal signed by a player.

        With `of` it has the number of that player, with `higher` the place so many entries later.
        """
        place = self.moment.state.next_place
        place = evolve(place, height=place.height + higher)
        return Act.refusal(place, by if of is None else of, *self.key(by))

    def of_a_stranger(self, player: int, body: bytes) -> tuple[Act, Act]:
        """Return a vote for that absence and a refusal in a player's name, signed by a stranger."""
        ring = Ring.sit(players=2, seed=99)
        key = ring.state.charter.members[0].key, ring.signers[0]
        place = self.moment.state.next_place
        return Act.vote(body, *key), Act.refusal(place, player, *key)

    def of_a_substitute(self, member: Member) -> Act:
        """Return the vote of a member who was asked to take the seat of the player to write."""
        invited = AbsentContent((self.moment.writer,), (member,))
        return Act.vote(agreed_on(self.moment, invited).encode(), member.key, SUBSTITUTE)

    def key(self, player: int) -> tuple[bytes, Signer]:
        return self.moment.state.charter.members[player].key, self.moment.ring.signers[player]


def all_records() -> Iterator[Record]:
    one = Forge(recorded_with_substitute())
    leaving = next(m for m in one.of.moments if isinstance(m.body.content, AbsentContent))
    late = one.of.when("unlock", lambda moment: moment.state.match.round is not None)
    goes_on = one.of.at(late.state.height + 2)
    assert late.writer != goes_on.writer
    yield from _two_acts(one, leaving)
    yield from _gone_past(one, late, goes_on)
    yield from _impossible(one, late, goes_on)
    yield from _long_past(one)
    yield from _releases(one, leaving, late, goes_on)


def _two_acts(one: Forge, leaving: Moment) -> Iterator[Record]:
    """Return records with two acts of one place, of one player or of two."""
    acts, left = _Acts(leaving), leaving.writer
    one_of_them, other = ((left + step) % 3 for step in (1, 2))
    ends = acts.vote(AbsentContent((left,)), other)
    seat = acts.vote(AbsentContent((left,), (NEWCOMER,)), other)
    forged = evolve(acts.refusal(other), signature=acts.refusal(one_of_them).signature)
    strangers = acts.of_a_stranger(other, ends.body)
    for name, what, two in (
        ("refused", "A vote and a refusal of one player.", (ends, acts.refusal(other))),
        ("twice", "Two votes of one player.", (ends, seat)),
        ("same", "The same vote twice: nobody is to blame.", (ends, ends)),
        (
            "two",
            "A vote and a refusal of two players: nobody is to blame.",
            (ends, acts.refusal(one_of_them)),
        ),
        (
            "places",
            "A vote and a refusal in two places: nobody is to blame.",
            (ends, acts.refusal(other, higher=1)),
        ),
        (
            "forged",
            "A vote, and a refusal that somebody else has signed: nobody is to blame.",
            (ends, forged),
        ),
        (
            "number",
            "A vote, and a refusal with the number of another player: nobody is to blame.",
            (ends, acts.refusal(other, of=one_of_them)),
        ),
        ("stranger", "Two acts of a stranger: nobody is to blame.", strangers),
    ):
        yield one.after(leaving, f"R20-{name}", what, Contradiction(*two).encode())
    asked = (NEWCOMER, evolve(NEWCOMER, nonce=bytes([1] * 32)))
    again = Contradiction(*map(acts.of_a_substitute, asked)).encode()
    what = "What a substitute has signed who was asked twice, and has the seat: nobody is to blame."
    yield one.after(leaving, "R20-substitute", what, leaving.entry, again)


def _gone_past(one: Forge, late: Moment, goes_on: Moment) -> Iterator[Record]:
    """Return records in which a player has written after an absence that they had signed.

    The absence is signed by all others.
    """
    acts, writer = _Acts(late), goes_on.writer
    third = ({0, 1, 2} - {late.writer, writer}).pop()
    refusal = acts.refusal(third).encode()
    voted = acts.vote(AbsentContent((late.writer,), (NEWCOMER,)), third).encode()
    itself = evolve(
        agreed_on(late),
        content=AbsentContent((late.writer,), (late.state.charter.members[third],)),
    )
    as_substitute = Act.vote(itself.encode(), *acts.key(third)).encode()
    for name, what, releases in (
        ("past", "A player has gone past the absence that they have signed.", ()),
        (
            "released",
            "A player has gone past it with the refusal of another one, who has signed it, too.",
            (refusal,),
        ),
        (
            "voted",
            "A player has gone past it with another vote of the other one, who has signed it, too.",
            (acts.refusal(late.writer).encode(), voted),
        ),
        (
            "own",
            "A player has gone past it with a refusal of their own, which releases nobody.",
            (acts.refusal(writer).encode(),),
        ),
        (
            "itself",
            (
                "A player has gone past it with what another one has signed as a substitute: no "
                "release."
            ),
            (as_substitute,),
        ),
    ):
        entry = _released(goes_on, *releases)
        yield one.after(goes_on, f"R20-{name}", what, entry, ending(late))
    what = "The absence of one for whom the table does not wait, signed by who has written there."
    false = Body(late.state.next_place, min({0, 1, 2} - {writer}), AbsentContent((writer,)))
    yield one.after(goes_on, "R20-writer", what, joint(false, others(late.ring, writer)))
    what = "An absence when nobody who has signed it has gone on: the record stands, here."
    yield one.after(goes_on, "R6-past", what, ending(late))


def _impossible(one: Forge, late: Moment, goes_on: Moment) -> Iterator[Record]:
    """Return records with joint entries in a past place that can be no absence.

    They are signed by the player who has gone on (6.11).
    """
    left, sign = late.writer, late.ring.signers
    there = tuple(player for player in range(3) if player != left)
    seated = late.state.charter.members
    signers = [sign[player] for player in there]
    other = evolve(NEWCOMER, key=seated[there[1]].key)
    for name, what, content, writer, by in (
        ("again", "The absent one twice.", AbsentContent((left, left)), there[0], signers),
        ("player", "A player who is none.", AbsentContent((5,)), 0, sign),
        ("writer", "In the name of the absent one.", AbsentContent((left,)), left, signers),
        (
            "seated",
            "A substitute who has signed it as a member.",
            AbsentContent((left,), (other,)),
            there[0],
            [*signers, sign[there[1]]],
        ),
        (
            "two",
            "Two substitutes for one.",
            AbsentContent((left,), (NEWCOMER, NEWCOMER)),
            there[0],
            [*signers, SUBSTITUTE, SUBSTITUTE],
        ),
        ("form", "A player above the bound.", AbsentContent((6,)), 0, sign),
    ):
        body = Body(late.state.next_place, writer, content)
        told = f"In a past place: {what}"
        yield one.after(goes_on, f"R6-late-{name}", told, goes_on.entry, joint(body, by))


def _long_past(one: Forge) -> Iterator[Record]:
    """Return a record with an absence in the first place when play has gone on for long."""
    first = one.of.moments[0]
    what = "In a past place, when each player has written since then, one of them in that place."
    yield one.after(one.of.at(4), "R20-earliest", what, ending(first))
    what = "As before, with one entry more: that place is forgotten."
    yield one.after(one.of.at(5), "R6-forgotten", what, ending(first))


def _releases(one: Forge, leaving: Moment, late: Moment, goes_on: Moment) -> Iterator[Record]:
    """Return records with entries whose releases hold, and others whose releases do not."""
    third = ({0, 1, 2} - {late.writer, goes_on.writer}).pop()
    release = _Acts(late).refusal(third).encode()
    what = "An entry with what has released its writer from a vote."
    yield one.after(goes_on, "released", what, _released(goes_on, release))
    acts, left = _Acts(leaving), leaving.writer
    one_of_them, other = ((left + step) % 3 for step in (1, 2))
    forged = evolve(acts.refusal(other), signature=acts.refusal(one_of_them).signature)
    _, strange = acts.of_a_stranger(other, b"")
    for name, what, releases in (
        ("release", "A release that is no act: a key could be told in it.", (bytes(32),)),
        ("acts", "A release by a stranger.", (strange.encode(),)),
        ("forged", "A release that somebody else has signed.", (forged.encode(),)),
        ("releases", "More releases than there can be.", (release,) * 9),
    ):
        yield one.after(goes_on, f"R9-{name}", what, _released(goes_on, *releases))
    body = evolve(agreed_on(leaving), releases=(b"",))
    what = "An absence with a release: nobody is to blame."
    yield one.after(leaving, "R9-joint", what, signed_by_others(leaving, body))


def _released(moment: Moment, *releases: bytes) -> bytes:
    """Return the entry of that moment with these releases."""
    return moment.signed_body(evolve(moment.body, releases=releases), moment.writer)

"""Records with matches ended by an absence, and with absences that nobody may agree on.

They are made from a round that a substitute plays to its end.
"""

from collections.abc import Iterator, Sequence

from attrs import evolve

from protocol.absence import absence
from protocol.charter import Member
from protocol.entries import (
    AbsentContent,
    Body,
    CloseContent,
    Entry,
    MoveContent,
    ShuffleContent,
)
from protocol.reducer import advance
from protocol.signing import Signer
from tests.attacks import false_shuffles
from tests.protocol.absent import NEWCOMER, SUBSTITUTE, ended, joint, others, replaced
from tests.protocol.played import Moment
from tests.protocol.ring import Ring
from tests.protocol.seeded import seeded
from tests.vectors.recorded import Forge, Record, WithoutRules, recorded_with_substitute

_ENDED = WithoutRules("ended", "", ())


def all_records() -> Iterator[Record]:
    one = Forge(recorded_with_substitute())
    leaving = next(m for m in one.of.moments if isinstance(m.body.content, AbsentContent))
    yield one.whole("sound", "A round is void, and played again with a substitute.")
    yield from _ends(one, leaving)
    yield from _places(one, leaving)
    yield from _signers(one, leaving)
    yield from _contents(one, leaving)
    yield from _rounds(one, leaving)
    yield from _late(one, leaving)
    yield from _substitutes(one, leaving)


def agreed_on(moment: Moment, content: AbsentContent | None = None) -> Body:
    """Return the absence of the player who is to write, as the others would sign it."""
    return absence(moment.state, content or AbsentContent((moment.writer,)))


def signed_by_others(moment: Moment, body: Body, signers: Sequence[Signer] | None = None) -> bytes:
    """Return the entry signed by the others, or by the signers that are given."""
    return joint(body, others(moment.ring, moment.writer) if signers is None else signers)


def ending(moment: Moment) -> bytes:
    return ended(moment.ring, moment.state, moment.writer)


def _ends(one: Forge, leaving: Moment) -> Iterator[Record]:
    """Return sound records, with an absence at every kind of entry that can be missing."""
    first = one.of.moments[0]
    dealing = one.of.when("unlock", lambda moment: moment.state.match.round is not None)
    opening, closing, last = one.of.last("open"), one.of.when("close"), one.of.last("close")
    yield one.after(first, "ended-draw", "Ended before the draw.", ending(first))
    yield one.after(dealing, "ended-dealing", "Ended while cards are dealt.", ending(dealing))
    yield one.after(leaving, "ended", "Ended in the middle of a round.", ending(leaving))
    what = "The last hand stays closed, and the round is to be signed."
    yield one.after(opening, "closed-last", what, ending(opening))
    what = "Ended when the round is counted, and nobody has signed its points."
    yield one.after(closing, "ended-counted", what, ending(closing))
    what = "Ended when some have signed the points of the round."
    yield one.after(last, "ended-closing", what, ending(last))
    redrawn = replaced(first.ring, first.state, first.writer)
    what = "The draw is void, and begins again with a substitute."
    yield one.after(first, "redrawn", what, redrawn)


def _places(one: Forge, leaving: Moment) -> Iterator[Record]:
    body = agreed_on(leaving)
    place = body.place
    for name, what, other in (
        ("R5", "For another table.", evolve(place, table_id=bytes(32))),
        ("R6", "For the place after the next one.", evolve(place, height=place.height + 1)),
        ("R6-before", "For the place before.", evolve(place, height=place.height - 1)),
        ("R7", "For another record.", evolve(place, previous=bytes(32))),
    ):
        yield one.after(leaving, name, what, signed_by_others(leaving, evolve(body, place=other)))


def _signers(one: Forge, leaving: Moment) -> Iterator[Record]:
    body, ring = agreed_on(leaving), leaving.ring
    first, second = others(ring, leaving.writer)
    absent = ring.signers[leaving.writer]
    stranger: Signer = Ring.sit(players=2, seed=99).signers[0]

    def signed(name: str, what: str, *signers: Signer) -> Record:
        return one.after(leaving, name, what, signed_by_others(leaving, body, signers))

    yield signed("R4-one", "One signature of two: it is an entry that nobody has written.", first)
    yield signed("R19-order", "Signed in another order.", second, first)
    yield signed("R19-twice", "Signed twice by the same one.", first, first)
    yield signed("R19-stranger", "Signed by a stranger.", first, stranger)
    yield signed("R19-absent", "Signed by the absent one for another.", first, absent)
    yield signed("R19-all", "Signed also by the absent one.", first, second, absent)
    encoded = body.encode()
    signatures = [sign(b"sobremesa/1/entry", encoded) for sign in (first, second)]
    other_use = Entry(encoded, b"".join(signatures)).encode()
    yield one.after(leaving, "R19-use", "Signed for another use.", other_use)
    alone = Entry.sign(body.encode(), ring.signers[body.writer]).encode()
    what = "Signed by one alone, as an entry of their own."
    yield one.after(leaving, "R9-alone", what, alone)
    seated = agreed_on(leaving, AbsentContent((leaving.writer,), (NEWCOMER,)))
    what = "Not signed by the substitute."
    yield one.after(leaving, "R19-unasked", what, signed_by_others(leaving, seated))


def _contents(one: Forge, leaving: Moment) -> Iterator[Record]:
    body, left = agreed_on(leaving), leaving.writer
    content = AbsentContent((left,))
    next_one, last_one = ((left + step) % 3 for step in (1, 2))
    sitting = leaving.state.charter.members
    signers = others(leaving.ring, left)

    def said(name: str, what: str, content: AbsentContent, *signers: Signer) -> Record:
        lie = evolve(body, content=content)
        return one.after(leaving, name, what, signed_by_others(leaving, lie, signers))

    two = AbsentContent(tuple(sorted((left, next_one))))
    who = leaving.ring.signers[last_one]
    by_the_third = evolve(body, writer=last_one, content=two)
    twice = signed_by_others(leaving, by_the_third, (who, who))
    yield one.after(leaving, "R19-half", "Two of three called absent by the third.", twice)
    invited = evolve(two, substitutes=(NEWCOMER, evolve(NEWCOMER, key=bytes([2]) * 32)))
    alone = signed_by_others(
        leaving, evolve(by_the_third, content=invited), (who, SUBSTITUTE, SUBSTITUTE)
    )
    what = "Two of three called absent by the third, with friends of theirs in the seats."
    yield one.after(leaving, "R19-friends", what, alone)
    yield said("R19-nobody", "Nobody is absent.", AbsentContent(()), *leaving.ring.signers)
    yield said("R19-again", "The absent one twice.", AbsentContent((left, left)), *signers)
    yield said("R19-player", "A player who is none.", AbsentContent((left, 5)), *signers)
    other = evolve(body, writer=min(left, last_one), content=AbsentContent((next_one,)))
    entry = signed_by_others(leaving, other, others(leaving.ring, next_one))
    what = "A player is absent for whom the table does not wait."
    yield one.after(leaving, "R19-present", what, entry, without=_ENDED)
    name = evolve(body, writer=max(p for p in range(3) if p != left))
    yield one.after(
        leaving, "R19-writer", "Written in the name of another.", signed_by_others(leaving, name)
    )
    for name_, what, newcomer, sign in (
        ("R19-seated", "A substitute who sits there.", sitting[next_one], signers[0]),
        (
            "R19-own",
            "The absent one as their own substitute.",
            sitting[left],
            leaving.ring.signers[left],
        ),
    ):
        taken = evolve(content, substitutes=(newcomer,))
        yield said(name_, what, taken, *signers, sign)
    many = evolve(content, substitutes=(NEWCOMER, evolve(NEWCOMER, key=bytes([2]) * 32)))
    yield said("R19-two", "Two substitutes for one.", many, *signers, SUBSTITUTE, SUBSTITUTE)
    yield from _malformed(one, leaving)


def _malformed(one: Forge, leaving: Moment) -> Iterator[Record]:
    body = agreed_on(leaving)

    def member(name: str, what: str, newcomer: Member) -> Record:
        content = AbsentContent((leaving.writer,), (newcomer,))
        signers = [*others(leaving.ring, leaving.writer), SUBSTITUTE]
        entry = signed_by_others(leaving, evolve(body, content=content), signers)
        return one.after(leaving, name, what, entry)

    yield member("R9-name", "A name that is too long.", evolve(NEWCOMER, signed_name=81 * "O"))
    yield member("R9-member", "A key for which anybody can sign.", evolve(NEWCOMER, key=bytes(32)))
    far = evolve(body, content=AbsentContent((6,)))
    yield one.after(
        leaving, "R9-player", "A player above the bound.", signed_by_others(leaving, far)
    )
    closing = evolve(body, content=CloseContent(1, (0, 0, 0), True))
    what = "Another content, signed by several."
    yield one.after(leaving, "R9-kind", what, signed_by_others(leaving, closing))
    dealing = one.of.when("unlock")
    honest = Entry.decode(dealing.entry)
    longer = evolve(honest, signature=honest.signature + bytes(64)).encode()
    what = "An honest entry with another signature after its own: nobody is to blame."
    yield one.after(dealing, "R9-longer", what, longer)


def _rounds(one: Forge, leaving: Moment) -> Iterator[Record]:
    counted = CloseContent(1, (500, 0, 0), last=True)
    lie = evolve(agreed_on(leaving), content=AbsentContent((leaving.writer,), counted=counted))
    what = "A round called counted that is not."
    yield one.after(leaving, "R19-counted", what, signed_by_others(leaving, lie))
    first, last = one.of.when("close"), one.of.last("close")
    body = agreed_on(last)
    assert isinstance(body.content, AbsentContent)
    honest = body.content.counted
    assert honest is not None
    richer = evolve(honest, points=(honest.points[0] + 100, *honest.points[1:]))
    for name, what, moment, wrong, without in (
        ("R19-void", "A round called void of which points are signed.", last, None, None),
        ("R19-points", "Other points than some have signed.", last, richer, None),
        ("R19-score", "Wrong points.", first, richer, _ENDED),
        ("R19-round", "Another round.", first, evolve(honest, round_number=2), None),
    ):
        body = agreed_on(moment)
        lie = evolve(body, content=AbsentContent((moment.writer,), counted=wrong))
        yield one.after(moment, name, what, signed_by_others(moment, lie), without=without)
    dealt = one.of.when("unlock", lambda moment: moment.state.match.round is not None)
    dealing = one.of.at(dealt.state.height + 2)
    present = (dealing.writer + 1) % 3
    body = evolve(
        agreed_on(dealing),
        writer=min({0, 1, 2} - {present}),
        content=AbsentContent((present,)),
    )
    entry = signed_by_others(dealing, body, others(dealing.ring, present))
    what = "Somebody is absent while another one owes an unlocking."
    yield one.after(dealing, "R19-dealing", what, entry)


def _late(one: Forge, leaving: Moment) -> Iterator[Record]:
    """Return records in which the player who has left writes when the others have played on."""
    left, end = leaving.writer, ending(leaving)
    view = leaving.ring.players[left].view(leaving.state)
    assert view is not None
    assert view.to_move is not None
    move = view.legal_moves(view.to_move)[0]
    late = leaving.ring.players[left].write(leaving.state, seeded("vector late"), move).entry

    def after(name: str, what: str, *added: bytes) -> Record:
        return one.after(leaving, name, what, *added)

    what = "What they write late in that place, when they have been replaced."
    yield after("R4-late", what, leaving.entry, late)
    what = "What they write late in that place, when the match was ended."
    yield after("R6-late", what, end, late)
    shuffling = one.of.at(leaving.state.height + 2)
    content = shuffling.the(ShuffleContent)
    body = Body(shuffling.state.next_place, left, content).encode()
    more = Entry.sign(body, leaving.ring.signers[left]).encode()
    what = "What they write after it, when they have been replaced."
    yield after("R4-dismissed", what, leaving.entry, more)
    place = advance(leaving.state, end).next_place
    body = Body(place, left, content).encode()
    more = Entry.sign(body, leaving.ring.signers[left]).encode()
    what = "What they write after it, when the match was ended."
    yield after("R11-dismissed", what, end, more)
    yield after("R6-again", "Two absences in one place.", leaving.entry, end)
    again = signed_by_others(leaving, evolve(agreed_on(leaving), place=place))
    yield after("R19-end", "An absence after the end.", end, again)


def _substitutes(one: Forge, leaving: Moment) -> Iterator[Record]:
    """Return records in which a substitute answers for what they sign, as any player does."""
    seat = leaving.writer
    after = one.of.moments[leaving.state.height + 1 :]
    shuffling = next(m for m in after if m.writer == seat)
    honest = shuffling.the(ShuffleContent)
    before = [m for m in one.of.moments[: leaving.state.height] if m.writer == seat]
    old = [m for m in before if m.body.content.kind == ShuffleContent.kind][-1]
    theirs = evolve(honest, unlock_key=old.the(ShuffleContent).unlock_key)
    what = "The substitute announces the key of the one who left."
    yield one.after(shuffling, "R13-substitute", what, shuffling.signed(theirs))
    replayed = evolve(honest, proof=old.the(ShuffleContent).proof)
    what = "The substitute replays a proof of the round that is void."
    yield one.after(shuffling, "shuffle-substitute", what, shuffling.signed(replayed))
    marked = false_shuffles.marked(shuffling, seeded("vector marked by a substitute"))
    what = "The substitute marks two cards."
    yield one.after(shuffling, "shuffle-map", what, shuffling.signed(marked))
    moving = next(m for m in after if isinstance(m.body.content, MoveContent))
    kind = CloseContent(1, (0, 0, 0), last=True)
    what = "The substitute closes a round that is played."
    yield one.after(moving, "R11-substitute", what, moving.signed(kind, seat))

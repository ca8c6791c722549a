"""Records made from a round of two players: sound, cut off, with changed bytes, and with cheats."""

from collections.abc import Callable, Iterator
from typing import Any

from attrs import evolve

from engine.moves import Discard, DrawStock, LayMelds, TakePile
from engine.slots import Shown, Slot
from protocol.codec import Value, decode, encode
from protocol.entries import (
    BODY_LIMIT,
    CloseContent,
    Content,
    Entry,
    Given,
    MoveContent,
    OpenContent,
    ShuffleContent,
    UnlockContent,
)
from protocol.group import ONE, ORDER, Entropy, Scalar
from protocol.record_file import framed
from protocol.signatures import Signer
from tests.attacks import false_faces, false_shuffles, false_unlocks
from tests.protocol.bad_encodings import TORSION
from tests.protocol.continuing import OLGA, concluded, offered
from tests.protocol.played import Moment
from tests.protocol.seeded import seeded
from tests.protocol.seeded_table import SeededTable
from tests.vectors.recorded import UNSEEN, Forge, Record, WithoutRules, recorded

Forgery = Callable[[Moment, Entropy], Content]


def all_records() -> Iterator[Record]:
    one = Forge(recorded())
    entries = one.of.entries
    yield one.whole("sound", "The whole round, signed by both.")
    yield one.upto(30, "cut", "Cut off after the thirtieth entry.")
    yield one.upto(len(entries) - 1, "unsigned", "The last signature is missing.")
    counted = one.of.when("close").state.height
    yield one.upto(counted, "unsigned-both", "Nobody has signed the points.")
    yield one.upto(30, "cut-within", "Cut off within an entry.", framed(entries[30])[:100])
    yield one.whole("goes-on", "Bytes after the end.", tail=b"\0")
    yield one.upto(30, "length", "A length that no part has.", b"\xff\xff\xff\xff")
    yield from _places(one)
    yield from _shuffles(one)
    yield from _unlockings(one)
    yield from _faces(one)
    yield from _closings(one)
    yield from _continuations(one)


def _dealing(one: Forge) -> Moment:
    """Return the moment of the first unlocking of hands."""
    return one.of.when("unlock", lambda moment: moment.state.match.round is not None)


def _places(one: Forge) -> Iterator[Record]:
    moment = _dealing(one)
    body, entry = Entry.decode(moment.entry).body, Entry.decode(moment.entry)
    honest, place = moment.the(UnlockContent), moment.state.next_place
    flipped = body[:200] + bytes([body[200] ^ 1]) + body[201:]

    def after(name: str, what: str, *added: bytes) -> Record:
        return one.after(moment, name, what, *added)

    yield after("R3", "A part that is no entry.", b"\xc0")
    what = "An entry that is encoded in a longer form."
    yield after("R3-form", what, b"\xdc\x00\x02" + moment.entry[1:])
    what = "A signature of 96 bytes instead of 64."
    yield after("R3-half", what, _with_signature(entry, bytes(96)))
    too_long = moment.signed_bytes(bytes(BODY_LIMIT + 1))
    yield after("R3-long", "A body of one byte too many, in a part that is not too long.", too_long)
    yield after("R3-seven", "Seven signatures.", _with_signature(entry, bytes(7 * 64)))
    changed = Entry(flipped, entry.signature).encode()
    yield after("R4", "A byte of the body is changed.", changed)
    stranger: Signer = SeededTable.sit(players=2, seed=99).signers[0]
    yield after("R4-stranger", "Signed by a stranger.", Entry.sign(body, stranger).encode())
    other_use = moment.table.signers[moment.writer](b"sobremesa/1/charter", body)
    yield after("R4-use", "Signed with the label of charters.", _with_signature(entry, other_use))
    other = moment.signed(honest, place=evolve(place, table_id=bytes(32)))
    yield after("R5", "An entry of another table.", other)
    fields = [*_fields(other), 0]
    what = "A body with one field too many, of another table: only its place is read."
    yield after("R5-seven", what, moment.signed_bytes(encode(fields)))
    what = "A body with one field too many."
    yield after("R9-seven", what, moment.signed_bytes(encode([*_fields(moment.entry), 0])))
    what = "A body of two fields."
    yield after("R9-two", what, moment.signed_bytes(encode(_fields(moment.entry)[:2])))
    yield after("R6", "An entry that the record has already.", one.of.entries[10 - 1])
    forked = moment.signed(honest, place=evolve(place, previous=bytes(32)))
    yield after("R7", "An entry that continues another record.", forked)
    rival = moment.signed(evolve(honest, proofs=()))
    yield after("R8", "Two different entries in one place.", moment.entry, rival)
    what = "Two unlockings after different entries: a power cut may have erased the first."
    yield after("R6-unlockings", what, moment.entry, forked)
    moved = moment.signed(MoveContent(DrawStock(), ()), place=evolve(place, previous=bytes(32)))
    what = "An unlocking, and a move after another entry: a power cut may have erased the first."
    yield after("R6-unlocking-moved", what, moment.entry, moved)
    yield after("R9-body", "Signed bytes that are no body.", moment.signed_bytes(b"\x93\1\2\3"))
    longer = b"\xdc\x00\x06" + body[1:]
    yield after("R9-form", "A body that is encoded in a longer form.", moment.signed_bytes(longer))
    what = "A lock as an additional field of the content."
    yield after("R9-key-told", what, _telling_the_lock(moment))
    pretended = moment.signed_body(moment.body, moment.other)
    yield after("R10", "Written in the name of another.", pretended)
    what = "The right unlocking, by the wrong player."
    yield after("R11-turn", what, moment.signed(honest, moment.other))
    dealing = one.of.when("unlock", lambda moment: moment.state.match.round is not None)
    nowhere = evolve(dealing.the(UnlockContent), gives=(Given(Slot(108), dealing.other),))
    what = "An unlocking out of turn, for a slot that does not exist."
    yield one.after(dealing, "R11-slot", what, dealing.signed(nowhere, dealing.other))
    then = one.of.at(moment.state.height + 2)
    draw = then.signed(MoveContent(DrawStock(), ()))
    yield one.after(then, "R11-kind", "A move while cards are dealt.", draw)
    last = one.of.moments[-1]
    more = last.signed(last.body.content, 0, one.of.table.state.next_place)
    yield one.whole("R11-end", "An entry after the end.", more)


def _with_signature(entry: Entry, signature: bytes) -> bytes:
    return evolve(entry, signature=signature).encode()


def _fields(entry: bytes) -> list[Value]:
    body = decode(Entry.decode(entry).body, limit=BODY_LIMIT)
    assert isinstance(body, tuple)
    return list(body)


def _telling_the_lock(moment: Moment) -> bytes:
    *rest, content = _fields(moment.entry)
    assert isinstance(content, tuple)
    key = moment.table.players[moment.writer]._locks[moment.state.cards.last.number]
    return moment.signed_bytes(encode([*rest, [*content, key.encode()]]))


def _shuffles(one: Forge) -> Iterator[Record]:
    moment = [m for m in one.of.moments if m.body.content.kind == "shuffle"][-1]
    honest, state = moment.the(ShuffleContent), moment.state
    size = len(honest.cards)
    proof = [honest.proof[at : at + 32] for at in range(0, len(honest.proof), 32)]
    first_answer = 2 * size + 6  # after c_1 .. c_N, d_1 .. d_N and the six T

    def changed(name: str, what: str, **changes: Any) -> Record:
        return one.after(moment, name, what, moment.signed(evolve(honest, **changes)))

    def forged(name: str, what: str, forgery: Forgery) -> Record:
        content = forgery(moment, seeded(f"vector {name}"))
        return one.after(moment, name, what, moment.signed(content))

    def with_part(at: int, part: bytes) -> bytes:
        return b"".join([*proof[:at], part, *proof[at + 1 :]])

    def one_more(at: int) -> bytes:
        return with_part(at, (Scalar.decode(proof[at]) + ONE).encode())

    other_cards = (1, 0, *honest.cards[2:])
    yield changed("R12-cards", "Other cards shuffled.", cards=other_cards)
    yield changed("R12-slot", "The slots begin with another number.", first=Slot(1))
    old = moment.table.players[moment.writer]._locks[0].unlock_key.encode()
    yield changed("R13", "A key used before.", unlock_key=old)
    theirs = false_shuffles.key_announced_by(moment, moment.other)
    yield changed("R13-other", "The key that the other has announced.", unlock_key=theirs)
    again = false_shuffles.with_key_of_an_earlier_deal
    what = "A key of an earlier deal, and a whole shuffle with its lock."
    yield forged("R13-earlier", what, again)
    what = "The other's shuffle undone."
    yield forged("R13-undone", what, lambda at, _: false_shuffles.undone(at))
    deck = honest.outputs
    yield changed("R9-identity", "The identity as a card.", outputs=bytes(32) + deck[32:])
    yield changed("R9-torsion", "A point of small order as a card.", outputs=TORSION + deck[32:])
    yield changed("R9-key", "The identity as unlock key.", unlock_key=bytes(32))
    yield changed("R9-commitment", "The identity as c_1.", proof=with_part(0, bytes(32)))
    yield changed("R9-chain", "The identity as d_1.", proof=with_part(size, bytes(32)))
    full = with_part(len(proof) - 1, b"\xff" * 32)
    yield changed("R9-scalar", "A scalar not reduced.", proof=full)
    yield changed("R9-proof", "A proof too short.", proof=honest.proof[:-32])
    what = "More outputs than the bound, which is checked before the wrong first slot."
    yield changed("R9-outputs", what, first=Slot(1), outputs=deck + deck[:1])
    yield changed("shuffle-length", "A card is missing.", outputs=deck[:-32])
    what = "A card and a part of the proof are missing."
    yield changed("shuffle-length-proof", what, outputs=deck[:-32], proof=honest.proof[:-32])
    yield changed("shuffle-length-part", "A part of a card is missing.", outputs=deck[:-1])
    what = "A card is missing, and another one is no point."
    yield changed("shuffle-length-first", what, outputs=bytes(32) + deck[32:-32])
    yield forged("shuffle-distinct", "A card twice.", false_shuffles.doubled)
    yield changed("shuffle-sum", "s1 is one too high.", proof=one_more(first_answer))
    zeros = honest.proof[: 32 * first_answer] + bytes(32 * (size + 5))
    yield changed("shuffle-zeros", "All responses are zero.", proof=zeros)
    yield changed("shuffle-prod", "s2 is one too high.", proof=one_more(first_answer + 1))
    yield changed("shuffle-commit", "s3 is one too high.", proof=one_more(first_answer + 2))
    yield changed("shuffle-chain", "s^ is one too high.", proof=one_more(first_answer + 4))
    what = "Two cards marked by a factor and its inverse."
    yield forged("shuffle-map", what, false_shuffles.marked)
    what = "A card twice, the second time multiplied by a number."
    yield forged("shuffle-disguised", what, false_shuffles.disguised)
    what = "A deck that does not come from the one before."
    yield forged("shuffle-unrelated", what, false_shuffles.unrelated)
    what = "A deck of one card, multiplied by many factors."
    yield forged("shuffle-copies", what, false_shuffles.copies)
    yield forged("shuffle-mixed", "Two cards mixed with each other.", false_shuffles.mixed)
    yield forged("shuffle-key", "Another key announced.", false_shuffles.locked_otherwise)
    yield forged("shuffle-over", "The open cards shuffled again.", false_shuffles.started_over)
    replayed = one.of.moments[state.height - 1].the(ShuffleContent).proof
    yield changed("shuffle-replay", "The other player's proof.", proof=replayed)
    for name, context in _other_contexts(moment).items():

        def bound(moment: Moment, random: Entropy, context: bytes = context) -> Content:
            return false_shuffles.honest(moment, random, context=context)

        yield forged(f"shuffle-{name}", f"A proof for another {name}.", bound)


def _other_contexts(moment: Moment) -> dict[str, bytes]:
    """Return contexts of other places, to which a proof in this place must not be bound."""
    state, deal = moment.state, moment.state.cards.last.number
    return {
        "place": evolve(state, height=state.height - 1).context(moment.writer, deal),
        "table": evolve(state, table_id=bytes(32)).context(moment.writer, deal),
        "writer": state.context(moment.other, deal),
    }


def _unlockings(one: Forge) -> Iterator[Record]:
    moment = _dealing(one)
    honest = moment.the(UnlockContent)
    _, second, *rest = honest.shares
    (proof,) = honest.proofs

    def changed(
        name: str, what: str, content: UnlockContent, *, without: WithoutRules | None = None
    ) -> Record:
        return one.after(moment, name, what, moment.signed(content), without=without)

    again = (*honest.gives[:-1], honest.gives[0])
    yield changed("R14-twice", "A card given twice.", evolve(honest, gives=again))
    then = one.of.at(moment.state.height + 2)
    backwards = evolve(then.the(UnlockContent), gives=honest.gives[::-1])
    what = "Cards given in another order than by the player before."
    yield one.after(then, "R14-other", what, then.signed(backwards))
    what = "A share for a card that was not given."
    yield changed("R14-help", what, false_unlocks.helping(moment), without=UNSEEN)
    what = "A share for a card that was not given, after the other player's right unlocking."
    late = false_unlocks.helping(then)
    yield one.after(then, "R14-help-late", what, then.signed(late))
    few = evolve(honest, shares=honest.shares[1:])
    yield changed("unlock-length", "A share is missing.", few)
    many = evolve(honest, proofs=109 * honest.proofs[:1])
    yield changed("R9-proofs", "More proofs than the deck has cards.", many)
    yield changed("unlock-none", "No proof.", evolve(honest, proofs=()))
    yield changed("unlock-dleq", "Two shares exchanged.", false_unlocks.swapped(moment))
    yield changed("unlock-junk", "An arbitrary point as a share.", false_unlocks.junk(moment))
    what = "A false share with a proof made for it."
    yield changed("unlock-scaled", what, false_unlocks.scaled(moment))
    what = "A share for another card of the stock."
    yield changed("unlock-another", what, false_unlocks.of_another_card(moment))
    what = "Errors of two shares that cancel."
    yield changed("unlock-cancelling", what, false_unlocks.cancelling(moment))
    what = "The other player's lock is taken off instead of the writer's own."
    yield changed("unlock-lock", what, false_unlocks.with_lock_of_another(moment))
    what = "The other player's proof for the same cards."
    reflected = then.signed(false_unlocks.reflected(then, moment))
    yield one.after(then, "unlock-reflected", what, reflected)
    for name, context in _other_contexts(moment).items():
        what = f"A proof for another {name}."
        yield changed(f"unlock-{name}", what, false_unlocks.bound_to(moment, context))
    zeros = evolve(honest, proofs=(bytes(64),))
    yield changed("unlock-zeros", "A proof of zeros.", zeros)
    more = (int.from_bytes(proof[32:], "little") + ORDER).to_bytes(32, "little")
    second_form = evolve(honest, proofs=(proof[:32] + more,))
    what = "A second form of a proof, whose response is not reduced."
    yield changed("R9-answer", what, second_form)
    identity = evolve(honest, shares=(bytes(32), second, *rest))
    yield changed("R9-share", "The identity as a share.", identity)
    what = "The identity as a share, and no proof."
    yield changed("R9-share-first", what, evolve(identity, proofs=()))
    what = "One share too few, and the identity among the shares."
    fewer = evolve(identity, shares=identity.shares[:-1])
    yield changed("unlock-length-first", what, fewer)
    beyond = (*honest.gives[:-1], evolve(honest.gives[-1], slot=Slot(108)))
    what = "The slot after the last one is given."
    yield changed("R14-nowhere", what, evolve(honest, gives=beyond))
    yield changed("R14-empty", "Nothing is given.", UnlockContent((), (), ()))


def _faces(one: Forge) -> Iterator[Record]:
    moment = one.of.moving(Discard, hidden=True)
    honest = moment.the(MoveContent)
    assert isinstance(honest.move, Discard)
    true = honest.move.card
    twin = false_faces.twin(moment, true)
    lie = moment.signed(evolve(honest, move=Discard(twin)))
    what = "Instead of the card, the equal card of the other pack is named in a discard."
    yield one.after(moment, "face-lie", what, lie)
    what = "As in face-lie, with a proof that is made for the named card."
    told = moment.signed(false_faces.discarded(moment, twin))
    yield one.after(moment, "face-told", what, told)
    bare = moment.signed(evolve(honest, proofs=()))
    yield one.after(moment, "face-bare", "A card without proof.", bare)
    position = moment.state.match.round
    assert position is not None
    theirs = position.hands[moment.state.match.seat_of(moment.other)][0]
    stolen = moment.signed(evolve(honest, move=Discard(Shown(theirs, true.card))))
    yield one.after(moment, "X11", "A card of the other's hand.", stolen)
    nowhere = moment.signed(evolve(honest, move=Discard(Shown(Slot(108), true.card))))
    yield one.after(moment, "X11-nowhere", "A slot that does not exist.", nowhere)
    drawing = moment.signed(MoveContent(DrawStock(), ()))
    yield one.after(moment, "X10", "A second card drawn.", drawing, without=UNSEEN)
    by_the_other = moment.signed(MoveContent(DrawStock(), ()), moment.other)
    what = "A move out of turn, and then the honest one in the same place."
    nobody = WithoutRules("broken", "R6")
    yield one.after(moment, "R11-first", what, by_the_other, moment.entry, without=nobody)
    laying = one.of.moving(LayMelds, hidden=True)
    honest = laying.the(MoveContent)
    assert isinstance(honest.move, LayMelds)
    play, *plays = honest.move.plays
    doubled = evolve(play, cards=(*play.cards, play.cards[0]))
    lie = laying.signed(evolve(honest, move=LayMelds((doubled, *plays))))
    yield one.after(laying, "X11-twice", "A slot twice in a meld.", lie)
    lie = laying.signed(false_faces.twin_played(laying))
    yield one.after(laying, "face-meld", "A meld with a card that one does not have.", lie)
    taking = one.of.moving(TakePile, hidden=True)
    lie = taking.signed(false_faces.twin_played(taking))
    yield one.after(taking, "face-pile", "The pile taken with a card that one does not have.", lie)
    yield from _openings(one)


def _openings(one: Forge) -> Iterator[Record]:
    moment = one.of.opening()
    hand = moment.the(OpenContent)
    known = next(s for s in hand.cards if moment.state.cards.face(s.slot) is not None)
    hidden = next(s for s in hand.cards if moment.state.cards.face(s.slot) is None)
    lies = {known: false_faces.twin(moment, known)}
    lie = evolve(hand, cards=tuple(lies.get(shown, shown) for shown in hand.cards))
    what = "A card that was seen before has another face now."
    yield one.after(moment, "R15", what, moment.signed(lie))
    lie = false_faces.opened(moment, {hidden: false_faces.twin(moment, hidden)})
    what = "A hidden card is opened as the equal card of the other pack."
    yield one.after(moment, "face-open", what, moment.signed(lie))
    kept = false_faces.without(moment, hidden)
    yield one.after(moment, "R16", "A card kept back.", moment.signed(kept))
    for name, what, cards in (
        ("R16-order", "The hand in another order.", hand.cards[::-1]),
        ("R16-twice", "A card opened twice.", (*hand.cards, known)),
        (
            "R16-nowhere",
            "A slot that does not exist.",
            (*hand.cards, Shown(Slot(108), hidden.card)),
        ),
    ):
        yield one.after(moment, name, what, moment.signed(evolve(hand, cards=cards)))
    what = "The hand in another order, and a card that was seen before has another face."
    both = evolve(lie, cards=tuple(lies.get(shown, shown) for shown in hand.cards[::-1]))
    yield one.after(moment, "R16-first", what, moment.signed(both))
    what = "A card that was seen before has another face now, without a proof."
    unproven = evolve(hand, cards=tuple(lies.get(shown, shown) for shown in hand.cards), proofs=())
    yield one.after(moment, "R15-first", what, moment.signed(unproven))
    first = one.of.when("open")
    empty = first.signed(OpenContent((), ()), first.other)
    what = "The player who has gone out opens an empty hand, out of turn."
    yield one.after(first, "R11-empty", what, empty)
    closing = one.of.when("close")
    empty = closing.signed(OpenContent((), ()), closing.other)
    what = "An empty hand is opened when all hands have been opened."
    yield one.after(closing, "R11-opened", what, empty)
    none = closing.signed(OpenContent((), ()), closing.writer)
    what = "The player who has gone out opens an empty hand when all hands have been opened."
    yield one.after(closing, "R11-none", what, none)


def _closings(one: Forge) -> Iterator[Record]:
    first, second = (m for m in one.of.moments if m.body.content.kind == "close")
    honest = second.the(CloseContent)
    wrong = evolve(honest, points=(honest.points[0] + 100, *honest.points[1:]))
    score = first.signed(wrong)
    unseen = evolve(UNSEEN, unsigned=(second.writer,))
    yield one.after(first, "R17-score", "A wrong score.", score, without=unseen)
    what = "Another score than the one that the first player has signed."
    yield one.after(second, "R17-other", what, second.signed(wrong))
    longer = second.signed(evolve(honest, last=False))
    yield one.after(second, "R17-last", "The round is said not to be the last.", longer)
    more = first.signed(evolve(honest, points=(*honest.points, 0)))
    yield one.after(first, "R17-points", "Points for one side too many, within the bound.", more)
    many = first.signed(evolve(honest, points=256 * (0,)))
    yield one.after(first, "R9-points", "More sides than the bound allows.", many)
    other_round = first.signed(evolve(honest, round_number=2))
    yield one.after(first, "R17-round", "Another round.", other_round)
    opening = one.of.opening()
    early = opening.signed(honest)
    yield one.after(opening, "R11-close", "Closed before the hands are opened.", early)


def _continuations(one: Forge) -> Iterator[Record]:
    """Return records with continuations that only one of two founders has signed."""
    moment = one.of.moving(Discard)
    whole = offered(moment.state, ())
    assert whole.continues is not None
    members = list(whole.members)
    members[moment.writer] = OLGA.member
    gone = evolve(whole.continues, left=(moment.writer,))
    friend = evolve(whole, members=tuple(members), continues=gone)
    signed = concluded(moment.table, moment.state, friend).encode()
    what = "One of two founders goes on with a friend in the other's seat."
    yield one.after(moment, "R19-friend", what, signed)
    alone = evolve(whole, continues=evolve(gone, ends=True))
    signed = concluded(moment.table, moment.state, alone).encode()
    yield one.after(moment, "R19-alone", "One of two ends the match.", signed)

"""The test vectors of `spec/vectors/`: `python -m tests.vectors` makes them anew.

Everything in them is computed by the program from fixed seeds; the moves of the recorded round are
those that the file has, so that they stay the same when the rules offer moves in another order.
"""

import json
import random
from collections.abc import Callable, Iterator
from functools import cache
from itertools import count
from pathlib import Path
from typing import Any

from attrs import evolve, frozen

from engine.decks import CANASTA
from engine.moves import Discard, DrawStock
from engine.places import Shown, Slot
from protocol import shuffle_proof
from protocol.audit import Auditor, Finding
from protocol.codec import Encodable, encode
from protocol.deck import card_points
from protocol.entries import (
    Body,
    CloseContent,
    Entry,
    Given,
    MoveContent,
    OpenContent,
    ShuffleContent,
    UnlockContent,
)
from protocol.group import BASE, ONE, ZERO, Point, Scalar
from protocol.hashing import digest, number
from protocol.keys import LockKey
from protocol.record import framed
from protocol.shuffle import lock_and_shuffle
from protocol.shuffle_proof import Statement, Transcript, generators, prove
from protocol.unlock import context_string, prove_unlock, unlock
from tests.attacks.forging import (
    content,
    lock_of,
    proven,
    shuffled,
    statement,
    unlock_proof,
)
from tests.protocol.cheating import cheat
from tests.protocol.played import Moment, Played, knows_half_a_hand, play
from tests.protocol.ring import random_move
from tests.protocol.seeded import seeded

FOLDER = Path(__file__).parent.parent / "spec" / "vectors"
SEED = 15
Json = dict[str, Any]


def _hex(values: Any) -> Any:
    """Points, scalars and bytes as hexadecimal text, one or many."""
    if isinstance(values, bytes):
        return values.hex()
    if isinstance(values, Point | Scalar):
        return values.encode().hex()
    return [_hex(value) for value in values]


def values() -> Json:
    """Encodings of values, and bytes that are none."""
    good: list[Encodable] = [
        *(None, False, True, 0, 1, 127, 128, 255, 256, 65535, 65536, 2**32 - 1, 2**32),
        *(2**64 - 1, -1, -32, -33, -128, -129, -32768, -32769, -(2**31), -(2**31) - 1, -(2**63)),
        *("", "a", "Ñandú", "x" * 31, "x" * 32),
    ]
    good += [[], [1, [2, [3]]], list(range(15)), list(range(16))]
    bad = {
        "nothing at all": "",
        "a second value": "c0c0",
        "seven in two bytes": "cc07",
        "255 in three bytes": "cd00ff",
        "-1 in two bytes": "d0ff",
        "seven as a signed byte": "d007",
        "text of one byte with a length": "d90161",
        "a list of one with a long length": "dc000101",
        "bytes with a long length": "c5000161",
        "a map": "80",
        "a float": "ca00000000",
        "an extension": "d40000",
        "a list that ends early": "9201",
        "text that is no UTF-8": "a1ff",
        "lists thirteen deep": 13 * "91" + "c0",
    }
    return {
        "encodings": [{"value": value, "bytes": encode(value).hex()} for value in good],
        "bytes_encodings": [
            {"value": part.hex(), "bytes": encode(part).hex()}
            for part in (b"", b"\0", bytes(255), bytes(256))
        ],
        "refused": bad,
    }


def group() -> Json:
    """The base, generators and cards."""
    table = digest("charter", b"an example")
    return {
        "base": _hex(BASE),
        "generators": _hex(generators(8)),
        "table_id": table.hex(),
        "cards": [
            {
                "round": round_number,
                "deal": deal,
                "points": _hex(card_points(table, round_number, deal, range(6))),
            }
            for round_number, deal in ((0, 0), (1, 1), (1, 2), (2, 3))
        ],
        "context": {
            "height": 7,
            "head": digest("entry", b"an example").hex(),
            "key": bytes(range(32)).hex(),
            "deal": 1,
            "context": digest(
                "context",
                table,
                number(7),
                digest("entry", b"an example"),
                bytes(range(32)),
                number(1),
            ).hex(),
        },
    }


def shuffle() -> Json:
    """One whole shuffle proof for five cards, with everything that is computed on the way."""
    entropy = seeded("vector of a shuffle")
    ctx = digest("context", b"an example")
    key = LockKey.generate(entropy)
    inputs = card_points(digest("charter", b"an example"), 1, 1, range(5))
    permutation = (3, 0, 4, 2, 1)
    outputs = lock_and_shuffle(inputs, key, permutation)
    claim = Statement(ctx, key.unlock_key, inputs, outputs)
    proof = prove(claim, key, permutation, entropy)
    about = Transcript.of(claim, proof)
    seed, _ = shuffle_proof.ask_weights(claim, proof.c)
    return {
        "ctx": ctx.hex(),
        "lock": _hex(key.lock),
        "unlock_key": _hex(key.unlock_key),
        "permutation_from_0": list(permutation),
        "inputs": _hex(inputs),
        "outputs": _hex(outputs),
        "H": _hex(about.h),
        "c": _hex(proof.c),
        "seed": seed.hex(),
        "e": [_hex(Scalar.of(e)) for e in about.e],
        "d": _hex(proof.d),
        "f_powers": [_hex(Scalar.of(f)) for f in about.f],
        "T": dict(zip(proof.blinding._fields, _hex(proof.blinding), strict=True)),
        "C": _hex(Scalar.of(about.challenge)),
        "s1": _hex(proof.s1),
        "s2": _hex(proof.s2),
        "s3": _hex(proof.s3),
        "s4": _hex(proof.s4),
        "s_hat": _hex(proof.s_hat),
        "s_prime": _hex(proof.s_prime),
        "proof": proof.encode().hex(),
    }


def unlocking() -> Json:
    """An unlock proof for three cards."""
    entropy = seeded("vector of an unlocking")
    ctx = digest("context", b"an example")
    key = LockKey.generate(entropy)
    locked = tuple(key.lock * p for p in card_points(ctx, 1, 1, range(3)))
    unlocked = unlock(key, locked)
    proof = prove_unlock(ctx, key, locked, unlocked, entropy)
    return {
        "ctx": ctx.hex(),
        "context_string": context_string(ctx).hex(),
        "unlock": _hex(key.unlock),
        "unlock_key": _hex(key.unlock_key),
        "locked": _hex(locked),
        "unlocked": _hex(unlocked),
        "c": _hex(proof.c),
        "s": _hex(proof.s),
        "proof": proof.encode().hex(),
    }


def charter() -> Json:
    """The charter of the recorded round."""
    signed = recorded().ring.charter
    return {
        "game": signed.charter.game.name,
        "options": dict(signed.charter.options.pairs()),
        "grace": signed.charter.grace,
        "members": [
            {"key": m.key.hex(), "name": m.name, "nonce": m.nonce.hex()}
            for m in signed.charter.members
        ],
        "charter": signed.charter.encode().hex(),
        "signatures": _hex(signed.signatures),
        "signed_charter": signed.encode().hex(),
        "table_id": signed.charter.table_id.hex(),
    }


@cache
def recorded() -> Played:
    """The round of the vectors: that of the file if there is one, otherwise a new one."""
    path = FOLDER / "records.json"
    if not path.exists():
        rounds = map(_new_round, count(1))
        return next(one for one in rounds if knows_half_a_hand(one) and len(one.entries) < 90)
    entries = [bytes.fromhex(entry) for entry in json.loads(path.read_text())["entries"]]
    contents = (Body.decode(Entry.decode(entry).body, CANASTA).content for entry in entries)
    moves = [content.move for content in contents if isinstance(content, MoveContent)]
    return play(seed=SEED, choose=lambda _, __: moves.pop(0))


def _new_round(seed: int) -> Played:
    rng = random.Random(seed)
    return play(seed=SEED, choose=lambda view, _: random_move(view, rng))


@frozen
class Record:
    """A record: the first `keep` entries of the recorded round, entries added, bytes after them.

    `rules` tells that it takes the rules to see what is wrong.
    """

    name: str
    what: str
    keep: int
    added: tuple[bytes, ...] = ()
    tail: bytes = b""
    rules: bool = False

    @property
    def rest(self) -> bytes:
        """The record file from where it is no more the recorded round."""
        return b"".join(map(framed, self.added)) + self.tail

    def finding(self) -> Finding:
        """What the audit says. It begins at the state that the kept entries have led to."""
        one = recorded()
        states = [*(moment.state for moment in one.moments), one.ring.state]
        auditor = Auditor(states[self.keep])
        auditor._reader.begun = True
        for _ in auditor.feed(self.rest):
            pass
        return auditor.finish()

    def json(self) -> Json:
        finding = self.finding()
        return {
            "name": self.name,
            "what": self.what,
            "keep": self.keep,
            "added": _hex(self.added),
            "tail": self.tail.hex(),
            "rules": self.rules,
            "verdict": finding.verdict.value,
            "entry": finding.entry,
            "cause": finding.cause,
            "player": finding.player,
            "unsigned": list(finding.unsigned),
        }


def after(
    moment: Moment, name: str, what: str, *added: bytes, rules: bool = False, tail: bytes = b""
) -> Record:
    return Record(name, what, moment.state.height, added, tail, rules)


def all_records() -> Iterator[Record]:
    """Sound, cut off, changed on the way, and with each kind of cheat."""
    one = recorded()
    end = len(one.entries)
    yield Record("sound", "The whole round, signed by both.", end)
    yield Record("cut", "Cut off after the thirtieth entry.", 30)
    yield Record("unsigned", "The last signature is missing.", end - 1)
    yield Record("cut-within", "Cut off within an entry.", 30, (), framed(one.entries[30])[:100])
    yield Record("goes-on", "Bytes after the end.", end, (), b"\0")
    yield Record("length", "A length that no part has.", 30, (), b"\xff\xff\xff\xff")
    yield from _places(one)
    yield from _shuffles(one)
    yield from _unlockings(one)
    yield from _faces(one)
    yield from _closings(one)


def _places(one: Played) -> Iterator[Record]:
    moment = one.when("unlock", lambda m: m.state.match.round is not None)
    body, entry = Entry.decode(moment.entry).body, Entry.decode(moment.entry)
    honest, place = moment.the(UnlockContent), moment.state.next_place
    flipped = body[:200] + bytes([body[200] ^ 1]) + body[201:]
    yield after(moment, "R3", "No entry.", b"\xc0")
    changed = Entry(flipped, entry.signature).encode()
    yield after(moment, "R4", "A byte of the body is changed.", changed)
    other = moment.signed(honest, place=evolve(place, table_id=bytes(32)))
    yield after(moment, "R5", "An entry of another table.", other)
    yield after(moment, "R6", "An entry that was there before.", one.entries[10 - 1])
    forked = moment.signed(honest, place=evolve(place, previous=bytes(32)))
    yield after(moment, "R7", "An entry that continues another record.", forked)
    rival = moment.signed(evolve(honest, proofs=()))
    yield after(moment, "R8", "Two different entries in one place.", moment.entry, rival)
    yield after(
        moment, "R9-body", "A signed body that is none.", moment.signed_bytes(b"\x93\1\2\3")
    )
    longer = b"\xdc\x00\x06" + body[1:]
    yield after(moment, "R9-form", "A second form of a body.", moment.signed_bytes(longer))
    name = moment.signed_body(moment.body, moment.other)
    yield after(moment, "R10", "Written in the name of another.", name)
    yield after(moment, "R11-turn", "Out of turn.", moment.signed(honest, moment.other))
    then = one.at(moment.state.height + 2)
    draw = then.signed(MoveContent(DrawStock(), ()))
    yield after(then, "R11-kind", "A move while cards are dealt.", draw)
    last = one.moments[-1]
    more = last.signed(last.body.content, 0, one.ring.state.next_place)
    yield Record("R11-end", "An entry after the end.", len(one.entries), (more,))


def _shuffles(one: Played) -> Iterator[Record]:
    moment = [m for m in one.moments if m.body.content.kind == "shuffle"][-1]
    honest = moment.the(ShuffleContent)
    entropy = seeded("vectors of shuffles")
    key, size = LockKey.generate(entropy), len(honest.cards)
    order, outputs = shuffled(moment, key, entropy)
    proof = [honest.proof[at : at + 32] for at in range(0, len(honest.proof), 32)]

    def forged(name: str, what: str, content: ShuffleContent) -> Record:
        return after(moment, name, what, moment.signed(content))

    def claimed(deck: tuple[Point, ...]) -> ShuffleContent:
        return proven(moment, statement(moment, key, deck), key, order, entropy)

    def with_part(at: int, part: bytes) -> ShuffleContent:
        return evolve(honest, proof=b"".join([*proof[:at], part, *proof[at + 1 :]]))

    def one_more(at: int) -> ShuffleContent:
        return with_part(at, (Scalar.decode(proof[at]) + ONE).encode())

    other_cards = (1, 0, *honest.cards[2:])
    yield forged("R12-cards", "Other cards shuffled.", evolve(honest, cards=other_cards))
    yield forged("R12-slot", "From another slot on.", evolve(honest, first=Slot(1)))
    old = moment.ring.players[moment.writer]._locks[0]
    yield forged("R13", "A key used before.", evolve(honest, unlock_key=old.unlock_key.encode()))
    yield forged(
        "R9-identity",
        "The identity as a card.",
        evolve(honest, outputs=bytes(32) + honest.outputs[32:]),
    )
    yield forged("R9-key", "The identity as unlock key.", evolve(honest, unlock_key=bytes(32)))
    yield forged("R9-scalar", "A scalar not reduced.", with_part(len(proof) - 1, b"\xff" * 32))
    yield forged("R9-proof", "A proof too short.", evolve(honest, proof=honest.proof[:-32]))
    short = evolve(honest, outputs=honest.outputs[:-32])
    yield forged("shuffle-length", "A card is missing.", short)
    twice = evolve(honest, outputs=honest.outputs[:32] + honest.outputs[:-32])
    yield forged("shuffle-distinct", "A card twice.", twice)
    first_answer = 2 * size + 6
    yield forged("shuffle-sum", "s1 is one too high.", one_more(first_answer))
    yield forged("shuffle-prod", "s2 is one too high.", one_more(first_answer + 1))
    yield forged("shuffle-commit", "s3 is one too high.", one_more(first_answer + 2))
    factor = Scalar.of(7)
    marked = (factor * outputs[0], factor.invert() * outputs[1], *outputs[2:])
    yield forged("shuffle-map", "Two cards marked by a factor and its inverse.", claimed(marked))
    announced = LockKey.generate(entropy)
    matrix = [[ONE if i == order[j] else ZERO for i in range(size)] for j in range(size)]
    claim = statement(moment, announced, outputs)
    yield forged(
        "shuffle-key",
        "Another key announced.",
        content(moment, claim, cheat(claim, key, matrix, entropy)),
    )
    yield forged("shuffle-chain", "s^ is one too high.", one_more(first_answer + 4))
    replayed = evolve(honest, proof=one.moments[moment.state.height - 1].the(ShuffleContent).proof)
    yield forged("shuffle-replay", "The other's proof.", replayed)


def _unlockings(one: Played) -> Iterator[Record]:
    moment = one.when("unlock", lambda m: m.state.match.round is not None)
    honest = moment.the(UnlockContent)
    first, second, *rest = honest.shares

    def forged(name: str, what: str, content: UnlockContent, *, rules: bool = False) -> Record:
        return after(moment, name, what, moment.signed(content), rules=rules)

    again = (*honest.gives[:-1], honest.gives[0])
    yield forged("R14-twice", "A card given twice.", evolve(honest, gives=again))
    other = one.at(moment.state.height + 2)
    changed = evolve(other.the(UnlockContent), gives=honest.gives[::-1])
    yield after(
        other, "R14-other", "Given otherwise than the one before said.", other.signed(changed)
    )
    stock = Slot(107)
    given = {give.slot for give in honest.gives}
    assert stock not in given
    key = lock_of(moment)
    slots = [*(g.slot for g in honest.gives if g.player != moment.writer), stock]
    entropy = seeded("vectors of unlockings")
    points = unlock(key, moment.state.cards.locked(slots))
    helped = UnlockContent(
        (*honest.gives, Given(stock, moment.other)),
        tuple(point.encode() for point in points),
        (unlock_proof(moment, key, slots, points, random=entropy),),
    )
    yield forged("R14-help", "Help to a card that was not given.", helped, rules=True)
    yield forged("unlock-length", "A share is missing.", evolve(honest, shares=honest.shares[1:]))
    yield forged("unlock-none", "No proof.", evolve(honest, proofs=()))
    swapped = evolve(honest, shares=(second, first, *rest))
    yield forged("unlock-dleq", "Two shares exchanged.", swapped)
    identity = evolve(honest, shares=(bytes(32), second, *rest))
    yield forged("R9-share", "The identity as a share.", identity)


def _faces(one: Played) -> Iterator[Record]:
    moment = one.moving(Discard, hidden=True)
    honest = moment.the(MoveContent)
    assert isinstance(honest.move, Discard)
    true, deck = honest.move.card, moment.state.match.game.deck
    twin = Shown(true.slot, deck[(true.card.number + 52) % 104])
    lie = moment.signed(evolve(honest, move=Discard(twin)))
    yield after(moment, "face-lie", "The twin of the card discarded.", lie)
    yield after(
        moment, "face-bare", "A card without proof.", moment.signed(evolve(honest, proofs=()))
    )
    position = moment.state.match.round
    assert position is not None
    theirs = position.hands[moment.state.match.seat_of(moment.other)][0]
    stolen = moment.signed(evolve(honest, move=Discard(Shown(theirs, true.card))))
    yield after(moment, "X11", "A card of the other's hand.", stolen)
    drawing = moment.signed(MoveContent(DrawStock(), ()))
    yield after(moment, "X10", "A second card drawn.", drawing, rules=True)
    opening = one.last("open")
    hand = opening.the(OpenContent)
    known = next(
        i for i, s in enumerate(hand.cards) if opening.state.cards.face(s.slot) is not None
    )
    other_face = deck[(hand.cards[known].card.number + 52) % 104]
    changed = [*hand.cards]
    changed[known] = Shown(hand.cards[known].slot, other_face)
    lie = opening.signed(evolve(hand, cards=tuple(changed)))
    yield after(opening, "R15", "A card that was seen before is another one now.", lie)
    hidden = next(i for i, s in enumerate(hand.cards) if opening.state.cards.face(s.slot) is None)
    kept = tuple(s for i, s in enumerate(hand.cards) if i != hidden)
    yield after(opening, "R16", "A card kept back.", opening.signed(evolve(hand, cards=kept)))


def _closings(one: Played) -> Iterator[Record]:
    first, second = (m for m in one.moments if m.body.content.kind == "close")
    honest = second.the(CloseContent)
    points = (honest.points[0] + 100, *honest.points[1:])
    yield after(
        first,
        "R17-score",
        "A wrong score.",
        first.signed(evolve(honest, points=points)),
        rules=True,
    )
    yield after(
        second,
        "R17-other",
        "Another score than the first one signed.",
        second.signed(evolve(honest, points=points)),
    )
    yield after(
        second, "R17-last", "It was not the last round.", second.signed(evolve(honest, last=False))
    )
    yield after(first, "R17-round", "Another round.", first.signed(evolve(honest, round_number=2)))
    opening = one.last("open")
    early = opening.signed(honest)
    yield after(opening, "R11-close", "Closed before the hands are opened.", early)


def records() -> Json:
    """The recorded round, and what is made of it."""
    one = recorded()
    return {
        "signed_charter": one.ring.charter.encode().hex(),
        "entries": _hex(one.entries),
        "records": [record.json() for record in all_records()],
    }


FILES: dict[str, Callable[[], Json]] = {
    "values.json": values,
    "group.json": group,
    "shuffle.json": shuffle,
    "unlock.json": unlocking,
    "charter.json": charter,
    "records.json": records,
}


def text_of(name: str) -> str:
    """The content of a file of vectors, as it should be."""
    return json.dumps(FILES[name](), indent=1, ensure_ascii=False) + "\n"


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    for name in FILES:
        (FOLDER / name).write_text(text_of(name), encoding="utf-8")


if __name__ == "__main__":
    main()

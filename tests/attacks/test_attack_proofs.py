"""Attacks with proofs of other claims, with bad encodings, and with lies about one's own cards.

All other false decks and shares are records of the vectors (`tests/vectors/cheats.py`).
"""

import random
from itertools import count

import pytest
from attrs import evolve

from engine.moves import Discard, DrawStock, Move, Pass, ShowBonus, shown_by
from engine.position import Position
from engine.slots import Shown
from protocol.entries import MoveContent, OpenContent, ShuffleContent, UnlockContent
from protocol.group import ORDER, Scalar
from protocol.lock_key import LockKey
from protocol.unlock import unlock
from tests.attacks import false_faces, false_shuffles, false_unlocks
from tests.attacks.forging import entropy, lock_of, unlock_proof
from tests.protocol.bad_encodings import TORSION
from tests.protocol.played import Moment, discarding, opening, played, shuffling, unlocking
from tests.protocol.seeded_table import SeededTable


def test_an_honest_shuffle_made_by_the_forgers_tools_is_valid() -> None:
    """So the false shuffles fail only because of their one fault."""
    moment = shuffling()
    # `cause` expects that the entry is refused, and fails if it is not.
    with pytest.raises(pytest.fail.Exception, match="DID NOT RAISE"):
        moment.cause(false_shuffles.honest(moment))


@pytest.mark.parametrize("step", [1, 2, 3])
def test_a_replayed_proof_of_another_shuffle_is_exposed(step: int) -> None:
    """The proof is of one of the three shuffles before, whose contexts are different."""
    moment = shuffling()
    before = played().when("shuffle", lambda m: m.state.height >= step - 1)
    old = before.the(ShuffleContent)
    assert before.state.height < moment.state.height
    fresh_key = LockKey.generate(entropy).unlock_key.encode()
    replayed = evolve(old, unlock_key=fresh_key, cards=moment.the(ShuffleContent).cards)
    assert moment.cause(replayed) == "shuffle:sum"


def other_context(moment: Moment, what: str) -> bytes:
    """Return a context to which a proof of that moment must not be bound."""
    state, me, deal = moment.state, moment.writer, moment.state.cards.last.number
    return {
        "writer": state.context(moment.other, deal),
        "height": evolve(state, height=state.height - 1).context(me, deal),
        "head": evolve(state, head=bytes(32)).context(me, deal),
        "deal": state.context(me, deal - 1),
        "table": evolve(state, table_id=bytes(32)).context(me, deal),
    }[what]


@pytest.mark.parametrize("what", ["writer", "height", "head", "deal", "table"])
def test_a_proof_bound_to_another_place_or_writer_is_exposed(what: str) -> None:
    """So no player can replay a proof, or use another's proof as their own."""
    moment = shuffling()
    forged = false_shuffles.honest(moment, context=other_context(moment, what))
    assert moment.cause(forged) == "shuffle:sum"
    moment = unlocking()
    bound = false_unlocks.bound_to(moment, other_context(moment, what))
    assert moment.cause(bound) == "unlock:dleq"


def test_a_player_who_does_not_take_their_lock_off_is_exposed() -> None:
    moment = unlocking()
    honest = moment.the(UnlockContent)
    locked = moment.state.cards.locked(false_unlocks.slots_of(moment))
    shares = tuple(point.encode() for point in locked)
    assert moment.cause(evolve(honest, shares=shares)) == "unlock:dleq"


# -- Bad encodings of points and scalars, which expose their signer in every field

BAD_POINTS = {
    "the identity": bytes(32),
    "-1, where torsion would show": TORSION,
    "not reduced": bytes.fromhex("00" + 31 * "ff"),
    "above the prime": bytes.fromhex("f3" + 30 * "ff" + "7f"),
    "negative": bytes.fromhex("01" + 31 * "00"),
    "no square": bytes.fromhex("26948d35ca62e643e26a83177332e6b6afeb9d08e4268b650f1f5bbd8d81d371"),
}
BAD_SCALARS = {"the order": ORDER.to_bytes(32, "little"), "all ones": b"\xff" * 32}


def with_part(data: bytes, place: int, part: bytes) -> bytes:
    """Return the bytes with another part from that place on."""
    return data[:place] + part + data[place + len(part) :]


@pytest.mark.parametrize("bad", BAD_POINTS.values(), ids=BAD_POINTS)
def test_a_bad_point_for_a_card_or_key_or_commitment_or_share_is_exposed(bad: bytes) -> None:
    moment = shuffling()
    honest = moment.the(ShuffleContent)
    size = len(honest.cards)
    outputs = [with_part(honest.outputs, 32 * card, bad) for card in (0, size - 1)]
    # The points of a proof begin with c and d, and end with the first and the last T.
    points = (0, size, 2 * size, 2 * size + 5)
    proofs = [with_part(honest.proof, 32 * point, bad) for point in points]
    unlock = unlocking()
    true = unlock.the(UnlockContent)
    _, *shares, _ = true.shares
    causes = {
        moment.cause(evolve(honest, unlock_key=bad)),
        *(moment.cause(evolve(honest, outputs=one)) for one in outputs),
        *(moment.cause(evolve(honest, proof=one)) for one in proofs),
        unlock.cause(evolve(true, shares=(bad, *shares, true.shares[-1]))),
        unlock.cause(evolve(true, shares=(true.shares[0], *shares, bad))),
    }
    assert causes == {"R9"}


@pytest.mark.parametrize("bad", BAD_SCALARS.values(), ids=BAD_SCALARS)
def test_a_shuffle_proof_with_a_scalar_that_is_not_reduced_is_exposed(bad: bytes) -> None:
    moment = shuffling()
    honest = moment.the(ShuffleContent)
    first = 32 * (2 * len(honest.cards) + 6)
    for at in (first, first + 4 * 32, len(honest.proof) - 32):
        assert moment.cause(evolve(honest, proof=with_part(honest.proof, at, bad))) == "R9"


def test_an_unlock_proof_with_a_scalar_that_is_not_reduced_is_exposed() -> None:
    """With the group order added, a careless verifier would accept the same proof twice."""
    for moment, honest in (
        (unlocking(), unlocking().the(UnlockContent)),
        (discarding(), discarding().the(MoveContent)),
    ):
        (proof,) = honest.proofs
        for half in (0, 32):
            scalar = int.from_bytes(proof[half : half + 32], "little") + ORDER
            again = with_part(proof, half, scalar.to_bytes(32, "little"))
            assert moment.cause(evolve(honest, proofs=(again,))) == "R9"


# -- Lies about one's own cards when they are played, laid, or opened at the end


def unseen(moment: Moment) -> list[Shown]:
    """Return the writer's hand without cards that all have seen or that must stay in the hand."""
    view = moment.table.players[moment.writer].view(moment.state)
    assert view is not None
    hand = view.hand(moment.state.match.seat_of(moment.writer))
    return [
        shown
        for shown in hand
        if moment.state.cards.face(shown.slot) is None and shown.card.code not in {"3h", "3d"}
    ]


def test_a_discard_with_the_face_of_another_card_of_the_own_hand_is_exposed() -> None:
    moment = discarding()
    one, two = unseen(moment)[:2]
    assert moment.cause(false_faces.discarded(moment, Shown(one.slot, two.card))) == "unlock:dleq"


def test_a_lie_about_a_card_that_is_opened_at_the_end_is_exposed() -> None:
    """Two cards are exchanged or one is replaced, with the true proof or a proof for the lie."""
    moment = opening()
    honest = moment.the(OpenContent)
    one, two = [s for s in honest.cards if moment.state.cards.face(s.slot) is None][:2]
    exchanged = {one: Shown(one.slot, two.card), two: Shown(two.slot, one.card)}
    for lies in (exchanged, {one: false_faces.twin(moment, one)}):
        told = false_faces.opened(moment, lies)
        assert moment.cause(told) == "unlock:dleq"
        assert moment.cause(evolve(told, proofs=honest.proofs)) == "unlock:dleq"


def test_a_point_that_is_no_card_is_exposed() -> None:
    moment = discarding()
    (true,) = shown_by(moment.the(MoveContent).move)
    key = lock_of(moment)
    (point,) = unlock(key, moment.state.cards.locked([true.slot]))
    proof = unlock_proof(moment, key, [true.slot], [Scalar.of(3) * point])
    assert moment.cause(MoveContent(Discard(true), (proof,))) == "unlock:dleq"


def dull(view: Position, _: random.Random) -> Move:
    """Return a simple move: lay drawn red threes, draw, or discard the first card."""
    assert view.to_move is not None
    wanted = (ShowBonus, DrawStock, Discard, Pass)
    moves = [m for m in view.legal_moves(view.to_move) if isinstance(m, wanted)]
    return min(moves, key=lambda move: wanted.index(type(move)))


def test_a_hidden_red_three_is_found_when_the_hand_is_opened() -> None:
    """Nobody notices the hidden red three before the opening, where it costs points."""
    for seed in count(1):
        table = SeededTable.sit(players=2, seed=seed, rounds=1, penalties=True)
        table.play_until("move")
        table.step()  # the cut
        table.play_until("move")
        view = table.players[table.state.writers[0]].view(table.state)
        assert view is not None
        assert view.to_move is not None
        if threes := [s for s in view.hand(view.to_move) if s.card.code in {"3h", "3d"}]:
            break
    side = table.state.match.seat_of(table.state.writers[0])
    table.step(lambda *_: ShowBonus(()))
    table.play(dull)
    (sheet,) = table.state.match.sheets
    (kept,) = (item for item in sheet.sides[side] if item.clause == "C97")
    assert (kept.count, kept.points < 0) == (len(threes), True)

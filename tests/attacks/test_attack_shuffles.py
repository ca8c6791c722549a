"""Decks that do not come from the deck before, and proofs made for something else."""

import pytest
from attrs import evolve

from protocol.entries import ShuffleContent
from protocol.group import ONE, ZERO, Scalar, times_base
from protocol.keys import LockKey
from protocol.shuffle import draw_permutation, lock_and_shuffle
from protocol.shuffle_proof import ShuffleProof, prove
from tests.attacks.forging import (
    content,
    entropy,
    inputs_of,
    lock_of,
    proven,
    shuffled,
    statement,
)
from tests.protocol.cheating import cheat
from tests.protocol.played import played, shuffling


def test_the_honest_forger_is_believed() -> None:
    """What these tests sign would pass if it were not for the one thing that is wrong."""
    moment = shuffling()
    key = LockKey.generate(entropy)
    permutation, outputs = shuffled(moment, key)
    honest = proven(moment, statement(moment, key, outputs), key, permutation)
    with pytest.raises(pytest.fail.Exception, match="DID NOT RAISE"):
        moment.cause(honest)


def test_deck_that_does_not_come_from_the_one_before() -> None:
    moment = shuffling()
    key = LockKey.generate(entropy)
    permutation, _ = shuffled(moment, key)
    unrelated = tuple(times_base(Scalar.of(i + 2)) for i in range(108))
    claim = statement(moment, key, unrelated)
    assert moment.cause(proven(moment, claim, key, permutation)) == "shuffle:map"


def test_one_card_in_the_place_of_another() -> None:
    """A joker for a four: the other card is there once more under the same lock."""
    moment = shuffling()
    key = LockKey.generate(entropy)
    permutation, outputs = shuffled(moment, key)
    claim = statement(moment, key, outputs)
    twice = evolve(proven(moment, claim, key, permutation))
    encoded = twice.outputs[:32] + twice.outputs[:32] + twice.outputs[64:]
    assert moment.cause(evolve(twice, outputs=encoded)) == "shuffle:distinct"


def test_card_doubled_and_disguised_by_a_factor() -> None:
    moment = shuffling()
    key = LockKey.generate(entropy)
    permutation, outputs = shuffled(moment, key)
    disguised = (outputs[0], Scalar.of(5) * outputs[0], *outputs[2:])
    claim = statement(moment, key, disguised)
    assert moment.cause(proven(moment, claim, key, permutation)) == "shuffle:map"


def test_two_cards_marked_by_a_factor_and_its_inverse() -> None:
    moment = shuffling()
    key = LockKey.generate(entropy)
    permutation, outputs = shuffled(moment, key)
    factor = Scalar.of(7)
    marked = (factor * outputs[0], factor.invert() * outputs[1], *outputs[2:])
    claim = statement(moment, key, marked)
    assert moment.cause(proven(moment, claim, key, permutation)) == "shuffle:map"


def test_two_cards_mixed_with_a_proof_of_the_mixture() -> None:
    """y = k (x_1 + (x_2 - x_1) ..): rows that sum to one, and every other equation holds."""
    moment = shuffling()
    key, size = LockKey.generate(entropy), 108
    inputs = inputs_of(moment)
    two, minus = Scalar.of(2), Scalar.of(-1)
    # The inverse transposed of [[2, -1], [-1, 2]] is [[2/3, 1/3], [1/3, 2/3]].
    matrix = [[ONE if i == j else ZERO for j in range(size)] for i in range(size)]
    matrix[0][:2], matrix[1][:2] = [two, minus], [minus, two]
    third = Scalar.of(3).invert() * key.lock
    mixed = (
        third * ((two * inputs[0]) + inputs[1]),
        third * (inputs[0] + (two * inputs[1])),
        *lock_and_shuffle(inputs[2:], key, tuple(range(size - 2))),
    )
    claim = statement(moment, key, mixed)
    proof = cheat(claim, key, matrix, entropy)
    assert moment.cause(content(moment, claim, proof)) == "shuffle:prod"


def test_deck_locked_with_another_key_than_announced() -> None:
    """Nobody could unlock it later, and the wrong player would look guilty."""
    moment = shuffling()
    key, announced = LockKey.generate(entropy), LockKey.generate(entropy)
    permutation, outputs = shuffled(moment, key)
    claim = statement(moment, announced, outputs)
    identity = [[ONE if i == permutation[j] else ZERO for i in range(108)] for j in range(108)]
    proof = cheat(claim, key, identity, entropy)
    assert moment.cause(content(moment, claim, proof)) == "shuffle:key"


def test_proof_for_the_deck_before_the_last_shuffle() -> None:
    """The second shuffler starts over from the open cards, and the first one's order is gone."""
    moment = shuffling()
    first = moment.state.cards.last.deck.points
    key = LockKey.generate(entropy)
    permutation = draw_permutation(108, entropy)
    outputs = lock_and_shuffle(first, key, permutation)
    claim = statement(moment, key, outputs, inputs=first)
    assert moment.cause(proven(moment, claim, key, permutation)) == "shuffle:sum"


def test_the_last_shuffle_undone() -> None:
    """The deck as it was, called a shuffle: with the lock off one would hold the other's cards."""
    moment = shuffling()
    inverse = LockKey(lock_of(moment, moment.other).unlock)
    outputs = lock_and_shuffle(inputs_of(moment), inverse, tuple(range(108)))
    claim = statement(moment, inverse, outputs)
    undone = prove(claim, inverse, tuple(range(108)), entropy)
    # It takes the other's lock, which nobody can know; the key is that lock as a point.
    stolen = evolve(content(moment, claim, undone), unlock_key=_announced(moment.other))
    assert moment.cause(stolen) == "R13"


def _announced(player: int) -> bytes:
    shuffles = [m for m in played().moments if m.body.content.kind == "shuffle"]
    return next(m.the(ShuffleContent).unlock_key for m in shuffles[2:] if m.writer == player)


def test_key_of_an_earlier_deal_used_again() -> None:
    """Cards of two deals under one lock could be compared."""
    moment = shuffling()
    old = moment.ring.players[moment.writer]._locks[0]
    permutation, outputs = shuffled(moment, old)
    claim = statement(moment, old, outputs)
    assert moment.cause(proven(moment, claim, old, permutation)) == "R13"


def test_key_of_another_player_announced_as_ones_own() -> None:
    moment = shuffling()
    honest = moment.the(ShuffleContent)
    assert moment.cause(evolve(honest, unlock_key=_announced(moment.other))) == "R13"


@pytest.mark.parametrize("step", [1, 2, 3])
def test_proof_of_another_shuffle_replayed(step: int) -> None:
    """Of the deal before, one's own or the other's, and of the same deal: the context differs."""
    moment = shuffling()
    before = played().when("shuffle", lambda m: m.state.height >= step - 1)
    old = before.the(ShuffleContent)
    assert before.state.height < moment.state.height
    fresh_key = LockKey.generate(entropy).unlock_key.encode()
    replayed = evolve(old, unlock_key=fresh_key, cards=moment.the(ShuffleContent).cards)
    assert moment.cause(replayed) == "shuffle:sum"


@pytest.mark.parametrize("what", ["writer", "height", "head", "deal", "table"])
def test_proof_bound_to_another_place_or_writer(what: str) -> None:
    moment = shuffling()
    state, me, deal = moment.state, moment.writer, moment.state.cards.last.number
    context = {
        "writer": state.context(moment.other, deal),
        "height": evolve(state, height=state.height + 1).context(me, deal),
        "head": evolve(state, head=bytes(32)).context(me, deal),
        "deal": state.context(me, deal - 1),
        "table": evolve(state, table_id=bytes(32)).context(me, deal),
    }[what]
    key = LockKey.generate(entropy)
    permutation, outputs = shuffled(moment, key)
    claim = statement(moment, key, outputs, context=context)
    assert moment.cause(proven(moment, claim, key, permutation)) == "shuffle:sum"


def test_any_part_of_the_proof_changed() -> None:
    moment = shuffling()
    honest = moment.the(ShuffleContent)
    proof = ShuffleProof.decode(honest.proof, 108)
    for changed in (
        evolve(proof, s1=proof.s1 + ONE),
        evolve(proof, s2=proof.s2 + ONE),
        evolve(proof, s3=proof.s3 + ONE),
        evolve(proof, s4=proof.s4 + ONE),
        evolve(proof, s_hat=proof.s_hat + ONE),
        evolve(proof, s_prime=(proof.s_prime[0] + ONE, *proof.s_prime[1:])),
        evolve(proof, c=(proof.c[1], proof.c[0], *proof.c[2:])),
        evolve(proof, d=(proof.d[1], proof.d[0], *proof.d[2:])),
        evolve(proof, blinding=proof.blinding._replace(sum=proof.c[0])),
    ):
        assert moment.cause(evolve(honest, proof=changed.encode())).startswith("shuffle:")


def test_deck_in_another_order_than_was_proven() -> None:
    moment = shuffling()
    honest = moment.the(ShuffleContent)
    swapped = honest.outputs[32:64] + honest.outputs[:32] + honest.outputs[64:]
    assert moment.cause(evolve(honest, outputs=swapped)) == "shuffle:sum"

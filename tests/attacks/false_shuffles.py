"""Shuffles that a cheat would sign instead of an honest one, with their best possible proofs."""

from collections.abc import Callable, Sequence

from attrs import evolve

from protocol.entries import ShuffleContent
from protocol.group import ONE, ZERO, Entropy, Point, Scalar, times_base
from protocol.lock_key import SEED_BYTES, LockKey
from protocol.shuffle import draw_permutation, lock_and_shuffle
from protocol.shuffle_proof import prove
from tests.attacks.forging import content, entropy, inputs_of, lock_of, proven, shuffled, statement
from tests.protocol.cheating_prover import cheat
from tests.protocol.played import Moment


def honest(
    moment: Moment, random: Entropy = entropy, *, context: bytes | None = None
) -> ShuffleContent:
    """Return an honest shuffle; its proof can be bound to another context."""
    key = LockKey.generate(random)
    permutation, outputs = shuffled(moment, key, random)
    claim = statement(moment, key, outputs, context=context)
    return proven(moment, claim, key, permutation)


def _claimed(
    moment: Moment, random: Entropy, change: Callable[[Sequence[Point]], Sequence[Point]]
) -> ShuffleContent:
    """Return a shuffle whose outputs are changed before it is proven."""
    key = LockKey.generate(random)
    permutation, outputs = shuffled(moment, key, random)
    return proven(moment, statement(moment, key, change(outputs)), key, permutation)


def unrelated(moment: Moment, random: Entropy = entropy) -> ShuffleContent:
    """Return a deck that does not come from the one before."""
    return _claimed(
        moment, random, lambda deck: [times_base(Scalar.of(i + 2)) for i in range(len(deck))]
    )


def copies(moment: Moment, random: Entropy = entropy) -> ShuffleContent:
    """Return a deck of one card alone, multiplied by a different number each time.

    This could be proven if the deck were not hashed.
    """
    return _claimed(
        moment, random, lambda deck: [Scalar.of(i + 1) * deck[0] for i in range(len(deck))]
    )


def doubled(moment: Moment, random: Entropy = entropy) -> ShuffleContent:
    """Return a deck in which one card is there twice, and another is missing."""
    true = honest(moment, random)
    return evolve(true, outputs=true.outputs[:32] + true.outputs[:32] + true.outputs[64:])


def disguised(moment: Moment, random: Entropy = entropy) -> ShuffleContent:
    """Return a deck with one card twice, the second time multiplied by a number."""
    return _claimed(moment, random, lambda deck: (deck[0], Scalar.of(5) * deck[0], *deck[2:]))


def marked(moment: Moment, random: Entropy = entropy) -> ShuffleContent:
    """Return a deck with two marked cards, one multiplied by a factor, one by its inverse."""
    factor = Scalar.of(7)
    return _claimed(
        moment, random, lambda deck: (factor * deck[0], factor.invert() * deck[1], *deck[2:])
    )


def mixed(moment: Moment, random: Entropy = entropy) -> ShuffleContent:
    """Return a deck whose first cards are the mixtures (2 x_1 + x_2) / 3 and (x_1 + 2 x_2) / 3.

    Each row of the matrix has the sum one, and all equations of the proof but one hold.
    """
    key, inputs = LockKey.generate(random), inputs_of(moment)
    size = len(inputs)
    two, minus = Scalar.of(2), Scalar.of(-1)
    # The inverse of the transpose of [[2, -1], [-1, 2]] is [[2/3, 1/3], [1/3, 2/3]].
    matrix = [[ONE if i == j else ZERO for j in range(size)] for i in range(size)]
    matrix[0][:2], matrix[1][:2] = [two, minus], [minus, two]
    third = Scalar.of(3).invert() * key.lock
    deck = (
        third * ((two * inputs[0]) + inputs[1]),
        third * (inputs[0] + (two * inputs[1])),
        *lock_and_shuffle(inputs[2:], key, tuple(range(size - 2))),
    )
    claim = statement(moment, key, deck)
    return content(moment, claim, cheat(claim, key, matrix, random))


def locked_otherwise(moment: Moment, random: Entropy = entropy) -> ShuffleContent:
    """Return a deck under another lock than the announced one.

    So taking off the announced lock would not open the cards later.
    """
    key, announced = LockKey.generate(random), LockKey.generate(random)
    permutation, outputs = shuffled(moment, key, random)
    size = len(outputs)
    matrix = [[ONE if i == permutation[j] else ZERO for i in range(size)] for j in range(size)]
    claim = statement(moment, announced, outputs)
    return content(moment, claim, cheat(claim, key, matrix, random))


def started_over(moment: Moment, random: Entropy = entropy) -> ShuffleContent:
    """Return a shuffle of the open cards, without the others' locks, instead of the deck."""
    first: tuple[Point, ...] = moment.state.cards.last.deck.points
    key = LockKey.generate(random)
    permutation = draw_permutation(len(first), random)
    outputs = lock_and_shuffle(first, key, permutation)
    claim = statement(moment, key, outputs, inputs=first)
    return proven(moment, claim, key, permutation)


def undone(moment: Moment) -> ShuffleContent:
    """Return a shuffle that takes the other player's lock off again.

    Its outputs are the points from before the other player's shuffle, in another order. To make it,
    the cheat needs the other player's lock, which nobody else can know. The shuffle announces the
    other player's unlock key a second time (R13).
    """
    inverse = LockKey(lock_of(moment, moment.other).unlock, bytes(SEED_BYTES))
    order = tuple(range(len(inputs_of(moment))))
    claim = statement(moment, inverse, lock_and_shuffle(inputs_of(moment), inverse, order))
    proof = prove(claim, inverse, order)
    return evolve(content(moment, claim, proof), unlock_key=key_announced_by(moment, moment.other))


def with_key_of_an_earlier_deal(moment: Moment, random: Entropy = entropy) -> ShuffleContent:
    """Return a shuffle under the lock of an earlier deal, by which cards could be compared."""
    old = moment.table.players[moment.writer]._locks[0]
    permutation, outputs = shuffled(moment, old, random)
    return proven(moment, statement(moment, old, outputs), old, permutation)


def key_announced_by(moment: Moment, player: int) -> bytes:
    """Return the unlock key of a player who has already shuffled the deck."""
    return moment.state.cards.last.keys[player].encode()

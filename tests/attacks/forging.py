"""Functions that make well-formed contents with false claims, as a cheat would sign them."""

from collections.abc import Sequence

from engine.slots import Slot
from protocol.cards_as_points import DeckPoints
from protocol.entries import ShuffleContent
from protocol.group import Entropy, Point
from protocol.lock_key import LockKey
from protocol.shuffle import draw_permutation, lock_and_shuffle
from protocol.shuffle_proof import ShuffleProof, ShuffleStatement, prove
from protocol.unlock import prove_unlock
from tests.protocol.played import Moment
from tests.protocol.seeded import seeded

entropy = seeded("a forger's randomness")


def lock_of(moment: Moment, player: int | None = None, deal: int = -1) -> LockKey:
    """Return a player's lock on a deal of the round, by default the writer's on the newest."""
    who = moment.writer if player is None else player
    return moment.table.players[who]._locks[moment.state.cards.deals[deal].number]


def inputs_of(moment: Moment) -> tuple[Point, ...]:
    """Return the deck that the next player must shuffle."""
    return moment.state.cards.last.outputs


def shuffled(
    moment: Moment, key: LockKey, random: Entropy = entropy
) -> tuple[tuple[int, ...], tuple[Point, ...]]:
    """Return a random permutation, and the deck after an honest shuffle with it."""
    permutation = draw_permutation(len(inputs_of(moment)), random)
    return permutation, lock_and_shuffle(inputs_of(moment), key, permutation)


def statement(
    moment: Moment,
    key: LockKey,
    outputs: Sequence[Point],
    *,
    context: bytes | None = None,
    inputs: Sequence[Point] | None = None,
) -> ShuffleStatement:
    """Return the writer's claim about a shuffle, by default with the right context and inputs."""
    here = moment.state.context(moment.writer, moment.state.cards.last.number)
    return ShuffleStatement(
        here if context is None else context,
        key.unlock_key,
        inputs_of(moment) if inputs is None else tuple(inputs),
        tuple(outputs),
    )


def content(moment: Moment, claim: ShuffleStatement, proof: ShuffleProof) -> ShuffleContent:
    """Return the entry's content for a claim and any proof."""
    deck: DeckPoints = moment.state.cards.last.deck
    outputs = b"".join(point.encode() for point in claim.outputs)
    return ShuffleContent(
        moment.state.cards.last.first,
        deck.card_numbers,
        outputs,
        claim.unlock_key.encode(),
        proof.encode(),
    )


def proven(
    moment: Moment, claim: ShuffleStatement, key: LockKey, permutation: tuple[int, ...]
) -> ShuffleContent:
    """Return the content for a claim that may be false, with the honest prover's proof of it."""
    return content(moment, claim, prove(claim, key, permutation))


def unlock_proof(
    moment: Moment,
    key: LockKey,
    slots: Sequence[Slot],
    unlocked: Sequence[Point],
    context: bytes | None = None,
) -> bytes:
    """Return the honest prover's proof that taking off the lock leaves `unlocked` in the slots."""
    here = moment.state.context(moment.writer, moment.state.cards.last.number)
    locked = moment.state.cards.locked(slots)
    ctx = here if context is None else context
    return prove_unlock(ctx, key, locked, unlocked).encode()

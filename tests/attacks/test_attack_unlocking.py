"""False shares, and true ones for what nobody ordered."""

import pytest
from attrs import evolve

from engine.places import Slot
from protocol.entries import Given, UnlockContent
from protocol.group import ONE, Scalar, times_base
from protocol.keys import LockKey
from protocol.unlock import UnlockProof, unlock
from tests.attacks.forging import lock_of, unlock_proof
from tests.protocol.played import Moment, played, unlocking


def slots_of(content: UnlockContent, writer: int) -> list[Slot]:
    return [given.slot for given in content.gives if given.player != writer]


def shared(moment: Moment, key: LockKey, slots: list[Slot]) -> tuple[bytes, ...]:
    points = unlock(key, moment.state.cards.locked(slots))
    return tuple(point.encode() for point in points)


def test_false_share_with_the_proof_of_the_true_ones() -> None:
    moment = unlocking()
    honest = moment.the(UnlockContent)
    junk = times_base(Scalar.of(77)).encode()
    for at in (0, 5, len(honest.shares) - 1):
        shares = (*honest.shares[:at], junk, *honest.shares[at + 1 :])
        assert moment.cause(evolve(honest, shares=shares)) == "unlock:dleq"


def test_false_share_with_a_proof_about_it() -> None:
    moment = unlocking()
    honest, key = moment.the(UnlockContent), lock_of(moment)
    slots = slots_of(honest, moment.writer)
    points = list(unlock(key, moment.state.cards.locked(slots)))
    points[3] = Scalar.of(2) * points[3]
    proof = unlock_proof(moment, key, slots, points)
    shares = tuple(point.encode() for point in points)
    forged = evolve(honest, shares=shares, proofs=(proof,))
    assert moment.cause(forged) == "unlock:dleq"


def test_share_for_another_card() -> None:
    """The receiver would get a card from elsewhere in the stock."""
    moment = unlocking()
    honest, key = moment.the(UnlockContent), lock_of(moment)
    slots = slots_of(honest, moment.writer)
    stock = [Slot(s) for s in range(108) if s not in {given.slot for given in honest.gives}]
    wanted = [stock[0], *slots[1:]]
    points = unlock(key, moment.state.cards.locked(wanted))
    forged = evolve(
        honest,
        shares=shared(moment, key, wanted),
        proofs=(unlock_proof(moment, key, wanted, points),),
    )
    assert moment.cause(forged) == "unlock:dleq"


def test_two_shares_swapped() -> None:
    moment = unlocking()
    honest = moment.the(UnlockContent)
    one, two, *rest = honest.shares
    assert moment.cause(evolve(honest, shares=(two, one, *rest))) == "unlock:dleq"


def test_errors_of_two_shares_that_cancel() -> None:
    """One card too high by a point, another too low: the weights of the batch find it."""
    moment = unlocking()
    honest, key = moment.the(UnlockContent), lock_of(moment)
    slots = slots_of(honest, moment.writer)
    points = list(unlock(key, moment.state.cards.locked(slots)))
    shift = times_base(ONE)
    points[0], points[1] = points[0] + shift, points[1] - shift
    forged = evolve(
        honest,
        shares=tuple(point.encode() for point in points),
        proofs=(unlock_proof(moment, key, slots, points),),
    )
    assert moment.cause(forged) == "unlock:dleq"


def test_lock_of_another_taken_off_in_the_place_of_ones_own() -> None:
    moment = unlocking()
    honest, theirs = moment.the(UnlockContent), lock_of(moment, moment.other)
    slots = slots_of(honest, moment.writer)
    points = unlock(theirs, moment.state.cards.locked(slots))
    forged = evolve(
        honest,
        shares=tuple(point.encode() for point in points),
        proofs=(unlock_proof(moment, theirs, slots, points),),
    )
    assert moment.cause(forged) == "unlock:dleq"


def test_lock_not_taken_off_at_all() -> None:
    moment = unlocking()
    honest = moment.the(UnlockContent)
    locked = moment.state.cards.locked(slots_of(honest, moment.writer))
    shares = tuple(point.encode() for point in locked)
    assert moment.cause(evolve(honest, shares=shares)) == "unlock:dleq"


@pytest.mark.parametrize("what", ["writer", "height", "head", "deal", "table"])
def test_unlock_proof_bound_to_another_place_or_writer(what: str) -> None:
    """So none can be replayed, and none passed on as one's own."""
    moment = unlocking()
    state, me, deal = moment.state, moment.writer, moment.state.cards.last.number
    context = {
        "writer": state.context(moment.other, deal),
        "height": evolve(state, height=state.height - 1).context(me, deal),
        "head": evolve(state, head=bytes(32)).context(me, deal),
        "deal": state.context(me, deal - 1),
        "table": evolve(state, table_id=bytes(32)).context(me, deal),
    }[what]
    honest, key = moment.the(UnlockContent), lock_of(moment)
    slots = slots_of(honest, moment.writer)
    points = unlock(key, state.cards.locked(slots))
    proof = unlock_proof(moment, key, slots, points, context)
    assert moment.cause(evolve(honest, proofs=(proof,))) == "unlock:dleq"


def test_unlock_proof_of_the_other_reflected() -> None:
    """The same cards, for the other half of the deal: his proof is no proof of mine."""
    first = unlocking()
    second = played().at(first.state.height + 2)
    mine, theirs = second.the(UnlockContent), first.the(UnlockContent)
    assert second.writer != first.writer
    assert second.cause(evolve(mine, proofs=theirs.proofs)) == "unlock:dleq"


def test_any_part_of_an_unlock_proof_changed() -> None:
    moment = unlocking()
    honest = moment.the(UnlockContent)
    proof = UnlockProof.decode(honest.proofs[0])
    for changed in (
        evolve(proof, c=proof.c + ONE),
        evolve(proof, s=proof.s + ONE),
        UnlockProof(proof.s, proof.c),
    ):
        assert moment.cause(evolve(honest, proofs=(changed.encode(),))) == "unlock:dleq"


def test_help_to_a_card_that_the_rules_have_not_given() -> None:
    """Shares name the cards they are for, and these are what the rules have ordered: a node is
    no decryption service, and a partner who wants to be one is exposed.
    """
    moment = unlocking()
    honest, key = moment.the(UnlockContent), lock_of(moment)
    stock = next(Slot(s) for s in range(108) if s not in {given.slot for given in honest.gives})
    slots = [*slots_of(honest, moment.writer), stock]
    points = unlock(key, moment.state.cards.locked(slots))
    forged = evolve(
        honest,
        gives=(*honest.gives, Given(stock, moment.other)),
        shares=shared(moment, key, slots),
        proofs=(unlock_proof(moment, key, slots, points),),
    )
    assert moment.cause(forged) == "R14"

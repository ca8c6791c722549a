"""False shares, and true ones for cards that nobody ordered."""

import pytest
from attrs import evolve

from protocol.entries import UnlockContent
from protocol.group import ONE
from protocol.unlock import UnlockProof
from tests.attacks import false_unlocks
from tests.protocol.played import played, unlocking


def test_a_false_share_with_the_proof_of_the_true_ones_is_exposed() -> None:
    moment = unlocking()
    for at in (0, 5, len(moment.the(UnlockContent).shares) - 1):
        assert moment.cause(false_unlocks.junk(moment, at)) == "unlock:dleq"


def test_a_false_share_with_a_proof_about_it_is_exposed() -> None:
    moment = unlocking()
    assert moment.cause(false_unlocks.scaled(moment)) == "unlock:dleq"


def test_a_share_for_another_card_is_exposed() -> None:
    """Give the receiver a card from elsewhere in the stock."""
    moment = unlocking()
    assert moment.cause(false_unlocks.of_another_card(moment)) == "unlock:dleq"


def test_two_shares_swapped_are_exposed() -> None:
    moment = unlocking()
    assert moment.cause(false_unlocks.swapped(moment)) == "unlock:dleq"


def test_errors_of_two_shares_that_cancel_are_exposed() -> None:
    """Make one card too high by a point, another too low: the weights of the batch find it."""
    moment = unlocking()
    assert moment.cause(false_unlocks.cancelling(moment)) == "unlock:dleq"


def test_who_takes_off_another_ones_lock_is_exposed() -> None:
    moment = unlocking()
    assert moment.cause(false_unlocks.with_lock_of_another(moment)) == "unlock:dleq"


def test_who_takes_no_lock_off_is_exposed() -> None:
    moment = unlocking()
    honest = moment.the(UnlockContent)
    locked = moment.state.cards.locked(false_unlocks.slots_of(moment))
    shares = tuple(point.encode() for point in locked)
    assert moment.cause(evolve(honest, shares=shares)) == "unlock:dleq"


@pytest.mark.parametrize("what", ["writer", "height", "head", "deal", "table"])
def test_an_unlock_proof_bound_to_another_place_or_writer_is_exposed(what: str) -> None:
    """Bind it elsewhere: so none can be replayed, and none passed on as one's own."""
    moment = unlocking()
    state, me, deal = moment.state, moment.writer, moment.state.cards.last.number
    context = {
        "writer": state.context(moment.other, deal),
        "height": evolve(state, height=state.height - 1).context(me, deal),
        "head": evolve(state, head=bytes(32)).context(me, deal),
        "deal": state.context(me, deal - 1),
        "table": evolve(state, table_id=bytes(32)).context(me, deal),
    }[what]
    assert moment.cause(false_unlocks.bound_to(moment, context)) == "unlock:dleq"


def test_an_unlock_proof_of_the_other_reflected_is_exposed() -> None:
    """Return the other's proof for the same cards: it is no proof for one's own half."""
    first = unlocking()
    second = played().at(first.state.height + 2)
    assert second.writer != first.writer
    assert second.cause(false_unlocks.reflected(second, first)) == "unlock:dleq"


def test_no_part_of_an_unlock_proof_can_be_changed() -> None:
    moment = unlocking()
    honest = moment.the(UnlockContent)
    proof = UnlockProof.decode(honest.proofs[0])
    for changed in (
        evolve(proof, c=proof.c + ONE),
        evolve(proof, s=proof.s + ONE),
        UnlockProof(proof.s, proof.c),
    ):
        assert moment.cause(evolve(honest, proofs=(changed.encode(),))) == "unlock:dleq"


def test_who_helps_to_a_card_that_the_rules_have_not_given_is_exposed() -> None:
    """Name a card that the rules have not ordered.

    A node is no decryption service, and a partner who wants to be one is exposed.
    """
    moment = unlocking()
    assert moment.cause(false_unlocks.helping(moment)) == "R14"

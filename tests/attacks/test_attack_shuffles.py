"""Decks that do not come from the deck before, and proofs made for another claim."""

import pytest
from attrs import evolve

from protocol.entries import ShuffleContent
from protocol.group import ONE
from protocol.keys import LockKey
from protocol.shuffle_proof import ShuffleProof
from tests.attacks import false_shuffles
from tests.attacks.forging import entropy
from tests.protocol.played import played, shuffling


def test_the_honest_forger_is_believed() -> None:
    """Sign an honest one: the others would pass too but for the one thing that is wrong."""
    moment = shuffling()
    with pytest.raises(pytest.fail.Exception, match="DID NOT RAISE"):
        moment.cause(false_shuffles.honest(moment))


def test_a_deck_that_does_not_come_from_the_one_before_is_exposed() -> None:
    moment = shuffling()
    assert moment.cause(false_shuffles.unrelated(moment)) == "shuffle:map"


def test_a_deck_of_one_card_under_many_factors_is_exposed() -> None:
    moment = shuffling()
    assert moment.cause(false_shuffles.copies(moment)) == "shuffle:map"


def test_one_card_in_the_place_of_another_is_exposed() -> None:
    """Put a joker for a four: the deck has that joker twice then, under the same lock."""
    moment = shuffling()
    assert moment.cause(false_shuffles.doubled(moment)) == "shuffle:distinct"


def test_a_card_doubled_and_disguised_by_a_factor_is_exposed() -> None:
    moment = shuffling()
    assert moment.cause(false_shuffles.disguised(moment)) == "shuffle:map"


def test_two_cards_marked_by_a_factor_and_its_inverse_are_exposed() -> None:
    moment = shuffling()
    assert moment.cause(false_shuffles.marked(moment)) == "shuffle:map"


def test_two_cards_mixed_with_a_proof_of_the_mixture_are_exposed() -> None:
    moment = shuffling()
    assert moment.cause(false_shuffles.mixed(moment)) == "shuffle:prod"


def test_a_deck_locked_with_another_key_than_announced_is_exposed() -> None:
    moment = shuffling()
    assert moment.cause(false_shuffles.locked_otherwise(moment)) == "shuffle:key"


def test_a_proof_for_the_deck_before_the_last_shuffle_is_exposed() -> None:
    """Let the second shuffler start over from the open cards: the first one's order is gone."""
    moment = shuffling()
    assert moment.cause(false_shuffles.started_over(moment)) == "shuffle:sum"


def test_who_undoes_the_last_shuffle_is_exposed() -> None:
    """Return the deck as it was: with the lock off one would hold the other's cards."""
    moment = shuffling()
    assert moment.cause(false_shuffles.undone(moment)) == "R13"


def test_who_uses_the_key_of_an_earlier_deal_is_exposed() -> None:
    """Use one lock for cards of two deals, which could be compared then."""
    moment = shuffling()
    assert moment.cause(false_shuffles.with_key_of_an_earlier_deal(moment)) == "R13"


def test_who_announces_another_players_key_is_exposed() -> None:
    moment = shuffling()
    announced = false_shuffles.key_announced_by(moment, moment.other)
    assert moment.cause(evolve(moment.the(ShuffleContent), unlock_key=announced)) == "R13"


@pytest.mark.parametrize("step", [1, 2, 3])
def test_a_proof_of_another_shuffle_replayed_is_exposed(step: int) -> None:
    """Take it from the deal before, one's own or the other's, and from the same deal.

    The context differs.
    """
    moment = shuffling()
    before = played().when("shuffle", lambda m: m.state.height >= step - 1)
    old = before.the(ShuffleContent)
    assert before.state.height < moment.state.height
    fresh_key = LockKey.generate(entropy).unlock_key.encode()
    replayed = evolve(old, unlock_key=fresh_key, cards=moment.the(ShuffleContent).cards)
    assert moment.cause(replayed) == "shuffle:sum"


@pytest.mark.parametrize("what", ["writer", "height", "head", "deal", "table"])
def test_a_proof_bound_to_another_place_or_writer_is_exposed(what: str) -> None:
    moment = shuffling()
    state, me, deal = moment.state, moment.writer, moment.state.cards.last.number
    context = {
        "writer": state.context(moment.other, deal),
        "height": evolve(state, height=state.height + 1).context(me, deal),
        "head": evolve(state, head=bytes(32)).context(me, deal),
        "deal": state.context(me, deal - 1),
        "table": evolve(state, table_id=bytes(32)).context(me, deal),
    }[what]
    forged = false_shuffles.honest(moment, context=context)
    assert moment.cause(forged) == "shuffle:sum"


def test_no_part_of_the_proof_can_be_changed() -> None:
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
        evolve(proof, commitments=proof.commitments._replace(sum=proof.c[0])),
    ):
        assert moment.cause(evolve(honest, proof=changed.encode())).startswith("shuffle:")


def test_a_deck_in_another_order_than_was_proven_is_exposed() -> None:
    moment = shuffling()
    honest = moment.the(ShuffleContent)
    swapped = honest.outputs[32:64] + honest.outputs[:32] + honest.outputs[64:]
    assert moment.cause(evolve(honest, outputs=swapped)) == "shuffle:sum"

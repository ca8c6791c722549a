"""Proofs made for another claim, and shares from which no lock was taken off.

All other false decks and shares are records of the vectors (`tests/vectors/cheats.py`).
"""

import pytest
from attrs import evolve

from protocol.entries import ShuffleContent, UnlockContent
from protocol.lock_key import LockKey
from tests.attacks import false_shuffles, false_unlocks
from tests.attacks.forging import entropy
from tests.protocol.played import Moment, played, shuffling, unlocking


def test_the_honest_forger_is_believed() -> None:
    """Sign an honest one: the others would pass too but for the one thing that is wrong."""
    moment = shuffling()
    with pytest.raises(pytest.fail.Exception, match="DID NOT RAISE"):
        moment.cause(false_shuffles.honest(moment))


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
    """So none can be replayed, and none passed on as one's own."""
    moment = shuffling()
    forged = false_shuffles.honest(moment, context=other_context(moment, what))
    assert moment.cause(forged) == "shuffle:sum"
    moment = unlocking()
    bound = false_unlocks.bound_to(moment, other_context(moment, what))
    assert moment.cause(bound) == "unlock:dleq"


def test_who_takes_no_lock_off_is_exposed() -> None:
    moment = unlocking()
    honest = moment.the(UnlockContent)
    locked = moment.state.cards.locked(false_unlocks.slots_of(moment))
    shares = tuple(point.encode() for point in locked)
    assert moment.cause(evolve(honest, shares=shares)) == "unlock:dleq"

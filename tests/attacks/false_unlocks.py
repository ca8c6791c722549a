"""Unlockings that a cheat would sign instead of the honest one, with their best possible proofs."""

from collections.abc import Sequence

from attrs import evolve

from engine.slots import Slot
from protocol.entries import Given, UnlockContent
from protocol.group import ONE, Point, Scalar, times_base
from protocol.lock_key import LockKey
from protocol.unlock import unlock
from tests.attacks.forging import lock_of, unlock_proof
from tests.protocol.played import Moment


def slots_of(moment: Moment) -> list[Slot]:
    """Return the slots for which the writer owes shares."""
    gives = moment.the(UnlockContent).gives
    return [given.slot for given in gives if given.player != moment.writer]


def stock_slot(moment: Moment) -> Slot:
    """Return a slot that this unlocking gives to nobody."""
    given = {give.slot for give in moment.the(UnlockContent).gives}
    return next(slot for slot in moment.state.cards.points if slot not in given)


def _signed(
    moment: Moment,
    slots: Sequence[Slot],
    points: Sequence[Point],
    key: LockKey,
    context: bytes | None = None,
) -> UnlockContent:
    """Return an unlocking with `points` as shares, and the proof that `key` makes for them."""
    return evolve(
        moment.the(UnlockContent),
        shares=tuple(point.encode() for point in points),
        proofs=(unlock_proof(moment, key, slots, points, context),),
    )


def _true(moment: Moment, slots: Sequence[Slot]) -> list[Point]:
    return list(unlock(lock_of(moment), moment.state.cards.locked(slots)))


def junk(moment: Moment, at: int = 0) -> UnlockContent:
    """Return shares of which one is an arbitrary point, and the proof of the true shares."""
    true = moment.the(UnlockContent)
    share = times_base(Scalar.of(77)).encode()
    return evolve(true, shares=(*true.shares[:at], share, *true.shares[at + 1 :]))


def scaled(moment: Moment) -> UnlockContent:
    """Return shares of which one is doubled, and a proof made for these shares."""
    slots = slots_of(moment)
    points = _true(moment, slots)
    points[3] = Scalar.of(2) * points[3]
    return _signed(moment, slots, points, lock_of(moment))


def of_another_card(moment: Moment) -> UnlockContent:
    """Return shares of which the first is for another card of the stock."""
    slots = [stock_slot(moment), *slots_of(moment)[1:]]
    return _signed(moment, slots, _true(moment, slots), lock_of(moment))


def swapped(moment: Moment) -> UnlockContent:
    """Return the true shares with the first two swapped."""
    true = moment.the(UnlockContent)
    one, two, *rest = true.shares
    return evolve(true, shares=(two, one, *rest))


def cancelling(moment: Moment) -> UnlockContent:
    """Return shares with a point added to one and subtracted from another."""
    slots = slots_of(moment)
    points = _true(moment, slots)
    shift = times_base(ONE)
    points[0], points[1] = points[0] + shift, points[1] - shift
    return _signed(moment, slots, points, lock_of(moment))


def with_lock_of_another(moment: Moment) -> UnlockContent:
    """Return shares with the other player's lock taken off instead of the writer's."""
    theirs, slots = lock_of(moment, moment.other), slots_of(moment)
    points = unlock(theirs, moment.state.cards.locked(slots))
    return _signed(moment, slots, points, theirs)


def bound_to(moment: Moment, context: bytes) -> UnlockContent:
    """Return true shares with a proof for another context."""
    slots = slots_of(moment)
    return _signed(moment, slots, _true(moment, slots), lock_of(moment), context)


def reflected(moment: Moment, other: Moment) -> UnlockContent:
    """Return true shares with the proof that the other player made for the same cards."""
    return evolve(moment.the(UnlockContent), proofs=other.the(UnlockContent).proofs)


def helping(moment: Moment) -> UnlockContent:
    """Return the true shares and one for a card that the rules give to nobody."""
    slots = [*slots_of(moment), stock_slot(moment)]
    true = moment.the(UnlockContent)
    content = _signed(moment, slots, _true(moment, slots), lock_of(moment))
    return evolve(content, gives=(*true.gives, Given(slots[-1], moment.other)))

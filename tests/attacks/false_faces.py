"""Lies that a cheat would sign about cards that are played, laid, or opened at the end."""

from attrs import evolve

from engine.moves import Discard, LayMelds, Play, TakePile, shown_by
from engine.slots import Shown
from protocol.entries import MoveContent, OpenContent
from tests.attacks.forging import lock_of, unlock_proof
from tests.protocol.played import Moment


def twin(moment: Moment, true: Shown) -> Shown:
    """Return the same slot with the equal card of the other pack.

    The rules treat the two cards alike, but the cards are different.
    """
    return Shown(true.slot, moment.state.match.deck[(true.card.number + 52) % 104])


def discarded(moment: Moment, shown: Shown) -> MoveContent:
    """Return a discard of that slot and face, with the proof that the honest prover makes."""
    point = moment.state.cards.point_of(shown)
    assert point is not None
    proof = unlock_proof(moment, lock_of(moment), [shown.slot], [point])
    return MoveContent(Discard(shown), (proof,))


def twin_played(moment: Moment) -> MoveContent:
    """Return the meld, or the taking of the pile, with an unseen card replaced by its twin."""
    honest = moment.the(MoveContent)
    assert isinstance(honest.move, LayMelds | TakePile)
    true = next(s for s in shown_by(honest.move) if moment.state.cards.face(s.slot) is None)
    lie = twin(moment, true)

    def told(play: Play) -> Play:
        return evolve(play, cards=tuple(lie if shown == true else shown for shown in play.cards))

    return evolve(honest, move=evolve(honest.move, plays=tuple(map(told, honest.move.plays))))


def opened(moment: Moment, lies: dict[Shown, Shown]) -> OpenContent:
    """Return an opened hand in which `lies` replace unseen cards, and a proof for the lies."""
    cards = moment.the(OpenContent).cards
    hidden = [shown for shown in cards if moment.state.cards.face(shown.slot) is None]
    points = [moment.state.cards.point_of(lies.get(shown, shown)) for shown in hidden]
    slots, known = [shown.slot for shown in hidden], [p for p in points if p is not None]
    proof = unlock_proof(moment, lock_of(moment), slots, known)
    return OpenContent(tuple(lies.get(shown, shown) for shown in cards), (proof,))


def without(moment: Moment, kept: Shown) -> OpenContent:
    """Return an opened hand that lacks one card."""
    honest = moment.the(OpenContent)
    return evolve(honest, cards=tuple(shown for shown in honest.cards if shown != kept))

"""Warnings: legal moves that a person may regret, and why.

What a discard gives away is the engine's own answer, `Position.pile_offer`; hints read it too.
"""

from client.i18n.language import _, _n
from engine.moves import Discard, LayMelds, Move, TakePile
from engine.position import Position
from engine.slots import Shown

_FEW_CARDS = 4


def warning(view: Position, move: Move) -> str | None:
    """Return the reason against this legal move; None if there is none."""
    match move:
        case Discard(card):
            return _gift(view, card) or _going_out(view, move)
        case LayMelds() | TakePile():
            return _going_out(view, move)
    return None


def is_gift(view: Position, card: Shown) -> bool:
    """Return True if the legal discard of `card` surely gives the next seat the pile, needlessly.

    Needlessly means that another discard would not give it.
    """
    return gives_pile(view, card) and any(
        not gives_pile(view, other) for other in _faces(view) if view.allows(Discard(other))
    )


def _gift(view: Position, card: Shown) -> str | None:
    """Return a sentence on what the next player gains by a gift; None for another card."""
    if not is_gift(view, card):
        return None
    offer = view.pile_offer(card)
    assert offer is not None
    return _n(
        "The next player can take the pile with it: {n} card.",
        "The next player can take the pile with it: {n} cards.",
        offer.cards,
    )


def gives_pile(view: Position, card: Shown) -> bool:
    """Return True if the next seat can surely take the pile after that legal discard."""
    offer = view.pile_offer(card)
    return offer is not None and offer.certain


def _faces(view: Position) -> list[Shown]:
    """Return one card of each face in the hand of the seat to move."""
    return list({shown.card.code: shown for shown in view.hand(view.turn.seat)}.values())


def _going_out(view: Position, move: Move) -> str | None:
    after = view.apply(move)
    if after.closer != view.turn.seat or view.turn.answer:
        return None
    partner = view.partner_of(view.turn.seat)
    if partner is not None and len(view.hands[partner]) > _FEW_CARDS:
        return _(
            "This goes out while your partner holds {count} cards, which count against you."
        ).format(count=len(view.hands[partner]))
    return None

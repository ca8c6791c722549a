"""Warnings before legal moves that a person may regret.

The engine tells what a discard gives away (`Position.pile_offer`); hints use that, too.
"""

from client.i18n.language import _, _n
from client.ui.model.command_words import own_key
from client.ui.model.hint import Hints
from engine.moves import Discard, LayMelds, Move, TakePile
from engine.position import Position
from engine.slots import Shown

_FEW_CARDS = 4


def warning(view: Position, move: Move, hints: Hints = Hints.ON_REQUEST) -> str | None:
    """Return a warning about this legal move; None if nothing speaks against it.

    With `Hints.BEFORE_BLUNDERS`, also warn if the bots' evaluator finds another move far better.
    """
    reason = None
    match move:
        case Discard(card):
            reason = _gift(view, card) or _going_out(view, move)
        case LayMelds() | TakePile():
            reason = _going_out(view, move)
    return reason or (_far_better(view, move) if hints is Hints.BEFORE_BLUNDERS else None)


def _far_better(view: Position, move: Move) -> str | None:
    # A lazy import: it loads all bots (0.8 MB), and only players with this setting need them.
    from client.ui.model.blunder_detection import blunder  # noqa: PLC0415

    if not blunder(view, move):
        return None
    return _("Another move seems far better: {key} shows it.").format(key=own_key("h"))


def is_gift(view: Position, card: Shown) -> bool:
    """Return True if discarding `card` surely gives away the pile, but another discard would not.

    The pile is given away if the next seat can surely take it. `card` must be a legal discard.
    """
    one_of_each = {shown.card.code: shown for shown in view.hand(view.turn.seat)}.values()
    return gives_pile(view, card) and any(
        not gives_pile(view, other) for other in one_of_each if view.allows(Discard(other))
    )


def _gift(view: Position, card: Shown) -> str | None:
    """Return a sentence on the pile that the next player can take; None if `card` is no gift."""
    if not is_gift(view, card):
        return None
    offer = view.pile_offer(card)
    assert offer is not None
    cards = _n("{n} card", "{n} cards", offer.cards)
    return _("The next player can take the pile with it: {cards}.").format(cards=cards)


def gives_pile(view: Position, card: Shown) -> bool:
    """Return True if the next seat can surely take the pile after that legal discard."""
    offer = view.pile_offer(card)
    return offer is not None and offer.certain


def _going_out(view: Position, move: Move) -> str | None:
    after = view.apply(move)
    # A partner who said Yes knows what their cards will cost.
    if after.closer != view.turn.seat or view.turn.answer:
        return None
    partner = view.partner_of(view.turn.seat)
    if partner is not None and len(view.hands[partner]) > _FEW_CARDS:
        return _(
            "This goes out while your partner holds {count} cards, which count against you."
        ).format(count=len(view.hands[partner]))
    return None

"""Warnings: legal moves that a person may regret, and why."""

from contextlib import suppress

from client.i18n.language import _
from engine.errors import IllegalMove
from engine.moves import Discard, LayMelds, Move, Play, TakePile
from engine.position import Position
from engine.slots import Shown, Side
from engine.table_status import PileState

_FEW_CARDS = 4
_BIG_PILE = 5


def warning(view: Position, move: Move) -> str | None:
    """Why one might not want to make this legal move; None if nothing speaks against it."""
    match move:
        case Discard():
            return _discarding(view, move) or _going_out(view, move)
        case LayMelds() | TakePile():
            return _going_out(view, move)
    return None


def _discarding(view: Position, move: Discard) -> str | None:
    after = view.apply(move)
    if after.to_move is None or after.turn.seat == view.turn.seat:
        return None
    card = move.card
    opponents = [Side(side) for side in range(view.sides) if side != view.side]
    fits = [side for side in opponents if _joins(view, side, card)]
    following = after.side_of(after.turn.seat)
    state = after.pile_status(following).state
    free = state is PileState.FREE and not view.is_wild(card.card)
    if following in fits and free and len(after.pile) >= _BIG_PILE:
        return _("The {card} joins a meld of the next player, and gives away the pile.").format(
            card=card
        )
    if fits:
        return _("The {card} joins a meld of your opponents.").format(card=card)
    return None


def _joins(view: Position, side: Side, card: Shown) -> bool:
    """Whether the card could join a meld of that side alone."""
    for number in range(len(view.laid[side].melds)):
        with suppress(IllegalMove):
            return bool(view.melds_after(side, (Play((card,), onto=number),)))
    return False


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

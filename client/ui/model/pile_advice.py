"""Advice to a player who wants the pile and has selected nothing.

The advice names the cards to take the pile with, or the rule that forbids it.
"""

from client.i18n.card_letters import card_face
from client.i18n.language import _
from client.ui.model.hand import Hand, Notice
from client.ui.model.staging import AmbiguousMeld
from engine.errors import IllegalMove
from engine.moves import Play, TakePile, TakeTop
from engine.position_facts import Taking
from engine.slots import Shown


def pile_advice(hand: Hand) -> Notice | None:
    """Return the advice; None if the pile is empty, or if taking it needs no card of the hand."""
    view, top = hand.view, hand.view.pile[-1:]
    if not top or view.takes_pile_bare or _takes_alone(hand):
        return None
    takes = (move for move in view.legal_moves(hand.seat) if isinstance(move, TakePile | TakeTop))
    fewest = min(takes, key=lambda move: sum(len(play.cards) for play in move.plays), default=None)
    if fewest is not None:
        return Notice(_advice_text(hand, fewest, top[0]))
    # No listed move takes the pile. The best attempt is a move with all cards of the hand that have
    # the rank of the top card: the reason for its refusal is the reason to show.
    alike = [shown for shown in hand.cards if shown.card.rank is top[0].card.rank]
    kind = TakePile if view.taking is Taking.PILE else TakeTop
    taking = kind((Play((*top, *alike)),))
    try:
        view.check(taking)
    except IllegalMove as error:
        return Notice.refusing(error)
    return Notice(_advice_text(hand, taking, top[0]))  # `legal_moves` leaves out some moves


def _takes_alone(hand: Hand) -> bool:
    """Return True if the top of the pile joins a meld of the side without a card of the hand."""
    try:
        hand.staging.taking_pile(())
    except AmbiguousMeld:  # the top fits several melds
        return True
    except IllegalMove:
        return False
    return True


def _advice_text(hand: Hand, taking: TakePile | TakeTop, top: Shown) -> str:
    """Return the advice as a sentence: the cards to select, and melds to lay out first."""
    beside, others = "", []
    # All cards of the hand in its order, also those that are laid out.
    held = sorted(hand.view.hand(hand.seat), key=lambda shown: hand.order.index(shown.slot))
    for play in taking.plays:
        slots = {shown.slot for shown in play.cards}
        mine = " ".join(card_face(shown.card) for shown in held if shown.slot in slots)
        if top in play.cards:
            beside = mine
        elif not slots <= hand.staging.slots:
            others.append(mine)
    melds = ", ".join(others)
    if isinstance(taking, TakePile):
        template = _("Select or name {cards}: with them you can take the pile.")
        if others:
            template = _("Lay out {melds} first, then select or name {cards} to take the pile.")
    else:
        template = _("Select or name {cards}: with them you can take the top card.")
        if others:
            template = _("Lay out {melds} first, then select or name {cards} to take the top card.")
    text = template.format(melds=melds, cards=beside)
    opening = hand.view.opening(hand.staging.side)
    if opening is None or opening.need is None:
        return text
    return f"{text} " + _("To open, your side needs {points} points.").format(points=opening.need)

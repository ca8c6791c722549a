"""Advice to a player who wants the pile and has selected nothing.

The advice names the cards to take the pile with, or the rule that forbids it.
"""

from collections.abc import Iterable

from client.i18n.card_letters import card_face
from client.i18n.language import _
from client.ui.model.hand import Hand, Notice
from client.ui.model.staging import AmbiguousMeld
from engine.errors import IllegalMove
from engine.moves import Play, TakePile, TakeTop, plays_of
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
        return Notice(_selecting(hand, plays_of(fewest), top[0]))
    alike = [shown for shown in hand.cards if shown.card.rank is top[0].card.rank]
    kind = TakePile if view.taking is Taking.PILE else TakeTop
    try:
        view.check(kind((Play((*top, *alike)),)))
    except IllegalMove as error:
        return Notice.refusing(error)
    return Notice(_selecting(hand, (Play((*top, *alike)),), top[0]))


def _takes_alone(hand: Hand) -> bool:
    """Return True if the top of the pile joins a meld of the side without a card of the hand."""
    try:
        hand.staging.taking_pile(())
    except AmbiguousMeld:  # it joins several
        return True
    except IllegalMove:
        return False
    return True


def _selecting(hand: Hand, plays: Iterable[Play], top: Shown) -> str:
    """Return a sentence on the cards to select, and on melds that must be laid out first."""
    beside, others = "", []
    # All cards of the hand in its order, also those that are laid out.
    held = sorted(hand.view.hand(hand.seat), key=lambda shown: hand.order.index(shown.slot))
    for play in plays:
        slots = {shown.slot for shown in play.cards}
        mine = " ".join(card_face(shown.card) for shown in held if shown.slot in slots)
        if top in play.cards:
            beside = mine
        elif not slots <= hand.staging.slots:
            others.append(mine)
    text = _("Select or name {cards}: with them you can take the pile.").format(cards=beside)
    if others:
        text = _("Lay out {melds} first, then select or name {cards} to take the pile.").format(
            melds=", ".join(others), cards=beside
        )
    opening = hand.view.opening(hand.staging.side)
    if opening is None or opening.need is None:
        return text
    return f"{text} " + _("Your side opens with {points}.").format(points=opening.need)

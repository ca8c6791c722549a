"""Canasta as a table shows it."""

from client.traits.base import Mark, Opening, PileState, PileStatus, Traits
from engine.canasta.melding import melds_after
from engine.canasta.melds import is_canasta, is_clean
from engine.canasta.pile import is_frozen
from engine.canasta.position import CanastaPosition
from engine.canasta.values import (
    freezes,
    is_black_three,
    is_red_three,
    is_wild,
    opening_minimum,
    points_of,
)
from engine.cards import Card
from engine.melds import Meld
from engine.moves import Play
from engine.slots import Shown, Side, cards_of


class CanastaTraits(Traits[CanastaPosition]):
    def is_wild(self, card: Card) -> bool:
        return is_wild(card)

    def is_bonus(self, card: Card) -> bool:
        return is_red_three(card)

    def melds_after(
        self, position: CanastaPosition, side: Side, plays: tuple[Play, ...]
    ) -> tuple[Meld, ...]:
        return melds_after(position.laid[side].melds, plays)

    def mark(self, meld: Meld) -> Mark | None:
        if not is_canasta(meld):
            return None
        return Mark.CLEAN if is_clean(meld) else Mark.DIRTY

    def pile_status(self, position: CanastaPosition, side: Side) -> PileStatus:
        if position.pile and is_black_three(position.pile[-1].card):  # C52: until it is covered
            return PileStatus(PileState.BLOCKED, position.turn.seat)
        if is_frozen(position.pile):
            return PileStatus(PileState.FROZEN)
        return PileStatus(PileState.FREE if position.laid[side].melds else PileState.UNOPENED)

    def may_ask(self, position: CanastaPosition) -> bool:
        return position.partner_of(position.turn.seat) is not None and not position.turn.asked

    def pile_seen(self, position: CanastaPosition) -> tuple[Shown, ...]:
        # C61: what lies crosswise is seen.
        return tuple(shown for shown in position.pile[:-1] if freezes(shown.card))

    def opening(
        self, position: CanastaPosition, side: Side, plays: tuple[Play, ...]
    ) -> Opening | None:
        if position.laid[side].melds:
            return None
        cards = cards_of(shown for play in plays for shown in play.cards)
        need = opening_minimum(position.totals[side])
        return Opening(points_of(cards), need, sum(map(is_wild, cards)), None)

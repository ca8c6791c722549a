"""What positions of Canasta are worth."""

from collections import Counter

from client.bots.curves import between
from client.bots.evaluation import Judge
from client.bots.weights import LikeWeights
from engine.canasta.melds import is_canasta, is_clean
from engine.canasta.pile import is_frozen
from engine.canasta.values import (
    ALL_RED_THREES,
    CLEAN_CANASTA,
    DIRTY_CANASTA,
    RED_THREE,
    is_natural,
    is_wild,
    opening_minimum,
    points_of,
)
from engine.cards import Card, Rank
from engine.melds import Meld
from engine.position import Position
from engine.slots import Seat, Side, cards_of


class CanastaJudge(Judge):
    """Judges as a player who thinks of his hand as groups, and of melds as canastas to be."""

    def __init__(self, weights: LikeWeights) -> None:
        super().__init__(weights)
        self.weights = weights

    # -- melds and hands

    def standing(self, view: Position, seat: Seat) -> float:
        w = self.weights
        side = view.side_of(seat)
        laid = view.laid[side]
        hand = view.hand(seat)
        held = Counter(shown.card.rank for shown in hand)
        done = self.complete(view, side)
        total = sum(self._meld(meld, held[meld.rank]) for meld in laid.melds if meld.rank)
        total += w.opened * bool(laid.melds) + w.first_canasta * done
        total += _red_threes(len(laid.bonus)) * (1 if laid.melds else -0.5)
        melded = {meld.rank for meld in laid.melds}
        for rank, count in held.items():
            if Rank.FOUR <= rank <= Rank.ACE and rank not in melded:
                total += between(w.group, count)
        total += w.wild * min(held[Rank.TWO] + held[Rank.JOKER], 4)
        total += w.cover * min(held[Rank.THREE], 2)
        total += (w.flexible_after if done else w.flexible) * min(len(hand), w.enough)
        return total - self.threat(view, seat) * self.cost(view, seat)

    def _meld(self, meld: Meld, held: int) -> float:
        w = self.weights
        cards = cards_of(meld.cards)
        size = len(cards) + w.held * held
        if not is_canasta(meld):
            size -= (1 - w.wild_laid) * sum(map(is_wild, cards))
        return points_of(cards) + _bonus(meld) * between(w.progress, size)

    # -- the pile

    def danger(self, view: Position, seat: Seat, card: Card) -> float:
        worth = 2 * self.weights.pile * (len(view.pile) + 1)
        return worth * self._taking(view, seat, view.left_of(seat), card)

    def _taking(self, view: Position, seat: Seat, taker: Seat, card: Card) -> float:
        """How likely `taker` takes the pile with this card on top."""
        if not is_natural(card):
            return 0.0
        side = view.side_of(taker)
        melds, frozen = view.laid[side].melds, is_frozen(view.pile)
        if not frozen and any(meld.rank is card.rank for meld in melds):
            return 1.0
        pair = self.holds(view, seat, taker, lambda other: other.rank is card.rank, 2)
        if not melds:
            return pair * min(1.0, 35 / opening_minimum(view.totals[side]))
        return pair if frozen else pair + (1 - pair) * 0.3

    # -- the end of the hand

    def complete(self, view: Position, side: Side) -> bool:
        return any(map(is_canasta, view.laid[side].melds))

    def counted(self, view: Position, side: Side) -> float:
        laid = view.laid[side]
        points = sum(points_of(cards_of(meld.cards)) for meld in laid.melds)
        points += sum(_bonus(meld) for meld in laid.melds if is_canasta(meld))
        bonus = _red_threes(len(laid.bonus))
        return points + (bonus if laid.melds else -bonus)

    def cost(self, view: Position, seat: Seat) -> float:
        return points_of(cards_of(view.hand(seat)))


def _bonus(meld: Meld) -> int:
    """What the meld brings as a canasta, if nothing wild joins it any more."""
    return CLEAN_CANASTA if is_clean(meld) else DIRTY_CANASTA


def _red_threes(count: int) -> int:
    return ALL_RED_THREES if count == 4 else count * RED_THREE

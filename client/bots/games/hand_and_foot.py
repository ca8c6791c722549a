"""The judge of Hand and Foot."""

from collections.abc import Sequence

from attrs import frozen

from client.bots.like_judge import LikeJudge
from client.bots.weights import LikeWeights, Tuning
from engine.cards import Card
from engine.hand_and_foot.state import HandAndFootState
from engine.hand_and_foot.values import CLEAN_BOOK, DIRTY_BOOK, MELDS, RED_THREE
from engine.like_melds.cards import is_natural
from engine.like_melds.find_plays import open_melds
from engine.melds import Laid, Meld
from engine.position import Position
from engine.slots import Seat


@frozen(kw_only=True)
class FootWeights(LikeWeights):
    """Weights for Hand and Foot."""

    foot: float = 0
    """Value of having taken up the foot, which going out takes."""
    toward_foot: float = 0
    """Value of each card less in the hand, as long as the foot lies there."""
    two_naturals: float = 0.5
    """Factor for the chance that a pair is laid for the pile, of a side that has not melded."""


class HandAndFootJudge(LikeJudge):
    """A judge that wants books, and the hand laid before the foot."""

    clean, dirty = CLEAN_BOOK, DIRTY_BOOK

    def __init__(self, weights: FootWeights) -> None:
        super().__init__(weights)
        self._feet = weights

    def standing_with(self, view: Position, seat: Seat, hand: Sequence[Card]) -> float:
        assert isinstance(view, HandAndFootState)
        standing = super().standing_with(view, seat, hand)
        if view.has_aside(seat):
            return standing - self._feet.toward_foot * len(hand)
        return standing + self._feet.foot

    def grows(self, meld: Meld) -> bool:
        return len(meld.cards) < MELDS.largest

    def red_threes(self, view: Position, laid: Laid) -> float:
        del view
        return RED_THREE * len(laid.bonus) * (1.0 if laid.melds else 0.5)

    def taking(self, view: Position, seat: Seat, taker: Seat, card: Card) -> float:
        if not is_natural(card):
            return 0.0
        melds = view.laid[view.side_of(taker)].melds
        grown = open_melds(MELDS, melds).get(card.rank)
        if grown is not None and len(melds[grown].cards) + 3 > MELDS.largest:
            return 0.0
        pair = self.holds(view, seat, taker, card.rank, 2)
        return pair if melds else pair * self._feet.two_naturals


_COUNTING = FootWeights(counts=True, flexible=2, flexible_after=0, foot=160, toward_foot=6)
"""Weights that know what the foot is worth; without them one plays as in Canasta."""

WEIGHTS = {
    Tuning.BY_HAND: FootWeights(),
    Tuning.BY_TRIAL: _COUNTING,
    Tuning.LEARNT: _COUNTING,
}
JUDGE = HandAndFootJudge
"""The class that `client.bots.judges` looks for in the file of each game."""

"""The evaluator of Canasta."""

from client.bots.like_evaluator import LikeEvaluator
from client.bots.weights import LikeWeights
from engine.canasta.constants import CLEAN_CANASTA, DIRTY_CANASTA
from engine.canasta.pile import is_frozen
from engine.canasta.score import red_threes
from engine.canasta.state import CanastaState
from engine.cards import Card
from engine.like_melds.cards import is_natural
from engine.melds import Laid
from engine.position import Position
from engine.slots import Seat


class CanastaEvaluator(LikeEvaluator):
    """An evaluator with the points of Canasta, and with the ways to take its pile."""

    clean, dirty = CLEAN_CANASTA, DIRTY_CANASTA

    def red_threes(self, view: Position, laid: Laid) -> float:
        del view
        # Until a side has melded, red threes count against the side. Their points are halved here,
        # because in about half of the rounds the side melds in time.
        opened = bool(laid.melds)
        return red_threes(laid.bonus, opened=opened).points * (1.0 if opened else 0.5)

    def taking(self, view: Position, seat: Seat, taker: Seat, card: Card) -> float:
        assert isinstance(view, CanastaState)
        if not is_natural(card):
            return 0.0
        side = view.side_of(taker)
        melds, frozen = view.laid[side].melds, is_frozen(view.pile)
        if not frozen and any(meld.rank is card.rank for meld in melds):
            return 1.0
        pair = self.holds(view, seat, taker, card.rank, 2)
        if not melds:
            # The higher the opening, the fewer hands can make it: for 90 points 35 / 90 = 39 %.
            return pair * min(1.0, 35 / view.opening_need(side))
        return pair if frozen else pair + (1 - pair) * self.weights.lone


EVALUATOR = CanastaEvaluator
WEIGHTS = LikeWeights
"""The classes that `client.bots.evaluator_registry` looks for; canasta.toml has the weights."""

"""The evaluator of Canasta."""

from client.bots.like_evaluator import LikeEvaluator
from client.bots.weights import LikeWeights, Tuning
from engine.canasta.pile import is_frozen
from engine.canasta.score import red_threes
from engine.canasta.values import CLEAN_CANASTA, DIRTY_CANASTA
from engine.cards import Card
from engine.like_melds.cards import is_natural
from engine.melds import Laid
from engine.position import Position
from engine.slots import Seat

_BY_TRIAL = LikeWeights(
    counts=True,
    group=(0, 0, 25, 83, 158, 300, 590, 1600),
    pile=20,
    flexible=22,
)

_LEARNT = LikeWeights(
    counts=True,
    draw=22.1,
    pile=24.2,
    flexible=25.4,
    enough=14.8,
    threat=0.163,
    near=6.8,
    card=12.9,
    going_out=122,
    out_margin=4,
    progress=(0, 0, 0.028, 0.097, 0.231, 0.582, 0.68, 2.11),
    held=0.614,
    wild_laid=0.464,
    group=(0, 0, 36, 73, 137, 293, 533, 1780),
    wild=59,
    cover=11.6,
    given=2.45,
    lone=0.315,
    first_canasta=195,
    opened=89,
)


class CanastaEvaluator(LikeEvaluator):
    """An evaluator of Canasta."""

    clean, dirty = CLEAN_CANASTA, DIRTY_CANASTA

    def red_threes(self, view: Position, laid: Laid) -> float:
        del view
        # Before the side has melded, red threes count against it. They are counted by half, because
        # in about half of the rounds the side melds in time.
        opened = bool(laid.melds)
        return red_threes(laid.bonus, opened=opened).points * (1.0 if opened else 0.5)

    def taking(self, view: Position, seat: Seat, taker: Seat, card: Card) -> float:
        if not is_natural(card):
            return 0.0
        side = view.side_of(taker)
        melds, frozen = view.laid[side].melds, is_frozen(view.pile)
        if not frozen and any(meld.rank is card.rank for meld in melds):
            return 1.0
        pair = self.holds(view, seat, taker, card.rank, 2)
        if (opening := view.opening(side)) and opening.need:
            # The higher the opening, the rarer a hand that meets it: 90 points in 35 / 90 = 39 %.
            return pair * min(1.0, 35 / opening.need)
        return pair if frozen else pair + (1 - pair) * self.weights.lone


WEIGHTS = {Tuning.BY_HAND: LikeWeights(), Tuning.BY_TRIAL: _BY_TRIAL, Tuning.LEARNT: _LEARNT}
EVALUATOR = CanastaEvaluator
"""The class that `client.bots.evaluators` looks for in the file of each game."""

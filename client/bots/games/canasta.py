"""The judge of Canasta."""

from collections import Counter
from collections.abc import Sequence

from client.bots.identity_cache import IdentityCache
from client.bots.judge import Judge
from client.bots.weights import LikeWeights, Tuning, between
from engine.canasta.pile import is_frozen
from engine.canasta.score import red_threes
from engine.canasta.values import CLEAN_CANASTA, DIRTY_CANASTA, opening_minimum
from engine.cards import Card, Rank
from engine.like_melds.cards import is_natural, is_wild, points_of
from engine.like_melds.melds import is_clean, is_complete
from engine.melds import Laid, Meld
from engine.position import Position
from engine.slots import Seat, cards_of

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


class CanastaJudge(Judge):
    """A judge that thinks of a hand as groups, and of melds as canastas to be."""

    def __init__(self, weights: LikeWeights) -> None:
        super().__init__(weights)
        self.weights = weights
        self._meld = IdentityCache(self._meld_worth)

    # -- melds and hands

    def standing_with(self, view: Position, seat: Seat, hand: Sequence[Card]) -> float:
        w = self.weights
        side = view.side_of(seat)
        laid = view.laid[side]
        held = Counter([card.rank for card in hand])
        done = view.may_go_out(side)
        total = sum(self._meld(meld, held[meld.rank]) for meld in laid.melds if meld.rank)
        total += w.opened * bool(laid.melds) + w.first_canasta * done
        total += _red_threes(laid)
        melded = {meld.rank for meld in laid.melds}
        for rank, count in held.items():
            if Rank.FOUR <= rank <= Rank.ACE and rank not in melded:
                total += between(w.group, count)
        total += w.wild * min(held[Rank.TWO] + held[Rank.JOKER], 4)
        total += w.cover * min(held[Rank.THREE], 2)
        total += (w.flexible_after if done else w.flexible) * min(len(hand), w.enough)
        return total - self.threat(view, seat) * self.cost(view, hand)

    def _meld_worth(self, meld: Meld, held: int) -> float:
        w = self.weights
        cards = cards_of(meld.cards)
        size = len(cards) + w.held * held
        if not is_complete(meld):
            size -= (1 - w.wild_laid) * sum(map(is_wild, cards))
        return points_of(cards) + _bonus(meld) * between(w.progress, size)

    # -- the pile

    def danger(self, view: Position, seat: Seat, card: Card) -> float:
        worth = self.weights.given * self.weights.pile * (len(view.pile) + 1)
        return worth * self._taking(view, seat, view.left_of(seat), card)

    def _taking(self, view: Position, seat: Seat, taker: Seat, card: Card) -> float:
        """Return the chance that `taker` takes the pile with this card on top."""
        if not is_natural(card):
            return 0.0
        side = view.side_of(taker)
        melds, frozen = view.laid[side].melds, is_frozen(view.pile)
        if not frozen and any(meld.rank is card.rank for meld in melds):
            return 1.0
        pair = self.holds(view, seat, taker, card.rank, 2)
        if not melds:
            return pair * min(1.0, 35 / opening_minimum(view.totals[side]))
        return pair if frozen else pair + (1 - pair) * self.weights.lone


def _bonus(meld: Meld) -> int:
    """Return the bonus of the meld as a canasta, if no further wild card joins it."""
    return CLEAN_CANASTA if is_clean(meld) else DIRTY_CANASTA


def _red_threes(laid: Laid) -> float:
    """Return the expected points of red threes: half their cost before the side has melded.

    It will have melded in about half of the cases.
    """
    opened = bool(laid.melds)
    return red_threes(laid.bonus, opened=opened).points * (1.0 if opened else 0.5)


WEIGHTS = {Tuning.BY_HAND: LikeWeights(), Tuning.BY_TRIAL: _BY_TRIAL, Tuning.LEARNT: _LEARNT}
JUDGE = CanastaJudge
"""The class that `client.bots.judges` looks for in the file of each game."""

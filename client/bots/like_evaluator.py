"""The evaluator shared by the games in which the cards of a meld have one rank."""

from abc import abstractmethod
from collections import Counter
from collections.abc import Sequence

from client.bots.evaluator import Evaluator
from client.bots.identity_cache import IdentityCache
from client.bots.weights import LikeWeights, between
from engine.cards import Card, Rank
from engine.like_melds.cards import is_wild, points_of
from engine.like_melds.melds import is_clean, is_complete
from engine.melds import Laid, Meld
from engine.position import Position
from engine.slots import Seat, cards_of


class LikeEvaluator(Evaluator):
    """An evaluator that sees a hand as groups of like cards, and each meld as a future canasta."""

    weights: LikeWeights
    clean: int
    dirty: int
    """`clean` and `dirty` are the points of a complete meld of each kind."""

    def __init__(self, weights: LikeWeights) -> None:
        super().__init__(weights)
        self._meld = IdentityCache(self._meld_worth)

    @abstractmethod
    def red_threes(self, view: Position, laid: Laid) -> float:
        """Return the points of red threes on the table."""

    @abstractmethod
    def taking(self, view: Position, seat: Seat, taker: Seat, card: Card) -> float:
        """Return the chance that `taker` takes the pile with this card on top."""

    def grows(self, meld: Meld) -> bool:
        """Return True if cards may join the meld."""
        del meld
        return True

    # -- melds and hands

    def standing_with(self, view: Position, seat: Seat, hand: Sequence[Card]) -> float:
        w = self.weights
        side = view.side_of(seat)
        laid = view.laid[side]
        held = Counter([card.rank for card in hand])
        done = view.may_go_out(side)
        total = w.opened * bool(laid.melds) + w.first_canasta * done
        total += self.red_threes(view, laid)
        melded = set()
        for meld in laid.melds:
            if self.grows(meld) and meld.rank:
                melded.add(meld.rank)
                total += self._meld(meld, held[meld.rank])
            else:
                total += self._meld(meld, 0)
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
            # With `wild_laid` 0.5, the meld 7 7 7 2 has the size 3.5, because a canasta with the
            # two is worth less.
            size -= (1 - w.wild_laid) * sum(map(is_wild, cards))
        # This is the bonus of the complete meld, if no further wild card joins it.
        bonus = self.clean if is_clean(meld) else self.dirty
        return points_of(cards) + bonus * between(w.progress, size)

    # -- the pile

    def danger(self, view: Position, seat: Seat, card: Card) -> float:
        # The discard itself is added to the cards that the pile has now.
        worth = self.weights.given * self.weights.pile * (len(view.takes) + 1)
        return worth * self.taking(view, seat, view.left_of(seat), card)

    def pile(self, view: Position) -> float:
        return self.weights.pile * len(view.takes)

"""The evaluator of Kanastic."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from attrs import frozen

from client.bots.evaluator import Evaluator
from client.bots.identity_cache import IdentityCache
from client.bots.weights import LikeWeights, between
from engine.cards import Card, Rank
from engine.kanastic import constants
from engine.kanastic.golden_suit_runs import is_golden, is_royal
from engine.kanastic.melds import is_complete, is_mixed
from engine.kanastic.position import KanasticPosition
from engine.melds import Laid, Meld
from engine.position import Position
from engine.slots import Seat, Side, cards_of


@frozen(kw_only=True)
class KanasticWeights(LikeWeights):
    """Weights for Kanastic."""

    card: float = 14
    golden: Sequence[float] = (0, 0, 0, 0.03, 0.08, 0.2, 0.5, 1)
    """Share of a golden suit's bonus that a meld is worth, by its number of cards, wild ones
    included.
    """
    golds: Sequence[float] = (0, 0, 5, 30, 80, 200, 500, 2000)
    """Value of gold cards in hand that are close together, by their number."""
    artifact: float = 75
    """Value of an artifact in hand."""
    top: float = 30
    """Value of the top card of the pile for a side that has not melded."""
    denied: float = 12
    """Value of each card of the pile that another seat may take."""
    doubling: float = 0
    """Value of a wild card kept for the last discard (K98), as a share of the side's lead."""
    missing_suit: float = 0
    """Reduction of a group's size for each suit that the group lacks to be a new meld (K31)."""
    opening: float = 0
    """Value of having melded, or of a hand that can make the side's first melds (K43).

    A hand that has half of what the first melds need counts a quarter.
    """


class KanasticEvaluator(Evaluator):
    """An evaluator that sees a hand as groups of like cards, and each meld as a future canasta."""

    weights: KanasticWeights

    def __init__(self, weights: KanasticWeights) -> None:
        super().__init__(weights)
        self._meld = IdentityCache(self._meld_worth)
        self._leads: tuple[tuple[Laid, ...], tuple[int, ...], Seat, float] | None = None

    # -- melds and hands

    def standing_with(self, view: Position, seat: Seat, hand: Sequence[Card]) -> float:
        w = self.weights
        side = view.side_of(seat)
        melds = view.laid[side].melds
        held = Counter([card.rank for card in hand])
        done = view.may_go_out(side)
        total = sum(self._meld(meld, held[meld.rank] if meld.rank else 0) for meld in melds)
        total += w.opened * bool(melds) + w.first_canasta * done
        # A side that may go out keeps a wild card for the last discard: it doubles points (K98).
        if done and w.doubling and (held[Rank.SWORD] or held[Rank.ARTIFACT]):
            total += w.doubling * self._doubled(view, seat)
        melded = {meld.rank for meld in melds}
        groups = self._groups(view, hand, {r: n for r, n in held.items() if r not in melded})
        for size in groups.values():
            total += between(w.group, size)
        if w.opening:
            total += w.opening * (1.0 if melds else self._ready(view, side, groups, hand) ** 2)
        total += self._golds(hand, held[Rank.ARTIFACT])
        total += w.wild * min(held[Rank.SWORD], 3) + w.artifact * min(held[Rank.ARTIFACT], 3)
        total += w.cover * min(sum(map(constants.is_stop, hand)), 3)
        total += (w.flexible_after if done else w.flexible) * min(len(hand), w.enough)
        return total - self.threat(view, seat) * self.cost(view, hand)

    def _meld_worth(self, meld: Meld, held: int) -> float:
        w = self.weights
        cards = cards_of(meld.cards)
        if meld.rank is None:
            return constants.points_of(cards) + _bonus(meld) * between(w.golden, len(cards))
        # A meld has at most eight cards (K37): of three sevens in hand, one joins a meld of seven.
        joining = min(held, constants.LARGEST_RANK_MELD - len(cards))
        size = len(cards) + w.held * joining
        if not is_complete(meld):
            size -= (1 - w.wild_laid) * sum(map(constants.is_wild, cards))
        return constants.points_of(cards) + _bonus(meld) * between(w.progress, size)

    def _doubled(self, view: Position, seat: Seat) -> float:
        """Return the points that a wild last discard would add to the lead if `seat` went out now.

        The last result is cached: it is the same for all possible discards.
        """
        held = tuple([len(hand) for hand in view.hands])
        last = self._leads
        if last is None or last[0] is not view.laid or last[1:3] != (held, seat):
            last = self._leads = view.laid, held, seat, max(0.0, self.lead(view, seat)[0])
        return last[3]

    def _groups(
        self, view: Position, hand: Sequence[Card], held: Mapping[Rank, int]
    ) -> Mapping[Rank, float]:
        """Return the size of each group of naturals in a hand.

        A group counts less if it shows too few different suits for a new meld (K31).
        """
        assert isinstance(view, KanasticPosition)
        groups = {rank: float(count) for rank, count in held.items() if rank <= Rank.ACE}
        if self.weights.missing_suit and view.options.distinct_suits:
            # By rank, the number of different suits: 7h 7h 7d have two suits.
            suits = Counter([rank for rank, _ in {(card.rank, card.suit) for card in hand}])
            for rank, count in groups.items():
                short = max(0.0, min(count, constants.FEWEST_NATURALS) - suits[rank])
                groups[rank] = count - self.weights.missing_suit * short
        return groups

    def _ready(
        self, view: Position, side: Side, groups: Mapping[Rank, float], hand: Sequence[Card]
    ) -> float:
        """Return how much of its side's opening (K43) a hand already has: a share of at most 1."""
        assert isinstance(view, KanasticPosition)
        stage = view.stage_of(side)
        most = constants.MOST_WILDS if stage.wilds is None else stage.wilds
        points, fewest = constants.CARD_POINTS, constants.FEWEST_NATURALS
        wilds = sorted([points[card.rank] for card in hand if constants.is_wild(card)])[-most:]
        if stage.points is None:
            return min(1.0, (max(groups.values(), default=0) + len(wilds)) / constants.COMPLETE)
        layable = sum([points[rank] * n for rank, n in groups.items() if n >= fewest])
        pairs = [points[rank] * n for rank, n in groups.items() if 2 <= n < fewest]
        # A pair counts half, because it is no meld yet. So do wild cards with no meld to join.
        most_points = layable + max(pairs, default=0) / 2 + sum(wilds) / (1 if layable else 2)
        return min(1.0, most_points / stage.points)

    def points_now(self, view: Position, seat: Seat) -> list[float]:
        points = super().points_now(view, seat)
        return [2 * p for p in points] if self._doubles(view, seat) else points

    def ending(self, after: Position, seat: Seat) -> float:
        if not self.weights.doubling:
            return super().ending(after, seat)
        return self.lead(after, seat)[0]

    def _doubles(self, view: Position, seat: Seat) -> bool:
        """Return True if the last card of `seat` is wild, in the hand or just discarded (K98)."""
        if not self.weights.doubling:
            return False
        # After the discard that ends the round, the hand is empty and the card lies on the pile.
        last = view.hand_cards(seat) if view.hands[seat] else cards_of(view.pile[-1:])
        return len(view.hands[seat]) <= 1 and any(map(constants.is_wild, last))

    def _golds(self, hand: Iterable[Card], artifacts: int) -> float:
        """Return the value of the gold cards in a hand that could lie in one golden suit.

        Such cards lie within `COMPLETE` neighbouring ranks. If there are at least three of them,
        artifacts are counted with them.
        """
        golds = [card.rank for card in hand if card.gold]
        best = max(
            # Each gold card in turn is taken as the lowest of seven neighbouring ranks.
            (sum(0 <= rank - low < constants.COMPLETE for rank in golds) for low in golds),
            default=0,
        )
        more = min(artifacts, constants.MOST_WILDS) if best >= constants.FEWEST_NATURALS else 0
        return between(self.weights.golds, best + more)

    # -- the pile

    def pile(self, view: Position) -> float:
        # Before a side has melded, its players take only the top card.
        return self.weights.pile * (len(view.pile) - 1) * bool(view.laid[view.side].melds)

    def danger(self, view: Position, seat: Seat, card: Card) -> float:
        assert isinstance(view, KanasticPosition)
        taker = view.left_of(seat)
        # A stop card blocks the pile while it is among the last discards, one for each other
        # player (K76). With four players these are `card` and the two discards before it.
        last = view.discards[len(view.discards) - view.seats + 2 :]
        if any(map(constants.is_stop, (*last, card))):
            return 0.0
        melds = view.laid[view.side_of(taker)].melds
        pair = self.holds(view, seat, taker, card.rank, 2)
        if not melds:
            return self.weights.top * pair
        if any(meld.rank is card.rank for meld in melds) or taker in view.waiting:
            return 0.0
        if min(len(view.hands[taker]), len(view.stock)) < constants.FEWEST_TO_TAKE:
            return 0.0
        return self.weights.denied * (len(view.pile) + 1) * pair


def _bonus(meld: Meld) -> int:
    """Return the bonus that the complete meld will have, if no further wild card joins it."""
    if is_golden(meld):
        return constants.ROYAL_SUIT if is_royal(meld) else constants.MIXED_SUIT
    if meld.rank is Rank.ACE:
        return constants.MIXED_ACE_CANASTA if is_mixed(meld) else constants.NATURAL_ACE_CANASTA
    return constants.MIXED_CANASTA if is_mixed(meld) else constants.NATURAL_CANASTA


EVALUATOR = KanasticEvaluator
WEIGHTS = KanasticWeights
"""The classes that `client.bots.evaluator_registry` looks for; kanastic.toml has the weights."""

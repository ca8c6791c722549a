"""The evaluator of Samba."""

from collections.abc import Iterator, Sequence

from attrs import frozen

from client.bots.like_evaluator import LikeEvaluator
from client.bots.weights import LikeWeights, between
from engine.cards import Card, Rank, Suit
from engine.like_melds.cards import is_natural, points_of
from engine.like_melds.melds import COMPLETE
from engine.melds import Laid, Meld
from engine.moves import LayMelds, Move, TakePile
from engine.position import Position
from engine.samba.constants import MIXED_CANASTA, NATURAL_CANASTA, RED_THREE, SAMBA
from engine.samba.state import SambaState
from engine.sentences import Sentence
from engine.slots import Seat, cards_of


@frozen(kw_only=True)
class SambaWeights(LikeWeights):
    """Weights for Samba."""

    run: Sequence[float] = (0, 0, 8, 30, 60, 110, 200, 400)
    """Value of cards in sequence in hand, by their number."""
    run_progress: Sequence[float] = (0, 0, 0, 0.04, 0.1, 0.22, 0.5, 1)
    """Share of a samba's bonus that a sequence is worth, by its number of cards."""


class SambaEvaluator(LikeEvaluator):
    """An evaluator that aims at canastas, and at sambas that are nearly complete."""

    weights: SambaWeights
    clean, dirty = NATURAL_CANASTA, MIXED_CANASTA

    def standing_with(self, view: Position, seat: Seat, hand: Sequence[Card]) -> float:
        standing = super().standing_with(view, seat, hand)
        held: dict[Suit, set[Rank]] = {}
        for card in hand:
            if card.suit is not None and is_natural(card):
                held.setdefault(card.suit, set()).add(card.rank)
        for meld in view.laid[view.side_of(seat)].melds:
            if meld.rank is None:
                standing += self._sequence(meld, held)
        return standing + sum(
            between(self.weights.run, length) for ranks in held.values() for length in _runs(ranks)
        )

    def _sequence(self, meld: Meld, held: dict[Suit, set[Rank]]) -> float:
        """Return the value of a sequence on the table, with the cards in hand that join it."""
        cards = cards_of(meld.cards)
        size: float = len(cards)
        suit = cards[0].suit
        own = held.get(suit, set()) if suit else set()
        ranks = [int(card.rank) for card in cards]
        for end, step in ((max(ranks), 1), (min(ranks), -1)):
            # Cards of the hand count as long as they follow the end without a gap; 8 joins 5 6 7,
            # and 9 only with the 8.
            while (end := end + step) in own:
                size += self.weights.held
        return points_of(cards) + SAMBA * between(self.weights.run_progress, size)

    def _meld_worth(self, meld: Meld, held: int) -> float:
        return 0.0 if meld.rank is None else super()._meld_worth(meld, held)

    def remark(self, view: Position, move: Move) -> Sentence | None:
        assert isinstance(view, SambaState)
        if not isinstance(move, LayMelds | TakePile):
            return None
        before = view.laid[view.side].melds
        melds = view.melds_after(view.side, move.plays)
        lacking = view.canastas_lacking(melds)
        if lacking and lacking < view.canastas_lacking(before):
            return Sentence.counted(
                "Going out still takes {n} canasta or samba.",
                "Going out still takes {n} canastas or sambas.",
                lacking,
            )
        grown = [meld for meld in melds if meld.rank is None and meld not in before]
        sequence = max(grown, key=lambda meld: len(meld.cards), default=None)
        if sequence is None or len(sequence.cards) >= COMPLETE:
            return None
        return Sentence.counted(
            "The sequence lacks {n} card of a samba, which counts {points} points.",
            "The sequence lacks {n} cards of a samba, which counts {points} points.",
            COMPLETE - len(sequence.cards),
            points=SAMBA,
        )

    def grows(self, meld: Meld) -> bool:
        return len(meld.cards) < COMPLETE

    def red_threes(self, view: Position, laid: Laid) -> float:
        assert isinstance(view, SambaState)
        return RED_THREE * len(laid.bonus) * (1.0 if view.has_canastas(laid.melds) else 0.3)

    def taking(self, view: Position, seat: Seat, taker: Seat, card: Card) -> float:
        assert isinstance(view, SambaState)
        if not is_natural(card):
            return 0.0
        side = view.side_of(taker)
        melds = view.laid[side].melds
        if not view.pile_frozen and any(view.limits.takes(meld, card) for meld in melds):
            return 1.0
        pair = self.holds(view, seat, taker, card.rank, 2)
        # The higher the opening, the fewer hands can make it: for 90 points 35 / 90 = 39 %.
        return pair if melds else pair * min(1.0, 35 / view.opening_need(side))


def _runs(ranks: set[Rank]) -> Iterator[int]:
    """Return the length of each unbroken sequence in these ranks of one suit."""
    for rank in ranks:
        if rank - 1 not in ranks:
            length = 1
            while rank + length in ranks:
                length += 1
            yield length


EVALUATOR = SambaEvaluator
WEIGHTS = SambaWeights
"""The classes that `client.bots.evaluator_registry` looks for; samba.toml has the weights."""

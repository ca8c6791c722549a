"""What positions of Canastra are worth."""

from collections import Counter
from collections.abc import Iterable, Sequence

from client.bots.counting import known_cards, unseen
from client.bots.curves import between
from client.bots.evaluation import Judge
from client.bots.run_outlook import Outlook, outlook
from client.bots.weights import CanastraWeights
from engine.canastra.position import CanastraPosition
from engine.canastra.runs import Canastra, Run
from engine.canastra.score import CANASTRA_POINTS
from engine.canastra.values import CARD, DEAD_SIZE, NUMBERS, REAL_CANASTRA, is_two
from engine.cards import Card, Rank
from engine.position import Position
from engine.slots import Seat, Side, cards_of

_SIDE_BY_SIDE = (1, 2, 12, 11)  # differences of ranks, the ace being low and high
_MOST_WILDS = 3


class CanastraJudge(Judge):
    """Judges as a player who counts what each card adds to the runs, his own and the other's."""

    def __init__(self, weights: CanastraWeights) -> None:
        super().__init__(weights)
        self.weights = weights

    # -- runs and hands

    def standing(self, view: Position, seat: Seat) -> float:
        assert isinstance(view, CanastraPosition)
        w = self.weights
        outlooks = [outlook(meld) for meld in view.laid[view.side_of(seat)].melds]
        hand = cards_of(view.hand(seat))
        total = sum(self._run(around.run) for around in outlooks)
        codes = {card.code for card in hand}
        total += w.joins * sum(self._joining(outlooks, code) for code in codes)
        total += self._loose(hand)
        if view.has_dead(seat):
            total += w.dead_near * max(0.0, 1 - len(hand) / DEAD_SIZE)
        elif seat in view.took_dead:
            total += w.dead
        return total - self.threat(view, seat) * self.cost(view, seat)

    def _run(self, run: Run) -> float:
        if run.canastra is Canastra.REAL:
            return CARD * len(run.cards) + REAL_CANASTRA
        bonus = CANASTRA_POINTS[Canastra.DIRTY if run.wild else Canastra.CLEAN]
        return CARD * len(run.cards) + bonus * between(self.weights.progress, len(run.cards))

    def _joining(self, outlooks: Iterable[Outlook], code: str) -> float:
        """What a card adds to the run that it suits best; 0 where it suits none."""
        gains = (
            self._run(around.longer[code]) - self._run(around.run)
            for around in outlooks
            if code in around.longer
        )
        return max(gains, default=0.0)

    def _loose(self, hand: Sequence[Card]) -> float:
        """What cards promise each other."""
        w = self.weights
        total = w.wild * min(sum(map(is_two, hand)), _MOST_WILDS)
        faces = {(card.suit, card.rank) for card in hand if not is_two(card)}
        for suit, rank in faces:
            low = 1 if rank is Rank.ACE and (suit, Rank.KING) not in faces else int(rank)
            total += w.beside * ((suit, low + 1) in faces) + w.gap * ((suit, low + 2) in faces)
        numbers = Counter(card.rank for card in hand if card.rank in NUMBERS)
        return total + w.alike * sum(count - 1 for count in numbers.values())

    # -- the pile

    def danger(self, view: Position, seat: Seat, card: Card) -> float:
        w = self.weights
        if is_two(card):
            return w.wild_given
        other = view.left_of(seat)
        runs = map(outlook, view.laid[view.side_of(other)].melds)
        theirs = (*known_cards(view, other), *cards_of(view.pile))
        helped = self._loose((*theirs, card)) - self._loose(theirs)
        loose = sum(_side_by_side(card, hidden) for hidden in unseen(view, seat))
        return w.given * (self._joining(runs, card.code) + helped) + w.guess * loose

    # -- going out

    @property
    def exact(self) -> bool:
        return True

    def complete(self, view: Position, side: Side) -> bool:
        assert isinstance(view, CanastraPosition)
        return not any(map(view.has_dead, view.members(side)))

    def counted(self, view: Position, side: Side) -> float:
        runs = [outlook(meld).run for meld in view.laid[side].melds]
        bonus = sum(CANASTRA_POINTS[run.canastra] for run in runs if run.canastra)
        return bonus + CARD * sum(len(run.cards) for run in runs)

    def cost(self, view: Position, seat: Seat) -> float:
        return CARD * len(view.hands[seat])


def _side_by_side(card: Card, other: Card) -> bool:
    """Whether the cards could lie side by side in a run."""
    if card.rank is other.rank:
        return card.rank in NUMBERS
    return card.suit is other.suit and abs(card.rank - other.rank) in _SIDE_BY_SIDE

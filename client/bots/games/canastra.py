"""The evaluator of Canastra."""

from collections import Counter
from collections.abc import Sequence

from attrs import field, frozen

from client.bots.card_counting import known_cards, unseen
from client.bots.evaluator import Evaluator
from client.bots.identity_cache import IdentityCache
from client.bots.weights import Weights, between
from engine.canastra.constants import CARD, DEAD_SIZE, NUMBERS, REAL_CANASTRA, is_two
from engine.canastra.position import CanastraPosition
from engine.canastra.run_growth import Growth, growth, longer
from engine.canastra.runs import Run, run_of
from engine.canastra.score import CANASTRA_POINTS
from engine.cards import Card, Rank
from engine.melds import Laid
from engine.position import Position
from engine.position_facts import MeldClass
from engine.slots import Seat, cards_of

_SIDE_BY_SIDE = (1, 2, 12, 11)
"""Differences between ranks that can be near in a run; 12 and 11, because an ace can be low."""
_MOST_WILDS = 3  # maximum number of twos in hand that have a value


@frozen(kw_only=True)
class CanastraWeights(Weights):
    """Weights for Canastra."""

    draw: float = 14
    pile: float = 0
    threat: float = 0.25
    card: float = 10
    out_margin: float = 10
    progress: Sequence[float] = (0, 0, 0, 0.1, 0.25, 0.45, 0.7, 1)
    """Share of a canastra's bonus that a run is worth, by its number of cards."""
    joins: float = 0.7
    """Factor of the value that a card in hand would add to a run."""
    beside: float = 7
    """Value of two cards in hand that follow each other."""
    gap: float = 4
    """Value of two cards in hand with room for one card between them."""
    alike: float = 6
    """Value of two cards in hand of the same rank, if runs of that rank are allowed (B25)."""
    wild: float = 25
    """Value of a two in hand."""
    dead: float = 150
    """Value of a dead (a hand set aside) that the seat has taken up."""
    dead_near: float = 80
    """Value of a dead not taken up yet; the fewer cards the seat holds, the more of it counts."""
    given: float = 0.6
    """Factor of the value that a discard has for the other player."""
    guess: float = 0.75
    """Cost of a discard for each unseen card that can lie beside it in a run."""
    wild_given: float = 50
    """Cost of a discarded two."""


@frozen
class _LaidRuns:
    """The runs of a side."""

    runs: tuple[tuple[Run, Growth], ...]
    """Each run, with the ways in which it may grow."""
    worth: float
    """Value of all runs."""
    joining: dict[str, float] = field(factory=dict)
    """Cache, by the code of a card: the value that it adds to the run that it suits best."""


@frozen
class _NextSeat:
    """Knowledge of a seat about the next one, cached while all possible discards are judged."""

    view: Position
    seat: Seat
    laid_runs: _LaidRuns
    """Runs of the next seat."""
    theirs: tuple[Card, ...]
    """Cards that the next seat holds for certain, or may take from the pile."""
    loose: float
    """Value that the cards in `theirs` have together (see `_loose`)."""
    hidden: tuple[tuple[Card, int], ...]
    """Each kind of card that `seat` has not seen, with the number of such cards."""


class CanastraEvaluator(Evaluator):
    """An evaluator that counts the value that each card adds to the runs of both players."""

    weights: CanastraWeights

    def __init__(self, weights: CanastraWeights) -> None:
        super().__init__(weights)
        self._next: _NextSeat | None = None
        self._runs = IdentityCache(self._laid_runs)

    # -- runs and hands

    def standing_with(self, view: Position, seat: Seat, hand: Sequence[Card]) -> float:
        assert isinstance(view, CanastraPosition)
        w = self.weights
        laid_runs = self._runs(view.laid[view.side_of(seat)])
        # Of two equal cards mostly only one can join a run, so each face counts once.
        codes = {card.code for card in hand}
        total = laid_runs.worth + w.joins * sum([self._joining(laid_runs, code) for code in codes])
        total += self._loose(hand)
        if view.has_aside(seat):
            total += w.dead_near * max(0.0, 1 - len(hand) / DEAD_SIZE)
        elif seat in view.took_aside:
            total += w.dead
        return total - self.threat(view, seat) * self.cost(view, hand)

    def _run(self, run: Run) -> float:
        if run.canastra is MeldClass.SPECIAL:
            return CARD * len(run.cards) + REAL_CANASTRA
        bonus = CANASTRA_POINTS[MeldClass.DIRTY if run.wild else MeldClass.CLEAN]
        return CARD * len(run.cards) + bonus * between(self.weights.progress, len(run.cards))

    def _laid_runs(self, laid: Laid) -> _LaidRuns:
        runs = tuple((run_of(meld), growth(meld)) for meld in laid.melds)
        return _LaidRuns(runs, sum(self._run(run) for run, _ in runs))

    def _joining(self, laid_runs: _LaidRuns, code: str) -> float:
        """Return the value that a card adds to the run that it suits best; 0 if it suits none."""
        gain = laid_runs.joining.get(code)
        if gain is None:
            gains = (
                self._run(after) - self._run(run)
                for run, grown in laid_runs.runs
                if code in grown.joining and (after := longer(run, code))
            )
            gain = laid_runs.joining[code] = max(gains, default=0.0)
        return gain

    def _loose(self, hand: Sequence[Card]) -> float:
        """Return the value of cards in hand together: neighbours, gaps, pairs and twos."""
        w = self.weights
        total = w.wild * min(sum(map(is_two, hand)), _MOST_WILDS)
        faces = {(card.suit, card.rank) for card in hand if not is_two(card)}
        for suit, rank in faces:
            # An ace is low unless the hand has the king of its suit.
            low = 1 if rank is Rank.ACE and (suit, Rank.KING) not in faces else int(rank)
            total += w.beside * ((suit, low + 1) in faces) + w.gap * ((suit, low + 2) in faces)
        numbers = Counter(card.rank for card in hand if card.rank in NUMBERS)
        return total + w.alike * sum(count - 1 for count in numbers.values())

    # -- the pile

    def danger(self, view: Position, seat: Seat, card: Card) -> float:
        w = self.weights
        if is_two(card):
            return w.wild_given
        next_seat = self._next
        if next_seat is None or next_seat.view is not view or next_seat.seat != seat:
            next_seat = self._next = self._look_at_next(view, seat)
        helped = self._loose((*next_seat.theirs, card)) - next_seat.loose
        near = [count for other, count in next_seat.hidden if _side_by_side(card, other)]
        return w.given * (self._joining(next_seat.laid_runs, card.code) + helped) + w.guess * sum(
            near
        )

    def _look_at_next(self, view: Position, seat: Seat) -> "_NextSeat":
        other = view.left_of(seat)
        laid_runs = self._runs(view.laid[view.side_of(other)])
        theirs = (*known_cards(view, other), *cards_of(view.pile))
        hidden = unseen(view, seat)
        copies = Counter([card.code for card in hidden])
        faces = {card.code: card for card in hidden}
        kinds = tuple((faces[code], count) for code, count in copies.items())
        return _NextSeat(view, seat, laid_runs, theirs, self._loose(theirs), kinds)

    # -- going out

    @property
    def exact(self) -> bool:
        return True


def _side_by_side(card: Card, other: Card) -> bool:
    """Return True if the cards could lie in a run side by side, or with one card between them."""
    if card.rank is other.rank:
        return card.rank in NUMBERS
    return card.suit is other.suit and abs(card.rank - other.rank) in _SIDE_BY_SIDE


EVALUATOR = CanastraEvaluator
WEIGHTS = CanastraWeights
"""The classes that `client.bots.evaluator_registry` looks for; canastra.toml has the weights."""

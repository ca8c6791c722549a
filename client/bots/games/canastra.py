"""What positions of Canastra are worth."""

from collections import Counter
from collections.abc import Sequence

from attrs import field, frozen

from client.bots.counting import known_cards, unseen
from client.bots.evaluation import Judge
from client.bots.remembered import Remembered
from client.bots.weights import Tuning, Weights, between
from engine.canastra.melding import run_of
from engine.canastra.position import CanastraPosition
from engine.canastra.run_growth import Growth, growth, longer
from engine.canastra.runs import Canastra, Run
from engine.canastra.score import CANASTRA_POINTS
from engine.canastra.values import CARD, DEAD_SIZE, NUMBERS, REAL_CANASTRA, is_two
from engine.cards import Card, Rank
from engine.melds import Laid
from engine.position import Position
from engine.slots import Seat, cards_of

_SIDE_BY_SIDE = (1, 2, 12, 11)  # differences of ranks, the ace being low and high
_MOST_WILDS = 3


@frozen(kw_only=True)
class CanastraWeights(Weights):
    """Canastra."""

    draw: float = 14
    pile: float = 0
    threat: float = 0.25
    card: float = 10
    out_margin: float = 10
    progress: Sequence[float] = (0, 0, 0, 0.1, 0.25, 0.45, 0.7, 1)  # of a canastra's bonus
    joins: float = 0.7  # of what a card in hand would add to a run
    beside: float = 7  # two cards in hand that follow each other
    gap: float = 4  # two with a gap of one
    alike: float = 6  # two of a number that runs are made of
    wild: float = 25
    dead: float = 150  # a dead that one has had
    dead_near: float = 80  # likewise still to come, as the hand gets shorter
    given: float = 0.6  # of what a card thrown is worth to the other player
    guess: float = 0.75  # each unseen neighbour of a card thrown
    wild_given: float = 50  # a two thrown


_BY_TRIAL = CanastraWeights(
    draw=25,
    pile=4,
    threat=0.12,
    progress=(0, 0, 0, 0.15, 0.3, 0.5, 0.7, 1),
    dead=80,
    dead_near=40,
)

_LEARNT = CanastraWeights(
    counts=False,
    left_lying=0.324,
    flexible=14.7,
    enough=11.0,
    flexible_after=4.32,
    near=6.64,
    going_out=92.2,
    agree_to=54.0,
    agree_from=0.465,
    draw=17.4,
    pile=7.7,
    threat=0.0967,
    card=9.9,
    out_margin=9.54,
    progress=(0, 0, 0, 0.155, 0.257, 0.425, 0.676, 1.52),
    joins=0.468,
    beside=7.99,
    gap=4.21,
    alike=5.67,
    wild=22.3,
    dead=84.0,
    dead_near=35.0,
    given=0.67,
    guess=0.731,
    wild_given=48.8,
)


@frozen
class _Lying:
    """The runs of a side and what may become of them, what they are worth, and what each card adds
    to the one that it suits best, by its code, as far as it was asked.
    """

    runs: tuple[tuple[Run, Growth], ...]
    worth: float
    joining: dict[str, float] = field(factory=dict)


@frozen
class _Met:
    """What a seat knows of the next one, the same for each card that it may throw: their runs, the
    cards that they hold or may take, what those promise each other, and what nobody has shown.
    """

    view: Position
    seat: Seat
    lying: _Lying
    theirs: tuple[Card, ...]
    loose: float
    hidden: tuple[tuple[Card, int], ...]  # a card of each face, and how many there are


class CanastraJudge(Judge):
    """Judges as a player who counts what each card adds to the runs, their own and the other's."""

    def __init__(self, weights: CanastraWeights) -> None:
        super().__init__(weights)
        self.weights = weights
        self._met: _Met | None = None
        self._lying = Remembered(self._tell)

    # -- runs and hands

    def standing_with(self, view: Position, seat: Seat, hand: Sequence[Card]) -> float:
        assert isinstance(view, CanastraPosition)
        w = self.weights
        lying = self._lying(view.laid[view.side_of(seat)])
        codes = {card.code for card in hand}
        total = lying.worth + w.joins * sum([self._joining(lying, code) for code in codes])
        total += self._loose(hand)
        if view.has_dead(seat):
            total += w.dead_near * max(0.0, 1 - len(hand) / DEAD_SIZE)
        elif seat in view.took_dead:
            total += w.dead
        return total - self.threat(view, seat) * self.cost(view, hand)

    def _run(self, run: Run) -> float:
        if run.canastra is Canastra.REAL:
            return CARD * len(run.cards) + REAL_CANASTRA
        bonus = CANASTRA_POINTS[Canastra.DIRTY if run.wild else Canastra.CLEAN]
        return CARD * len(run.cards) + bonus * between(self.weights.progress, len(run.cards))

    def _tell(self, laid: Laid) -> _Lying:
        runs = tuple((run_of(meld), growth(meld)) for meld in laid.melds)
        return _Lying(runs, sum(self._run(run) for run, _ in runs))

    def _joining(self, lying: _Lying, code: str) -> float:
        """What a card adds to the run that it suits best; 0 where it suits none."""
        gain = lying.joining.get(code)
        if gain is None:
            gains = (
                self._run(after) - self._run(run)
                for run, grown in lying.runs
                if code in grown.joining and (after := longer(run, code))
            )
            gain = lying.joining[code] = max(gains, default=0.0)
        return gain

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
        met = self._met
        if met is None or met.view is not view or met.seat != seat:
            met = self._met = self._meet(view, seat)
        helped = self._loose((*met.theirs, card)) - met.loose
        near = [count for other, count in met.hidden if _side_by_side(card, other)]
        return w.given * (self._joining(met.lying, card.code) + helped) + w.guess * sum(near)

    def _meet(self, view: Position, seat: Seat) -> "_Met":
        other = view.left_of(seat)
        lying = self._lying(view.laid[view.side_of(other)])
        theirs = (*known_cards(view, other), *cards_of(view.pile))
        hidden = unseen(view, seat)
        copies = Counter([card.code for card in hidden])
        faces = {card.code: card for card in hidden}
        near = tuple((faces[code], count) for code, count in copies.items())
        return _Met(view, seat, lying, theirs, self._loose(theirs), near)

    # -- going out

    @property
    def exact(self) -> bool:
        return True


def _side_by_side(card: Card, other: Card) -> bool:
    """Whether the cards could lie side by side in a run."""
    if card.rank is other.rank:
        return card.rank in NUMBERS
    return card.suit is other.suit and abs(card.rank - other.rank) in _SIDE_BY_SIDE


WEIGHTS = {Tuning.BY_HAND: CanastraWeights(), Tuning.BY_TRIAL: _BY_TRIAL, Tuning.LEARNT: _LEARNT}
JUDGE = CanastraJudge
"""What `client.bots.judges` asks the file of each game for."""

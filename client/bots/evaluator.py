"""The evaluator: estimates of a position, by which opponents choose their moves.

This module has the part that all games share. Each game adds its own evaluation in a module of
`client/bots/games`.
"""

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterable, Sequence

from attrs import frozen

from client.bots.blunders import agrees_hastily
from client.bots.card_counting import (
    chance,
    hidden_slots,
    known_cards,
    thrown_after,
    thrown_by,
    unseen,
)
from client.bots.match_end import match_won
from client.bots.weights import Weights
from engine.cards import Card, Rank
from engine.melds import Laid
from engine.moves import Answer, Move
from engine.options import Options
from engine.position import Position
from engine.sentences import Sentence
from engine.slots import Seat, Side, Slot
from engine.turn import Step

_REMEMBERED = 3  # turns around the table for which a player remembers discards


@frozen
class _Guesses:
    """Knowledge of one seat about the hand of another seat.

    The object is cached, because all possible discards of a view are judged with it.
    """

    view: Position
    seats: tuple[Seat, Seat]
    """The seat that guesses, and the one whose hand is guessed."""
    unseen: Counter[Rank]
    """Ranks of the cards that the first seat has not seen."""
    known: Counter[Rank]
    """Ranks of the cards in the hand that everybody has seen."""
    hidden: int
    """Number of cards in the hand that only its owner has seen."""
    spurned: frozenset[Rank]
    """Ranks that the owner of the hand discarded or left lying lately."""

    @classmethod
    def of(cls, view: Position, seat: Seat, other: Seat) -> "_Guesses":
        spurned = (*thrown_after(view, other)[:_REMEMBERED], *thrown_by(view, other)[:_REMEMBERED])
        return cls(
            view,
            (seat, other),
            Counter([card.rank for card in unseen(view, seat)]),
            Counter([card.rank for card in known_cards(view, other)]),
            len(hidden_slots(view, other)),
            frozenset([card.rank for card in spurned]),
        )

    def chance_to_hold(self, rank: Rank, wanted: int) -> float:
        cards = self.unseen.total()
        # If enough such cards are known to be in the hand, 0 or fewer are wanted among the hidden
        # ones, and the chance is 1.
        return chance(self.unseen[rank], cards, self.hidden, wanted - self.known[rank])


class Evaluator(ABC):
    """An evaluation of positions as one seat sees them: its own hand, and what all have seen.

    All values are estimates in points of the round.
    """

    weights: Weights
    """The weights; the evaluator of a game declares here the class of its weights."""

    def __init__(self, weights: Weights) -> None:
        self.weights = weights
        self._asked: _Guesses | None = None
        self._options: Options | None = None
        self._costs: dict[Card, int] = {}  # by card, under `_options`
        # Arguments and result of the last call of `threat`: tables, hands, seat, chance.
        self._threat: tuple[tuple[Laid, ...], tuple[tuple[Slot, ...], ...], Seat, float] | None
        self._threat = None

    # -- what each game answers for itself

    @abstractmethod
    def standing_with(self, view: Position, seat: Seat, hand: Sequence[Card]) -> float:
        """Return the value of the side's table and prospects if `seat` holds `hand`."""

    @abstractmethod
    def danger(self, view: Position, seat: Seat, card: Card) -> float:
        """Return the points that `seat` loses if the card lies on the pile for the next seat."""

    def remark(self, view: Position, move: Move) -> Sentence | None:
        """Return a remark on a move, in the words of the game; None if there is nothing to say.

        A hint shows the remark on the move that it suggests. In Hand and Foot, for example, the
        remark on a meld of the last card in hand says that the player takes up the foot.
        """
        del view, move
        return None

    def standing(self, view: Position, seat: Seat) -> float:
        """Return the value of `standing_with` for the cards that the view shows in the hand."""
        return self.standing_with(view, seat, view.hand_cards(seat))

    def cost(self, view: Position, hand: Iterable[Card]) -> float:
        """Return the points that the cards in a hand cost if they stay there."""
        costs = self._costs
        # What a card costs depends on options: with `penalties` a red three in hand costs 500 in
        # Canasta, and otherwise 100.
        if view.options is not self._options:
            self._options = view.options
            costs.clear()
        total = 0
        for card in hand:
            cost = costs.get(card)
            if cost is None:
                cost = costs[card] = -view.hand_points((card,))
            total += cost
        return total

    @property
    def exact(self) -> bool:
        """True if `lead` is no estimate, because everything that counts lies open."""
        return False

    # -- drawing

    @property
    def draw(self) -> float:
        """The value that a card from the stock adds to the standing."""
        return self.weights.draw

    def pile(self, view: Position) -> float:
        """Return the value of keeping the pile from others, without the value of its cards."""
        return self.weights.pile * len(view.pile)

    @property
    def uncounted(self) -> float:
        """The chance that another seat has a pair, for a level that does not count cards."""
        return self.weights.uncounted

    def holds(self, view: Position, seat: Seat, other: Seat, rank: Rank, wanted: int) -> float:
        """Return the chance, as `seat` sees it, that `other` has `wanted` cards of the rank."""
        if not self.weights.counts:
            return self.uncounted
        asked = self._asked
        if asked is None or asked.view is not view or asked.seats != (seat, other):
            asked = self._asked = _Guesses.of(view, seat, other)
        likely = asked.chance_to_hold(rank, wanted)
        return likely * self.weights.left_lying if rank in asked.spurned else likely

    # -- going out

    def threat(self, view: Position, seat: Seat) -> float:
        """Return the chance that the round ends before the hand of `seat` is laid.

        The last result is cached: while the possible discards are judged one after the other, the
        tables and the hands stay as they are.
        """
        laid, hands, last = view.laid, view.hands, self._threat
        if last is None or last[0] is not laid or last[1] is not hands or last[2] != seat:
            last = self._threat = laid, hands, seat, self._threatened(view, seat)
        return last[3]

    def _threatened(self, view: Position, seat: Seat) -> float:
        sides = [side for side in range(view.sides) if side != view.side_of(seat)]
        # Two things make the end near: another side that may go out at all, and few cards in one
        # of its hands. With `near` 7, a hand of 3 cards adds 0.6 * 4 / 7 = 0.34.
        able = [Side(side) for side in sides if view.may_go_out(Side(side))]
        fewest = min(
            (len(view.hands[s]) for side in able for s in view.members(side)),
            default=self.weights.near,
        )
        near = max(0, self.weights.near - fewest) / self.weights.near
        return min(1.0, self.weights.threat * (2 if able else 1) + 0.6 * near)

    def lead(self, view: Position, seat: Seat) -> tuple[float, bool | None]:
        """Return how far `seat` would be ahead in this round if it went out now, and who would win.

        The second value is True if its side would have won the match, False if another one would,
        and None if nobody would.
        """
        mine = view.side_of(seat)
        points = self.points_now(view, seat)
        ahead = points[mine] - max(p for side, p in enumerate(points) if side != mine)
        return ahead, match_won(view, mine, points)

    def points_now(self, view: Position, seat: Seat) -> list[float]:
        """Return the points that each side would have in the round if `seat` went out now."""
        points = [self._now(view, Side(side), seat) for side in range(view.sides)]
        points[view.side_of(seat)] += self.weights.going_out
        return points

    def _now(self, view: Position, side: Side, seat: Seat) -> float:
        # `seat` goes out, so its own hand is laid and costs nothing.
        held = sum(len(view.hands[other]) for other in view.members(side) if other != seat)
        return view.table_points(side) - self.weights.card * held

    def ending(self, after: Position, seat: Seat) -> float:
        """Return the value of a way out, to compare it with others that leave equally many cards.

        `after` is the position that follows. If the round is over there, the value is the side's
        points in the round. If a discard must still end the round, the value is the side's points
        in the match so far, which are the same for all these ways out.
        """
        score = after.score().totals if after.turn.step is Step.OVER else after.totals
        return score[after.side_of(seat)]

    def wants_out(self, view: Position, seat: Seat) -> bool:
        """Return True if it pays to end the round now, with the whole hand of `seat` laid."""
        ahead, won = self.lead(view, seat)
        return ahead >= self.weights.out_margin if won is None else won

    def wants_advice(self, view: Position, seat: Seat) -> bool:
        """Return True if the seat should ask its partner before it goes out."""
        partner = view.partner_of(seat)
        return partner is not None and len(view.hands[partner]) >= self.weights.ask_from

    def agrees(self, view: Position, seat: Seat) -> bool:
        """Return True if `seat` should let its partner go out."""
        if agrees_hastily(view, Answer(True)):
            return False
        if self.cost(view, view.hand_cards(seat)) <= self.weights.agree_to:
            return True
        return self.threat(view, seat) > self.weights.agree_from

"""What an opponent asks about a position; each game answers in a module of its own."""

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterable, Sequence

from attrs import frozen

from client.bots.blunders import agrees_hastily
from client.bots.counting import (
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
from engine.moves import Answer
from engine.options import Options
from engine.position import Position
from engine.slots import Seat, Side, Slot
from engine.turn import Step

_REMEMBERED = 3  # rounds of the table for which one remembers that


@frozen
class _Guesses:
    """What one seat can tell of the hand of another: asked for one discard after the other in the
    same view. Ranks of the unseen cards, and of those of them that everybody has seen in that hand;
    how many cards of it are hidden; and what its owner did not want lately.
    """

    view: Position
    seats: tuple[Seat, Seat]
    unseen: Counter[Rank]
    known: Counter[Rank]
    hidden: int
    spurned: frozenset[Rank]

    @classmethod
    def of(cls, view: Position, seat: Seat, other: Seat) -> "_Guesses":
        spurned = (
            *thrown_after(view, other)[:_REMEMBERED],
            *thrown_by(view, other)[:_REMEMBERED],
        )
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
        return chance(self.unseen[rank], cards, self.hidden, wanted - self.known[rank])


class Judge(ABC):
    """Judges positions with the eyes of one seat: its own hand, and what everybody has seen.

    All values are points of the round, as far as they can be guessed.
    """

    def __init__(self, weights: Weights) -> None:
        self._general = weights
        self._asked: _Guesses | None = None
        self._options: Options | None = None
        self._costs: dict[Card, int] = {}  # with these options
        self._threat: tuple[tuple[Laid, ...], Seat, tuple[tuple[Slot, ...], ...], float] | None
        self._threat = None

    # -- what each game answers for itself

    @abstractmethod
    def standing_with(self, view: Position, seat: Seat, hand: Sequence[Card]) -> float:
        """What the side of `seat` has on its table, and may hope for if `seat` holds `hand`."""

    @abstractmethod
    def danger(self, view: Position, seat: Seat, card: Card) -> float:
        """What it costs `seat` that the card lies on the pile for the next seat."""

    def standing(self, view: Position, seat: Seat) -> float:
        """Likewise with the cards that `seat` holds, as far as the view shows them."""
        return self.standing_with(view, seat, view.hand_cards(seat))

    def cost(self, view: Position, hand: Iterable[Card]) -> float:
        """What the cards in a hand cost if they stay there."""
        costs = self._costs
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
        """Whether `lead` is no guess, all that counts lying open."""
        return False

    # -- drawing

    @property
    def draw(self) -> float:
        """What a card from the stock adds to the standing."""
        return self._general.draw

    def pile(self, view: Position) -> float:
        """What it is worth, beside what the cards are to oneself, that no other takes the pile."""
        return self._general.pile * len(view.pile)

    @property
    def uncounted(self) -> float:
        """How likely another has a pair, for one who does not count."""
        return self._general.uncounted

    def holds(self, view: Position, seat: Seat, other: Seat, rank: Rank, wanted: int) -> float:
        """How likely it looks to `seat` that `other` has so many cards of the rank."""
        if not self._general.counts:
            return self.uncounted
        asked = self._asked
        if asked is None or asked.view is not view or asked.seats != (seat, other):
            asked = self._asked = _Guesses.of(view, seat, other)
        likely = asked.chance_to_hold(rank, wanted)
        return likely * self._general.left_lying if rank in asked.spurned else likely

    # -- going out

    def threat(self, view: Position, seat: Seat) -> float:
        """How likely the round ends before the hand of `seat` is laid: asked for one discard after
        the other, while the tables and the other hands stay as they are.
        """
        others = view.hands[:seat] + view.hands[seat + 1 :]
        last = self._threat
        if last is None or last[0] is not view.laid or last[1] != seat or last[2] != others:
            last = self._threat = view.laid, seat, others, self._threatened(view, seat)
        return last[3]

    def _threatened(self, view: Position, seat: Seat) -> float:
        sides = [side for side in range(view.sides) if side != view.side_of(seat)]
        able = [Side(side) for side in sides if view.may_go_out(Side(side))]
        fewest = min((len(view.hands[s]) for side in able for s in view.members(side)), default=99)
        near = max(0, self._general.near - fewest) / self._general.near
        return min(1.0, self._general.threat * (2 if able else 1) + 0.6 * near)

    def lead(self, view: Position, seat: Seat) -> tuple[float, bool | None]:
        """By how much `seat` would be ahead in this round if it went out now; and whether it would
        have won the match then, None if nobody has.
        """
        mine = view.side_of(seat)
        points = self.points_now(view, seat)
        ahead = points[mine] - max(p for side, p in enumerate(points) if side != mine)
        return ahead, match_won(view, mine, points)

    def points_now(self, view: Position, seat: Seat) -> list[float]:
        """What each side would have of the round if `seat` went out now."""
        points = [self._now(view, Side(side), seat) for side in range(view.sides)]
        points[view.side_of(seat)] += self._general.going_out
        return points

    def _now(self, view: Position, side: Side, seat: Seat) -> float:
        held = sum(len(view.hands[other]) for other in view.members(side) if other != seat)
        return view.table_points(side) - self._general.card * held

    def ending(self, after: Position, seat: Seat) -> float:
        """What a way out is worth beside others that leave as many cards: the points of the side,
        once they can be counted.
        """
        score = after.score().totals if after.turn.step is Step.OVER else after.totals
        return score[after.side_of(seat)]

    def wants_out(self, view: Position, seat: Seat) -> bool:
        """Whether it pays to end the round now, the whole hand of `seat` being laid."""
        ahead, won = self.lead(view, seat)
        return ahead >= self._general.out_margin if won is None else won

    def wants_advice(self, view: Position, seat: Seat) -> bool:
        """Whether to ask the partner before one goes out."""
        partner = view.partner_of(seat)
        return partner is not None and len(view.hands[partner]) >= self._general.ask_from

    def agrees(self, view: Position, seat: Seat) -> bool:
        """Whether `seat` lets its partner go out."""
        if agrees_hastily(view, Answer(True)):
            return False
        if self.cost(view, view.hand_cards(seat)) <= self._general.agree_to:
            return True
        return self.threat(view, seat) > self._general.agree_from

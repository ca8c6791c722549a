"""Search through what may be, for one move: an information-set Monte Carlo tree search.

P. I. Cowling, E. J. Powley, D. Whitehouse, "Information set Monte Carlo tree search", 2012: each
pass draws a world that agrees with all that the seat can see, and goes down one tree that all
worlds share, whose nodes are what the seat would know there. Here the tree reaches to the end of
the seat's turn; what follows is played by the judge for all seats until the turn comes back, and
judged there. All moves of the root are tried in the same worlds, so that luck of the deal cancels
out, and those that are surely worse are left out as soon as that shows. The move that the level
below would make is the yardstick: another one is chosen for what it gains over that beyond doubt.
"""

import random
from collections.abc import Callable, Mapping
from functools import partial
from math import inf, log, sqrt

from attrs import define, field

from client.bots import look_ahead
from client.bots.blunders import agrees_hastily, sensible
from client.bots.evaluation import Judge
from client.bots.look_ahead import drawing, throw_worth
from client.bots.play_out import round_worth
from client.bots.worlds import copied, world
from engine.dealer import PlainDealer
from engine.moves import Discard, LayMelds, Move
from engine.position import Position
from engine.slots import Seat, Side
from engine.turn import Step

MOST_LAYINGS = 3
MOST_DISCARDS = 4
"""So many of the layings and discards that the judge values most are tried."""

FEWEST_WORLDS = 4
"""Before so many worlds no move is left out, and none is preferred."""

DOUBT = 1.0
"""Standard errors that a move's gain must exceed to be preferred."""

WORSE = 2.0
"""Standard errors by which a move must fall short to be left out."""

_EXPLORATION = 1.4  # of UCB1, in units of the spread of values at a node
_WIDENING = 6  # passes through a node for each further move that is tried there
_MOST_MOVES = 120  # of one playing out

Faces = tuple[str, ...]


@define
class Tally:
    """What a move has gained over the yardstick: in how many worlds, the sum, and that of squares.
    Tallies of several searches add up.
    """

    worlds: int = 0
    gain: float = 0.0
    squares: float = 0.0

    def note(self, gain: float) -> None:
        self.worlds += 1
        self.gain += gain
        self.squares += gain * gain

    def add(self, other: "Tally") -> None:
        self.worlds += other.worlds
        self.gain += other.gain
        self.squares += other.squares

    def bound(self, errors: float) -> float:
        """The mean gain and so many standard errors; without enough worlds nothing is sure."""
        if self.worlds < FEWEST_WORLDS:
            return inf if errors > 0 else -inf
        mean = self.gain / self.worlds
        spread = max(0.0, self.squares / self.worlds - mean * mean)
        return mean + errors * sqrt(spread / (self.worlds - 1))


@define
class _Node:
    """What the seat would know at a place of its turn, and how the passes through it ended."""

    visits: int = 0
    total: float = 0.0
    children: dict[tuple[Move, Faces], "_Node"] = field(factory=dict)

    @property
    def mean(self) -> float:
        return self.total / self.visits if self.visits else 0.0


@define
class Search:
    """One search for the seat to move in `view`. `yardstick` is the move of the level below."""

    view: Position
    judge: Judge
    rng: random.Random
    yardstick: Move
    seat: Seat = field(init=False)
    moves: tuple[Move, ...] = field(init=False)
    tallies: dict[Move, Tally] = field(init=False)
    played: int = field(init=False, default=0)
    """How many moves were made in the mind."""
    _roots: dict[Move, _Node] = field(init=False)

    def __attrs_post_init__(self) -> None:
        seat = self.view.to_move
        assert seat is not None
        self.seat = seat
        others = [move for move in self._promising(self.view) if move != self.yardstick]
        self.moves = (self.yardstick, *others)
        self.tallies = {move: Tally() for move in self.moves}
        self._roots = {move: _Node() for move in self.moves}

    def run(self, goes_on: Callable[[int], bool]) -> None:
        """Try the moves in one world after the other, while `goes_on` says so of the number of
        moves played, and while more than one move is left.
        """
        left = list(self.moves)
        while len(left) > 1 and goes_on(self.played):
            dealer = world(self.view, self.seat, self.rng)
            worth = {move: self._pass(move, copied(dealer)) for move in left}
            for move in left[1:]:
                self.tallies[move].note(worth[move] - worth[self.yardstick])
            sure = max(0.0, *(self.tallies[move].bound(-WORSE) for move in left[1:]))
            left[1:] = [move for move in left[1:] if self.tallies[move].bound(WORSE) > sure]

    # -- one pass

    def _pass(self, move: Move, dealer: PlainDealer) -> float:
        """Go down from a move of the root, in a world, and add what came of it on the way."""
        path = [self._roots[move]]
        position = self._after(self.view, move, dealer)
        while position.to_move == self.seat and position.turn.step is Step.PLAY:
            node = path[-1]
            if not node.visits:
                break
            chosen, position = self._select(node, position, dealer)
            path.append(chosen)
        worth = self._play_out(position, dealer)
        for node in path:
            node.visits += 1
            node.total += worth
        return worth

    def _after(self, position: Position, move: Move, dealer: PlainDealer) -> Position:
        self.played += 1
        return dealer.fulfil(position.play(move))

    def _select(
        self, node: _Node, position: Position, dealer: PlainDealer
    ) -> tuple[_Node, Position]:
        """The child of a node to go to, by UCB1; first those that the judge values most."""
        view = dealer.view(position, self.seat)
        known = tuple(sorted([shown.card.code for shown in view.hand(self.seat)]))
        moves = self._promising(view)[: 1 + node.visits // _WIDENING]
        children = {move: node.children.setdefault((move, known), _Node()) for move in moves}
        means = [child.mean for child in children.values() if child.visits]
        spread = (max(means) - min(means) if means else 0.0) or 1.0
        visits = log(1 + sum(child.visits for child in children.values()))

        def promise(move: Move) -> float:
            child = children[move]
            if not child.visits:
                return inf
            return child.mean + _EXPLORATION * spread * sqrt(visits / child.visits)

        best = max(moves, key=promise)
        return children[best], self._after(position, best, dealer)

    def _play_out(self, position: Position, dealer: PlainDealer) -> float:
        """What the round is worth to the seat's side when its turn comes again, or at the end."""
        choose = partial(look_ahead.choose, judge=self.judge, rng=self.rng)
        away = False
        for _ in range(_MOST_MOVES):
            mover = position.to_move
            if mover is None:
                return round_worth(position, self.seat)
            away = away or position.turn.seat != self.seat
            if away and mover == self.seat and position.turn.step is Step.DRAW:
                break
            move = choose(dealer.view(position, mover))
            position = self._after(position, move, dealer)
        return self._ahead(position, dealer)

    def _ahead(self, position: Position, dealer: PlainDealer) -> float:
        """By how much the seat's side is ahead of the best other one, all hands being seen."""
        if position.to_move is None:
            return round_worth(position, self.seat)
        worth = []
        for number in range(position.sides):
            members = position.members(Side(number))
            standing = [self.judge.standing(dealer.view(position, m), m) for m in members]
            worth.append(sum(standing) / len(standing))
        mine = position.side_of(self.seat)
        return worth[mine] - max(w for side, w in enumerate(worth) if side != mine)

    # -- what is tried

    def _promising(self, view: Position) -> tuple[Move, ...]:
        """The moves that the judge values most."""
        moves = sensible(view, view.legal_moves(self.seat))
        if len(moves) < 2:
            return moves
        match view.turn.step:
            case Step.DRAW:
                return tuple(sorted(moves, key=drawing(view, self.seat, self.judge), reverse=True))
            case Step.PLAY:
                return (*self._layings(view, moves), *self._discards(view, moves))
            case Step.ANSWER:
                return tuple(move for move in moves if not agrees_hastily(view, move))
            case _:
                return moves[:1]

    def _layings(self, view: Position, moves: tuple[Move, ...]) -> tuple[Move, ...]:
        worth = {
            move: self.judge.standing(view.play(move), self.seat)
            for move in moves
            if isinstance(move, LayMelds)
        }
        return tuple(sorted(worth, key=worth.__getitem__, reverse=True)[:MOST_LAYINGS])

    def _discards(self, view: Position, moves: tuple[Move, ...]) -> tuple[Move, ...]:
        throws = [move for move in moves if isinstance(move, Discard)]
        order = sorted(throws, key=throw_worth(view, self.seat, self.judge), reverse=True)
        return tuple(order[:MOST_DISCARDS])


def surest(yardstick: Move, tallies: Mapping[Move, Tally]) -> Move:
    """The move that gains most over the yardstick beyond doubt, or the yardstick."""
    if not tallies:
        return yardstick
    best = max(tallies, key=lambda move: tallies[move].bound(-DOUBT))
    return best if tallies[best].bound(-DOUBT) > 0 else yardstick

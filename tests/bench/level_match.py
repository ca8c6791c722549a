"""A match between two levels of opponents, with the times of their moves and their blunders.

Whole rounds are played with the plain dealer, without cryptography. Times are processor time.
"""

import random
import time
from functools import partial

from attrs import asdict, define, field, frozen

from client.bots.blunders import agrees_hastily, wastes_wild
from client.bots.chooser import Budget, Chooser
from client.bots.levels import opponent
from engine.games import game_named
from engine.match import Match
from engine.moves import Answer, Discard, Move
from engine.plain_dealer import PlainDealer
from engine.position import Position
from engine.turn import Step
from tests.engine.simulation import at_random

AT_RANDOM = "random"
"""Name of the player of random legal moves."""


@frozen
class PlannedMatch:
    """A match to be played."""

    game: str
    players: int
    levels: tuple[str, str]
    """The first level plays on side `first`, the second on all other sides."""
    first: int
    seed: str
    imagined: int = Budget().moves
    """Number of moves that a level may play in one search."""


@define
class Blunders:
    """Counts of a level's blunders (`client.bots.blunders`), and of the occasions for each.

    Blunders are turns that ended stranded (of `turns`), wild cards wasted on a frozen pile (of
    `wild`), and hasty answers of yes (of `yes`).
    """

    turns: int = 0
    stranded: int = 0
    wild: int = 0
    wasted: int = 0
    yes: int = 0
    hasty: int = 0

    def watch(self, view: Position, move: Move, after: Position) -> None:
        """Count a move of this level, as its seat saw it."""
        match move:
            case Discard(shown):
                self.turns += 1
                self.stranded += is_stranded(after, view)
                self.wild += view.is_wild(shown.card)
                self.wasted += wastes_wild(view, move)
            case Answer(True):
                self.yes += 1
                self.hasty += agrees_hastily(view, move)

    def add(self, other: "Blunders") -> None:
        """Add the numbers of another count."""
        for name, count in asdict(other).items():
            setattr(self, name, getattr(self, name) + count)


def is_stranded(after: Position, discard: Position) -> bool:
    """Return True if a discard has left its seat with one card and no way to go out.

    `discard` is the position before the discard, `after` the position that followed it.
    """
    seat = discard.turn.seat
    if after.turn.step is Step.OVER or len(after.hands[seat]) != 1:
        return False
    return not (discard.may_go_out(discard.side) or discard.gets_more(seat))


@frozen
class Played:
    """The result of a match for the first level."""

    won: bool | None
    """True if the first level won; None for a draw."""
    points: tuple[float, float]
    """Points of the first level's side, and of the best other side."""
    rounds: int
    seconds: tuple[tuple[float, ...], tuple[float, ...]] = field(repr=False)
    """Seconds for each move of the first level, and of the second."""
    blunders: tuple[Blunders, Blunders]
    """Blunders of the first level, and of the second."""


def play(planned: PlannedMatch) -> Played:
    """Play one match; the same plan gives the same match."""
    game = game_named(planned.game)
    rng = random.Random(planned.seed)
    dealer = PlainDealer(rng.shuffle)
    budget = Budget(planned.imagined)
    choosers: list[Chooser] = [
        partial(at_random, rng=rng)
        if level == AT_RANDOM
        else opponent(level, planned.game, rng, budget)
        for level in planned.levels
    ]
    seconds: tuple[list[float], list[float]] = ([], [])
    blunders = (Blunders(), Blunders())
    match = Match.start(game, game.options(), planned.players)
    while True:
        match = dealer.fulfil(match)
        if match.over:
            break
        if match.round_over:
            match = match.close_round()
            continue
        assert match.round is not None
        seat = match.round.moving_seat
        level = int(match.round.side_of(seat) != planned.first)
        view = dealer.view(match.round, seat)
        start = time.thread_time()
        move = choosers[level](view)
        seconds[level].append(time.thread_time() - start)
        match = match.apply(move)
        assert match.round is not None
        blunders[level].watch(view, move, match.round)
    others = [total for side, total in enumerate(match.totals) if side != planned.first]
    return Played(
        won=None if match.winner is None else match.winner == planned.first,
        points=(match.totals[planned.first], max(others)),
        rounds=len(match.sheets),
        seconds=(tuple(seconds[0]), tuple(seconds[1])),
        blunders=blunders,
    )

"""A match between two levels of opponents, with the times of their moves and their blunders.

Whole rounds are played with the plain dealer, without cryptography. Times are processor time.
"""

import random
import time
from collections import Counter
from functools import partial

from attrs import field, frozen

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


def blunders_in(view: Position, move: Move, after: Position) -> Counter[str]:
    """Return the blunders in a move (`client.bots.blunders`), and the occasions for each.

    Blunders are turns that ended stranded (of `turns`), wild cards wasted on a frozen pile (of
    `wild`), and hasty answers of yes (of `yes`). `view` is what the seat that moves saw.
    """
    found = Counter[str]()
    match move:
        case Discard(shown):
            found["turns"] += 1
            found["stranded"] += is_stranded(after, view)
            found["wild"] += view.is_wild(shown.card)
            found["wasted"] += wastes_wild(view, move)
        case Answer(True):
            found["yes"] += 1
            found["hasty"] += agrees_hastily(view, move)
    return found


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
    blunders: tuple[Counter[str], Counter[str]]
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
    blunders = Counter[str](), Counter[str]()
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
        blunders[level].update(blunders_in(view, move, match.round))
    others = [total for side, total in enumerate(match.totals) if side != planned.first]
    return Played(
        won=None if match.winner is None else match.winner == planned.first,
        points=(match.totals[planned.first], max(others)),
        rounds=len(match.sheets),
        seconds=(tuple(seconds[0]), tuple(seconds[1])),
        blunders=blunders,
    )

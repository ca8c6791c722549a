"""Playing rounds out: the search of the level `strong`, used only when the seat could go out.

For each choice the round is played to its end, in several worlds that agree with everything that
the seat can see. The choice with the best average is made. In all other positions the level looks
one move ahead.
"""

import random
from functools import partial

from client.bots import one_move_ahead
from client.bots.blunders import sensible
from client.bots.evaluator import Evaluator
from client.bots.match_end import match_won, worth_ahead
from client.bots.one_move_ahead import going_out, staying
from client.bots.worlds import copied, played_out, world
from engine.moves import Ask, Move
from engine.position import Position
from engine.slots import Seat, Side
from engine.turn import Step

MOST_WORLDS = 12
MOST_MOVES = 450
"""Maximum number of moves in all worlds together, because a person is waiting."""

FAR = 75
"""Moves after which a round is broken off, and valued by the points on the table."""


def choose(view: Position, evaluator: Evaluator, rng: random.Random) -> Move:
    """Return a legal move for the seat to move; `rng` deals the worlds and cuts the deck."""
    seat = view.moving_seat
    choices = endings(view, seat, evaluator)
    if evaluator.exact or len(choices) < 2:
        return one_move_ahead.choose(view, evaluator, rng)
    follow = partial(one_move_ahead.choose, evaluator=evaluator, rng=rng)
    worth = dict.fromkeys(choices, 0.0)
    moves = 0
    for _ in range(MOST_WORLDS):
        # All choices are played in the same worlds, so that all have the same luck. Therefore a
        # world is begun only if enough moves are left to play every choice in it.
        if moves + FAR * len(choices) > MOST_MOVES:
            break
        dealer = world(view, seat, rng)
        for move in choices:
            end, played = played_out(view.play(move), copied(dealer), follow, FAR)
            worth[move] += round_worth(end, seat)
            moves += played
    return max(choices, key=worth.__getitem__)


def endings(view: Position, seat: Seat, evaluator: Evaluator) -> tuple[Move, ...]:
    """Return the choices of a seat that could go out; () if it could not.

    The choices are the best way out, the best move that does not lead out, and asking the partner.
    """
    if view.turn.step is not Step.PLAY:
        return ()
    moves = sensible(view, view.legal_moves(seat))
    out = going_out(view, seat, evaluator, moves)
    if out is None:
        return ()
    asking = (Ask(),) if Ask() in moves else ()
    # If every move leads out, both functions return the same move, which is listed once.
    return tuple(dict.fromkeys((out, staying(view, seat, evaluator, moves), *asking)))


def round_worth(end: Position, seat: Seat) -> float:
    """Return the value of a round, over or broken off, for the side of `seat`."""
    mine = end.side_of(seat)
    sides = [Side(side) for side in range(end.sides)]
    points = end.sheet.totals if end.sheet else [end.table_points(side) for side in sides]
    ahead = points[mine] - max(p for side, p in enumerate(points) if side != mine)
    return worth_ahead(end, ahead, match_won(end, mine, points) if end.sheet else None)

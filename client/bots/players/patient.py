"""Searches through many worlds before each move, for as long as its budget lasts.

The yardstick is the move of the level below; so it is never worse by more than doubt allows.
"""

import random
from functools import partial

from client.bots import play_out
from client.bots.judges import judge_of
from client.bots.level import Budget, Level
from client.bots.search import Search, surest
from engine.game import Game
from engine.moves import Move
from engine.position import Position
from engine.sentences import N_


def choose(view: Position, game: Game, rng: random.Random, budget: Budget) -> Move:
    """A legal move for the seat to move."""
    judge = judge_of(game, tuned=True)
    yardstick = play_out.choose(view, judge, rng)
    search = Search(view, judge, rng, yardstick)
    if len(search.moves) < 2:
        return yardstick
    if budget.seconds is None:
        search.run(lambda played: played < budget.moves)
        return surest(yardstick, search.tallies)
    from client.bots.search_processes import ALL_CORES, Task  # noqa: PLC0415 - for this level alone

    task = Task(game.name, view, yardstick, budget.seconds, f"{rng.random()}")
    return surest(yardstick, ALL_CORES.search(task, budget.check))


LEVEL = Level(
    N_("patient"),
    4,
    lambda game, rng, budget: partial(choose, game=game, rng=rng, budget=budget),
    seconds=5.0,
)

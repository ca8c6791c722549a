"""The level `patient` tries the most promising moves in many worlds, as long as its budget lasts.

`client.bots.search` explains the search.
"""

import random
from functools import partial

from client.bots.level import Budget, Level
from engine.game import Game
from engine.moves import Move
from engine.position import Position
from engine.sentences import N_

_ENDINGS = 4  # factor of the budget's moves if every world is played to the end


def choose(view: Position, game: Game, rng: random.Random, budget: Budget) -> Move:
    """Return a legal move for the seat to move."""
    # Lazy imports: every display needs the names of the levels, few need the code of this one.
    from client.bots import one_move_ahead  # noqa: PLC0415
    from client.bots.judges import judge_of  # noqa: PLC0415
    from client.bots.search import Search, candidates, surest  # noqa: PLC0415
    from client.bots.weights import Tuning  # noqa: PLC0415

    judge = judge_of(game, Tuning.LEARNT)
    yardstick = one_move_ahead.choose(view, judge, rng)
    tried = candidates(view, judge, yardstick)
    if len(tried) < 2:
        return yardstick
    if budget.seconds is None:
        search = Search(view, judge, rng, tried)
        most = budget.moves * (_ENDINGS if search.to_the_end else 1)

        def goes_on(played: int) -> bool:
            budget.check()
            return played < most

        search.run(goes_on)
        return surest(tried, search.tallies)
    from client.bots.search_processes import ALL_CORES, Task  # noqa: PLC0415 - for this level alone

    task = Task(game.name, view, tried, budget.seconds, f"{rng.random()}")
    return surest(tried, ALL_CORES.search(task, budget.check))


LEVEL = Level(
    N_("patient"),
    40,
    lambda game, rng, budget: partial(choose, game=game, rng=rng, budget=budget),
    seconds=5.0,
)

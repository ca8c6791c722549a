"""The judges of positions: the file of a game in `client/bots/games` has its own, and any other
game is judged by what all positions tell.
"""

from functools import cache
from importlib import import_module
from pkgutil import iter_modules

import client.bots.games as files
from client.bots.any_game import AnyGameJudge
from client.bots.evaluation import Judge
from engine.game import Game


def judge_of(game: Game, *, tuned: bool) -> Judge:
    """What is thought of positions of `game`, with weights set by hand or those found by play."""
    return _judge(game.name, tuned)


@cache
def _judge(name: str, tuned: bool) -> Judge:
    if name not in {module.name for module in iter_modules(files.__path__)}:
        return AnyGameJudge(tuned=tuned)
    judge: Judge = import_module(f"{files.__name__}.{name}").judge(tuned=tuned)
    return judge

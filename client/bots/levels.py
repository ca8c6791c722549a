"""The levels of opponents, by name: one for each file in `client/bots/players`."""

import random
from collections.abc import Callable, Mapping
from functools import partial
from importlib import import_module
from pkgutil import iter_modules

import client.bots.players as files
from client.bots.level import Budget, Chooser, Level
from engine.games import game_named
from engine.moves import Move
from engine.position import Position


def _found() -> Mapping[str, Level]:
    modules = (
        import_module(f"{files.__name__}.{file.name}") for file in iter_modules(files.__path__)
    )
    levels: list[Level] = [module.LEVEL for module in modules]
    return {level.name: level for level in sorted(levels, key=lambda level: level.strength)}


_ALL = _found()
_BY_COUNT = Budget()

LEVELS = tuple(_ALL)
"""Names of the levels, the weakest first."""


def opponent(level: str, game: str, rng: random.Random, budget: Budget = _BY_COUNT) -> Chooser:
    """Return a chooser of moves of `game` at that level, within the budget.

    The chooser takes all randomness from `rng`. Raises ValueError for a level that does not exist.
    """
    if level not in _ALL:
        raise ValueError(f"There is no level {level!r}; there are {', '.join(LEVELS)}.")
    return partial(_choose_as_seen, _ALL[level].player(game_named(game), rng, budget))


def seconds_of(level: str) -> float:
    """Return the longest time that the level takes for a move in play."""
    return _ALL[level].seconds


def about_level(level: str) -> str:
    """Return the untranslated sentence on how a level plays; "" if there is no such level."""
    return _ALL[level].about if level in _ALL else ""


def _choose_as_seen(player: Callable[[Position], Move], view: Position) -> Move:
    """Return the player's choice from the view of the seat to move.

    The view is cut down to its own hand, so that a player cannot look at other private cards.
    """
    seat = view.to_move
    if seat is None:
        raise ValueError("Nobody is to move.")
    own = [shown for slot, shown in view.private.items() if slot in view.hands[seat]]
    return player(view.seen(own))

"""The levels of opponents, by name. `client.bots.level_choosers` has the code of each."""

import random
from collections.abc import Mapping
from functools import partial
from importlib import import_module

from attrs import frozen

from client.bots.chooser import Budget, Chooser
from engine.games import game_named
from engine.moves import Move
from engine.position import Position
from engine.sentences import N_


@frozen
class Level:
    """A level of opponents: its description, and its longest thinking time."""

    about: str
    """Sentence for the settings that tells how the level plays."""
    seconds: float = 1.0
    """Longest time that the level takes for a move in play."""


_LEVELS: Mapping[str, Level] = {
    N_("easy"): Level(N_("Plays as a beginner does: overlooks much, and thinks of nobody else.")),
    N_("middle"): Level(N_("Weighs each move on its own, and does not count the cards.")),
    N_("strong"): Level(
        N_("Counts the cards, and plays the round out in its mind before going out.")
    ),
    N_("patient"): Level(
        N_(
            "Tries the best moves in many deals that fit what it sees, mostly for less than a "
            "second, at most for five. If it has a partner, it does so only when the round may end."
        ),
        seconds=5.0,
    ),
}

LEVELS = tuple(_LEVELS)
"""Names of the levels, the weakest first."""

_BY_COUNT = Budget()


def opponent(level: str, game: str, rng: random.Random, budget: Budget = _BY_COUNT) -> Chooser:
    """Return a chooser of moves of `game` at that level, within the budget.

    The chooser takes all randomness from `rng`. Raises ValueError for a level that does not exist.
    """
    if level not in _LEVELS:
        raise ValueError(f"There is no level {level!r}; there are {', '.join(LEVELS)}.")
    # Lazy import: every display needs the names of the levels, few need their code.
    player = getattr(import_module("client.bots.level_choosers"), level)
    return partial(_choose_as_seen, player(game_named(game), rng, budget))


def seconds_of(level: str) -> float:
    """Return the longest time that the level takes for a move in play."""
    return _LEVELS[level].seconds


def about_level(level: str) -> str:
    """Return the untranslated sentence on how a level plays; "" if there is no such level."""
    return _LEVELS[level].about if level in _LEVELS else ""


def _choose_as_seen(player: Chooser, view: Position) -> Move:
    """Return the player's choice from the view of the seat to move.

    The view is cut down to the seat's hand, so that the player cannot see other private cards.
    """
    seat = view.moving_seat
    own = [shown for slot, shown in view.private.items() if slot in view.hands[seat]]
    return player(view.seen(own))

"""The levels of opponents, by name."""

import random
from collections.abc import Callable, Mapping
from functools import partial

from client.bots import easy, middle, strong
from client.bots import random_player as at_random
from client.bots.canasta import CanastaJudge
from client.bots.canastra import CanastraJudge
from client.bots.evaluation import Judge
from client.bots.kanastic import KanasticJudge
from client.bots.runner import Chooser
from client.bots.weights import (
    CANASTA_STRONG,
    CANASTRA_STRONG,
    KANASTIC_STRONG,
    CanastraWeights,
    KanasticWeights,
    LikeWeights,
)
from engine.moves import Move
from engine.position import Position

LEVELS = ("easy", "middle", "strong")
"""From child's play upwards. Beside them there is RANDOM, to measure against."""

RANDOM = "random"

_JUDGES: Mapping[tuple[str, str], Judge] = {
    ("middle", "canasta"): CanastaJudge(LikeWeights()),
    ("middle", "kanastic"): KanasticJudge(KanasticWeights()),
    ("middle", "canastra"): CanastraJudge(CanastraWeights()),
    ("strong", "canasta"): CanastaJudge(CANASTA_STRONG),
    ("strong", "kanastic"): KanasticJudge(KANASTIC_STRONG),
    ("strong", "canastra"): CanastraJudge(CANASTRA_STRONG),
}


def opponent(level: str, game: str, rng: random.Random) -> Chooser:
    """Chooses moves of `game` at that level. All chance is drawn from `rng`.

    Raises ValueError for a level that does not exist.
    """
    return partial(_choose_as_seen, _player(level, game, rng))


def judge_of(level: str, game: str) -> Judge:
    """What the middle or the strong level thinks of positions of `game`."""
    return _JUDGES[level, game]


def _player(level: str, game: str, rng: random.Random) -> Callable[[Position], Move]:
    match level:
        case "random":
            return partial(at_random.choose, rng=rng)
        case "easy":
            return partial(easy.choose, rng=rng)
        case "middle":
            return partial(middle.choose, judge=judge_of(level, game), rng=rng)
        case "strong":
            return partial(strong.choose, judge=judge_of(level, game), rng=rng)
        case _:
            raise ValueError(f"There is no level {level!r}; there are {', '.join(LEVELS)}.")


def _choose_as_seen(player: Callable[[Position], Move], view: Position) -> Move:
    """The choice from the view of the seat to move: of what is private, its own hand alone."""
    seat = view.to_move
    if seat is None:
        raise ValueError("Nobody is to move.")
    own = {slot: card for slot, card in view.private.items() if slot in view.hands[seat]}
    return player(view.seen(own))

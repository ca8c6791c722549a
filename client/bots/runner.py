"""The runner of an opponent: it watches a node and moves when the table waits for it."""

import random
from collections.abc import Awaitable, Callable

import trio

from client.bots.chooser import Budget, Chooser
from client.bots.levels import opponent, seconds_of
from engine.position import Position
from engine.turn import Step
from p2p.match.match_node import MatchNode

Pause = Callable[[Position], Awaitable[None]]
"""Function that waits before a choice, so that people can follow."""


PACES = {"at once": 0.0, "quick": 0.3, "calm": 1.0}
"""Pause of an opponent at the beginning of its turn, in seconds, by the value of the setting."""


SEEDED_MOVES = 1000
"""Number of moves to play in a search if the choices of a level must be repeatable."""


def opponent_at_table(level: str, game: str, seed: str | None) -> Chooser:
    """Return an opponent for a table at which people wait.

    The opponent must be called in a thread that Trio has started, so that it can be cancelled.

    With a seed, the search is limited by a number of moves, so its choices are repeatable. Without
    a seed, the search is limited by time, and uses all cores.
    """
    check = trio.from_thread.check_cancelled
    if seed is None:
        budget = Budget(seconds=seconds_of(level), check=check)
    else:
        budget = Budget(moves=SEEDED_MOVES, check=check)
    return opponent(level, game, random.Random(seed), budget)


async def at_once(_view: Position) -> None:
    """Return without a pause."""


def before_draws(seconds: float) -> Pause:
    """Return a pause at the beginning of each turn, so that a person can follow."""

    async def pause(view: Position) -> None:
        if view.turn.step in (Step.OPEN, Step.DRAW):
            await trio.sleep(seconds)

    return pause


async def sit_in(node: MatchNode, choose: Chooser, pause: Pause = at_once) -> None:
    """Play for `node` until it stops."""
    # The changes are asked for before the first look at the node, so that none is missed.
    changes = node.changes()
    while True:
        if node.chooses:
            state, view = node.state, node.view
            assert view is not None
            await pause(view)
            move = await trio.to_thread.run_sync(choose, view)
            if node.chooses and node.state is state:  # the table may have gone on meanwhile
                await node.play(move)
        try:
            await anext(changes)
        except StopAsyncIteration:
            return

"""Puts an opponent on a seat: it watches its node and moves when the table waits for it."""

import random
from collections.abc import Awaitable, Callable

import trio

from client.bots.level import Budget, Chooser
from client.bots.levels import opponent, seconds_of
from engine.position import Position
from engine.turn import Step
from p2p.table.node import Node

Pause = Callable[[Position], Awaitable[None]]
"""Waits for as long as it should take to choose, besides the choosing itself."""


PACES = {"at once": 0.0, "quick": 0.3, "calm": 1.0}
"""Seconds for which an opponent thinks at least before it draws, by the name of the setting."""


SEEDED_MOVES = 1000
"""Moves that a level may play in its mind where its choices are to come out the same again."""


def opponent_at_table(level: str, game: str, seed: str | None) -> Chooser:
    """An opponent for a table at which people wait, in a thread that Trio has started: with a seed
    it thinks by count, and the seed fixes its choices; otherwise by time, and on all cores.
    """
    check = trio.from_thread.check_cancelled
    if seed is None:
        budget = Budget(seconds=seconds_of(level), check=check)
    else:
        budget = Budget(moves=SEEDED_MOVES, check=check)
    return opponent(level, game, random.Random(seed), budget)


async def at_once(_view: Position) -> None:
    """No pause."""


def before_draws(seconds: float) -> Pause:
    """A pause at the beginning of each turn, so that a person can follow."""

    async def pause(view: Position) -> None:
        if view.turn.step in (Step.OPEN, Step.DRAW):
            await trio.sleep(seconds)

    return pause


async def sit_in(node: Node, choose: Chooser, pause: Pause = at_once) -> None:
    """Play for `node` until it stops."""
    changes = node.changes()
    while True:
        if node.chooses:
            state, view = node.state, node.view
            assert view is not None
            await pause(view)
            move = await trio.to_thread.run_sync(choose, view)
            if node.state is state:  # the table has not gone on without this seat
                await node.play(move)
        try:
            await anext(changes)
        except StopAsyncIteration:
            return

"""Puts an opponent on a seat: it watches its node and moves when the table waits for it."""

from collections.abc import Callable

import trio

from engine.moves import Move
from engine.position import Position
from p2p.node import Node

Chooser = Callable[[Position], Move]


async def sit_in(node: Node, choose: Chooser) -> None:
    """Play for `node` until it stops."""
    changes = node.changes()
    while True:
        if node.chooses:
            view = node.view
            assert view is not None
            await node.play(await trio.to_thread.run_sync(choose, view))
        try:
            await anext(changes)
        except StopAsyncIteration:
            return

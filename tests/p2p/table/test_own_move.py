"""A player's own move: when it is made."""

from types import SimpleNamespace
from typing import Any

import trio
from trio.testing import wait_all_tasks_blocked

from engine.moves import DrawStock
from p2p.table.node import Node


class Waiting(Node):
    """A node of which nothing counts but what its record says, and whether it is over."""

    state: Any = "before"
    over = False

    def __init__(self) -> None:
        self.progress = trio.Event()
        self._player = SimpleNamespace(choose=lambda _move: None)  # type: ignore[assignment]


async def ends(node: Waiting, **change: object) -> bool:
    """Whether a move is made when that has changed, and not before, whatever else does."""
    made: list[Waiting] = []

    async def play() -> None:
        await node.play(DrawStock())
        made.append(node)

    async with trio.open_nursery() as nursery:
        nursery.start_soon(play)
        for _ in range(2):
            await wait_all_tasks_blocked()
            node.wake()
        assert made == []
        vars(node).update(change)
        node.wake()
        await wait_all_tasks_blocked()
        nursery.cancel_scope.cancel()
    return bool(made)


async def test_a_move_is_made_when_it_is_in_the_record_or_none_can_follow() -> None:
    assert await ends(Waiting(), state="after")
    assert await ends(Waiting(), over=True)
    assert not await ends(Waiting())

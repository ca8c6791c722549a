"""Moves and unlockings of others that a node takes at once and keeps later."""

from pathlib import Path

import pytest
import trio

from engine.position import Position
from p2p.match.match_node import MatchNode
from protocol.entries import UnlockContent
from tests.p2p.machines import Machines

pytestmark = pytest.mark.usefixtures("autojump_clock", "on_memory", "without_proofs")


async def test_what_is_kept_later_is_in_the_journal_when_the_table_rests(tmp_path: Path) -> None:
    """Although nothing else is written meanwhile: whoever has drawn thinks."""
    machines = Machines.make(2, tmp_path)
    await machines.sit_down("canasta")
    after_unlockings = 0

    async def look(node: MatchNode) -> None:
        nonlocal after_unlockings
        while True:
            with trio.move_on_after(1):
                await node.progress.wait()
                continue
            (highest,) = node.journal._query("SELECT coalesce(max(height), 0) FROM entries")
            assert highest == (node.height,)
            if (last := node.state.last) is not None:
                after_unlockings += isinstance(last.content, UnlockContent)
            await node.progress.wait()

    async def think(_position: Position) -> None:
        await trio.sleep(2)

    for machine in machines.all:
        machine.steward, machine.pause = look, think
    await machines.play(until=40)
    assert after_unlockings > 3

"""Moves and unlockings of others that a node takes at once and keeps later."""

from collections import Counter
from pathlib import Path
from typing import Any

import pytest
import trio
from trio.testing import MockClock

from engine.games import game_named
from engine.position import Position
from p2p.match.match_node import MatchNode
from p2p.storage.journal import Journal
from protocol.entries import Body, Entry, UnlockContent
from tests.p2p.machines import Machines

pytestmark = pytest.mark.usefixtures("on_memory", "without_proofs")


async def test_only_moves_and_the_unlockings_of_a_card_or_two_by_others_are_kept_later(
    tmp_path: Path, autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Those of a deal, and all that this node signs, are kept before."""
    kept: Counter[tuple[str, bool, bool]] = Counter()
    deck = game_named("canasta").deck

    def note(journal: Any, entry: bytes, *, later: bool) -> None:
        body = Body.decode(Entry.decode(entry).body, deck)
        content, is_own = body.content, body.writer == journal.machine.number
        many = isinstance(content, UnlockContent) and len(content.shares) > 2
        kept[content.kind + (" of many" if many else ""), is_own, later] += 1

    append, defer = Journal.append, Journal.defer

    def appended(journal: Journal, table: bytes, height: int, entry: bytes, secrets: Any) -> None:
        note(journal, entry, later=False)
        append(journal, table, height, entry, secrets)

    def deferred(journal: Journal, table: bytes, height: int, entry: bytes) -> None:
        note(journal, entry, later=True)
        defer(journal, table, height, entry)

    monkeypatch.setattr(Journal, "append", appended)
    monkeypatch.setattr(Journal, "defer", deferred)
    machines = Machines.make(2, tmp_path)
    await machines.sit_down("canasta")
    await machines.play(until=40)
    assert {(kind, own) for kind, own, later in kept if later} == {
        ("unlock", False),
        ("move", False),
    }
    before = {kind for kind, own, later in kept if not own and not later}
    assert before >= {"shuffle", "unlock of many"}
    assert not before & {"unlock", "move"}
    assert {("unlock", True, False), ("move", True, False)} <= {*kept}


async def test_a_long_move_is_kept_before(
    tmp_path: Path, autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """To judge it may take longer, and waits in a thread."""
    monkeypatch.setattr("protocol.table.machine._BRIEF_MOVE", 160)
    lengths: list[int] = []
    defer = Journal.defer

    def deferred(journal: Journal, table: bytes, height: int, entry: bytes) -> None:
        lengths.append(len(entry))
        defer(journal, table, height, entry)

    monkeypatch.setattr(Journal, "defer", deferred)
    machines = Machines.make(2, tmp_path)
    await machines.sit_down("canasta")
    await machines.play(until=40)
    moves = [length for length in lengths if length < 250]  # an unlocking is longer
    assert moves
    assert max(moves) <= 160


async def test_what_is_kept_later_is_in_the_journal_when_the_table_rests(
    tmp_path: Path, autojump_clock: MockClock
) -> None:
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

"""A node that comes back: see `tests/protocol/table/peers`."""

import shutil
from pathlib import Path

import pytest
import trio

from p2p.storage.journal import Journal
from protocol.charter import LEAST_GRACE
from protocol.table.resync import CLAIM_SECONDS, STATUS_SECONDS, Unheard
from tests.p2p.machines import Machines

pytestmark = pytest.mark.usefixtures("autojump_clock", "on_memory", "without_proofs")


def test_a_claim_is_waited_for_less_than_the_least_grace() -> None:
    assert CLAIM_SECONDS < LEAST_GRACE


async def test_a_whole_machine_that_was_put_back_signs_nothing_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No file tells that it is a copy. Bruno, who is away, has what it signed since."""
    machines = Machines.make(2, tmp_path)
    await machines.sit_down("canastra", rounds=1)
    ana, bruno = machines.all
    backup = tmp_path / "backup"

    def fate(_point: str) -> bool:
        if not backup.exists() and ana.height > 6 and ana.node and ana.node.chooses:
            shutil.copytree(ana.home, backup)
        return False

    ana.fate = fate
    await machines.play(until=12)
    shutil.rmtree(ana.home)
    shutil.copytree(backup, ana.home)
    ana.node, signed, before = None, ana.said.copy(), len(ana.entries())
    assert before < len(bruno.entries())
    monkeypatch.setattr(Journal, "is_doubtful", lambda _journal, _table: False)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(ana.play)
        await trio.sleep(5 * STATUS_SECONDS)
        assert ana.node is not None
        assert ana.node.node.resync.awaited == Unheard(silent=frozenset({1}))
        assert (ana.height, ana.said) == (before, signed)
        nursery.start_soon(bruno.play)
    machines.check_consistent()

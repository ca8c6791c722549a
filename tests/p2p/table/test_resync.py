"""A node that comes back to a table where somebody lies about how far the record goes."""

import shutil
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import trio

from p2p.match.match_node import MatchNode
from p2p.storage.journal import Journal
from protocol.charter import LEAST_GRACE
from protocol.table.heights import Heights
from protocol.table.messages import Acknowledgement, Status
from protocol.table.resync import CLAIM_SECONDS, COMPARE_SECONDS, STATUS_SECONDS, Unheard
from tests.p2p.machines import Machines, at

pytestmark = pytest.mark.usefixtures("autojump_clock", "on_memory", "without_proofs")

FAR = 1 << 32


class LyingAboutOthers(Heights):
    """As far as the bounds of a message go."""

    def status(self) -> Status:
        made_up = Acknowledgement(FAR, bytes(32), bytes(64))
        return Status(super().status().own, tuple((player, made_up) for player in range(3)))


class LyingAboutItself(Heights):
    """Heights by which a member claims a record that goes on for ever."""

    def status(self) -> Status:
        return Status(Acknowledgement.make(self.chain.table_id, FAR, bytes(32), self.sign))


def with_heights(heights: type[Heights], *arguments: Any) -> MatchNode:
    node = MatchNode(*arguments)
    peers = node.node.peers
    peers.known = heights(peers.chain, peers.me, peers.sign)
    return node


@pytest.mark.parametrize(
    ("lying", "seconds"), [(LyingAboutOthers, 3.0), (LyingAboutItself, 3.0 + CLAIM_SECONDS)]
)
async def test_a_lie_about_how_far_the_record_goes_delays_nobody_for_long(
    tmp_path: Path, lying: type[Heights], seconds: float
) -> None:
    """Ana comes back to a table where Bruno says that the record goes on for ever.

    It takes less than the least grace.
    """
    assert seconds < LEAST_GRACE
    machines = Machines.make(3, tmp_path)
    await machines.sit_down("canasta", rounds=1)
    ana, bruno, carla = machines.all
    await machines.play_until_one_dies(at(6))
    for machine in machines.all:
        machine.deaths += 1  # they draw other keys from now on

    bruno.make_node = partial(with_heights, lying)
    async with trio.open_nursery() as nursery:
        for machine in (bruno, carla):
            nursery.start_soon(machine.play)
        await trio.sleep(STATUS_SECONDS + 1)
        nursery.start_soon(ana.play)
        with trio.fail_after(seconds):
            while ana.node is None or not ana.node.node.resync.done:
                await trio.sleep(0.1)
        nursery.cancel_scope.cancel()


async def test_who_waits_for_what_somebody_says_they_have_can_say_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A journal older than its own signatures takes the word of all.

    A claim that nothing follows is none.
    """
    machines = Machines.make(2, tmp_path)
    await machines.sit_down()
    ana, bruno = machines.all
    await machines.play_until_one_dies(at(6))
    monkeypatch.setattr(Journal, "is_doubtful", lambda _journal, _table: True)
    bruno.make_node = partial(with_heights, LyingAboutItself)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(bruno.play)
        await trio.sleep(1)
        nursery.start_soon(ana.play)
        await trio.sleep(COMPARE_SECONDS + STATUS_SECONDS)
        assert ana.node is not None
        assert ana.node.node.resync.awaited == Unheard(empty=frozenset({1}), doubtful=True)
        nursery.cancel_scope.cancel()


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

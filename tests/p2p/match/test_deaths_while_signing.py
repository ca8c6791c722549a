"""Deaths while a continuation is signed: the match goes on, and nobody is exposed.

A node dies before or after a write or send, at any point from when it accepts a proposal until all
have written at the next table. It then comes back. Each case begins with another of these points,
and tries every 24th from there on.
"""

from functools import partial
from itertools import count
from pathlib import Path

import pytest

from protocol.match.messages import Wish
from tests.p2p.machines import Machine
from tests.p2p.match.evening import END, OPPONENT, Evening, evening, until

pytestmark = pytest.mark.usefixtures("autojump_clock", "on_memory", "without_proofs")

PLAYERS = (0, 1, 2)
"""The players who go on without player 3."""


def signs(machine: Machine) -> bool:
    """Return True from the acceptance of a proposal until all have written at the next table."""
    node = machine.node
    if node is None:
        return False
    if node.charter.attempt:
        return len(node.state.wrote) < 4
    return bool(node.negotiation.mine.accepts)


def go_on(now: Evening) -> bool:
    """Return True if the remaining players have ended the match, or play at one table of four."""
    nodes = [now.node(number) for number in PLAYERS]
    if len({node.table_id for node in nodes}) > 1 or not nodes[0].charter.attempt:
        return False
    return all(node.state.ended or len(node.state.wrote) == 4 for node in nodes)


def has_died_or_gone_on(now: Evening, died: list[str]) -> bool:
    return bool(died) or go_on(now)


@pytest.mark.parametrize(
    ("who", "wish", "first"),
    [
        pytest.param(0, END, 0, id="leader, end"),
        pytest.param(2, END, 3, id="another, end"),
        pytest.param(0, OPPONENT, 5, id="leader, opponent"),
        pytest.param(2, OPPONENT, 8, id="another, opponent"),
    ],
)
async def test_the_others_go_on_wherever_somebody_dies_while_they_sign(
    tmp_path: Path, who: int, wish: Wish, first: int
) -> None:
    for number in count(first, 24):
        async with evening(4, tmp_path / f"{number}", wishes=wish) as now:
            now.nursery.start_soon(now.host_bots)
            died = now.machines.all[who].dies_once(number, signs)
            await now.kill(3)
            await until(partial(has_died_or_gone_on, now, died))
            if died:
                await now.died(who)
                now.switch_on(who)
                await until(partial(go_on, now))
        if not died:
            break
    assert number > 14


@pytest.mark.parametrize("wish", [END, OPPONENT], ids=["end", "opponent"])
@pytest.mark.parametrize("number", range(1, 32, 12))
async def test_a_power_cut_while_signing_exposes_nobody(
    tmp_path: Path, number: int, wish: Wish
) -> None:
    """Restart with all files as last synced."""
    async with evening(4, tmp_path / "all", wishes=wish) as now:
        now.nursery.start_soon(now.host_bots)
        for machine in now.machines.all:
            machine.disk = tmp_path / f"disk {machine.number}"
            machine.has_synced()
        died = now.machines.all[0].dies_once(number, signs)
        await now.kill(3)
        await until(partial(has_died_or_gone_on, now, died))
        if died:
            await now.died(0)
        await now.kill(*(machine.number for machine in now.alive))
        for player in PLAYERS:
            now.machines.all[player].cut_power()
        now.switch_on(*PLAYERS)
        await until(lambda: go_on(now))

"""Deaths while a continuation is signed: the match goes on, and nobody is exposed.

A node dies before or after a write or send, at some point between the acceptance of a proposal and
the moment when all have written at the next table. It then comes back. On the way to the end of the
match there are about 15 such points, on the way to a table with an opponent about 45.
"""

from pathlib import Path

import pytest

from protocol.match.messages import Wish
from tests.p2p.machines import Machine
from tests.p2p.match.evening import END, OPPONENT, Evening, evening, until

pytestmark = pytest.mark.usefixtures("autojump_clock", "on_memory", "without_proofs")

PLAYERS = (0, 1, 2)
"""The players who go on without player 3. Player 0 leads."""


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


async def goes_on_until_death(now: Evening, who: int, point: int) -> None:
    """Go on without player 3, until `who` has died at that point."""
    now.nursery.start_soon(now.host_bots)
    died = now.machines.all[who].dies_once(point, signs)
    await now.kill(3)
    await until(lambda: bool(died))
    await now.died(who)


@pytest.mark.parametrize(
    ("who", "wish", "point"),
    [
        pytest.param(0, END, 0, id="leader, end"),
        pytest.param(2, END, 12, id="another, end"),
        pytest.param(0, OPPONENT, 5, id="leader, opponent, early"),
        pytest.param(2, OPPONENT, 29, id="another, opponent"),
        pytest.param(0, OPPONENT, 40, id="leader, opponent, late"),
    ],
)
async def test_the_others_go_on_wherever_somebody_dies_while_they_sign(
    tmp_path: Path, who: int, wish: Wish, point: int
) -> None:
    async with evening(4, tmp_path, wishes=wish) as now:
        await goes_on_until_death(now, who, point)
        now.switch_on(who)
        await until(lambda: go_on(now))


@pytest.mark.parametrize(("wish", "point"), [(END, 7), (OPPONENT, 25)], ids=["end", "opponent"])
async def test_a_power_cut_while_signing_exposes_nobody(
    tmp_path: Path, wish: Wish, point: int
) -> None:
    """All machines start again with their files as last synced."""
    async with evening(4, tmp_path / "all", wishes=wish) as now:
        for machine in now.machines.all:
            machine.disk = tmp_path / f"disk {machine.number}"
            machine.has_synced()
        await goes_on_until_death(now, 0, point)
        await now.kill(*(machine.number for machine in now.alive))
        for player in PLAYERS:
            now.machines.all[player].cut_power()
        now.switch_on(*PLAYERS)
        await until(lambda: go_on(now))

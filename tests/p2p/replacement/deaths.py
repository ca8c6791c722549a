"""Three machines at a table, one of which dies."""

from pathlib import Path

import pytest

from tests.p2p.machines import Killed, Machine, Machines

GRACE = 30
"""Not the usual one: it is the charter that says it."""


async def three(tmp_path: Path) -> tuple[Machines, Machine, Machine, Machine]:
    machines = Machines.make(3, tmp_path)
    await machines.sit_down("canasta", rounds=1, grace=GRACE)
    ana, bruno, carla = machines.all
    return machines, ana, bruno, carla


def dies_at(machine: Machine, height: int) -> None:
    machine.fate = lambda _point: machine.node is not None and machine.node.height >= height


async def until_dead(machine: Machine) -> None:
    with pytest.raises(BaseExceptionGroup) as caught:
        await machine.play()
    assert caught.group_contains(Killed)
    machine.deaths += 1
    machine.fate = lambda _point: False

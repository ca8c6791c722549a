"""A network that was gone for a while: members are called again, and not before they are quiet."""

from pathlib import Path

import pytest
import trio

from client.bots.runner import before_draws
from p2p.background_task import beside
from p2p.table.calls import QUIET_SECONDS
from tests.p2p.machines import Machines
from tests.p2p.visitors.watchers import at_rest, node_at

pytestmark = pytest.mark.usefixtures("autojump_clock", "on_memory", "without_proofs")


async def seated(folder: Path, count: int) -> Machines:
    """At a table where each takes a second for a turn."""
    machines = Machines.make(count, folder)
    for machine in machines.all:
        machine.pause = before_draws(1.0)
    await machines.sit_down("canasta")
    return machines


@pytest.mark.parametrize("count", [2, 3])
async def test_who_is_quiet_is_called_again_though_the_connection_stands(
    tmp_path: Path, count: int
) -> None:
    """All connections lose what is sent: TCP tells nobody for many seconds."""
    machines = await seated(tmp_path, count)
    async with beside(machines.play):
        for machine in machines.all:
            await node_at(machine, 24)
        for wire in machines.network.wires:
            wire.is_full = True
        lost = trio.current_time()
        for machine in machines.all:
            await node_at(machine, machine.height + 4)
        assert trio.current_time() - lost < QUIET_SECONDS + 5
    machines.check_consistent()


async def test_nobody_is_called_again_as_long_as_they_are_heard(tmp_path: Path) -> None:
    machines = await seated(tmp_path, 3)
    async with at_rest(machines) as nodes:
        await trio.sleep(5)
        connected = len(machines.network.wires)
        await trio.sleep(120)
        assert len(machines.network.wires) == connected
        assert all(not node.unreached for node in nodes)


async def test_a_program_that_only_serves_the_record_is_called_once(tmp_path: Path) -> None:
    """Bruno's program runs, without a node at the table."""
    machines = await seated(tmp_path, 2)
    ana, bruno = machines.all
    async with bruno.process(), beside(ana.play):
        node = await node_at(ana, 0)
        while node.unreached:
            await trio.sleep(0.1)
        connected = len(machines.network.wires)
        await trio.sleep(120)
        assert len(machines.network.wires) == connected


async def test_after_a_cable_was_out_for_long_all_are_linked_again_within_seconds(
    tmp_path: Path,
) -> None:
    machines = await seated(tmp_path, 3)
    addresses = [machine.address for machine in machines.all]
    async with at_rest(machines) as nodes:
        machines.network.part(*addresses)
        await trio.sleep(300)
        assert all(len(node.unreached) == 2 for node in nodes)
        machines.network.heal()
        healed = trio.current_time()
        while any(node.unreached for node in nodes):
            await trio.sleep(0.1)
        assert trio.current_time() - healed < 5

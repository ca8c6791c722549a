"""The bounds of the machine that scenarios do not meet."""

from attrs import evolve

from protocol.table import events
from protocol.table.machine import TableMachine
from tests.protocol.table.machine_world import MachineWorld


def machine_at(height: int) -> TableMachine[str]:
    """Return the machine of Ana's node with so many entries."""
    world = MachineWorld()
    list(world.happens(f"begin ana {height}"))
    return world.machine


def judged_at_once(machine: TableMachine[str], length: int) -> bool:
    """Return True if an entry of so many bytes is judged at once."""
    event = events.Carried(2, machine.record.height + 1, bytes(length))
    task = machine.handle(event, 0).compute
    assert isinstance(task, events.JudgeEntry)
    return task.is_brief


def test_a_long_move_is_judged_in_a_thread() -> None:
    """It may show many cards."""
    draws = machine_at(32)
    assert judged_at_once(draws, 256)
    assert not judged_at_once(draws, 257)
    shuffles = machine_at(0)
    assert not judged_at_once(shuffles, 1)


def test_what_is_far_ahead_is_not_kept() -> None:
    """A member could fill the memory with it."""
    machine = machine_at(32)
    for height in range(34, 1000):
        ready = machine.handle(events.Carried(1, height, bytes(64)), 0)
        assert evolve(ready, wake=0) == events.Ready(wake=0)
    assert {height for _, height in machine._ahead} == {*range(34, 41)}

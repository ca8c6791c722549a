"""The bounds of the machine that scenarios do not meet."""

import pytest
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


@pytest.mark.parametrize("why", ["", "wrote", "continued", "comes back"])
def test_whose_record_stays_takes_no_other(why: str) -> None:
    """Whoever has written behind a fork, or goes on from there, or does not know if they have."""
    world = MachineWorld()
    for event in ("begin bruno 44", "link carla", "carla: carry 44 forked"):
        list(world.happens(event))
    record, resync = world.machine.record, world.machine.resync
    resync.done = why != "comes back"
    record.kept = 44 if why == "continued" else 43
    record._last[1] = {44 if why == "wrote" else 43: b"entry"}
    for height in (44, 45):
        list(world.happens(f"carla: carry {height} forked"))
    assert record.height == (44 if why else 45)
    assert len(record.chain.heads) == record.height + 1


def test_what_was_taken_back_is_forgotten() -> None:
    """Also who was exposed by what they wrote behind it."""
    world = MachineWorld()
    for event in ("begin bruno 44", "link carla", "carla: carry 45 another"):
        list(world.happens(event))
    record, world.machine.resync.done = world.machine.record, True
    assert [error.cause for error in record.exposures] == ["R9"]
    for height in (44, 44, 45):
        list(world.happens(f"carla: carry {height} forked"))
    assert [(error.cause, error.player) for error in record.exposures] == [("R8", 0)]
    assert [max(record._last[player]) for player in range(3)] == [44, 43, 45]
    assert [state.height for state in record._states.values()] == [*range(46)]

"""Machines of a match at one node, for tests: with a table that runs, or with records alone."""

from collections.abc import Iterable
from typing import Any

from protocol.match.history import History
from protocol.match.machine import MatchMachine
from protocol.state import State
from protocol.table import events
from protocol.table.record import TableRecord
from tests.protocol.seeded_table import SeededTable
from tests.protocol.table.machine_world import MachineWorld, a_round, table_machine


def begun(table: SeededTable, state: State | None = None, me: int = 0) -> History[Any]:
    """Return player `me`'s history of a match of one table, with a record up to `state`."""
    history, state = History[Any](), state or table.state
    history.add(TableRecord(me, state.charter.key_of(me), state), table.charter)
    return history


def machine_of(history: History[Any], table: SeededTable, me: int = 0) -> MatchMachine:
    """Return the machine of a player with that history."""
    key, sign = history.charter.key_of(me), table.signers[me]
    return MatchMachine(history.charter.match_id, me, key, sign, history, lambda *_: None)


def node_at(table: SeededTable, state: State) -> MatchMachine:
    """Return the machine of player 0 in a match of one table, with a record up to `state`."""
    return machine_of(begun(table, state), table)


def seated(table: SeededTable, me: int = 0, linked: Iterable[int] = ()) -> MatchMachine:
    """Return the machine of a player whose table begins at time 0, with links to others."""
    history = begun(table, me=me)
    record: TableRecord = history.newest
    machine = table_machine(record, table.signers[me], is_fresh=True)
    history.machines[record.table_id] = history.running[record.table_id] = machine
    machine.handle(events.Started(), 0.0)
    for player in linked:
        machine.handle(events.Linked(player, player), 0.0)
    return machine_of(history, table, me)


def forked_history(world: MachineWorld) -> History[TableRecord]:
    """Return the history of Bruno's node, who has both entries that Ana has signed at height 44."""
    for event in ("begin bruno 44", "link carla", "carla: carry 44 forked"):
        list(world.happens(event))
    history, record = History[TableRecord](), world.machine.record
    history.add(record, a_round().table.charter)
    history.machines[record.table_id] = history.running[record.table_id] = world.machine
    return history

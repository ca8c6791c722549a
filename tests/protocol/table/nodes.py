"""Machines of a match at one node, for tests: with a table that runs, or with records alone."""

from collections.abc import Iterable
from typing import Any

from protocol.match.history import History
from protocol.match.machine import MatchMachine
from protocol.state import State
from protocol.table import events
from protocol.table.machine import TableMachine
from protocol.table.own_player import OwnPlayer
from protocol.table.peers import Peers
from protocol.table.record import TableRecord
from tests.protocol.seeded_table import SeededTable
from tests.protocol.table.machine_world import MachineWorld, a_round


def node_at(table: SeededTable, state: State) -> MatchMachine:
    """Return the machine of player 0 in a match of one table, with a record up to `state`."""
    history, first = History[TableRecord](), state.charter
    history.add(TableRecord(0, first.key_of(0), state), table.charter)
    return MatchMachine(
        first.match_id, 0, first.key_of(0), table.signers[0], history, lambda *_: None
    )


def seated(seeded: SeededTable, me: int = 0, linked: Iterable[int] = ()) -> MatchMachine:
    """Return the machine of a player whose table begins at time 0, with links to others."""
    state, history = seeded.state, History[Any]()
    key = state.charter.key_of(me)
    record = TableRecord(me, key, state)
    history.add(record, seeded.charter)
    peers = Peers[Any](record.chain, me, seeded.signers[me], bytes(32))
    table = TableMachine(record, OwnPlayer(record, seeded.signers[me]), peers, is_fresh=True)
    history.machines[record.table_id] = history.running[record.table_id] = table
    table.handle(events.Started(), 0.0)
    for player in linked:
        table.handle(events.Linked(player, player), 0.0)
    return MatchMachine(
        state.charter.match_id, me, key, seeded.signers[me], history, lambda *_: None
    )


def forked_history(world: MachineWorld) -> History[TableRecord]:
    """Return the history of Bruno's node, who has both entries that Ana has signed at height 44."""
    for event in ("begin bruno 44", "link carla", "carla: carry 44 forked"):
        list(world.happens(event))
    history, record = History[TableRecord](), world.machine.record
    history.add(record, a_round().table.charter)
    history.machines[record.table_id] = history.running[record.table_id] = world.machine
    return history

"""The nodes of founders in an exploration: the real machines, started from a journal.

The exploration asks such a node whether it may write, or sign. The node has just started, and has
heard the others. So the answer depends only on its journal, and deaths before any step are covered.
"""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import cache, lru_cache
from typing import Any
from unittest.mock import patch

from attrs import define, field

from engine.moves import DrawStock
from protocol.errors import Refused
from protocol.lock_key import LockKey
from protocol.match import events as match_events
from protocol.match.history import History
from protocol.match.machine import MatchMachine
from protocol.match.statements import decode_statement
from protocol.place import Place
from protocol.table import events, tasks
from protocol.table.machine import TableMachine
from protocol.table.messages import Acknowledgement, Status
from protocol.table.own_player import OwnPlayer
from protocol.table.peers import Peers
from protocol.table.record import TableRecord
from protocol.table.tasks import Ready
from tests.protocol.computed_once import hash_to_point, is_signed
from tests.protocol.proofless import without_proofs
from tests.simulation.explored_match import ExploredMatch, Person, Table

View = tuple[int, int]
"""The knowledge of a node: the uid of the newest table that it knows, and its steps there."""

NONCE = bytes(32)
_MACHINES = 1 << 13
"""The size of each cache of machines."""

LATER = 1000.0
"""The seconds after the start at which all waits are over, such as grace and resync."""


@lru_cache(_MACHINES)
def _resting(match: ExploredMatch, player: int, view: View) -> TableRecord | TableMachine[Any]:
    """Return a founder's machine of a table, not started; the record if the founder has no seat."""
    table, person = match.by_uid[view[0]], match.founders[player]
    if player not in table.seats:
        return table.record(view[1], -1, person.member.key)
    record = table.record(view[1], player, person.member.key)
    own = OwnPlayer(record, person.sign)
    own.recall(table.locks[player])
    return TableMachine(record, own, Peers(record.chain, player, person.sign, NONCE))


def _started(
    match: ExploredMatch, player: int, view: View, doubtful: bool, heard: frozenset[int] | None
) -> TableMachine[Any]:
    """Return a founder's machine of a table, started; it has heard the players in `heard`."""
    machine = _resting.__wrapped__(match, player, view)
    assert isinstance(machine, TableMachine), "the founder has no seat at this table"
    machine.resync.doubtful = doubtful
    place: Place = machine.record.state.place
    _carry_out(machine, machine.handle(events.Restored(), 0.0))
    _carry_out(machine, machine.handle(events.Started(), 0.0))
    for other in machine.peers.others if heard is None else heard:
        signer = match.signer(match.by_uid[view[0]].signers, other)
        told = Acknowledgement.make(place.table_id, place.height, place.previous, signer)
        _carry_out(machine, machine.handle(events.Linked(other, other), 0.0))
        _carry_out(machine, machine.handle(events.Heard(other, Status(told, (), ())), 0.0))
    for now in (LATER, 2 * LATER):
        _carry_out(machine, machine.handle(events.Ticked(), now))
    return machine


def _carry_out(machine: TableMachine[Any], ready: Ready[Any]) -> bool:
    """Confirm the writes that the machine asks for; return True if it sends an entry meanwhile."""
    sent = any(isinstance(message, tasks.Entries) for _, message in ready.send)
    for what in ready.persist:
        sent |= _carry_out(machine, machine.handle(events.Persisted(what), 2 * LATER))
    return sent


_shared = lru_cache(_MACHINES)(_started)


@lru_cache(_MACHINES)
def _takes_step(
    match: ExploredMatch, player: int, view: View, doubtful: bool, heard: frozenset[int] | None
) -> bool:
    """Return True if a founder's machine writes the next step at a table, which is due."""
    machine, table = _started(match, player, view, doubtful, heard), match.by_uid[view[0]]
    if machine.player.chooses:
        machine.player.choose(DrawStock())
    if not machine.can_write:
        return False
    ready = machine.handle(events.Due(), 2 * LATER)
    assert isinstance(ready.compute, tasks.WriteEntry)
    after, entry = table.at(view[1] + 1).entries[machine.record.height]
    written = tasks.Written(after, entry, {})
    ready = machine.handle(events.Computed(ready.compute, written), 2 * LATER)
    return _carry_out(machine, ready)


@define(eq=False)
class Founder:
    """The node of a founder who knows some tables with their numbers of steps, the newest last.

    `signed` is the table for which the node has signed (0: none). If `doubtful`, its journal
    is an older copy. `heard` are the other members of the newest table that it has heard (None:
    all). Nodes share the machines of their tables, because questions do not change them; but
    a node that `talks` has its own machine for the newest table.
    """

    match: ExploredMatch
    player: int
    known: tuple[View, ...]
    signed: int = 0
    doubtful: bool = False
    heard: frozenset[int] | None = None
    talks: bool = False
    machine: MatchMachine = field(init=False)
    table: TableMachine[Any] | None = field(default=None, init=False)
    """The machine of the newest table, if the founder has a seat there."""

    def __attrs_post_init__(self) -> None:
        person, history = self.person, History[Any]()
        for view in self.known:
            table = self.match.by_uid[view[0]]
            found = _resting(self.match, self.player, view)
            if view == self.known[-1] and isinstance(found, TableMachine):
                start = _started if self.talks else _shared
                found = start(self.match, self.player, view, self.doubtful, self.heard)
                history.running[table.table_id] = self.table = found
            if isinstance(found, TableMachine):
                history.machines[table.table_id] = found
                found = found.record
            history.add(found, table.signed)
        match_id, key = self.match.by_uid[0].table_id, person.member.key
        self.machine = MatchMachine(
            match_id, self.player, key, person.sign, history, lambda *_: None
        )
        if self.signed:
            self.machine.recall([self.match.by_uid[self.signed].statement(self.player)], ())
        if self.talks:
            self.machine.handle(match_events.Begun(1), 0.0)

    @property
    def person(self) -> Person:
        """The founder."""
        return self.match.founders[self.player]

    def writes(self, table: Table) -> bool:
        """Return True if the node takes the next step at a table, which is due from its founder."""
        newest = self.known[-1]
        if self.table is None or newest[0] != table.uid:
            return False
        asked = self.match, self.player, newest, self.doubtful, self.heard
        return self.machine.may_write(table.table_id) and _takes_step(*asked)

    def signs(self, made: Table) -> bool:
        """Return True if the node signs a continuation that all have agreed on."""
        try:
            self.machine.going_on.signed(made.charter, lambda *_: b"")
        except Refused:
            return False
        return True


@contextmanager
def remembered() -> Iterator[None]:
    """Cache results within the block, and make no proofs."""
    with without_proofs(), ExitStack() as patches:
        for name in ("charter", "entries", "match.messages", "table.messages"):
            patches.enter_context(patch(f"protocol.{name}.is_signed", is_signed))
        for name, function in (
            ("cards_as_points.hash_to_point", hash_to_point),
            ("lock_key.LockKey.decode", cache(LockKey.decode)),
            ("match.statements.decode_statement", cache(decode_statement)),
        ):
            patches.enter_context(patch(f"protocol.{name}", function))
        yield

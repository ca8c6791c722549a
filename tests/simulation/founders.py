"""The nodes of founders in an exploration: the shipped machines, started from what a journal has.

Each question is put to a node that has just started, and has heard what the others have. So it may
have died before any of its steps: nothing counts but what is in its journal.
"""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import cache
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
from protocol.table import events
from protocol.table.events import Ready
from protocol.table.machine import TableMachine
from protocol.table.messages import Acknowledgement, Status
from protocol.table.own_player import OwnPlayer
from protocol.table.peers import Peers
from tests.protocol.computed_once import hash_to_point, is_signed
from tests.protocol.proofless import without_proofs
from tests.simulation.explored_match import ExploredMatch, Person, Table

View = tuple[int, int]
"""The knowledge of a node: the uid of the newest table it knows, and its steps there."""

NONCE = bytes(32)
LATER = 1000.0
"""Seconds after the start when all that takes time is over: a grace, and waits after a restart."""


@define(eq=False)
class Founder:
    """The node of a founder who knows these tables, each with so many steps, the newest last.

    It has signed for the table `signed`, unless that is 0. `doubtful`: its journal was put back
    from an older copy; it has `heard` these others of the newest table, all if None.
    """

    match: ExploredMatch
    player: int
    known: tuple[View, ...]
    signed: int = 0
    doubtful: bool = False
    heard: frozenset[int] | None = None
    machine: MatchMachine = field(init=False)
    _has_started: bool = field(default=False, init=False)

    def __attrs_post_init__(self) -> None:
        person, history = self.person, History[Any]()
        key = person.member.key
        for uid, height in self.known:
            table = self.match.by_uid[uid]
            has_seat = self.player in table.seats
            record = table.record(height, self.player if has_seat else -1, key)
            if has_seat:
                own = OwnPlayer(record, person.sign)
                own.recall(table.locks[self.player])
                peers: Peers[Any] = Peers(record.chain, self.player, person.sign, NONCE)
                history.machines[table.table_id] = TableMachine(record, own, peers)
            history.add(record, table.signed)
        match_id = self.match.by_uid[0].table_id
        self.machine = MatchMachine(
            match_id, self.player, key, person.sign, history, lambda *_: None
        )
        if self.signed:
            self.machine.recall([self.match.by_uid[self.signed].statement(self.player)], ())

    @property
    def person(self) -> Person:
        """The founder."""
        return self.match.founders[self.player]

    @property
    def _newest(self) -> Table:
        return self.match.by_uid[self.known[-1][0]]

    @property
    def table(self) -> TableMachine[Any] | None:
        """The machine of the newest table, if there is a seat at it."""
        return self.machine.history.machines.get(self._newest.table_id)

    def start(self) -> None:
        """Begin at the newest table, and hear the others there."""
        history, table, machine = self.machine.history, self._newest, self.table
        if self._has_started or machine is None:
            return
        self._has_started = True
        self.machine.handle(match_events.Begun(1), 0.0)
        history.running[table.table_id] = machine
        machine.resync.doubtful = self.doubtful
        self._carry_out(machine.handle(events.Restored(), 0.0))
        self._carry_out(machine.handle(events.Started(), 0.0))
        for other in machine.peers.others if self.heard is None else self.heard:
            status = Status(self._told_by(other), (), ())
            self._carry_out(machine.handle(events.Linked(other, other), 0.0))
            self._carry_out(machine.handle(events.Heard(other, status), 0.0))
        for now in (LATER, 2 * LATER):
            self._carry_out(machine.handle(events.Ticked(), now))

    def _told_by(self, other: int) -> Acknowledgement:
        """Return how far the record of another member goes: as far as this one."""
        place: Place = self._newest.at(self.known[-1][1]).state.place
        signer = self.match.signer(self._newest.signers, other)
        return Acknowledgement.make(place.table_id, place.height, place.previous, signer)

    def _carry_out(self, ready: Ready[Any]) -> bool:
        """Keep what is to be kept. Return True if an entry was sent then."""
        sent = any(isinstance(message, events.Entries) for _, message in ready.send)
        for what in ready.persist:
            assert self.table is not None
            sent |= self._carry_out(self.table.handle(events.Persisted(what), 2 * LATER))
        return sent

    # -- what it does

    def writes(self, table: Table) -> bool:
        """Return True if it takes the next step at that table, which is due from it."""
        self.start()
        machine = self.machine.history.running.get(table.table_id)
        if machine is None or not self.machine.may_write(table.table_id):
            return False
        height = self.known[-1][1]
        if machine.player.chooses:
            machine.player.choose(DrawStock())
        if not machine.can_write:
            return False
        ready = machine.handle(events.Due(), 2 * LATER)
        assert isinstance(ready.compute, events.WriteEntry)
        after, entry = table.at(height + 1).entries[machine.record.height]
        written = events.Written(after, entry, {})
        ready = machine.handle(events.Computed(ready.compute, written), 2 * LATER)
        return self._carry_out(ready)

    def signs(self, made: Table) -> bool:
        """Return True if it signs that continuation, when all have agreed on it."""
        self.start()
        try:
            self.machine.going_on.signed(made.charter, lambda *_: b"")
        except Refused:
            return False
        return True


@contextmanager
def remembered() -> Iterator[None]:
    """Compute once what is computed of the same values, and make no proofs."""
    with without_proofs(), ExitStack() as patches:
        for name in ("charter", "entries", "match.messages", "table.messages"):
            patches.enter_context(patch(f"protocol.{name}.is_signed", is_signed))
        for name, function in (
            ("deck.hash_to_point", hash_to_point),
            ("lock_key.LockKey.decode", cache(LockKey.decode)),
            ("match.statements.decode_statement", cache(decode_statement)),
        ):
            patches.enter_context(patch(f"protocol.{name}", function))
        yield

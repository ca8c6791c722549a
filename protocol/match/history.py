"""The tables of one match that a node knows: the first one, and those by which it was continued.

Usually the tables form one line. If some signatures do not arrive, or machines die while signatures
are given, several tables can continue the same one. Then the match is played at the table with the
highest attempt, and the line leads from there back to the first table.
"""

from collections.abc import Iterator
from typing import Any, Generic, TypeVar

from attrs import define, field

from protocol.agreement import Branch
from protocol.charter import Charter, Member, SignedCharter
from protocol.continuation import are_most_founders, continued
from protocol.entries import Entry
from protocol.evidence import EVIDENCE_LIMIT, Evidence
from protocol.place import Place
from protocol.state import State
from protocol.table.machine import TableMachine
from protocol.table.record import TableRecord

R = TypeVar("R", bound=TableRecord)


@define(eq=False)
class History(Generic[R]):
    """The records of the tables of a match, by table id, in the order of their attempts."""

    records: dict[bytes, R] = field(factory=dict, init=False)
    charters: dict[bytes, SignedCharter] = field(factory=dict, init=False)
    newest: R = field(init=False)
    """The record of the newest table, at which the match is played: the last of `records`.

    `protocol.agreement.newest` says which table is the newest.
    """
    machines: dict[bytes, TableMachine[Any]] = field(factory=dict, init=False)
    """The table machines of the tables at which this node has a seat."""
    running: dict[bytes, TableMachine[Any]] = field(factory=dict, init=False)
    """Those of the machines that exchange messages with their members."""

    early: dict[bytes, SignedCharter] = field(factory=dict, init=False)
    """Continuations of places that no record here has reached yet, by table id."""

    def add(self, record: R, signed: SignedCharter) -> None:
        """Add the record of a table, and the signed charter that founded the table."""
        self.charters[record.table_id] = signed
        self.keep(signed)
        self.records[record.table_id] = record
        # Tables of the same attempt, which only cheats make, are in the order of their ids: then
        # the last one is `protocol.agreement.newest`.
        self.records = dict(
            sorted(self.records.items(), key=lambda item: (item[1].state.charter.attempt, item[0]))
        )
        self.newest = next(reversed(self.records.values()))

    def keep(self, signed: SignedCharter) -> None:
        """Note that the record before `signed` keeps its entries up to where `signed` starts."""
        continues = signed.charter.continues
        if continues is not None:
            record = self.records[continues.place.table_id]
            record.kept = max(record.kept, continues.place.height)

    @property
    def state(self) -> State:
        """The newest state of the match."""
        return self.newest.state

    @property
    def charter(self) -> Charter:
        """The charter of the newest table."""
        return self.newest.state.charter

    @property
    def members(self) -> Iterator[Member]:
        """The members of all tables, some of them several times."""
        for record in self.records.values():
            yield from record.state.charter.members

    def is_linked(self, key: bytes) -> bool:
        """Return True if there is a link to the holder of that key at any table."""
        for table_id, machine in self.running.items():
            if self.records[table_id].state.charter.player_of(key) in machine.peers.linked:
                return True
        return False

    @property
    def fork(self) -> Place | None:
        """The place in the newest table's record after which a cheat has signed two entries.

        All can go on from there. It is None unless a member who is not exposed has the other entry.
        """
        newest = self.newest
        machine = self.running.get(newest.table_id)
        if machine is None:
            return None
        apart = filter(machine.peers.known.is_apart, machine.peers.others)
        charter = newest.state.charter
        is_apart = any(charter.key_of(player) not in self.exposed for player in apart)
        return newest.fork if is_apart else None

    def can_go_on_without(
        self, exposed: frozenset[bytes], waiting: frozenset[bytes] = frozenset()
    ) -> bool:
        """Return True if more than half of the founders could sign a continuation.

        A founder could sign if they have a seat and are not `exposed`, or are `waiting` for a seat.
        A match that was begun by two never goes on without one of them.
        """
        state = self.newest.state
        seated = frozenset(member.key for member in state.charter.members) - exposed
        return len(state.founders) > 2 and are_most_founders(state, seated | waiting)

    @property
    def exposed(self) -> frozenset[bytes]:
        """The keys of those who are exposed at any table of the match."""
        records = self.records.values()
        return frozenset(error.key for record in records for error in record.exposures)

    def evidence_of_forks(self) -> dict[bytes, bytes]:
        """Return the pairs of entries by which tables before the newest expose players, by key.

        The match may have gone on from before both entries: then its record has neither of them.
        """
        found = {}
        for record in self.records.values():
            # The pairs of the newest table are shown as entries of its record (`Chain.evidence`).
            for error in () if record is self.newest else record.exposures:
                if record.fork_of(error) is not None and len(error.evidence) > 1:
                    one, other = map(Entry.decode, error.evidence)
                    both = Evidence(one, other, record.state.charter).encode()
                    if len(both) <= EVIDENCE_LIMIT:
                        found[error.key] = both
        return found

    def branches(self, offered: Place | None = None) -> tuple[Branch, ...]:
        """Return the tables in the form that the rules of `protocol.agreement` take.

        `offered` is the place from which a proposed continuation would go on.
        """
        return tuple(record.branch(offered) for record in self.records.values())

    def line(self) -> tuple[R, ...]:
        """Return the records from the first table to the newest one, each continued by the next."""
        record = self.newest
        line = [record]
        while (continues := record.state.charter.continues) is not None:
            record = self.records[continues.place.table_id]
            line.append(record)
        return tuple(reversed(line))

    def begins(self, signed: SignedCharter) -> State | None:
        """Return the state in which that continuation begins.

        It is None while no record here has the place where the continuation starts. Raises
        Unattributable for a continuation that does not fit the record before it.
        """
        place = continued_place(signed.charter)
        record = self.records.get(place.table_id)
        if record is None or not record.leads_to(place):
            return None
        return continued(record.state_at(place.height), signed.charter)


def continued_place(charter: Charter) -> Place:
    """Return the place at which a continuation starts."""
    assert charter.continues is not None, "it is no first charter"
    return charter.continues.place

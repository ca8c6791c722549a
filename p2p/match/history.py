"""The tables of one match that a node knows, with their records.

There is the first one, and those by which the match was continued.

Usually there is one line of them. When signatures are given and not all arrive, or machines die at
that moment, several tables can continue the same one; the one with the highest attempt is played
at, and its line goes back to the first table.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise

from attrs import define, field

from p2p.storage.journal import Journal
from p2p.storage.memberships import Membership
from p2p.table.live_record import LiveRecord
from p2p.table.node_updates import Change
from protocol.agreement import Branch
from protocol.charter import Charter, SignedCharter
from protocol.continuation import are_most_founders, continued
from protocol.place import Place
from protocol.record import record_parts
from protocol.state import State


@define(eq=False)
class History:
    """The records of the tables of a match, by table id, in the order of their attempts."""

    records: dict[bytes, LiveRecord] = field(factory=dict)

    def add(self, record: LiveRecord) -> None:
        """Add the record of a table that is known from now on."""
        self.records[record.table_id] = record
        self.records = dict(
            sorted(self.records.items(), key=lambda item: (item[1].state.charter.attempt, item[0]))
        )

    def look_on(
        self, journal: Journal, key: bytes, signed: SignedCharter, start: State
    ) -> LiveRecord:
        """Add the record of a table at which the holder of that key has no seat. Return it."""
        record = LiveRecord.of(journal, Membership(signed, -1, ()), key, start)
        self.add(record)
        return record

    def __contains__(self, table_id: bytes) -> bool:
        return table_id in self.records

    @property
    def newest(self) -> LiveRecord:
        """The record of the table that is played at, and from which the match goes on.

        It is the last one, as `protocol.agreement.newest` has it.
        """
        return next(reversed(self.records.values()))

    def can_go_on_without(
        self, exposed: frozenset[bytes], waiting: frozenset[bytes] = frozenset()
    ) -> bool:
        """Return true if more than half of the founders could sign a continuation.

        These are those with a seat who are not exposed, and those who wait for another seat.
        """
        state = self.newest.state
        seated = frozenset(member.key for member in state.charter.members) - exposed
        return len(state.founders) > 2 and are_most_founders(state, seated | waiting)

    @property
    def exposed(self) -> frozenset[bytes]:
        """The keys that are exposed by an entry."""
        records = self.records.values()
        return frozenset(error.key for record in records for error in record.exposures)

    @property
    def branches(self) -> tuple[Branch, ...]:
        """The tables, as the rules of `protocol.agreement` see them."""
        return tuple(_branch(record) for record in self.records.values())

    def line(self) -> tuple[LiveRecord, ...]:
        """Return the records from the first table to the one that is played at."""
        record = self.newest
        line = [record]
        while (continues := record.state.charter.continues) is not None:
            record = self.records[continues.place.table_id]
            line.append(record)
        return tuple(reversed(line))

    def begins(self, signed: SignedCharter) -> State | None:
        """Return the state in which that continuation begins. Blocks.

        It is None while this node lacks the record up to its place. Raises Unattributable for one
        that continues none of the tables.
        """
        continues = signed.charter.continues
        record = None if continues is None else self.records.get(continues.place.table_id)
        if continues is None or record is None or continues.place.height > record.height:
            return None
        return continued(record.state_at(continues.place.height), signed.charter)

    def past(self) -> Iterator[Change]:
        """Return the changes of the match that the journal had. Blocks."""
        for record, end, later in self._pairs():
            yield from record.past[:end]
            if later is not None:
                yield Change(record.state_at(end), later.start, record.height - end)

    def file_parts(self, extra: Mapping[bytes, bytes] | None = None) -> Iterator[bytes]:
        """Return the match as far as it goes, as the bytes of a record file. Blocks.

        At the end stands `extra`, the evidence that stands by itself, by the key that it exposes;
        it is left out for a key that an entry exposes.
        """
        tables: list[tuple[SignedCharter, Iterable[bytes]]] = []
        known: set[bytes] = set()
        for record, end, later in self._pairs():
            most = None if later is None else end
            shown = record.shown(most, known)
            known.update(error.key for error in shown)
            tables.append((record.membership.charter, record.parts(most, shown)))
        charter, last = tables.pop()
        late = (part for key, part in (extra or {}).items() if key not in known)
        return record_parts((*tables, (charter, (*last, *late))))

    @property
    def number(self) -> int:
        """The number of the last part of the record file, 0 being the first charter."""
        return sum(end + 1 for _, end, _ in self._pairs()) - 1

    async def parts(self, since: int, most: int) -> Sequence[bytes]:
        """Return at most so many parts of the record file, from that number on.

        There is at least one, if the file has one.
        """
        passed = 0
        for record, end, later in self._pairs():
            if since <= passed + end:
                first = since - passed
                return await record.entries(first, min(most, end - first + 1))
            passed += end + 1
            if later is not None and since == passed:
                return [later.membership.charter.encode()]
        return ()

    def _pairs(self) -> Iterator[tuple[LiveRecord, int, LiveRecord | None]]:
        """Yield the records of the line, each with its end in the match and the record behind it.

        The end is a height; behind the last record there is None.
        """
        for record, later in pairwise(self.line()):
            yield record, continued_place(later.start.charter).height, later
        yield self.newest, self.newest.height, None

    def entries_by(self, key: bytes) -> Iterator[tuple[LiveRecord, bytes]]:
        """Return the entries of the holder of that key that may contradict a signature of theirs.

        They are the last one at each table, and those that close a round. Blocks.
        """
        for record in self.records.values():
            player = record.state.charter.player_of(key)
            if player is None:
                continue
            for height in record.telling_heights(player):
                (entry,) = record.journal.entries(record.table_id, height, 1)
                yield record, entry


def continued_place(charter: Charter) -> Place:
    """Return the place at which a continuation starts."""
    assert charter.continues is not None, "it is no first charter"
    return charter.continues.place


def _branch(record: LiveRecord) -> Branch:
    state, me = record.state, record.membership.me
    wrote, closed = record.newest.get(me, 0), record.last_closing_of(me)
    return Branch(state.charter.attempt, state.place, wrote, closed, record.fork)

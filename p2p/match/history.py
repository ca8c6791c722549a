"""The tables of one match that a node knows, with their records in its journal."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise

from attrs import define

from p2p.storage.journal import Journal
from p2p.table.live_record import LiveRecord
from p2p.transport.messages import Agreed
from protocol.charter import SignedCharter
from protocol.match.history import History, continued_place
from protocol.record_file import record_parts
from protocol.state import State
from protocol.table.tasks import Change


@define(eq=False)
class KeptHistory(History[LiveRecord]):
    """The records of the tables of a match; their entries are in a journal."""

    def look_on(
        self, journal: Journal, key: bytes, signed: SignedCharter, start: State
    ) -> LiveRecord:
        """Add the record of a table at which the holder of `key` has no seat, and return it."""
        record = LiveRecord.watched(journal, signed, key, start)
        self.add(record, signed)
        return record

    def past(self) -> Iterator[Change]:
        """Yield the change that each entry made, and the change to each later table. Blocks.

        Only entries that the journal had when it was replayed are included.
        """
        for record, end, later in self._pairs():
            yield from record.past[:end]
            if later is not None:
                yield Change(record.state_at(end), later.start, record.height - end)

    def begun(self, before: State) -> Change:
        """Return the change from the state `before`, at an earlier table, to the newest table."""
        start = self.newest.start
        place = continued_place(start.charter)
        taken_back = before.height - place.height if before.table_id == place.table_id else 0
        return Change(before, start, taken_back)

    def file_parts(self, extra: Mapping[bytes, bytes] | None = None) -> Iterator[bytes]:
        """Return the match up to now, as the bytes of a record file. Blocks.

        `extra` is evidence that is no entry, by the key that it exposes. This evidence stands at
        the end of the file. Evidence against a key that entries expose is left out.
        """
        tables: list[tuple[SignedCharter, Iterable[bytes]]] = []
        known: set[bytes] = set()
        for record, end, later in self._pairs():
            most = None if later is None else end
            shown = record.shown(most, known)
            # A record exposes each key once (R20), so a key that this table exposes is left out
            # later.
            known.update(error.key for error in shown)
            tables.append((record.membership.charter, record.parts(most, shown)))
        charter, last = tables.pop()
        late = (part for key, part in (extra or {}).items() if key not in known)
        return record_parts((*tables, (charter, (*last, *late))))

    def greeting(self) -> Agreed:
        """Return the first charter of the match, for a visitor."""
        return Agreed(self.line()[0].membership.charter.encode())

    @property
    def evidence(self) -> tuple[tuple[int, bytes], ...]:
        """The entries that expose somebody, each with the number of a part of the record file.

        That is the part at the entry's height.
        """
        before = self.number - self.newest.height
        return tuple((before + n, part) for n, part in self.newest.chain.evidence)

    @property
    def number(self) -> int:
        """The number of the last part of the record file; the first charter is part 0."""
        return sum(end + 1 for _, end, _ in self._pairs()) - 1

    async def parts(self, since: int, most: int) -> Sequence[bytes]:
        """Return at most `most` parts of the record file, from number `since` on.

        There may be fewer, but there is at least one if the file has a part with that number.
        """
        passed = 0
        for record, end, later in self._pairs():
            # The record's charter is part number `passed`, and its first entry is the part after
            # that.
            if since <= passed + end:
                first = since - passed
                return await record.entries(first, min(most, end - first + 1))
            passed += end + 1
            if later is not None and since == passed:
                return [later.membership.charter.encode()]
        return ()

    def _pairs(self) -> Iterator[tuple[LiveRecord, int, LiveRecord | None]]:
        """Yield each record from the first table to the newest, with its end and the next record.

        The end is the height from which the match goes on at the next table. If the second table
        continues the first from height 40, the first pair has 40. After the newest comes None.
        """
        for record, later in pairwise(self.line()):
            yield record, continued_place(later.start.charter).height, later
        yield self.newest, self.newest.height, None

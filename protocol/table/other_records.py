"""The records of others behind a fork: two entries of one height, by which somebody is exposed.

Where a cheat has shown one of the two to some members and the other one to others, their records
come apart. Who has closed a round behind one of them signs no continuation that loses it
(`protocol.agreement`). So whoever has written nothing behind the other one takes their record, if
it is longer: nobody can write twice at one height by that, for who writes next behind two openings,
or closings, is the same player. After an exposure nobody writes at the table any more.

For example: Diego opens the last hand in two ways. Ana, who closes rounds first, has heard of one
and has closed the round behind it. Bruno and Carla have heard of the other. Ana's node shows them
both of its entries: they take these two for the one that they had.
"""

from attrs import define, evolve, field

from protocol.entries import Entry, place_of
from protocol.errors import Malformed
from protocol.state import State
from protocol.table.events import TakeOther
from protocol.table.record import TableRecord


@define(eq=False)
class OtherRecords:
    """The records of the members who are apart from `record`, each from the fork on."""

    record: TableRecord
    _known: dict[int, TakeOther] = field(factory=dict, init=False)

    def state_before(self, member: int, entry: bytes) -> State | None:
        """Return the state upon which an entry follows that a member has carried.

        It is None for one that does not follow on a fork, or on their entries before it.
        """
        try:
            place = place_of(Entry.decode(entry).body)
        except Malformed:
            return None
        record, known = self.record, self._known.get(member)
        if known is not None and place.previous == known.end.head:
            return known.end
        fork = evolve(place, height=place.height - 1)
        return record.state_at(fork.height) if record.forks_at(fork) else None

    def add(self, member: int, before: State, after: State, entry: bytes) -> TakeOther | None:
        """Add an entry of that member's record. Return what is to replace ours, if any."""
        known = self._known.get(member)
        if known is None or known.end is not before:
            known = TakeOther(before, ())
        self._known[member] = known = evolve(known, steps=(*known.steps, (after, entry)))
        record = self.record
        stays = known.fork.height < max(record.wrote, record.kept)
        if stays or after.height <= record.height:
            return None
        record.is_changing = True
        return known

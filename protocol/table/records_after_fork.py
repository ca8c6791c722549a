"""The records of other members after a fork: one player has signed two entries of one height.

A cheat can show one of the two entries to some members, and the other entry to the rest. Then there
are two records. A member who has closed a round in one of them signs no continuation that loses
that round (`protocol.agreement`). So all others have to take that member's record.

A node takes the record of another member in place of its own on three conditions: the other record
is longer, this node's player has written nothing after the fork, and no later table continues this
node's record after the fork. So nobody is led to sign two entries of one height: whoever has
written after the fork keeps their record, and after the exposure nobody writes at the table any
more.

For example: Diego opens the last hand in two ways. Ana, who closes rounds first, has got one of the
two openings and has closed the round after it. Bruno and Carla have got the other opening. Ana's
node sends them the opening that it has, and its closing. They take these two in place of the other
opening.
"""

from attrs import define, evolve, field

from protocol.entries import Entry, place_of
from protocol.errors import Malformed
from protocol.state import State
from protocol.table.record import TableRecord
from protocol.table.tasks import TakeOther


@define(eq=False)
class OtherRecords:
    """The records of the members whose entries differ from `record`, each from the fork on."""

    record: TableRecord
    _known: dict[int, TakeOther] = field(factory=dict, init=False)
    """By member, the entries of that member's record that have come, from the fork on."""

    def state_before(self, member: int, entry: bytes) -> State | None:
        """Return the state before an entry that a member has carried.

        Return None unless the entry comes right after a fork, or right after the last entry of that
        member's record that `add` has taken.
        """
        try:
            place = place_of(Entry.decode(entry).body)
        except Malformed:
            return None
        record, known = self.record, self._known.get(member)
        if known is not None and place.previous == known.end.head:
            return known.end
        # The entry names the head before it, so the place before it differs only in the height.
        fork = evolve(place, height=place.height - 1)
        return record.state_at(fork.height) if record.forks_at(fork) else None

    def add(self, member: int, before: State, after: State, entry: bytes) -> TakeOther | None:
        """Add an entry of that member's record. Return what is to replace our entries, or None."""
        known = self._known.get(member)
        # `state_before` has returned `known.end` itself, if the entry continues what is known.
        if known is None or known.end is not before:
            known = TakeOther(before, ())
        self._known[member] = known = evolve(known, steps=(*known.steps, (after, entry)))
        record = self.record
        stays = known.fork.height < max(record.wrote, record.kept)
        if stays or after.height <= record.height:
            return None
        # No table may continue this record until the new entries are on the disk.
        record.is_changing = True
        return known

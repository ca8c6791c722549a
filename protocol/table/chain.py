"""The record of a table as its members compare it."""

from attrs import define, field

from protocol.charter import Charter
from protocol.entries import Entry, place_of
from protocol.errors import Malformed

_RECENT = 64
"""Entries that are kept in memory: those that peers ask for."""


@define(eq=False)
class Chain:
    """The chain of the entries of the table with that charter.

    `heads` are the digests after each entry, the table id before the first. `evidence` are entries
    that expose somebody, with their heights; `recent` are the newest entries by height.
    """

    charter: Charter
    heads: list[bytes]
    evidence: tuple[tuple[int, bytes], ...] = ()
    recent: dict[int, bytes] = field(factory=dict)

    @property
    def table_id(self) -> bytes:
        """The digest before the first entry."""
        return self.heads[0]

    @property
    def height(self) -> int:
        """The number of entries."""
        return len(self.heads) - 1

    def append(self, entry: bytes, head: bytes) -> None:
        """Append the next entry, with that digest."""
        self.heads.append(head)
        self.recent[self.height] = entry
        self.recent.pop(self.height - _RECENT, None)

    def has(self, height: int, entry: bytes) -> bool:
        """Return True if that is one of the newest entries, in its place."""
        return self.recent.get(height) == entry

    def height_of(self, part: bytes) -> int:
        """Return the height that evidence is about; the next one, if that cannot be read."""
        try:
            place = place_of(Entry.decode(part).body)
        except Malformed:
            return self.height + 1
        return place.height if place.table_id == self.table_id else self.height + 1

"""The chain of entries of one table: the digests by which members compare their records."""

from attrs import define, field

from protocol.charter import Charter
from protocol.entries import Entry, place_of
from protocol.errors import Malformed

_RECENT = 64
"""The number of newest entries that are kept in memory. Peers hardly ever need older ones."""


@define(eq=False)
class Chain:
    """The chain of the entries of one table."""

    charter: Charter
    heads: list[bytes]
    """The digest after each entry, by height; the first one is the table id."""
    evidence: tuple[tuple[int, bytes], ...] = ()
    """The entries that expose somebody, each with its height."""
    recent: dict[int, bytes] = field(factory=dict)
    """The newest entries by height."""

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
        """Return True if `entry` is the one at that height, and among the newest."""
        return self.recent.get(height) == entry

    def height_of(self, part: bytes) -> int:
        """Return the height of an entry that is evidence.

        For bytes that cannot be read, and for an entry of another table, the height is that of the
        next entry here.
        """
        try:
            place = place_of(Entry.decode(part).body)
        except Malformed:
            return self.height + 1
        return place.height if place.table_id == self.table_id else self.height + 1

"""Places in the records of a match: a table, a height in its record, and the head there."""

from typing import Self

from attrs import field, frozen

from protocol.codec import Encodable, Fields

HEIGHT_LIMIT = 1 << 48
DIGEST_BYTES = 32


@frozen
class Place:
    """The place of an entry: its table, its height there, and the head before it (`previous`).

    The place of a continuation is the point of a record where it starts: the height of the last
    entry before it (0 for none), and the head after that entry (`previous`).
    """

    table_id: bytes = field(repr=bytes.hex)
    height: int
    previous: bytes = field(repr=bytes.hex)

    def fields(self) -> tuple[Encodable, ...]:
        """Return the three fields of the place, with which an entry's body begins."""
        return (self.table_id, self.height, self.previous)

    @classmethod
    def from_fields(cls, fields: Fields, *, least: int = 1) -> Self:
        """Take the next three fields. Raises Malformed, also for a height below `least`."""
        return cls(
            fields.take_bytes("table", exact=DIGEST_BYTES),
            fields.take_int("height", least, HEIGHT_LIMIT),
            fields.take_bytes("previous", exact=DIGEST_BYTES),
        )

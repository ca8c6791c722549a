"""The record as a file: a line that says what it is, the charter, then the entries.

    sobremesa record 1 LF
    length (4 bytes, big-endian), signed charter
    length, entry 1
    length, entry 2
    ...

Nothing else is in it, so a record is the same file for everybody who was at the table. See
`spec/record.md`.
"""

from collections.abc import Iterable, Iterator

from attrs import define, field

from protocol.charter import SignedCharter
from protocol.entries import ENTRY_LIMIT
from protocol.errors import Broken, Malformed

MAGIC = b"sobremesa record 1\n"
LENGTH_BYTES = 4


def framed(data: bytes) -> bytes:
    """Bytes with their length in front."""
    return len(data).to_bytes(LENGTH_BYTES, "big") + data


def record_parts(charter: SignedCharter, entries: Iterable[bytes]) -> Iterator[bytes]:
    """The bytes of a record file, piece by piece."""
    yield MAGIC
    yield framed(charter.encode())
    yield from map(framed, entries)


@define
class RecordReader:
    """Cuts a record into its parts as the bytes come in; it holds no more than one part.

    The first part is the signed charter, the others are entries. What is left over at the end is
    `rest`.
    """

    rest: bytes = b""
    _begun: bool = field(default=False, init=False)

    def feed(self, data: bytes) -> Iterator[bytes]:
        """The parts that are complete now.

        Raises Malformed if this is no record at all, Broken (R1) for a length that no part has.
        """
        self.rest += data
        if not self._begun:
            if not self.rest.startswith(MAGIC[: len(self.rest)]):
                raise Malformed("This is no record of a Sobremesa game: its first line is another.")
            if len(self.rest) < len(MAGIC):
                return
            self.rest = self.rest[len(MAGIC) :]
            self._begun = True
        while len(self.rest) >= LENGTH_BYTES:
            length = int.from_bytes(self.rest[:LENGTH_BYTES], "big")
            if not 0 < length <= ENTRY_LIMIT:
                raise Broken("R1", f"A length of {length} bytes: an entry has 1 to {ENTRY_LIMIT}.")
            end = LENGTH_BYTES + length
            if len(self.rest) < end:
                return
            part, self.rest = self.rest[LENGTH_BYTES:end], self.rest[end:]
            yield part

    @property
    def begun(self) -> bool:
        """Whether the first line was there."""
        return self._begun

"""The record as a file: a line that says what it is, the charter, then the entries.

    sobremesa record 1 LF
    length (4 bytes, big-endian), signed charter
    length, entry 1
    length, entry 2
    ...

Nothing else is in it, so a record is the same file for everybody who was at the table. See
`spec/record.md`.
"""

import re
from collections.abc import Iterable, Iterator

from attrs import define, field

from protocol.charter import SignedCharter
from protocol.entries import ENTRY_LIMIT
from protocol.errors import Malformed, Newer, Unattributable

MAGIC = b"sobremesa record 1\n"
_ANY_VERSION = re.compile(rb"sobremesa record [1-9][0-9]{0,8}")
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
    """Cuts a record into its parts as the bytes come in; it keeps no more than one part.

    The first part is the signed charter, the others are entries. What is left over at the end is
    `rest`; `begun` tells whether the first line was there.
    """

    rest: bytes = field(default=b"", init=False)
    begun: bool = field(default=False, init=False)

    def feed(self, data: bytes) -> Iterator[bytes]:
        """The parts that are complete now.

        Raises Malformed if this is no record at all, Newer if its first line is of a newer
        version, Unattributable (R1) for a length that no part has.
        """
        buffer, start = self.rest + data, 0
        try:
            if not self.begun:
                if not _has_first_line(buffer):
                    return
                self.begun, start = True, len(MAGIC)
            while (begin := start + LENGTH_BYTES) <= len(buffer):
                end = begin + _length(buffer[start:begin])
                if end > len(buffer):
                    return
                start = end
                yield buffer[begin:end]
        finally:
            self.rest = buffer[start:]


def _has_first_line(buffer: bytes) -> bool:
    """Whether the first line is there. Raises Malformed for another one, Newer for that of a newer
    version.
    """
    line, end, _ = buffer.partition(b"\n")
    if line + end == MAGIC:
        return True
    if not end and (MAGIC.startswith(buffer) or _ANY_VERSION.fullmatch(line)):
        return False
    if _ANY_VERSION.fullmatch(line):
        raise Newer("This record is of a newer version of the program: it has another form.")
    raise Malformed("This is no record of a Sobremesa game: its first line is another.")


def _length(header: bytes) -> int:
    length = int.from_bytes(header, "big")
    if not 0 < length <= ENTRY_LIMIT:
        raise Unattributable(
            "R1",
            "A length of {length} bytes: a part has 1 to {most}.",
            length=length,
            most=ENTRY_LIMIT,
        )
    return length

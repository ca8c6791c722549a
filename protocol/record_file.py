"""The record as a file: a first line with its format, then the parts of one match.

    sobremesa record 1 LF
    length (4 bytes, big-endian), signed charter
    length, entry 1
    length, entry 2
    ...
    length, signed continuation
    length, entry 1 of the table that it founds
    ...

There can also be parts that expose somebody. An entry that contradicts the record stands right
after the entry of the same height; evidence can stand anywhere after the first charter. The entries
of the record go on after such a part. Nothing else is in the file. See `spec/record.md`.
"""

import re
from collections.abc import Iterable, Iterator
from enum import Enum

from attrs import define, field

from protocol.charter import SignedCharter
from protocol.codec import decode
from protocol.entries import ENTRY_LIMIT
from protocol.errors import Malformed, Newer, Unattributable

MAGIC = b"sobremesa record 1\n"
_ANY_VERSION = re.compile(rb"sobremesa record [1-9][0-9]{0,8}")
LENGTH_BYTES = 4


def framed(data: bytes) -> bytes:
    """Return the bytes with their length in front."""
    return len(data).to_bytes(LENGTH_BYTES, "big") + data


class PartKind(Enum):
    """The kinds of parts that stand in a record."""

    ENTRY = "entry"
    CHARTER = "charter"
    EVIDENCE = "evidence"


def kind_of(part: bytes) -> PartKind:
    """Return the kind of a part by its outer form. Bytes of no known form count as an entry."""
    try:
        value = decode(part, limit=ENTRY_LIMIT)
    except Malformed:
        return PartKind.ENTRY
    # A signed charter is [bytes, list], an entry [bytes, bytes], and evidence begins with a text.
    match value:
        case (bytes(), tuple()):
            return PartKind.CHARTER
        case (str(), *_):
            return PartKind.EVIDENCE
        case _:
            return PartKind.ENTRY


def record_parts(tables: Iterable[tuple[SignedCharter, Iterable[bytes]]]) -> Iterator[bytes]:
    """Yield the bytes of a record file, piece by piece.

    `tables` has the signed charter of each table, and the parts that follow it in the record.
    """
    yield MAGIC
    for charter, parts in tables:
        yield framed(charter.encode())
        yield from map(framed, parts)


@define
class RecordReader:
    """A reader that cuts a record into its parts as the bytes come in. It keeps one part at most.

    The first part is the signed charter.
    """

    rest: bytes = field(default=b"", init=False)
    """The bytes of a line or part that is not complete yet."""
    begun: bool = field(default=False, init=False)
    """True once the first line was read."""

    def feed(self, data: bytes) -> Iterator[bytes]:
        """Yield the parts that are complete now.

        Raises Malformed if this is no record at all, Newer if its first line is of a newer version,
        Unattributable (R1) for a length that no part can have.
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
            # `rest` is also set if the caller stops between two parts: no part is then given twice.
            self.rest = buffer[start:]


def _has_first_line(buffer: bytes) -> bool:
    """Return True if the first line is complete and right, False if more of it has to come.

    Raises Newer for the first line of a newer version, and Malformed for a wrong line.
    """
    line, end, _ = buffer.partition(b"\n")
    if line + end == MAGIC:
        return True
    # “sobremesa record 1” may become “sobremesa record 12” with the next bytes.
    if not end and (MAGIC.startswith(buffer) or _ANY_VERSION.fullmatch(line)):
        return False
    if _ANY_VERSION.fullmatch(line):
        raise Newer("This record is of a newer version of the program: it has another form.")
    raise Malformed(
        "This is no record of a Sobremesa game: it does not begin with the first line of a record."
    )


def _length(header: bytes) -> int:
    length = int.from_bytes(header, "big")
    if not 0 < length <= ENTRY_LIMIT:
        raise Unattributable(
            "R1",
            "A part of the record cannot have {length} bytes: it must have 1 to {most}.",
            length=length,
            most=ENTRY_LIMIT,
        )
    return length

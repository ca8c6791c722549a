"""The record as a file: parts in, parts out, whatever the portions."""

import tracemalloc

import pytest

from protocol.entries import ENTRY_LIMIT
from protocol.errors import Malformed, Unattributable
from protocol.record import MAGIC, RecordReader, framed
from tests.protocol.played import played

PARTS = [b"a charter", b"x", bytes(ENTRY_LIMIT), b"the end"]
FILE = MAGIC + b"".join(map(framed, PARTS))


def read(data: bytes, portion: int) -> tuple[list[bytes], RecordReader]:
    reader = RecordReader()
    parts = [
        part for at in range(0, len(data), portion) for part in reader.feed(data[at : at + portion])
    ]
    return parts, reader


@pytest.mark.parametrize("portion", [1, 2, 7, 4096, 10**6])
def test_portions_make_no_difference(portion: int) -> None:
    parts, reader = read(FILE, portion)
    assert parts == PARTS
    assert reader.begun
    assert reader.rest == b""


def test_a_record_begins_with_its_line_and_the_charter() -> None:
    one = played()
    assert one.ring.record().startswith(MAGIC)
    parts, _ = read(one.ring.record(), 10_000)
    assert parts == [one.ring.charter.encode(), *one.entries]


@pytest.mark.parametrize("end", range(len(MAGIC) + 5, len(MAGIC) + 30))
def test_what_is_cut_off_is_left_over(end: int) -> None:
    parts, reader = read(FILE[:end], 5)
    whole = MAGIC + b"".join(map(framed, parts))
    assert parts == PARTS[: len(parts)]
    assert whole + reader.rest == FILE[:end]


@pytest.mark.parametrize("data", [b"PK\3\4", b"sobremesa record 0\n", MAGIC.upper(), b"\0"])
@pytest.mark.parametrize("portion", [1, 100])
def test_another_first_line_is_no_record(data: bytes, portion: int) -> None:
    with pytest.raises(Malformed, match="no record"):
        read(data, portion)


def test_the_first_line_may_come_slowly() -> None:
    reader = RecordReader()
    assert list(reader.feed(MAGIC[:5])) == []
    assert not reader.begun


@pytest.mark.parametrize("length", [0, ENTRY_LIMIT + 1, 2**32 - 1])
def test_r1_a_length_that_no_part_has_ends_it_at_once(length: int) -> None:
    """Nothing is set aside on the word of a length; what came before is read."""
    reader = RecordReader()
    fed = reader.feed(MAGIC + framed(b"good") + length.to_bytes(4, "big"))
    assert next(fed) == b"good"
    with pytest.raises(Unattributable) as raised:
        next(fed)
    assert raised.value.cause == "R1"


def test_who_stops_in_the_middle_of_a_portion_loses_nothing() -> None:
    reader = RecordReader()
    for part in reader.feed(FILE):
        assert part == PARTS[0]
        break
    assert list(reader.feed(b"")) == PARTS[1:]


def test_memory_is_that_of_one_part() -> None:
    reader = RecordReader()
    portion = framed(bytes(30_000))
    list(reader.feed(MAGIC))
    tracemalloc.start()
    try:
        for _ in range(300):
            assert len(list(reader.feed(portion))) == 1
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 4 * len(portion)

"""From a cheat to the file that exposes them, for each that a node can meet: the records of the
vectors that end in an exposure, met in their place and later.
"""

from pathlib import Path
from typing import Any

import pytest

from p2p.storage.journal import Journal
from p2p.table.live_record import LiveRecord
from p2p.table.record_server import ServedTable
from protocol.errors import Exposed, Unattributable
from protocol.record import record_parts
from protocol.reducer import advance
from tests.p2p.table.vector_records import (
    EXPOSED,
    entries,
    meet,
    open_journal,
    record_of,
    signed_charter,
    states,
    vector,
)
from tests.spec.followed import vectors

LATE = 6
"""Entries that are in the record already when somebody shows the evidence."""


def check(record: LiveRecord, about: Any, journal: Journal) -> bytes:
    """The file, after it was seen to be the same when the node starts again."""
    assert record.exposed is not None
    assert record.exposed.player == about["player"]
    assert record.cheat is not None
    record.keep_evidence(record.exposed)
    told = b"".join(record.file_parts())
    kept, record.exposed = record.exposed, None
    record.recall_evidence()
    assert record.exposed is not None
    assert (record.exposed.player, record.exposed.cause) == (kept.player, kept.cause)
    assert b"".join(record.file_parts()) == told
    served = ServedTable.read(journal, record.membership)
    assert [shown for _, shown in served.evidence] == [shown for _, shown in record.evidence]
    return told


def check_end(file: str, record: LiveRecord, told: bytes) -> None:
    """A verifier that reads the file finds the same in its last part, and nothing before."""
    assert record.exposed is not None
    shown = record.exposed.evidence[-1]
    ends = [keep for keep in range(len(entries(file)) + 1) if told == file_with(file, keep, shown)]
    (end,) = ends
    with pytest.raises(Exposed) as caught:
        advance(states(file)[end], shown)
    found = caught.value
    assert (found.player, found.cause) == (record.exposed.player, record.exposed.cause)


@pytest.mark.parametrize(("file", "name"), EXPOSED)
def test_the_file_ends_in_what_exposes_the_cheat(tmp_path: Path, file: str, name: str) -> None:
    """Mostly it is, byte for byte, the record of the vectors, of which all verifiers say the same.
    Where less of the record is enough, or a release shows a contradiction, that is all it takes.
    """
    about = vector(file, name)
    met: list[bytes] = []
    with open_journal(tmp_path) as journal:
        record = record_of(journal, file, about["keep"])
        for entry in map(bytes.fromhex, about["added"]):
            met.append(entry)
            record.exposed = meet(record, entry)
            if record.exposed is not None:
                break
        assert record.exposed is not None
        assert record.exposed.cause == about["cause"]
        told = check(record, about, journal)
    whole = (*entries(file)[: about["keep"]], *met)
    if told != b"".join(record_parts(signed_charter(file), whole)):
        check_end(file, record, told)


def met_late() -> list[tuple[str, str]]:
    """The records whose evidence still shows something when the game has gone on."""
    found = []
    for file, name in EXPOSED:
        about = vector(file, name)
        there = about["keep"] + LATE <= len(entries(file))
        there = there and {*about["added"][:-1]} <= {*vectors(file)["entries"]}
        if there and about["cause"] in {"R8", "R9", "R20", "R11"}:
            found.append((file, name))
    return found


@pytest.mark.parametrize(("file", "name"), met_late())
def test_evidence_that_comes_late_ends_the_file_where_it_belongs(
    tmp_path: Path, file: str, name: str
) -> None:
    """What came after it in the record is left out: a verifier would have stopped before."""
    about = vector(file, name)
    shown = bytes.fromhex(about["added"][-1])
    with open_journal(tmp_path) as journal:
        record = record_of(journal, file, about["keep"] + LATE)
        try:
            record.exposed = meet(record, shown)
        except Unattributable:
            pytest.skip("shows nothing of anybody once the record has gone on")
        if record.exposed is None:
            pytest.skip("is no news once the record has gone on")
        told = check(record, about, journal)
    check_end(file, record, told)


def file_with(file: str, keep: int, shown: bytes) -> bytes:
    return b"".join(record_parts(signed_charter(file), (*entries(file)[:keep], shown)))

"""The matches of `spec/vectors` in the journals of nodes."""

from functools import cache
from pathlib import Path
from typing import Any

from p2p.storage.data_path import JOURNAL_FILE
from p2p.storage.journal import Journal
from p2p.storage.memberships import Membership
from p2p.table.live_record import LiveRecord
from protocol.charter import SignedCharter
from protocol.entries import Entry, place_of
from protocol.errors import Exposed, Malformed
from protocol.record_file import PartKind, kind_of
from protocol.reducer import advance
from protocol.state import State
from tests.spec.run_verifier import vectors
from tests.vectors.recorded import RECORD_FILES


def _is_of_one_table(record: Any) -> bool:
    """Return True if the record adds only entries, and no continuation or evidence."""
    return all(kind_of(bytes.fromhex(part)) is PartKind.ENTRY for part in record["added"])


def exposed_in_vectors() -> list[tuple[str, str]]:
    """Return the file and name of one record for each cause of an exposure at one table."""
    found, seen = [], set()
    for file in (file for file in RECORD_FILES if file != "continuations.json"):
        for record in filter(_is_of_one_table, vectors(file)["records"]):
            cause = record["cause"]
            if record["verdict"] in ("exposed", "illegal") and cause not in seen:
                found.append((file, record["name"]))
                seen.add(cause)
    return found


EXPOSED = exposed_in_vectors()


@cache
def signed_charter(file: str) -> SignedCharter:
    return SignedCharter.decode(bytes.fromhex(vectors(file)["signed_charter"]))


@cache
def entries(file: str) -> tuple[bytes, ...]:
    """Return the entries of the recorded match."""
    return tuple(map(bytes.fromhex, vectors(file)["entries"]))


@cache
def states(file: str) -> tuple[State, ...]:
    """Return the state after each entry of the recorded match, without verifying its proofs."""
    found = [State.start(signed_charter(file).charter)]
    for entry in entries(file):
        found.append(advance(found[-1], entry, is_own=True))
    return tuple(found)


def vector(file: str, name: str) -> Any:
    return next(one for one in vectors(file)["records"] if one["name"] == name)


def record_of(journal: Journal, file: str, keep: int) -> LiveRecord:
    """Return a node's record with the first `keep` entries of the recorded match."""
    membership = Membership(signed_charter(file), 0, ())
    charter = membership.charter.charter
    journal.create_table(charter.table_id, membership.charter.encode(), 0)
    start = State.start(charter)
    record = LiveRecord.of(journal, membership, charter.members[0].key, start)
    for entry, after in zip(entries(file)[:keep], states(file)[1:], strict=False):
        journal.append(charter.table_id, after.height, entry)
        record.take(after, entry)
    return record


def meet(record: LiveRecord, entry: bytes) -> Exposed | None:
    """Return the exposure that a node finds in an entry that it receives, or None."""
    try:
        height = place_of(Entry.decode(entry).body).height
    except Malformed:
        height = record.height + 1
    try:
        if height <= record.height:
            record.judge(height, entry)
        else:
            after = advance(record.state, entry)
            record.journal.append(record.table_id, after.height, entry)
            record.take(after, entry)
    except Exposed as error:
        return error
    return None


def open_journal(folder: Path) -> Journal:
    journal = Journal.open(folder / JOURNAL_FILE)
    journal._database.execute("PRAGMA synchronous = OFF")  # faster; no power cuts here
    return journal

"""The repair of a damaged journal: all that can be read of it is copied into a new one.

The other players have every entry, so the node asks them for the rest. Until all of them have told
what they have, the node signs nothing at the journal's tables. The damaged file stays beside the
new one, under another name. Calls block.
"""

import filecmp
import logging
import os
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, suppress
from itertools import count
from pathlib import Path

from engine.sentences import Sentence
from p2p.storage.journal import Journal
from p2p.storage.journal_file import (
    UNREADABLE,
    Column,
    JournalCorrupt,
    columns_of,
    explained,
    new_database,
)
from p2p.storage.private_files import locked
from p2p.storage.rollback_guard import GUARD_FILE

_log = logging.getLogger(__name__)

_TABLES = ("tables", "secrets", "statements", "pending_charter", "evidence", "peers", "owner")
"""The SQL tables from which every readable row is copied.

From `entries` only the rows before the first gap are copied, because later ones are useless. From
`rollback_guard` nothing is copied, because the repaired journal is doubted in any case.
"""


def open_or_mend(path: Path) -> tuple[Journal, Sentence | None]:
    """Open the journal in the file `path`, after repairing it if it is damaged.

    Return the journal and a sentence about the repair, which is None without a repair. Raises the
    errors of `Journal.open`, but JournalCorrupt only if not even the list of tables can be read.
    """
    _undo_interrupted(path)
    try:
        return _with_reserve(path), None
    except JournalCorrupt as error:
        _log.warning("%s", error)
        with locked(path.parent):
            aside = _mend(path, error)
        mended = Sentence(
            "The journal was damaged. What can be read of it is kept, and the others have the "
            "rest: nothing is signed before they have sent it. The damaged file is {aside}.",
            aside=str(aside),
        )
        return _with_reserve(path), mended


def _with_reserve(path: Path) -> Journal:
    journal = Journal.open(path)
    journal.fill_reserve()
    return journal


def _mend(path: Path, damage: JournalCorrupt) -> Path:
    """Replace a damaged journal by what can be read of it. Return the damaged file's new path.

    If the new journal cannot take the place of the damaged one, all files are as they were before.
    Raises JournalCorrupt, and JournalFull.
    """
    names = (path.with_name(f"{path.name}.damaged-{number}") for number in count(1))
    aside = next(name for name in names if not name.exists())
    log, was = _log_of(path), path.stat()
    try:
        with explained(path):
            shutil.copy2(path, aside)
            if log.exists():
                shutil.copy2(log, _log_of(aside))
            with new_database(path) as to:
                # Open it read-only: otherwise SQLite, when it closes the file, would write the log
                # into it and remove the log.
                read_only = f"{aside.absolute().as_uri()}?mode=ro"
                with closing(sqlite3.connect(read_only, uri=True)) as damaged:
                    damaged.text_factory = lambda text: text.decode(errors="replace")
                    _copy_readable(damaged, to, path, damage)
                # The old log is removed before the new file takes the place of the old one:
                # otherwise SQLite would use it as the log of the new file.
                for file in (log, _shared(path), _shared(aside)):
                    file.unlink(missing_ok=True)
    except BaseException:
        # The damaged file is still in its place, so the repair can be undone.
        if os.path.samestat(path.stat(), was):
            _undo(path, aside)
        raise
    return aside


def _log_of(path: Path) -> Path:
    """Return the path of SQLite's write-ahead log, which alone has the newest rows."""
    return path.with_name(f"{path.name}-wal")


def _shared(path: Path) -> Path:
    """Return the path of the log's index, which SQLite makes anew if it is missing."""
    return path.with_name(f"{path.name}-shm")


def _undo(path: Path, aside: Path) -> None:
    """Put back the log of the damaged journal, and remove the copies."""
    if _log_of(aside).exists() and not _log_of(path).exists():
        _log_of(aside).rename(_log_of(path))
    for file in path.parent.glob(f"{aside.name}*"):
        file.unlink()


def _undo_interrupted(path: Path) -> None:
    """Undo a repair during which the node died before the new file replaced the damaged one.

    If the log was removed already, the newest rows would be missing without it.
    """
    for saved in path.parent.glob(f"{path.name}.damaged-*-wal"):
        aside = saved.with_name(saved.name.removesuffix("-wal"))
        if aside.exists() and path.exists() and filecmp.cmp(path, aside, shallow=False):
            _undo(path, aside)


def _copy_readable(
    damaged: sqlite3.Connection, to: sqlite3.Connection, path: Path, damage: JournalCorrupt
) -> None:
    """Copy all readable rows. Raises JournalCorrupt if the list of tables cannot be read."""
    try:
        # Without this setting SQLite reads nothing from a file that was truncated.
        damaged.execute("PRAGMA writable_schema = ON")
        _tables(damaged)
    except UNREADABLE as error:
        raise _lost(path, damage) from error
    to.execute("BEGIN")
    _copy(damaged, to)
    to.execute("COMMIT")
    if path.with_name(GUARD_FILE).exists() and not _tables(to):
        raise _lost(path, damage)  # a guard means that this node has signed, so there was a table


def _lost(path: Path, damage: JournalCorrupt) -> JournalCorrupt:
    return JournalCorrupt(
        "The journal {path} is damaged ({why}): not even the list of its tables can be read. It "
        "was left as it is. Put back a copy of it. If you have none, ask the others at your table "
        "to go on without you.",
        path=str(path),
        why=dict(damage.sentence.values)["why"],
    )


def _copy(damaged: sqlite3.Connection, to: sqlite3.Connection) -> None:
    for table in _TABLES:
        for row in _readable(damaged, table):
            marks = ", ".join("?" * len(row))
            with suppress(sqlite3.IntegrityError):  # the row belongs to a table that is lost
                to.execute(f"INSERT OR IGNORE INTO {table} VALUES ({marks})", row)
    for table_id in _tables(to):
        for height in count(1):
            entry = _entry(damaged, table_id, height)
            if entry is None:
                break
            to.execute("INSERT INTO entries VALUES (?, ?, ?)", (table_id, height, entry))
    to.execute("UPDATE tables SET doubtful = 1")


def _value_of(column: Column) -> str:
    """Return the SQL that reads a column: instead of a forbidden NULL it gives an empty value."""
    gone = column.name if column.may_lack or column.is_key else f"ifnull({column.name}, '')"
    return f"CAST({gone} AS {column.kind})"


def _tables(database: sqlite3.Connection) -> list[bytes]:
    return [table for (table,) in database.execute("SELECT table_id FROM tables NOT INDEXED")]


def _entry(damaged: sqlite3.Connection, table_id: bytes, height: int) -> bytes | None:
    query = "SELECT entry FROM entries WHERE table_id = ? AND height = ?"
    with suppress(*UNREADABLE):
        for (entry,) in damaged.execute(query, (table_id, height)):
            return entry if isinstance(entry, bytes) else None
    return None


def _readable(damaged: sqlite3.Connection, table: str) -> Iterator[tuple[object, ...]]:
    """Yield the rows before a damaged place, and then, read backwards, the rows after it.

    Some rows may come twice. Each value has the type of its column.
    """
    values = ", ".join(map(_value_of, columns_of(damaged, table)))
    for order in ("ASC", "DESC"):
        with suppress(*UNREADABLE):
            yield from damaged.execute(
                f"SELECT {values} FROM {table} NOT INDEXED ORDER BY rowid {order}"
            )

"""The journal's file: its tables in SQLite, the checks before it is used, and its errors."""

import errno
import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

from attrs import frozen

from engine.sentences import Sentence
from p2p.error_reasons import reason_of
from p2p.storage.private_files import create_private, sync_folder
from p2p.storage.rollback_guard import GUARD_FILE
from protocol.errors import LocalError

SCHEMA_VERSION = 1

_APPLICATION_ID = 0x50BE3E5A  # marks the file as ours; see sqlite.org/pragma.html

_FULL = 2
"""SQLite's number of the setting that syncs at the end of each transaction."""

_LOG_BYTES = 1024 * 1024
"""The size to which SQLite cuts its log after copying it into the file, in bytes. By default it
does not cut the log.
"""

_CACHE_KIB = 64
"""The size of SQLite's page cache, in kibibytes. By default the cache grows to two megabytes. That
is of no use: no page is read twice during a game, and the system caches the file anyway.
"""

_SCHEMA = """
CREATE TABLE tables (
    table_id BLOB PRIMARY KEY NOT NULL,
    charter BLOB NOT NULL,
    me INTEGER,
    created TEXT NOT NULL DEFAULT (datetime('now')),
    addresses BLOB,
    all_synced INTEGER NOT NULL DEFAULT 0,
    in_a_file INTEGER NOT NULL DEFAULT 0,
    given_up INTEGER NOT NULL DEFAULT 0,
    doubtful INTEGER NOT NULL DEFAULT 0
);
CREATE TABLE entries (
    table_id BLOB NOT NULL REFERENCES tables,
    height INTEGER NOT NULL,
    entry BLOB NOT NULL,
    PRIMARY KEY (table_id, height)
);
CREATE TABLE secrets (
    table_id BLOB NOT NULL REFERENCES tables,
    name TEXT NOT NULL,
    secret BLOB NOT NULL,
    PRIMARY KEY (table_id, name)
);
CREATE TABLE statements (
    match_id BLOB NOT NULL,
    attempt INTEGER NOT NULL,
    statement BLOB NOT NULL,
    PRIMARY KEY (match_id, attempt)
);
CREATE TABLE pending_charter (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    pending BLOB NOT NULL
);
CREATE TABLE rollback_guard (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    seen BLOB NOT NULL
);
CREATE TABLE owner (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    key BLOB NOT NULL
);
CREATE TABLE evidence (
    number INTEGER PRIMARY KEY,
    table_id BLOB NOT NULL REFERENCES tables,
    about TEXT NOT NULL,
    evidence BLOB NOT NULL,
    UNIQUE (table_id, about, evidence)
);
CREATE TABLE peers (
    key BLOB PRIMARY KEY NOT NULL,
    name TEXT NOT NULL,
    first_seen TEXT NOT NULL
);
"""


UNREADABLE = (sqlite3.DatabaseError, UnicodeDecodeError)
"""Errors raised by reading a damaged file; UnicodeDecodeError means that a text is damaged."""


class JournalError(LocalError):
    """An error: a call of the journal has failed, and nothing was written."""


class JournalConflict(JournalError):
    """An error: the journal already has another value in that place, and keeps it."""


class JournalFull(JournalError):
    """An error: the disk has no room."""


class JournalDamaged(JournalError):
    """An error: the file, which was left as it is, is no journal that this program can read."""


class JournalCorrupt(JournalDamaged):
    """An error: parts of the file cannot be read. `p2p.storage.salvage` saves the rest."""


def make_journal(path: Path) -> None:
    """Make a new journal in the file `path`. Raises JournalDamaged if an older one was lost."""
    guard = path.with_name(GUARD_FILE)
    log = path.with_name(f"{path.name}-wal")
    for trace in (guard, log):
        if trace.exists():
            raise JournalDamaged(
                "The journal {path} is gone, though you have played with this identity: put back a "
                "copy of it. Without one the tables in it are lost; to begin anew move {guard} "
                "away.",
                path=str(path),
                guard=str(trace),
            )
    with new_database(path):
        pass


def own_files(path: Path) -> tuple[Path, ...]:
    """Return the paths of the journal, of the files that SQLite adds, and of the rollback guard."""
    names = (path.name, f"{path.name}-wal", f"{path.name}-shm", GUARD_FILE)
    return tuple(map(path.with_name, names))


@contextmanager
def new_database(path: Path) -> Iterator[sqlite3.Connection]:
    """Make a new journal, to be filled in the block.

    Until the end of the block the new journal is in another file, which then replaces `path` in one
    step. So even if the node dies meanwhile, the journal at `path` is never empty or half filled.
    """
    part = path.with_name(f"{path.name}.new")
    part.unlink(missing_ok=True)
    create_private(part)
    try:
        with closing(sqlite3.connect(part, isolation_level=None)) as database:
            # SQLite's rollback journal is kept in memory, because its file could be left behind.
            database.execute("PRAGMA journal_mode = MEMORY")
            database.execute("PRAGMA fullfsync = ON")
            database.executescript(
                f"BEGIN; {_SCHEMA} PRAGMA application_id = {_APPLICATION_ID};"
                f" PRAGMA user_version = {SCHEMA_VERSION}; COMMIT;"
            )
            yield database
        os.replace(part, path)
    finally:
        part.unlink(missing_ok=True)
    sync_folder(path.parent)


def owner_of(database: sqlite3.Connection) -> bytes | None:
    """Return the public key of a journal's owner; None if it has never had one."""
    found = database.execute("SELECT key FROM owner").fetchone()
    return None if found is None else bytes(found[0])


def is_owned(path: Path) -> bool:
    """Return True if the journal at `path` has an owner, or cannot be read."""
    if not path.exists():
        return False
    try:
        with explained(path), closing(sqlite3.connect(path)) as database:
            return owner_of(database) is not None
    except JournalError:
        return True


def prepare_database(database: sqlite3.Connection, path: Path) -> None:
    """Set the connection up and check the file. Raises JournalDamaged."""
    if not path.stat().st_size:  # SQLite would remove the log beside an empty file
        raise _empty(path)
    # The size is set before the check, which reads the whole file.
    database.execute(f"PRAGMA cache_size = -{_CACHE_KIB}")
    (version,) = database.execute("PRAGMA user_version").fetchone()
    (application,) = database.execute("PRAGMA application_id").fetchone()
    if not database.execute("SELECT 1 FROM sqlite_master").fetchone():
        raise _empty(path)
    if application != _APPLICATION_ID:
        raise JournalDamaged(
            "The file {path} is no journal of Sobremesa. It was left as it is.", path=str(path)
        )
    # The version comes before the contents: a newer version may have other tables and columns.
    if version > SCHEMA_VERSION:
        raise JournalDamaged(
            "The journal {path} was written by a newer version of Sobremesa (its format "
            "is {version}, this program knows {known}). Use that version; nothing is lost.",
            path=str(path),
            version=version,
            known=SCHEMA_VERSION,
        )
    ((verdict,), *_) = database.execute("PRAGMA integrity_check").fetchall()
    if verdict != "ok":
        raise _damaged(path, verdict.splitlines()[-1])
    _check_kinds(database, path)
    for pragma in (
        "journal_mode = WAL",
        f"journal_size_limit = {_LOG_BYTES}",
        "synchronous = FULL",  # each commit reaches the disk
        "fullfsync = ON",  # on macOS: it reaches the disk itself, not only the disk's cache
        "checkpoint_fullfsync = ON",
        "secure_delete = ON",  # deleted data are overwritten
        "foreign_keys = ON",
        "trusted_schema = OFF",
        "cell_size_check = ON",
    ):
        database.execute(f"PRAGMA {pragma}")
    # If the program died, its log is still beside the file: move the log into the file. On a full
    # disk that fails, and SQLite goes on with the log as it is.
    with suppress(sqlite3.OperationalError):
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()


@frozen
class Column:
    """A column of a table in the journal."""

    name: str
    kind: str
    """The SQL type."""
    may_lack: bool
    """True if NULL is allowed."""
    is_key: bool


def columns_of(database: sqlite3.Connection, table: str) -> Iterator[Column]:
    """Return the columns of a table, in their order."""
    for _, name, kind, needed, _, key in database.execute(f"PRAGMA table_info({table})"):
        yield Column(name, kind, not needed, bool(key))


def _check_kinds(database: sqlite3.Connection, path: Path) -> None:
    """Check that each value has the type of its column. Raises JournalCorrupt.

    SQLite's own check does not notice if one flipped bit turns a BLOB into a TEXT.
    """
    for (table,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'"):
        for column in columns_of(database, table):
            name, kinds = column.name, (column.kind.lower(), "null" if column.may_lack else "")
            wrong = f"SELECT 1 FROM {table} WHERE typeof({name}) NOT IN (?, ?)"
            if database.execute(wrong, kinds).fetchone():
                raise _damaged(path, f"a value of another kind in {table}.{name}")
            if column.kind == "TEXT":
                try:
                    database.execute(f"SELECT {name} FROM {table}").fetchall()
                except UNREADABLE as error:
                    raise _damaged(path, str(error)) from error


@contextmanager
def explained(path: Path) -> Iterator[None]:
    """Turn SQLite's errors into sentences for people."""
    try:
        yield
    except sqlite3.ProgrammingError:  # a bug of ours, such as the use of a closed journal
        raise
    except sqlite3.IntegrityError as error:
        raise JournalError(
            "The journal does not know this table: {error}.", error=str(error)
        ) from error
    except (sqlite3.OperationalError, OSError) as error:
        if isinstance(error, OSError) and error.errno != errno.ENOSPC:
            raise
        kind = JournalFull if _lacks_room(error) else JournalError
        sentence = Sentence(
            "The journal {path} cannot be used ({error}). The last step may not have been written: "
            "make room on the disk or see to its permissions, then start again.",
            path=str(path),
            error=reason_of(error),
        )
        raise kind(sentence) from error
    # This case comes last: the errors above are DatabaseErrors, too, but do not mean a damaged
    # file.
    except UNREADABLE as error:
        raise _damaged(path, str(error)) from error


def _lacks_room(error: sqlite3.Error | OSError) -> bool:
    """Return True if the error means that the disk is full. An OSError must be ENOSPC."""
    if isinstance(error, OSError):
        return True
    # Errors that come from Python's module, not from SQLite, have no number: for example the error
    # for an invalid text. SHMSIZE means that the file which SQLite shares between processes cannot
    # be made longer.
    number = getattr(error, "sqlite_errorcode", None)
    return number in (sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR_SHMSIZE)


def _empty(path: Path) -> JournalDamaged:
    return JournalDamaged(
        "The journal {path} is empty: put back a copy of it. Without one the tables in it are "
        "lost; to begin anew move {path} away, and {guard} with it.",
        path=str(path),
        guard=str(path.with_name(GUARD_FILE)),
    )


def _damaged(path: Path, why: str) -> JournalCorrupt:
    return JournalCorrupt(
        "The journal {path} is damaged ({why}). It was left as it is. Put back a copy of it, or "
        "start sobremesa resume: it keeps what can be read, and fetches the rest from the others.",
        path=str(path),
        why=why,
    )


@contextmanager
def syncing(database: sqlite3.Connection, synced: bool) -> Iterator[None]:
    """Sync each transaction in this block to the disk if `synced`; otherwise sync none of them.

    Without `synced`, SQLite's setting NORMAL is used: in write-ahead mode it leaves out these
    syncs, and changes nothing else.
    """
    ((before,),) = database.execute("PRAGMA synchronous").fetchall()
    if synced or before < _FULL:
        yield
        return
    database.execute("PRAGMA synchronous = NORMAL")
    try:
        yield
    finally:
        database.execute(f"PRAGMA synchronous = {before}")


def put_entry(database: sqlite3.Connection, table_id: bytes, height: int, entry: bytes) -> None:
    """Insert the next entry of a table; do nothing if it is there already.

    Raises JournalConflict if another entry is there, JournalError if entries before it are missing.
    """
    (highest,) = database.execute(
        "SELECT coalesce(max(height), 0) FROM entries WHERE table_id = ?", (table_id,)
    ).fetchone()
    if not 1 <= height <= highest + 1:
        raise JournalError(
            "Entry {height} cannot be written: the next entry of this table is {next_height}.",
            height=height,
            next_height=highest + 1,
        )
    put(
        database,
        "entries",
        {"table_id": table_id, "height": height},
        {"entry": entry},
        Sentence(
            "The journal already has another entry {height} of this table, and keeps it.",
            height=height,
        ),
    )


def put_secret(database: sqlite3.Connection, table_id: bytes, name: str, secret: bytes) -> None:
    """Insert a secret of a table; do nothing if it is there already.

    Raises JournalConflict if the table has another secret of that name.
    """
    put(
        database,
        "secrets",
        {"table_id": table_id, "name": name},
        {"secret": secret},
        Sentence(
            "The journal already has another secret “{name}” of this table, and keeps it.",
            name=name,
        ),
    )


def put(
    database: sqlite3.Connection,
    table: str,
    key: dict[str, object],
    values: dict[str, object],
    conflict: Sentence,
) -> None:
    """Insert a row that never changes; do nothing if it is there already.

    Raises JournalConflict with the sentence `conflict` if the row of that key has other values.
    """
    chosen = " AND ".join(f"{column} = ?" for column in key)
    there = database.execute(
        f"SELECT {', '.join(values)} FROM {table} WHERE {chosen}", tuple(key.values())
    ).fetchone()
    if there is None:
        row = key | values
        marks = ", ".join("?" * len(row))
        database.execute(
            f"INSERT INTO {table} ({', '.join(row)}) VALUES ({marks})", tuple(row.values())
        )
    elif there != tuple(values.values()):
        raise JournalConflict(conflict)

"""The journal's file: its tables in SQLite, the checks before it is used, and its errors."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from p2p.storage.rollback_guard import GUARD_FILE
from protocol.errors import LocalError

SCHEMA_VERSION = 1

_APPLICATION_ID = 0x50BE3E5A  # marks the file as ours; see sqlite.org/pragma.html

_SCHEMA = """
CREATE TABLE tables (
    table_id BLOB PRIMARY KEY NOT NULL,
    charter BLOB NOT NULL,
    me INTEGER,
    created TEXT NOT NULL DEFAULT (datetime('now')),
    addresses BLOB,
    all_synced INTEGER NOT NULL DEFAULT 0,
    in_a_file INTEGER NOT NULL DEFAULT 0,
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
CREATE TABLE votes (
    table_id BLOB PRIMARY KEY NOT NULL REFERENCES tables,
    vote BLOB NOT NULL
);
CREATE TABLE pending_charter (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    pending BLOB NOT NULL
);
CREATE TABLE rollback_guard (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    seen BLOB NOT NULL
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
"""What reading a damaged file comes to; the second where a name in it is no text any more."""


class JournalError(LocalError):
    """The journal cannot do what it was asked to; nothing of it was written."""


class JournalConflict(JournalError):
    """Another value stands where this one should go, and what is written stays."""


class JournalDamaged(JournalError):
    """The file is no journal that this program can read. It was left as it is."""


class JournalCorrupt(JournalDamaged):
    """Parts of the file cannot be read. `p2p.storage.salvage` keeps what can be."""


def refuse_if_signed_before(path: Path) -> None:
    """Raises JournalDamaged where there is no journal, but a guard: it was lost."""
    guard = path.with_name(GUARD_FILE)
    if guard.exists():
        raise JournalDamaged(
            "The journal {path} is gone, though you have played with this identity: put back a "
            "copy of it. Without one the tables in it are lost; to begin anew move {guard} away.",
            path=str(path),
            guard=str(guard),
        )


def prepare_database(database: sqlite3.Connection, path: Path) -> None:
    """Sets the connection up, checks the file, and gives a new file its tables."""
    (version,) = database.execute("PRAGMA user_version").fetchone()
    (application,) = database.execute("PRAGMA application_id").fetchone()
    # Not the size of the file: a crash while it was first made may have left an empty database.
    new = not database.execute("SELECT 1 FROM sqlite_master").fetchone()
    if not new and application != _APPLICATION_ID:
        raise JournalDamaged(
            "The file {path} is no journal of Sobremesa. It was left as it is.", path=str(path)
        )
    if version > SCHEMA_VERSION:
        raise JournalDamaged(
            "The journal {path} was written by a newer version of Sobremesa (its format "
            "is {version}, this program knows {known}). Use that version; nothing is lost.",
            path=str(path),
            version=version,
            known=SCHEMA_VERSION,
        )
    ((verdict,), *_) = database.execute("PRAGMA quick_check").fetchall()
    if verdict != "ok":
        raise _damaged(path, verdict.splitlines()[-1])
    for pragma in (
        "journal_mode = WAL",
        "synchronous = FULL",  # each commit reaches the disk
        "fullfsync = ON",  # and on macOS the plate, not the drive's cache
        "checkpoint_fullfsync = ON",
        "secure_delete = ON",  # what is deleted is overwritten
        "foreign_keys = ON",
        "trusted_schema = OFF",
        "cell_size_check = ON",
    ):
        database.execute(f"PRAGMA {pragma}")
    if new:
        database.executescript(
            f"BEGIN; {_SCHEMA} PRAGMA application_id = {_APPLICATION_ID};"
            f" PRAGMA user_version = {SCHEMA_VERSION}; COMMIT;"
        )


@contextmanager
def explained(path: Path) -> Iterator[None]:
    """Turns SQLite's errors into sentences for people."""
    try:
        yield
    except sqlite3.ProgrammingError:  # a mistake of ours, such as a journal used when closed
        raise
    except sqlite3.IntegrityError as error:
        raise JournalError(
            "The journal does not know this table: {error}.", error=str(error)
        ) from error
    except sqlite3.OperationalError as error:
        raise JournalError(
            "The journal {path} cannot be used ({error}). Nothing was written: make room "
            "on the disk or see to its permissions, then start again.",
            path=str(path),
            error=str(error),
        ) from error
    except UNREADABLE as error:
        raise _damaged(path, str(error)) from error


def _damaged(path: Path, why: str) -> JournalCorrupt:
    return JournalCorrupt(
        "The journal {path} is damaged ({why}). It was left as it is. sobremesa resume keeps what "
        "can be read of it, and fetches the rest from the others; a copy that you put back serves "
        "as well.",
        path=str(path),
        why=why,
    )

"""The journal: what a node must never forget, on disk before the first byte of it is sent.

One SQLite file for each identity: the tables and their entries, the secrets of rounds not yet
closed, evidence, peers, settings. Each call is one transaction, synced to the disk when it
returns; a node that dies at any moment comes back to just what it had said, so that it can never
contradict itself. Calls block: run them in a worker thread; they may come from several.
"""

import secrets
import sqlite3
import threading
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from attrs import frozen

from engine.sentences import Sentence
from p2p.storage.folders import check_private, create_private, locked, make_private, replace_private
from protocol.errors import LocalError

JOURNAL_FILE = "journal.sqlite3"

WITNESS_FILE = "witness"
"""Beside the journal: it shows whether the journal is the one that was last open here."""

SCHEMA_VERSION = 1

_WITNESS = "witness"
_DOUBT = "doubt/"
_TOKEN_BYTES = 16
_TIME_BYTES = 16

_APPLICATION_ID = 0x50BE3E5A  # marks the file as ours; see sqlite.org/pragma.html

_SCHEMA = """
CREATE TABLE tables (
    table_id BLOB PRIMARY KEY NOT NULL,
    charter BLOB NOT NULL,
    me INTEGER,
    created TEXT NOT NULL DEFAULT (datetime('now'))
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
CREATE TABLE settings (
    name TEXT PRIMARY KEY NOT NULL,
    setting BLOB NOT NULL
);
"""


class JournalError(LocalError):
    """The journal cannot do what it was asked to; nothing of it was written."""


class JournalConflict(JournalError):
    """Another value stands where this one should go, and what is written stays."""


class JournalDamaged(JournalError):
    """The file is no journal that this program can read. It was left as it is."""


@frozen
class TableRecord:
    """A table in the journal. `me` is this node's player number, None for a spectator;
    `created` is for people to read.
    """

    table_id: bytes
    charter: bytes
    me: int | None
    created: str


@frozen
class KnownPeer:
    """Somebody met before; `first_seen` is for people to read."""

    key: bytes
    name: str
    first_seen: str


class Journal:
    """See the module. To be closed, or used in a `with` block."""

    def __init__(self, database: sqlite3.Connection, path: Path, closing: ExitStack) -> None:
        self._database = database
        self._path = path
        self._closing = closing
        self._guard = threading.Lock()

    @classmethod
    def open(cls, path: Path) -> Self:
        """The journal in the file `path`, made if need be, with mode 0600 in a folder 0700.

        Raises FolderError if others have access to it, IdentityInUse if another process has it,
        JournalDamaged if it cannot be read or was written by a newer version of this program.
        """
        make_private(path.parent)
        with ExitStack() as closing:
            closing.enter_context(locked(path.parent))
            if not path.exists():
                create_private(path)  # SQLite gives its -wal and -shm files the same mode
            check_private(path)
            with _explained(path):
                database = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
                closing.callback(database.close)
                _prepare(database, path)
            journal = cls(database, path, closing.pop_all())
        try:
            journal._witness()
        except BaseException:
            journal.close()
            raise
        return journal

    def close(self) -> None:
        """Closes the file and lets another process have it."""
        with self._guard:
            self._closing.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    # Tables and their entries

    def create_table(self, table_id: bytes, charter: bytes, me: int | None) -> None:
        """Opens the record of a table; again with the same values changes nothing.

        Raises JournalConflict if the table is there with others.
        """
        with self._transaction() as database:
            _put(
                database,
                "tables",
                {"table_id": table_id},
                {"charter": charter, "me": me},
                Sentence(
                    "The table {table} is already in the journal with another charter.",
                    table=table_id.hex(),
                ),
            )

    def tables(self) -> tuple[TableRecord, ...]:
        """All tables, the oldest first."""
        rows = self._query("SELECT table_id, charter, me, created FROM tables ORDER BY rowid")
        return tuple(TableRecord(*row) for row in rows)

    def append(
        self,
        table_id: bytes,
        height: int,
        entry: bytes,
        secrets: Mapping[str, bytes] | None = None,
    ) -> None:
        """Writes the next entry of a table, one's own or another's, and the secrets behind it,
        all or nothing. Heights count from 1. The same entry again changes nothing.

        Raises JournalConflict if another entry or secret stands in that place, JournalError if
        the table is unknown or entries before this one are missing.
        """
        with self._transaction() as database:
            next_height = _next_height(database, table_id)
            if not 1 <= height <= next_height:
                raise JournalError(
                    "Entry {height} cannot be written: this table is at {next_height}.",
                    height=height,
                    next_height=next_height,
                )
            _put(
                database,
                "entries",
                {"table_id": table_id, "height": height},
                {"entry": entry},
                Sentence(
                    "The journal has another entry {height} of this table; it stays.", height=height
                ),
            )
            for name, secret in (secrets or {}).items():
                _put_secret(database, table_id, name, secret)

    def entries(
        self, table_id: bytes, since: int = 1, most: int | None = None
    ) -> tuple[bytes, ...]:
        """The entries of a table from height `since` on, in order, at most `most` of them."""
        rows = self._query(
            "SELECT entry FROM entries WHERE table_id = ? AND height >= ? ORDER BY height LIMIT ?",
            (table_id, since, -1 if most is None else most),
        )
        return tuple(entry for (entry,) in rows)

    # Secrets

    def put_secret(self, table_id: bytes, name: str, secret: bytes) -> None:
        """Keeps a secret under a name. Raises JournalConflict if there is another of that name."""
        with self._transaction() as database:
            _put_secret(database, table_id, name, secret)

    def secrets(self, table_id: bytes) -> dict[str, bytes]:
        """The secrets of a table, by name."""
        return dict(self._query("SELECT name, secret FROM secrets WHERE table_id = ?", (table_id,)))

    def forget_secrets(self, table_id: bytes, prefix: str = "") -> None:
        """Erases from the files the secrets of a table whose names begin with `prefix`."""
        with self._transaction() as database:
            database.execute(
                "DELETE FROM secrets WHERE table_id = ? AND substr(name, 1, ?) = ?",
                (table_id, len(prefix), prefix),
            )
        # The write-ahead log still holds the pages as they were when the secrets were written.
        self._query("PRAGMA wal_checkpoint(TRUNCATE)")

    # Evidence

    def keep_evidence(self, table_id: bytes, about: str, evidence: bytes) -> None:
        """Keeps for good the bytes that show what was done; `about` is a sentence for people."""
        with self._transaction() as database:
            database.execute(
                "INSERT INTO evidence (table_id, about, evidence) VALUES (?, ?, ?)"
                " ON CONFLICT DO NOTHING",
                (table_id, about, evidence),
            )

    def evidence(self, table_id: bytes) -> tuple[tuple[str, bytes], ...]:
        """What was kept about a table, in order: sentence and bytes."""
        return tuple(
            self._query(
                "SELECT about, evidence FROM evidence WHERE table_id = ? ORDER BY number",
                (table_id,),
            )
        )

    # Peers and settings

    def remember_peer(self, peer: KnownPeer) -> None:
        """Keeps a peer; of one known already, only the name is changed."""
        with self._transaction() as database:
            database.execute(
                "INSERT INTO peers (key, name, first_seen) VALUES (?, ?, ?)"
                " ON CONFLICT (key) DO UPDATE SET name = excluded.name",
                (peer.key, peer.name, peer.first_seen),
            )

    def forget_peer(self, key: bytes) -> None:
        """Forget a peer, if it is known."""
        with self._transaction() as database:
            database.execute("DELETE FROM peers WHERE key = ?", (key,))

    def peers(self) -> tuple[KnownPeer, ...]:
        """Everybody met before, in that order."""
        rows = self._query("SELECT key, name, first_seen FROM peers ORDER BY rowid")
        return tuple(KnownPeer(*row) for row in rows)

    def set_setting(self, name: str, setting: bytes) -> None:
        """Keeps a setting, instead of what it was."""
        with self._transaction() as database:
            database.execute("INSERT OR REPLACE INTO settings VALUES (?, ?)", (name, setting))

    def setting(self, name: str) -> bytes | None:
        """A setting, or None if it was never set."""
        rows = self._query("SELECT setting FROM settings WHERE name = ?", (name,))
        return rows[0][0] if rows else None

    # Copies that were put back

    def is_doubtful(self, table_id: bytes) -> bool:
        """Whether this node may have said more at a table than the journal knows: it was put back
        from a copy, and nobody has told yet what was said since.
        """
        return self.setting(_DOUBT + table_id.hex()) is not None

    def clear_doubt(self, table_id: bytes) -> None:
        """All have told what was said at that table."""
        with self._transaction() as database:
            database.execute("DELETE FROM settings WHERE name = ?", (_DOUBT + table_id.hex(),))

    def _witness(self) -> None:
        """Doubt what the journal says if it is not the one that was last open here, and make a new
        witness. A copy of the journal alone has another token, and a copy of the witness another
        time of its last change, which no program sets. (The image of a whole disk has neither.)
        """
        path = self._path.with_name(WITNESS_FILE)
        found, token = _testimony(path), secrets.token_bytes(_TOKEN_BYTES)
        if not _is_borne_out(self.setting(_WITNESS), found):
            with self._transaction() as database:
                database.execute(
                    "INSERT OR REPLACE INTO settings SELECT ? || lower(hex(table_id)), x'' "
                    "FROM tables",
                    (_DOUBT,),
                )
        # Either will do at the next start, should this one die here.
        self.set_setting(_WITNESS, found + token)
        replace_private(path, token)
        self.set_setting(_WITNESS, _testimony(path))

    # Access

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        with self._guard, _explained(self._path):
            self._database.execute("BEGIN IMMEDIATE")
            try:
                yield self._database
                self._database.execute("COMMIT")
            except BaseException:
                if self._database.in_transaction:
                    self._database.execute("ROLLBACK")
                raise

    def _query(self, sql: str, values: tuple[object, ...] = ()) -> list[tuple[Any, ...]]:
        with self._guard, _explained(self._path):
            return self._database.execute(sql, values).fetchall()


def _testimony(path: Path) -> bytes:
    """What a witness says, 32 bytes: its token, and when it was last changed, in nanoseconds."""
    try:
        token = path.read_bytes()[:_TOKEN_BYTES].ljust(_TOKEN_BYTES, b"\0")
        return token + path.stat().st_ctime_ns.to_bytes(_TIME_BYTES, "big", signed=True)
    except FileNotFoundError:
        return bytes(_TOKEN_BYTES + _TIME_BYTES)


def _is_borne_out(setting: bytes | None, found: bytes) -> bool:
    """Whether the witness says what the journal remembers: its testimony, or the token that it was
    about to be given; a journal that is new remembers nothing.
    """
    if setting is None:
        return True
    size = _TOKEN_BYTES + _TIME_BYTES
    return setting[:size] == found or setting[size:] == found[:_TOKEN_BYTES]


def _prepare(database: sqlite3.Connection, path: Path) -> None:
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


def _next_height(database: sqlite3.Connection, table_id: bytes) -> int:
    (highest,) = database.execute(
        "SELECT coalesce(max(height), 0) FROM entries WHERE table_id = ?", (table_id,)
    ).fetchone()
    return int(highest) + 1


def _put_secret(database: sqlite3.Connection, table_id: bytes, name: str, secret: bytes) -> None:
    _put(
        database,
        "secrets",
        {"table_id": table_id, "name": name},
        {"secret": secret},
        Sentence("The journal has another secret “{name}” of this table; it stays.", name=name),
    )


def _put(
    database: sqlite3.Connection,
    table: str,
    key: dict[str, object],
    values: dict[str, object],
    conflict: Sentence,
) -> None:
    """Inserts a row that, once written, never changes: the same again is welcome, another not."""
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


@contextmanager
def _explained(path: Path) -> Iterator[None]:
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
    except sqlite3.DatabaseError as error:
        raise _damaged(path, str(error)) from error


def _damaged(path: Path, why: str) -> JournalDamaged:
    return JournalDamaged(
        "The journal {path} is damaged ({why}). It was left as it is: put back a copy, "
        "or move it away together with the files beside it that begin with its name.",
        path=str(path),
        why=why,
    )

"""The journal: all that a node must never forget, written to the disk before it is sent.

The journal is one SQLite file for each identity, with the tables and their entries, the secrets of
rounds not yet closed, signatures for continuations, evidence, and peers. Each call is one
transaction, which is synced to the disk when the call returns. Two kinds of entries are not synced
at once, because the node can get them again in the same bytes: entries of others, and unlockings
(`append`). An entry of somebody else may even wait for the next transaction (`defer`). Everything
else that this node signs is sent only when the journal and the rollback guard are both synced. So a
node that dies at any moment comes back to what it had sent, or sends the same bytes again.

All calls but `defer` block: run them in a worker thread. Several threads may call.
"""

import sqlite3
from collections.abc import Mapping, Sequence
from contextlib import ExitStack, closing, suppress
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import Self

from attrs import frozen

from engine.sentences import Sentence
from p2p.storage.identity import check_owner
from p2p.storage.journal_file import (
    JournalError,
    explained,
    make_journal,
    own_files,
    prepare_database,
    put,
    put_entry,
    put_secret,
)
from p2p.storage.private_files import check_is_file, check_private, locked, make_private
from p2p.storage.transactions import Transactions

_Secrets = Mapping[str, bytes] | None
_DOUBT = "UPDATE tables SET doubtful = 1"


@frozen
class TableRecord:
    """A table in the journal."""

    table_id: bytes
    charter: bytes
    me: int | None
    """This node's player number, None for a spectator."""
    created: str
    """A date for people to read."""


@frozen
class KnownPeer:
    """A player whom this node has met; `first_seen` is a date for people to read."""

    key: bytes
    name: str
    first_seen: str


class Journal(Transactions):
    """One journal file, which must be closed, or used in a `with` block."""

    def __init__(self, database: sqlite3.Connection, path: Path, closing: ExitStack) -> None:
        super().__init__(database, path)
        self._closing = closing
        closing.callback(self._guard.close)

    @classmethod
    def open(cls, path: Path) -> Self:
        """Open the journal in the file `path`; if it is missing, make it (mode 0600, folder 0700).

        Raises FolderError if others have access to the journal, if its key is gone, or if there is
        a folder or the like in the place of a file. Raises IdentityInUse if another process has
        opened the journal. Raises JournalDamaged if the journal cannot be read, was written with
        another key than the one in the same folder, or was written by a newer version of this
        program.
        """
        make_private(path.parent)
        with ExitStack() as closing:
            # The lock comes first: two programs that start at once could both make a journal.
            closing.enter_context(locked(path.parent))
            for file in own_files(path):
                check_is_file(file)
            with explained(path):
                if not path.exists():
                    make_journal(path)
                check_private(path)  # SQLite gives its -wal and -shm files the same mode
                database = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
                closing.callback(database.close)
                prepare_database(database, path)
                check_owner(database, path)
            journal = cls(database, path, closing.pop_all())
        try:
            journal._doubt_older_copy()
        except BaseException:
            journal.close()
            raise
        return journal

    def close(self) -> None:
        """Close the file, and release it for other processes."""
        with suppress(JournalError, OSError):
            # Deferred entries that cannot be written now come from the others again.
            self.flush()
        with self._lock:
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
        """Begin the record of a table. A second call with the same values changes nothing.

        Raises JournalConflict if the journal has the table with other values.
        """
        is_new = self._value("SELECT 1 FROM tables WHERE table_id = ?", table_id) is None
        with self._transaction(signed=is_new) as database:
            put(
                database,
                "tables",
                {"table_id": table_id},
                {"charter": charter, "me": me},
                Sentence(
                    "The table {table} is already in the journal with another charter.",
                    table=table_id.hex(),
                ),
            )
        if is_new:
            # If SQLite's log is lost, `_doubt_older_copy` must find a table in the file itself: in
            # a journal without a table it doubts nothing.
            self._put_log_into_file()

    @property
    def owner(self) -> bytes | None:
        """Return the public key of the journal's owner; None if it never had one."""
        return self._blob("SELECT key FROM owner")

    def replace_charter(self, table_id: bytes, charter: bytes) -> None:
        """Replace the damaged charter of a table."""
        self._write("UPDATE tables SET charter = ? WHERE table_id = ?", charter, table_id)

    def tables(self) -> tuple[TableRecord, ...]:
        """Return all tables, the oldest first."""
        rows = self._query("SELECT table_id, charter, me, created FROM tables ORDER BY rowid")
        return tuple(TableRecord(*row) for row in rows)

    def append(self, table_id: bytes, height: int, entry: bytes, secrets: _Secrets = None) -> None:
        """Write the next entry of a table, all or nothing. Heights count from 1.

        Writing the same entry again changes nothing.

        If `secrets` is not None (it may be empty), this node has signed the entry and could not
        make it again in the same bytes: its player could choose another move, and a shuffle is
        random. Such an entry is synced together with its secrets, and the rollback guard changes.

        Any other entry is not synced by this call, but by the next sync. If the power fails before
        that, an entry of somebody else comes again from the others. An unlocking of this node is
        made again in the same bytes: it follows from the record before it and from a lock that was
        synced with its shuffle (`protocol.player`). So nothing is lost if a journal lacks only
        unlockings, after a power cut or because an older copy was put back. Therefore the guard
        does not change with an unlocking, and such a journal is not doubted.

        Raises JournalConflict if there is another entry or secret in that place, JournalError if
        the table is unknown or entries before this one are missing, and JournalFull.
        """
        self._reserve.finish(partial(self._append, table_id, height, entry, secrets))

    def _append(self, table_id: bytes, height: int, entry: bytes, secrets: _Secrets) -> None:
        signed = secrets is not None
        with self._transaction(signed=signed, synced=signed) as database:
            put_entry(database, table_id, height, entry)
            for name, secret in (secrets or {}).items():
                put_secret(database, table_id, name, secret)
        if secrets:
            # If SQLite's log is lost, the others still have the entries, but nobody else has these
            # secrets. So they must be in the file itself.
            self._put_log_into_file()

    def entries(
        self, table_id: bytes, since: int = 1, most: int | None = None
    ) -> tuple[bytes, ...]:
        """Return the entries of a table from height `since` on, in order, at most `most`."""
        self.flush()
        rows = self._query(
            "SELECT entry FROM entries WHERE table_id = ? AND height >= ? ORDER BY height LIMIT ?",
            (table_id, since, -1 if most is None else most),
        )
        return tuple(entry for (entry,) in rows)

    def replace_entries(self, table_id: bytes, since: int, entries: Sequence[bytes]) -> None:
        """Replace all entries from height `since` on by `entries`.

        This node must not have written any of the old entries.
        """
        with self._transaction() as database:
            database.execute(
                "DELETE FROM entries WHERE table_id = ? AND height >= ?", (table_id, since)
            )
            for height, entry in enumerate(entries, since):
                put_entry(database, table_id, height, entry)

    def forget_entries(self, table_id: bytes, since: int) -> None:
        """Erase the entries of a table from height `since` on, because they are damaged.

        The table is then doubtful, until the others have told what they have.
        """
        with self._transaction() as database:
            database.execute(
                "DELETE FROM entries WHERE table_id = ? AND height >= ?", (table_id, since)
            )
            database.execute(f"{_DOUBT} WHERE table_id = ?", (table_id,))

    # Secrets

    def secrets(self, table_id: bytes) -> dict[str, bytes]:
        """Return the secrets of a table, by name."""
        return dict(self._query("SELECT name, secret FROM secrets WHERE table_id = ?", (table_id,)))

    def forget_secrets(self, table_id: bytes, prefix: str = "") -> None:
        """Erase from all files the secrets of a table whose names begin with `prefix`."""
        chosen = "table_id = ? AND substr(name, 1, ?) = ?"
        self._write(f"DELETE FROM secrets WHERE {chosen}", table_id, len(prefix), prefix)
        # The write-ahead log still has the pages with the secrets: empty the log.
        self._query("PRAGMA wal_checkpoint(TRUNCATE)")

    # Evidence

    def keep_evidence(self, table_id: bytes, about: str, evidence: bytes) -> None:
        """Keep evidence for good; `about` is a sentence for people that tells what was done.

        A record file that was written earlier lacks the evidence. So the table then counts as a
        table whose record is in no file.
        """
        with self._transaction() as database:
            kept = database.execute(
                "INSERT INTO evidence (table_id, about, evidence) VALUES (?, ?, ?)"
                " ON CONFLICT DO NOTHING",
                (table_id, about, evidence),
            )
            if kept.rowcount:
                database.execute("UPDATE tables SET in_a_file = 0 WHERE table_id = ?", (table_id,))

    def evidence(self, table_id: bytes) -> tuple[tuple[str, bytes], ...]:
        """Return the evidence about a table, in order, as pairs of a sentence and bytes."""
        return tuple(
            self._query(
                "SELECT about, evidence FROM evidence WHERE table_id = ? ORDER BY number",
                (table_id,),
            )
        )

    # Peers

    def remember_peer(self, peer: KnownPeer) -> None:
        """Keep a peer; if it was kept already, change only the name."""
        self._write(
            "INSERT INTO peers (key, name, first_seen) VALUES (?, ?, ?)"
            " ON CONFLICT (key) DO UPDATE SET name = excluded.name",
            peer.key,
            peer.name,
            peer.first_seen,
        )

    def forget_peer(self, key: bytes) -> None:
        """Forget a peer, if it was kept."""
        self._write("DELETE FROM peers WHERE key = ?", key)

    def peers(self) -> tuple[KnownPeer, ...]:
        """Return all peers, in the order in which they were met."""
        rows = self._query("SELECT key, name, first_seen FROM peers ORDER BY rowid")
        return tuple(KnownPeer(*row) for row in rows)

    # Signatures and facts beside the entries

    def keep_statement(self, match_id: bytes, attempt: int, statement: bytes) -> None:
        """Keep this node's signature for the continuation with the number `attempt`.

        Raises JournalConflict if another signature for that number is kept, and JournalFull.
        """

        # `finish` calls this a second time if the disk was full.
        def keep() -> None:
            with self._transaction(signed=True) as database:
                put(
                    database,
                    "statements",
                    {"match_id": match_id, "attempt": attempt},
                    {"statement": statement},
                    Sentence("This machine has signed another continuation of that number."),
                )

        self._reserve.finish(keep)

    def statements(self, match_id: bytes) -> tuple[bytes, ...]:
        """Return this node's signatures for continuations of a match, in the order of attempts."""
        query = "SELECT statement FROM statements WHERE match_id = ? ORDER BY attempt"
        return tuple(statement for (statement,) in self._query(query, (match_id,)))

    def note_given_up(self, table_id: bytes) -> None:
        """Note that the player has given up the match of that table."""
        self._write("UPDATE tables SET given_up = 1 WHERE table_id = ?", table_id)

    def is_given_up(self, table_id: bytes) -> bool:
        """Return True if the player has given up the match of that table."""
        return bool(self._value("SELECT given_up FROM tables WHERE table_id = ?", table_id))

    def keep_pending_charter(self, pending: bytes) -> None:
        """Keep a charter that this node signs, until the node knows that all others have signed."""
        self._write("INSERT OR REPLACE INTO pending_charter VALUES (1, ?)", pending, signed=True)

    def drop_pending_charter(self) -> None:
        """Forget the pending charter: all have signed it, or somebody never will."""
        self._write("DELETE FROM pending_charter")

    def pending_charter(self) -> bytes | None:
        """Return the charter that waits for the signatures of others; None if there is none."""
        return self._blob("SELECT pending FROM pending_charter")

    def keep_addresses(self, table_id: bytes, addresses: bytes) -> None:
        """Keep the addresses at which the members of a table were found last."""
        self._write("UPDATE tables SET addresses = ? WHERE table_id = ?", addresses, table_id)

    def addresses(self, table_id: bytes) -> bytes | None:
        """Return the addresses at which the members of a table were found last."""
        return self._blob("SELECT addresses FROM tables WHERE table_id = ?", table_id)

    def note_all_synced(self, table_id: bytes) -> None:
        """Note that all members have the whole record of a table."""
        self._write("UPDATE tables SET all_synced = 1 WHERE table_id = ?", table_id)

    def note_in_a_file(self, table_id: bytes) -> None:
        """Note that the record of a table is in a file of its own."""
        self._write("UPDATE tables SET in_a_file = 1 WHERE table_id = ?", table_id)

    def is_in_a_file(self, table_id: bytes) -> bool:
        """Return True if the record of a table is in a file of its own.

        For example, the result is False if the program died after the last signature, before it
        wrote the file.
        """
        return bool(self._value("SELECT in_a_file FROM tables WHERE table_id = ?", table_id))

    def have_all_synced(self, table_id: bytes) -> bool:
        """Return True if all members are known to have the whole record of a table."""
        return bool(self._value("SELECT all_synced FROM tables WHERE table_id = ?", table_id))

    # Copies that were put back

    def is_doubtful(self, table_id: bytes) -> bool:
        """Return True if this node may have signed more at a table than the journal has.

        A table is doubtful after files were lost, damaged or put back, until all peers have told
        what they have.
        """
        return bool(self._value("SELECT doubtful FROM tables WHERE table_id = ?", table_id))

    def clear_doubt(self, table_id: bytes) -> None:
        """Note that a table is not doubtful any more: all peers have told what was signed there."""
        self._write("UPDATE tables SET doubtful = 0 WHERE table_id = ?", table_id)

    def _doubt_older_copy(self) -> None:
        """Doubt every table if the guard is not as it was at the last signature in the journal.

        The tables are doubted, too, if the node died between the change of the guard and the
        writing of the signature: that costs only a wait for the others. In a journal without a
        table nothing is doubted. Before the first signature there is no guard.
        """
        remembered = self._value("SELECT seen FROM rollback_guard")
        if self._value("SELECT 1 FROM tables") and remembered != self._guard.seen():
            # `signed` makes journal and guard agree again. The doubt itself stays until
            # `clear_doubt`.
            self._write(_DOUBT, signed=True)


def who_gave_up(path: Path, match_id: bytes) -> bytes | None:
    """Return the key of the owner of the journal at `path` if they gave up the match, or None.

    Blocks. This takes no lock, so an audit can call it while a game is being played.
    """
    query = "SELECT key FROM owner, tables WHERE table_id = ? AND given_up = 1"
    with suppress(sqlite3.Error):
        database = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)
        with closing(database):
            found = database.execute(query, (match_id,)).fetchone()
            return None if found is None else bytes(found[0])
    return None

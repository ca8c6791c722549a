"""The transactions of the journal: one connection, used by one thread at a time.

Each transaction first writes the entries of others that were deferred.
"""

import sqlite3
import threading
from collections import deque
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any

from p2p.storage.journal_file import JournalError, explained, put_entry, syncing
from p2p.storage.reserve import RESERVE_FILE, Reserve
from p2p.storage.rollback_guard import GUARD_FILE, RollbackGuard


class Transactions:
    """The transactions of one connection, with the rollback guard and the reserve of its file."""

    def __init__(self, database: sqlite3.Connection, path: Path) -> None:
        self._database = database
        self._path = path
        self._lock = threading.Lock()
        self._guard = RollbackGuard(path.with_name(GUARD_FILE))
        self._reserve = Reserve(path.with_name(RESERVE_FILE))
        self._deferred: deque[tuple[bytes, int, bytes]] = deque()

    def fill_reserve(self) -> None:
        """Make the reserve, so that an entry can still be written when the disk gets full."""
        self._reserve.fill()

    def defer(self, table_id: bytes, height: int, entry: bytes) -> None:
        """Note the next entry of somebody else, to be written at the start of the next transaction.

        `flush` writes the entry, too. This does not block. A node that dies before the entry is
        written comes back as if it had never received the entry.
        """
        self._deferred.append((table_id, height, entry))

    def flush(self) -> None:
        """Write the deferred entries. Raises the same errors as `Journal.append`."""

        def write() -> None:
            if self._deferred:
                with self._transaction(synced=False):
                    pass

        self._reserve.finish(write)

    @contextmanager
    def _transaction(
        self, *, signed: bool = False, synced: bool = True
    ) -> Iterator[sqlite3.Connection]:
        """Open a transaction for the block, and commit it at the end of the block.

        If `synced`, the transaction is on the disk after the block; otherwise it is synced with a
        later transaction. If `signed`, the transaction has a new signature of this node that could
        not be made again in the same bytes. So the guard is changed and synced, too.
        """
        with self._lock, explained(self._path), syncing(self._database, synced):
            self._database.execute("BEGIN IMMEDIATE")
            try:
                deferred = tuple(self._deferred)
                for place in deferred:
                    put_entry(self._database, *place)
                yield self._database
                # The guard is synced while the journal commits. The end of this block waits for
                # both.
                with ExitStack() as until_synced:
                    if signed:
                        seen = until_synced.enter_context(self._guard.changed())
                        self._database.execute(
                            "INSERT OR REPLACE INTO rollback_guard VALUES (1, ?)", (seen,)
                        )
                    self._database.execute("COMMIT")
                    # Other threads may have deferred more meanwhile, so only these are removed. A
                    # rollback comes before this, and keeps them.
                    for _ in deferred:
                        self._deferred.popleft()
            except BaseException:
                if self._database.in_transaction:
                    self._database.execute("ROLLBACK")
                raise

    def _put_log_into_file(self) -> None:
        """Copy SQLite's log into the file.

        If that fails, for example on a full disk, the data stay safe in the log.
        """
        with suppress(JournalError):
            self._query("PRAGMA wal_checkpoint(PASSIVE)")

    def _write(self, sql: str, *values: object, signed: bool = False) -> None:
        """Change the tables by one SQL statement, in a transaction of its own."""
        with self._transaction(signed=signed) as database:
            database.execute(sql, values)

    def _query(self, sql: str, values: tuple[object, ...] = ()) -> list[tuple[Any, ...]]:
        with self._lock, explained(self._path):
            return self._database.execute(sql, values).fetchall()

    def _blob(self, sql: str, *values: object) -> bytes | None:
        """Return the only value in the result of a query, as bytes; None if there is no value."""
        value = self._value(sql, *values)
        assert value is None or isinstance(value, bytes)
        return value

    def _value(self, sql: str, *values: object) -> Any:
        """Return the only value in the result of a query; None if there is no row."""
        rows = self._query(sql, values)
        return rows[0][0] if rows else None

"""Transactions of the journal: one connection, one thread at a time.

Before whatever is written come the entries of others that were deferred until then.
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
    """Those of one connection, beside whose file lie the rollback guard and the reserve."""

    def __init__(self, database: sqlite3.Connection, path: Path) -> None:
        self._database = database
        self._path = path
        self._lock = threading.Lock()
        self._guard = RollbackGuard(path.with_name(GUARD_FILE))
        self._reserve = Reserve(path.with_name(RESERVE_FILE))
        self._deferred: deque[tuple[bytes, int, bytes]] = deque()

    def fill_reserve(self) -> None:
        """Take room for the entry that is written when a disk gets full."""
        self._reserve.fill()

    def defer(self, table_id: bytes, height: int, entry: bytes) -> None:
        """Take the next entry of somebody else, to be written before whatever is written next.

        It is written in the same transaction, or by `flush`. Does not block. A node that dies
        before has not heard of it.
        """
        self._deferred.append((table_id, height, entry))

    def flush(self) -> None:
        """Write what was deferred. Raises as `append`."""

        def write() -> None:
            if self._deferred:
                with self._transaction(synced=False):
                    pass

        self._reserve.finish(write)

    @contextmanager
    def _transaction(
        self, *, signed: bool = False, synced: bool = True
    ) -> Iterator[sqlite3.Connection]:
        """Hold one transaction, `synced` when the block ends or by the next one that is.

        `signed`: it holds a signature of this node's that was not sent yet and that it would not
        give again in the same bytes, so that the guard has to change before it can be; it is
        synced, too.
        """
        with self._lock, explained(self._path), syncing(self._database, synced):
            self._database.execute("BEGIN IMMEDIATE")
            try:
                deferred = tuple(self._deferred)
                for place in deferred:
                    put_entry(self._database, *place)
                yield self._database
                with ExitStack() as until_synced:
                    if signed:
                        seen = until_synced.enter_context(self._guard.changed())
                        self._database.execute(
                            "INSERT OR REPLACE INTO rollback_guard VALUES (1, ?)", (seen,)
                        )
                    self._database.execute("COMMIT")
                    for _ in deferred:
                        self._deferred.popleft()
            except BaseException:
                if self._database.in_transaction:
                    self._database.execute("ROLLBACK")
                raise

    def _put_log_into_file(self) -> None:
        """Put the log into the file.

        A disk without room for this is no error: what is in the log is safe for now.
        """
        with suppress(JournalError):
            self._query("PRAGMA wal_checkpoint(PASSIVE)")

    def _query(self, sql: str, values: tuple[object, ...] = ()) -> list[tuple[Any, ...]]:
        with self._lock, explained(self._path):
            return self._database.execute(sql, values).fetchall()

    def _blob(self, sql: str, *values: object) -> bytes | None:
        """Return the only value that a query asks for; None where there is none."""
        value = self._value(sql, *values)
        assert value is None or isinstance(value, bytes)
        return value

    def _value(self, sql: str, *values: object) -> Any:
        """Return the only value that a query asks for; None where there is no row."""
        rows = self._query(sql, values)
        return rows[0][0] if rows else None

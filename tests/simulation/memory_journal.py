"""A journal in memory, for simulated nodes.

It has the methods of `p2p.storage.journal.Journal` that a node at a table calls. Each write is one
transaction in a log. The journal also simulates these faults:

- A machine can die at any transaction.
- A power failure loses the newest unsynced transactions.
- A copy with any beginning of the log can be restored.

The journal is doubtful if it lacks a signature of its node that the node would not repeat in the
same bytes. For a journal on a disk, the rollback guard notices this.
"""

from collections import deque
from collections.abc import Mapping, Sequence
from typing import Any, cast

from attrs import define, field, frozen

from p2p.storage.journal import KnownPeer, TableRecord
from p2p.storage.journal_file import JournalConflict, JournalError


class Killed(Exception):
    """The death of the machine during a write, as an error."""


@frozen
class Transaction:
    """One write: a value under a name.

    `signed` is True if the value has a signature of this node, except that of an unlocking.
    """

    kind: str
    name: object
    value: Any = field(repr=False)
    signed: bool = False
    synced: bool = True


@define
class MemoryJournal:
    """A journal of at most one match.

    `base` and `base_secrets` are the entries and secrets of table `first` at the beginning of the
    simulation. After `dies_after` more transactions, the machine dies at the next one. If `dies_on`
    is not empty, only transactions of that kind count. At this death the guard has changed if
    `on_guard`, and the last transaction is on the disk if `on_disk`.
    """

    first: bytes = b""
    base: tuple[bytes, ...] = field(default=(), repr=False)
    base_secrets: Mapping[str, bytes] = field(factory=dict, repr=False)
    log: list[Transaction] = field(factory=list)
    dies_after: int | None = None
    dies_on: str = ""
    on_guard: bool = False
    on_disk: bool = False
    owner: bytes | None = None
    """The public key of the identity next to the journal."""
    doubtful: bool = field(default=False, init=False)
    died_on: str = field(default="", init=False)
    """The kind of the transaction at which the machine died."""
    _guard_moved: bool = field(default=False, init=False)
    _entries: dict[bytes, list[bytes]] = field(init=False, repr=False)
    _secrets: dict[tuple[bytes, str], bytes] = field(init=False, repr=False)
    _deferred: deque[Transaction] = field(factory=deque, init=False, repr=False)
    _kept: dict[tuple[str, object], Any] = field(factory=dict, init=False, repr=False)

    def __attrs_post_init__(self) -> None:
        self._entries = {self.first: list(self.base)}
        self._secrets = {(self.first, name): lock for name, lock in self.base_secrets.items()}
        for transaction in self.log:
            self._do(transaction)

    def _write(
        self, kind: str, name: object, value: Any, *, signed: bool = False, synced: bool = True
    ) -> None:
        self.flush()
        self._log(Transaction(kind, name, value, signed, synced))

    def _log(self, transaction: Transaction) -> None:
        if transaction.kind == "entry":
            self._check(*cast(tuple[bytes, int], transaction.name), *transaction.value)
        dies = False
        if self.dies_after is not None and self.dies_on in ("", transaction.kind):
            dies, self.dies_after = not self.dies_after, self.dies_after - 1
        self.died_on = transaction.kind if dies else ""
        if dies and not self.on_disk:
            self._guard_moved = transaction.signed and self.on_guard
            raise Killed
        self.log.append(transaction)
        self._do(transaction)
        if dies:
            raise Killed

    def _check(
        self, table_id: bytes, height: int, entry: bytes, secrets: Mapping[str, bytes]
    ) -> None:
        """Check that nothing already written changes. Raises the errors of the real journal."""
        entries = self._entries.get(table_id, [])
        if not 1 <= height <= len(entries) + 1:
            raise JournalError("Entries before entry {height} are missing.", height=height)
        if entries[height - 1 : height] not in ([], [entry]):
            raise JournalConflict("There is another entry {height}.", height=height)
        for name, secret in secrets.items():
            if self._secrets.get((table_id, name), secret) != secret:
                raise JournalConflict("There is another secret {name}.", name=name)

    def _do(self, transaction: Transaction) -> None:
        name, value = cast(Any, transaction.name), transaction.value
        match transaction.kind:
            case "entry":
                table_id, height = name
                entry, secrets = value
                entries = self._entries.setdefault(table_id, [])
                if height == len(entries) + 1:  # otherwise the journal has the entry already
                    entries.append(entry)
                self._secrets |= {(table_id, lock): value for lock, value in secrets.items()}
            case "entries forgotten":
                del self._entries[name][value - 1 :]
            case "entries replaced":
                since, entries = value
                self._entries[name][since - 1 :] = entries
            case "forgotten":
                table_id, prefix = name
                gone = [key for key in self._secrets if self._is_named(key, table_id, prefix)]
                for key in gone:
                    del self._secrets[key]
            case "doubt":
                self.doubtful = value
            case kind:
                self._kept[kind, name] = value

    @staticmethod
    def _is_named(key: tuple[bytes, str], table_id: bytes, prefix: str) -> bool:
        return key[0] == table_id and key[1].startswith(prefix)

    # -- deaths and copies

    def after_power_failure(self) -> "MemoryJournal":
        """Return the journal without its newest, unsynced transactions.

        These are entries of others, who still have them, and own unlockings, which the node writes
        again.
        """
        length = max((i for i, one in enumerate(self.log, 1) if one.synced), default=0)
        return self._started(self.log[:length], doubt=self._guard_moved)

    def copy_of(self, length: int) -> "MemoryJournal":
        """Return a copy of the journal as it was after `length` transactions."""
        lost = any(one.signed for one in self.log[length:])
        return self._started(self.log[:length], doubt=lost or self._guard_moved)

    def _started(self, log: list[Transaction], *, doubt: bool) -> "MemoryJournal":
        doubts = [Transaction("doubt", "", True, signed=True)] if doubt else []
        log = [*log, *doubts]
        return MemoryJournal(self.first, self.base, self.base_secrets, log, owner=self.owner)

    @property
    def was_put_back(self) -> bool:
        """True if the journal has ever been a copy that lacked a signature of its node."""
        return any(one.kind == "doubt" and one.value for one in self.log)

    # -- the methods that a node calls

    def create_table(self, table_id: bytes, charter: bytes, me: int | None) -> None:
        record = TableRecord(table_id, charter, me, "")
        there = self._kept.get(("table", table_id))
        if there not in (None, record):
            raise JournalConflict("The table is there with another charter.")
        if there is None:
            self._write("table", table_id, record)

    def tables(self) -> tuple[TableRecord, ...]:
        return tuple(value for (kind, _), value in self._kept.items() if kind == "table")

    def append(
        self,
        table_id: bytes,
        height: int,
        entry: bytes,
        secrets: Mapping[str, bytes] | None = None,
    ) -> None:
        signed = secrets is not None
        value = entry, dict(secrets or {})
        self._write("entry", (table_id, height), value, signed=signed, synced=signed)

    def defer(self, table_id: bytes, height: int, entry: bytes) -> None:
        name = table_id, height
        self._deferred.append(Transaction("entry", name, (entry, {}), synced=False))

    def flush(self) -> None:
        while self._deferred:
            self._log(self._deferred[0])
            self._deferred.popleft()  # a death in `_log` loses the entry

    def entries(
        self, table_id: bytes, since: int = 1, most: int | None = None
    ) -> tuple[bytes, ...]:
        end = None if most is None else since - 1 + most
        deferred = [one.value[0] for one in self._deferred if cast(Any, one.name)[0] == table_id]
        return (*self._entries.get(table_id, ()), *deferred)[since - 1 : end]

    def replace_entries(self, table_id: bytes, since: int, entries: Sequence[bytes]) -> None:
        self._write("entries replaced", table_id, (since, entries))

    def forget_entries(self, table_id: bytes, since: int) -> None:
        self._write("entries forgotten", table_id, since)
        self._write("doubt", "", True)

    def secrets(self, table_id: bytes) -> dict[str, bytes]:
        return {name: lock for (table, name), lock in self._secrets.items() if table == table_id}

    def forget_secrets(self, table_id: bytes, prefix: str = "") -> None:
        if any(self._is_named(key, table_id, prefix) for key in self._secrets):
            self._write("forgotten", (table_id, prefix), None)

    def keep_evidence(self, table_id: bytes, about: str, evidence: bytes) -> None:
        if (about, evidence) not in self.evidence(table_id):
            self._write("evidence", (table_id, about, evidence), (about, evidence))

    def evidence(self, table_id: bytes) -> tuple[tuple[str, bytes], ...]:
        kept = self._kept.items()
        return tuple(
            value
            for (kind, name), value in kept
            if kind == "evidence" and cast(Any, name)[0] == table_id
        )

    def keep_statement(self, match_id: bytes, attempt: int, statement: bytes) -> None:
        there = self._kept.get(("statement", attempt))
        if there not in (None, statement):
            raise JournalConflict("Another continuation of that number was signed.")
        self._write("statement", attempt, statement, signed=True)

    def statements(self, match_id: bytes) -> tuple[bytes, ...]:
        kept = [(name, value) for (kind, name), value in self._kept.items() if kind == "statement"]
        return tuple(value for _, value in sorted(cast(Any, kept)))

    def is_doubtful(self, table_id: bytes) -> bool:
        return self.doubtful

    def clear_doubt(self, table_id: bytes) -> None:
        self._write("doubt", "", False)

    def keep_addresses(self, table_id: bytes, addresses: bytes) -> None:
        pass  # addresses are not simulated

    def addresses(self, table_id: bytes) -> bytes | None:
        return None

    def note_all_synced(self, table_id: bytes) -> None:
        self._write("all synced", table_id, True)

    def peers(self) -> tuple[KnownPeer, ...]:
        return ()

    def pending_charter(self) -> bytes | None:
        return None

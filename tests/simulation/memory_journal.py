"""A journal in memory, for simulated nodes: the calls of `p2p.storage.journal.Journal` that a node
at a table makes, each of them one transaction of a log, and what machines do to journals.

A machine dies at any transaction, a power failure takes the newest ones that were not synced, and a
copy that was put back is any beginning of the log. It is doubtful if a signature of this node's is
missing that it would not give again in the same bytes, as the rollback guard finds on a disk.
"""

from collections import deque
from collections.abc import Mapping
from typing import Any, cast

from attrs import define, field, frozen

from p2p.storage.journal import KnownPeer, TableRecord
from p2p.storage.journal_file import JournalConflict, JournalError


class Killed(Exception):
    """The machine has no power any more."""


@frozen
class Transaction:
    """What is kept, under which name. `signed`: it has a signature of this node's in it,
    and not only that of an unlocking.
    """

    kind: str
    name: object
    value: Any = field(repr=False)
    signed: bool = False
    synced: bool = True


@define
class MemoryJournal:
    """At one table at most. `base` are the entries and secrets with which the simulation begins;
    `dies_after` so many transactions more the machine dies; `on_guard` says whether the guard had
    changed by then.
    """

    base: tuple[bytes, ...] = field(default=(), repr=False)
    base_secrets: Mapping[str, bytes] = field(factory=dict, repr=False)
    log: list[Transaction] = field(factory=list)
    dies_after: int | None = None
    on_guard: bool = False
    owner: bytes | None = None
    """The key beside it."""
    doubtful: bool = field(default=False, init=False)
    _guard_moved: bool = field(default=False, init=False)
    _entries: list[bytes] = field(init=False, repr=False)
    _secrets: dict[str, bytes] = field(init=False, repr=False)
    _deferred: deque[Transaction] = field(factory=deque, init=False, repr=False)
    _kept: dict[tuple[str, object], Any] = field(factory=dict, init=False, repr=False)

    def __attrs_post_init__(self) -> None:
        self._entries, self._secrets = list(self.base), dict(self.base_secrets)
        for transaction in self.log:
            self._do(transaction)

    def _write(
        self, kind: str, name: object, value: Any, *, signed: bool = False, synced: bool = True
    ) -> None:
        self.flush()
        self._log(Transaction(kind, name, value, signed, synced))

    def _log(self, transaction: Transaction) -> None:
        if transaction.kind == "entry":
            self._check(cast(int, transaction.name), *transaction.value)
        if self.dies_after is not None:
            if not self.dies_after:
                self._guard_moved = transaction.signed and self.on_guard
                raise Killed
            self.dies_after -= 1
        self.log.append(transaction)
        self._do(transaction)

    def _check(self, height: int, entry: bytes, secrets: Mapping[str, bytes]) -> None:
        """Raises as the journal: what was written once never changes."""
        if not 1 <= height <= len(self._entries) + 1:
            raise JournalError("Entries before entry {height} are missing.", height=height)
        if self._entries[height - 1 : height] not in ([], [entry]):
            raise JournalConflict("There is another entry {height}.", height=height)
        for name, secret in secrets.items():
            if self._secrets.get(name, secret) != secret:
                raise JournalConflict("There is another secret {name}.", name=name)

    def _do(self, transaction: Transaction) -> None:
        name, value = transaction.name, transaction.value
        match transaction.kind:
            case "entry":
                entry, secrets = value
                if name == len(self._entries) + 1:  # else it is there already
                    self._entries.append(entry)
                self._secrets |= secrets
            case "entries forgotten":
                del self._entries[value - 1 :]
            case "forgotten":
                prefix = cast(str, name)
                self._secrets = {
                    name: secret
                    for name, secret in self._secrets.items()
                    if not name.startswith(prefix)
                }
            case "doubt":
                self.doubtful = value
            case kind:
                self._kept[kind, name] = value

    # -- what machines do

    def after_power_failure(self) -> "MemoryJournal":
        """Without the newest transactions that were not synced: entries of others, which they
        have, and unlockings of its own, which it writes again.
        """
        length = max((i for i, one in enumerate(self.log, 1) if one.synced), default=0)
        return self._started(self.log[:length], doubt=self._guard_moved)

    def copy_of(self, length: int) -> "MemoryJournal":
        """The copy that was made after so many transactions, put back."""
        lost = any(one.signed for one in self.log[length:])
        return self._started(self.log[:length], doubt=lost or self._guard_moved)

    def _started(self, log: list[Transaction], *, doubt: bool) -> "MemoryJournal":
        doubts = [Transaction("doubt", "", True, signed=True)] if doubt else []
        log = [*log, *doubts]
        return MemoryJournal(self.base, self.base_secrets, log, owner=self.owner)

    # -- the calls of a node

    def create_table(self, table_id: bytes, charter: bytes, me: int | None) -> None:
        record = TableRecord(table_id, charter, me, "")
        there = self._kept.get(("table", table_id))
        if there not in (None, record):
            raise JournalConflict("The table is there with another charter.")
        if there is None:
            assert not self.tables(), "a simulated machine sits at one table"
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
        self._write("entry", height, (entry, dict(secrets or {})), signed=signed, synced=signed)

    def defer(self, table_id: bytes, height: int, entry: bytes) -> None:
        self._deferred.append(Transaction("entry", height, (entry, {}), synced=False))

    def flush(self) -> None:
        while self._deferred:
            self._log(self._deferred[0])
            self._deferred.popleft()  # now it is kept; where the machine has died it is not

    def entries(
        self, table_id: bytes, since: int = 1, most: int | None = None
    ) -> tuple[bytes, ...]:
        end = None if most is None else since - 1 + most
        deferred = [one.value[0] for one in self._deferred]
        return (*self._entries, *deferred)[since - 1 : end]

    def forget_entries(self, table_id: bytes, since: int) -> None:
        self._write("entries forgotten", "", since)
        self._write("doubt", "", True)

    def secrets(self, table_id: bytes) -> dict[str, bytes]:
        return dict(self._secrets)

    def forget_secrets(self, table_id: bytes, prefix: str = "") -> None:
        if any(name.startswith(prefix) for name in self._secrets):
            self._write("forgotten", prefix, None)

    def keep_evidence(self, table_id: bytes, about: str, evidence: bytes) -> None:
        if (about, evidence) not in self.evidence(table_id):
            self._write("evidence", (about, evidence), (about, evidence))

    def evidence(self, table_id: bytes) -> tuple[tuple[str, bytes], ...]:
        return tuple(value for (kind, _), value in self._kept.items() if kind == "evidence")

    def keep_vote(self, table_id: bytes, vote: bytes) -> None:
        self._write("vote", table_id, vote, signed=True)

    def vote(self, table_id: bytes) -> bytes | None:
        return self._kept.get(("vote", table_id))

    def is_doubtful(self, table_id: bytes) -> bool:
        return self.doubtful

    def clear_doubt(self, table_id: bytes) -> None:
        self._write("doubt", "", False)

    def keep_addresses(self, table_id: bytes, addresses: bytes) -> None:
        pass  # where somebody is found is not simulated

    def addresses(self, table_id: bytes) -> bytes | None:
        return None

    def note_all_synced(self, table_id: bytes) -> None:
        self._write("all synced", table_id, True)

    def peers(self) -> tuple[KnownPeer, ...]:
        return ()

    def pending_charter(self) -> bytes | None:
        return None

"""The signatures for continuations that one node knows: its own, and those of others.

This node's own signatures are in the journal before anybody hears of them. A new signature
is compared with the other signatures of its key, for continuations and for entries. Two that
contradict each other expose their signer (`protocol.evidence`).
"""

from collections.abc import Iterable, Iterator
from typing import Any

from attrs import define, field

from protocol.charter import Charter, SignedCharter
from protocol.codec import Fields, encode
from protocol.entries import Entry
from protocol.errors import Unattributable
from protocol.evidence import Evidence, Statement
from protocol.match.history import History

_STATEMENT_LIMIT = 64 * 1024

_MOST_KEPT = 8
"""The maximum number of signatures kept for each key: those with the highest attempts. Without a
limit, a cheat could fill the memory.
"""


def encode_statement(statement: Statement) -> bytes:
    """Return the statement as bytes, for journal and messages."""
    return encode(statement.fields())


def decode_statement(data: bytes) -> Statement:
    """Return the statement in `data`. Raises Malformed."""
    return Statement.from_fields(Fields.decode(data, "statement", limit=_STATEMENT_LIMIT))


@define(eq=False)
class Statements:
    """The signatures that the node with that `key` knows."""

    match_id: bytes = field(repr=bytes.hex)
    key: bytes = field(repr=bytes.hex)
    history: History[Any] = field(repr=False)
    _by_table: dict[bytes, dict[int, Statement]] = field(factory=dict, init=False)
    """The signatures by the id of the table that the continuation founds, and by player."""
    _encoded: dict[bytes, None] = field(factory=dict, init=False)
    """A cache of the newest signatures in bytes: these are not verified again."""
    highest: int = field(default=0, init=False)
    """The highest attempt that this node has signed."""

    def recall(self, kept: Iterable[bytes]) -> None:
        """Take this node's own signatures from the journal. Raises Malformed."""
        for data in kept:
            self._keep(decode_statement(data))

    def all(self) -> Iterator[Statement]:
        """Return every signature that is known."""
        for given in self._by_table.values():
            yield from given.values()

    def attempts(self, besides: bytes = b"") -> tuple[int, ...]:
        """Return all attempts that somebody has signed, but not that of the table `besides`."""
        tables = (given for table_id, given in self._by_table.items() if table_id != besides)
        return tuple(one.continues.attempt for given in tables for one in given.values())

    def has_bytes(self, data: bytes) -> bool:
        """Return True if a signature with these bytes is known, and so was verified before."""
        return data in self._encoded

    def add(self, statement: Statement) -> bool:
        """Add a signature. Return True if it is news. Raises Exposed."""
        charter = statement.charter
        known = self.is_signed_by(statement.player, charter.table_id)
        if charter.match_id != self.match_id or known:
            return False
        self._check(statement)
        self._keep(statement)
        return True

    def check_entry(self, key: bytes, entry: bytes, table: Charter) -> None:
        """Compare an entry with its writer's signatures. Raises Exposed.

        `key` is the writer's, and `table` is the charter of the entry's table.
        """
        for statement in self.all():
            if statement.key == key:
                self._compare(Evidence(statement, Entry.decode(entry), table))

    def concluded(self, table_id: bytes) -> SignedCharter | None:
        """Return the continuation with all its signatures; None while some are missing."""
        given = self._by_table.get(table_id, {})
        # The table id is the digest of the charter, so all these statements have the same charter.
        charter = next((statement.charter for statement in given.values()), None)
        if charter is None or not given.keys() >= set(charter.signers):
            return None
        statements = [given[player] for player in charter.signers]
        return SignedCharter(
            charter,
            tuple(statement.signature for statement in statements),
            tuple(statement.abandons for statement in statements),
        )

    def is_signed_by(self, player: int, table_id: bytes) -> bool:
        """Return True if that player's signature for that continuation is known."""
        return player in self._by_table.get(table_id, {})

    def unsigned(self, table_id: bytes) -> frozenset[bytes]:
        """Return the keys whose signatures a continuation lacks.

        The result is empty if no signature is known: the charter, which names the signers, comes
        only with a signature.
        """
        given = self._by_table.get(table_id, {})
        for statement in given.values():
            charter = statement.charter
            return frozenset(charter.members[p].key for p in charter.signers if p not in given)
        return frozenset()

    def _keep(self, statement: Statement) -> None:
        given = self._by_table.setdefault(statement.charter.table_id, {})
        given[statement.player] = statement
        self._encoded[encode_statement(statement)] = None
        # The newest 64 are kept: room for eight signatures of each of eight keys. The first item is
        # the oldest one.
        while len(self._encoded) > _MOST_KEPT * _MOST_KEPT:
            del self._encoded[next(iter(self._encoded))]
        if statement.key == self.key:
            self.highest = max(self.highest, statement.continues.attempt)
        theirs = sorted(
            (one for one in self.all() if one.key == statement.key),
            key=lambda one: one.continues.attempt,
        )
        # `highest` stays, even if this node's own signature for that attempt is dropped here.
        for old in theirs[:-_MOST_KEPT]:
            del self._by_table[old.charter.table_id][old.player]

    def _check(self, statement: Statement) -> None:
        """Compare a signature with the others of its key that are known here. Raises Exposed."""
        for other in self.all():
            if other.key == statement.key:
                self._compare(Evidence(other, statement))
        for record in self.history.records.values():
            charter = record.state.charter
            player = charter.player_of(statement.key)
            for entry in () if player is None else record.telling(player):
                self._compare(Evidence(statement, Entry.decode(entry), charter))

    def _compare(self, evidence: Evidence) -> None:
        try:
            exposed = evidence.exposes(self.match_id)
        except Unattributable:
            return
        raise exposed

"""The tables to which this node belongs, from the moment at which it signs their charter."""

import logging
from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from typing import Self

import trio
from attrs import frozen

from p2p.discovery.address_book import (
    MOST_TOLD,
    Address,
    AddressBook,
    address_fields,
    take_addresses,
)
from p2p.storage.journal import Journal, TableRecord
from protocol.charter import CHARTER_LIMIT, Charter, SignedCharter
from protocol.codec import Fields, decode, encode
from protocol.errors import Malformed

_log = logging.getLogger(__name__)

_ADDRESSES_LIMIT = 8 * 1024
_PENDING_LIMIT = CHARTER_LIMIT + 1024
_HOST_LIMIT = 64


@frozen
class Membership:
    """This node's membership at a table whose charter all have signed."""

    charter: SignedCharter
    me: int
    """This node's player number."""
    addresses: tuple[Address, ...]
    """The addresses at which the others were found."""
    fresh: bool = True
    """True if the membership is new, not read from the journal: this node has not written an entry
    at the table yet.
    """

    @property
    def match_id(self) -> bytes:
        """Return the id of the first table of the match."""
        return self.charter.charter.match_id

    @property
    def table_id(self) -> bytes:
        return self.charter.charter.table_id

    def address_book(self) -> AddressBook:
        """Return an address book with the addresses at which the others were found."""
        me = self.charter.charter.members[self.me].key
        book = AddressBook()
        book.learn_all(address for address in self.addresses if address.key != me)
        return book

    def keep(self, journal: Journal) -> None:
        """Put the membership into the journal, and drop the pending charter."""
        journal.create_table(self.table_id, self.charter.encode(), self.me)
        keep_addresses(journal, self.table_id, self.addresses)
        PendingCharter.drop(journal)

    @classmethod
    def recalled(cls, journal: Journal, record: TableRecord) -> Self:
        """Return the membership of a table in the journal.

        Raises Malformed if the charter is damaged, or if this node has no seat there.
        """
        charter = SignedCharter.decode(record.charter)
        if charter.charter.table_id != record.table_id:
            raise Malformed("The charter is that of another table.")
        me = _own_number(journal.owner, charter.charter, record.me)
        addresses = kept_addresses(journal, record.table_id)
        return cls(charter, me, addresses, fresh=False)


def _own_number(key: bytes | None, charter: Charter, kept: int | None) -> int:
    """Return this node's player number. Raises Malformed.

    It is the number that the charter gives to the journal's `key`: the charter can be trusted,
    because it is signed. If the charter does not name the key, it is the number `kept` in the
    journal, although a damaged disk may have changed that number.
    """
    named = None if key is None else charter.player_of(key)
    me = kept if named is None else named
    if me not in charter.signers:
        raise Malformed("This node has no seat at that table.")
    return me


@frozen
class MatchRecord:
    """The tables of one match in the journal: the first, and its continuations by attempt."""

    first: TableRecord
    later: tuple[TableRecord, ...] = ()

    @property
    def newest(self) -> TableRecord:
        """Return the table with the highest attempt, at which the match is played."""
        return self.later[-1] if self.later else self.first

    def membership(self, journal: Journal) -> Membership:
        """Return this node's membership at the newest table at which it has a seat.

        Raises Malformed if it has no seat anywhere, or the charter is damaged.
        """
        # At the newest table this node may have no seat any more: then the table before it counts.
        for record in reversed(self.later):
            with suppress(Malformed):
                return Membership.recalled(journal, record)
        return Membership.recalled(journal, self.first)

    def parts(self, journal: Journal) -> Iterator[bytes]:
        """Yield the charters and entries of the match, to the end of the newest table.

        The first charter is that of the match's first table or, if a table in between is missing,
        that of the table after the gap. Blocks. Raises Malformed.
        """
        tables = {table.table_id: table for table in (self.first, *self.later)}
        # The loop goes from the newest table back to the first. `most` is the height up to which a
        # table counts: if the next table continues it at height 40, entry 41 is no part of the
        # match.
        line: list[tuple[TableRecord, int | None]] = []
        table_id, most = self.newest.table_id, None
        while (table := tables.pop(table_id, None)) is not None:
            line.append((table, most))
            continues = SignedCharter.decode(table.charter).charter.continues
            if continues is not None:
                table_id, most = continues.place.table_id, continues.place.height
        for table, most in reversed(line):
            yield table.charter
            yield from journal.entries(table.table_id, 1, most)


def matches(journal: Journal) -> tuple[MatchRecord, ...]:
    """Return all matches in the journal, the oldest first.

    A table whose charter is damaged counts as a match of its own.
    """
    firsts: dict[bytes, TableRecord] = {}
    later: dict[bytes, list[tuple[int, TableRecord]]] = {}
    for record in journal.tables():
        continues = None
        with suppress(Malformed):
            continues = SignedCharter.decode(record.charter).charter.continues
        if continues is None:
            firsts[record.table_id] = record
        else:
            later.setdefault(continues.match_id, []).append((continues.attempt, record))
    # Continuations of a match whose first table is not in the journal are left out.
    return tuple(
        MatchRecord(
            first,
            tuple(record for _, record in sorted(later.get(match_id, ()), key=lambda one: one[0])),
        )
        for match_id, first in firsts.items()
    )


def match_of(journal: Journal, match_id: bytes) -> MatchRecord | None:
    """Return the match whose first table has the id `match_id`; None if the journal has none."""
    for match in matches(journal):
        if match.first.table_id == match_id:
            return match
    return None


def keep_history(journal: Journal, tables: Iterable[tuple[SignedCharter, Sequence[bytes]]]) -> None:
    """Keep the record of a match up to the place where this node gets a seat. Blocks.

    If the journal already has a table, its charter is not replaced: this node had a seat there, and
    was left out later.
    """
    known = {record.table_id for record in journal.tables()}
    for signed, entries in tables:
        table_id = signed.charter.table_id
        if table_id not in known:
            journal.create_table(table_id, signed.encode(), None)
        for height, entry in enumerate(entries, start=1):
            journal.append(table_id, height, entry)


def kept_addresses(journal: Journal, table_id: bytes) -> tuple[Address, ...]:
    """Return the addresses where the members of a table were found last.

    If they are damaged, return no addresses: beacons will tell them again.
    """
    kept = journal.addresses(table_id)
    if kept is None:
        return ()
    try:
        return take_addresses(Fields((decode(kept, limit=_ADDRESSES_LIMIT),), "addresses"))
    except Malformed as error:
        _log.warning("addresses in the journal are damaged: %s", error)
        return ()


async def keep_known_addresses(
    journal: Journal, table_id: bytes, book: AddressBook, news: Callable[[], Awaitable[None]]
) -> None:
    """Keep the members' addresses for the next start, whenever they change. Never returns.

    `news` waits until something may have changed.
    """
    kept = 0
    while True:
        if book.version != kept:
            kept = book.version
            await trio.to_thread.run_sync(keep_addresses, journal, table_id, tuple(book))
        await news()


def keep_addresses(journal: Journal, table_id: bytes, addresses: tuple[Address, ...]) -> None:
    """Keep the addresses of a table's members in the journal, for the next start."""
    journal.keep_addresses(table_id, encode(address_fields(addresses[:MOST_TOLD])))


@frozen
class PendingCharter:
    """A charter that this node has signed, without knowing yet if all others have signed it, too.

    The charter is in the journal before the signature is sent. If the host's answer is lost, or
    this node dies before the answer comes, the node asks again at the address `host`.
    """

    charter: Charter
    host: Address

    def keep(self, journal: Journal) -> None:
        journal.keep_pending_charter(
            encode((self.charter.encode(), self.host.key, self.host.host, self.host.port))
        )

    @staticmethod
    def drop(journal: Journal) -> None:
        if journal.pending_charter() is not None:
            journal.drop_pending_charter()

    @classmethod
    def recalled(cls, journal: Journal) -> Self | None:
        """Return the pending charter in the journal; None if there is none. Raises Malformed."""
        kept = journal.pending_charter()
        if kept is None:
            return None
        fields = Fields.decode(kept, "pending", limit=_PENDING_LIMIT)
        charter = Charter.decode(fields.take_bytes("charter", most=CHARTER_LIMIT))
        key = fields.take_bytes("key", exact=32)
        host = fields.take_text("host", _HOST_LIMIT)
        return cls(charter, Address(key, host, fields.take_int("port", 1, 65535)))

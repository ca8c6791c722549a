"""Tables that this node belongs to, from the moment at which it signs their charter."""

import logging
from collections.abc import Awaitable, Callable, Iterable
from contextlib import suppress
from typing import Self

import trio
from attrs import field, frozen

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
from protocol.entries import AbsentContent, Body, Entry
from protocol.errors import Malformed

_log = logging.getLogger(__name__)

_ADDRESSES_LIMIT = 8 * 1024
_PENDING_LIMIT = CHARTER_LIMIT + 1024
_HOST_LIMIT = 64


@frozen
class Membership:
    """A table that everybody has signed. `me` is this node's player number; `addresses` tells
    where the others were found. `fresh` says that this node has written nothing there yet, for it
    was made a moment ago and not taken from the journal.
    """

    charter: SignedCharter
    me: int
    addresses: tuple[Address, ...]
    fresh: bool = True

    @property
    def table_id(self) -> bytes:
        return self.charter.charter.table_id

    def address_book(self) -> AddressBook:
        """Where the others were found."""
        me = self.charter.charter.members[self.me].key
        book = AddressBook()
        book.learn_all(address for address in self.addresses if address.key != me)
        return book

    def keep(self, journal: Journal) -> None:
        """Put it into the journal for good, in the place of the pending charter."""
        journal.create_table(self.table_id, self.charter.encode(), self.me)
        keep_addresses(journal, self.table_id, self.addresses)
        PendingCharter.drop(journal)

    @classmethod
    def recalled(cls, journal: Journal, record: TableRecord) -> Self:
        """The membership of a table in the journal. Raises Malformed for one that is damaged, and
        for one at which this node has only looked on.
        """
        charter = SignedCharter.decode(record.charter)
        if charter.charter.table_id != record.table_id:
            raise Malformed("The charter is that of another table.")
        me = _own_number(journal, charter.charter, record.me)
        addresses = kept_addresses(journal, record.table_id)
        return cls(charter, me, addresses, fresh=False)


def _own_number(journal: Journal, charter: Charter, kept: int | None) -> int:
    """This node's player number. The charter is signed, and so is an absence by which a substitute
    has taken a seat: they say more than what was `kept`, which a disk may have changed. Only of who
    is about to sit down they say nothing. Raises Malformed.
    """
    key, named = journal.owner, None
    if key is not None:
        named = charter.player_of(key)
        if named is None:
            named = _taken_over(charter, journal.entries(charter.table_id), key)
    me = kept if named is None else named
    if me is None:
        raise Malformed("At that table this node was no player.")
    if me not in range(len(charter.members)):
        raise Malformed("At that table there is no such player.")
    return me


def _taken_over(charter: Charter, entries: Iterable[bytes], key: bytes) -> int | None:
    """The number of the player whose seat the holder of the key has taken; None for nobody's. What
    is damaged says nothing.
    """
    for data in entries:
        with suppress(Malformed):
            entry = Entry.decode(data)
            if not entry.is_joint:
                continue
            content = Body.decode(entry.body, charter.game.deck, joint=True).content
            assert isinstance(content, AbsentContent)
            for player, member in zip(content.players, content.substitutes, strict=False):
                if member.key == key:
                    return player
    return None


def kept_addresses(journal: Journal, table_id: bytes) -> tuple[Address, ...]:
    """Where the members of a table were found last; nowhere, if that is damaged: beacons tell."""
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
    """Keep what is known of where the members are found, for the next start, after all `news`."""
    kept = 0
    while True:
        if book.version != kept:
            kept = book.version
            await trio.to_thread.run_sync(keep_addresses, journal, table_id, tuple(book))
        await news()


def keep_addresses(journal: Journal, table_id: bytes, addresses: tuple[Address, ...]) -> None:
    """Remember where the members of a table are found, for the next start."""
    journal.keep_addresses(table_id, encode(address_fields(addresses[:MOST_TOLD])))


@frozen
class PendingCharter:
    """A charter that this node has signed, without knowing yet whether all others have.

    It is in the journal before the signature leaves: if the host's answer is lost, or this node
    dies before it comes, the node asks for it where `host` was found.
    """

    charter: Charter
    host: Address = field()

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
        """The pending charter in the journal; None if there is none. Raises Malformed."""
        kept = journal.pending_charter()
        if kept is None:
            return None
        fields = Fields.decode(kept, "pending", limit=_PENDING_LIMIT)
        charter = Charter.decode(fields.take_bytes("charter", most=CHARTER_LIMIT))
        key = fields.take_bytes("key", exact=32)
        host = fields.take_text("host", _HOST_LIMIT)
        return cls(charter, Address(key, host, fields.take_int("port", 1, 65535)))

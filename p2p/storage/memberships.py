"""Tables that this node belongs to, from the moment at which it signs their charter."""

from typing import Self

from attrs import field, frozen

from p2p.discovery.addresses import MOST_TOLD, Address, address_fields, take_addresses
from p2p.storage.journal import Journal, TableRecord
from protocol.charter import CHARTER_LIMIT, Charter, SignedCharter
from protocol.codec import Fields, decode, encode
from protocol.errors import Malformed

_PLEDGE = "pending"
_ADDRESSES_LIMIT = 8 * 1024


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

    def keep(self, journal: Journal) -> None:
        """Put it into the journal, where it stays; a pending is thereby redeemed."""
        journal.create_table(self.table_id, self.charter.encode(), self.me)
        keep_addresses(journal, self.table_id, self.addresses)
        PendingCharter.drop(journal)

    @classmethod
    def recalled(cls, journal: Journal, record: TableRecord) -> Self:
        """The membership of a table in the journal. Raises Malformed for one that is damaged, and
        for one at which this node has only looked on.
        """
        if record.me is None:
            raise Malformed("At that table this node was no player.")
        charter = SignedCharter.decode(record.charter)
        setting = journal.setting(_addresses_name(record.table_id))
        addresses: tuple[Address, ...] = ()
        if setting is not None:
            fields = Fields((decode(setting, limit=_ADDRESSES_LIMIT),), "addresses")
            addresses = take_addresses(fields)
        return cls(charter, record.me, addresses, fresh=False)


def keep_addresses(journal: Journal, table_id: bytes, addresses: tuple[Address, ...]) -> None:
    """Remember where the members of a table are found, for the next start."""
    setting = encode(address_fields(addresses[:MOST_TOLD]))
    journal.set_setting(_addresses_name(table_id), setting)


def note_all_synced(journal: Journal, table_id: bytes) -> None:
    """Remember that all members have the whole record."""
    journal.set_setting(_synced_name(table_id), b"said")


def have_all_synced(journal: Journal, table_id: bytes) -> bool:
    """Whether all members are known to have the whole record."""
    return journal.setting(_synced_name(table_id)) is not None


def _synced_name(table_id: bytes) -> str:
    return f"farewell/{table_id.hex()}"


def _addresses_name(table_id: bytes) -> str:
    return f"addresses/{table_id.hex()}"


@frozen
class PendingCharter:
    """A charter that this node has signed, without knowing yet whether all others have.

    It is in the journal before the signature leaves: if the host's answer is lost, or this node
    dies before it comes, the node asks for it where `host` was found.
    """

    charter: Charter
    host: Address = field()

    def keep(self, journal: Journal) -> None:
        journal.set_setting(
            _PLEDGE, encode((self.charter.encode(), self.host.key, self.host.host, self.host.port))
        )

    @staticmethod
    def drop(journal: Journal) -> None:
        if journal.setting(_PLEDGE):
            journal.set_setting(_PLEDGE, b"")

    @classmethod
    def recalled(cls, journal: Journal) -> Self | None:
        """What is still pledged. Raises Malformed if it is damaged."""
        setting = journal.setting(_PLEDGE)
        if not setting:
            return None
        fields = Fields.decode(setting, "pending", limit=CHARTER_LIMIT + 1024)
        charter = Charter.decode(fields.take_bytes("charter", most=CHARTER_LIMIT))
        key = fields.take_bytes("key", exact=32)
        host = fields.take_text("host", 64)
        return cls(charter, Address(key, host, fields.take_int("port", 1, 65535)))

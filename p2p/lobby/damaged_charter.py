"""Replacing a charter that is damaged in the journal, by a copy from another member."""

import trio

from p2p.discovery.address_book import Address
from p2p.storage.journal import Journal, TableRecord
from p2p.storage.memberships import Membership, kept_addresses
from p2p.transport.endpoint import Endpoint, hear
from p2p.transport.frames import LinkError
from p2p.transport.messages import Agreed
from protocol.charter import SignedCharter
from protocol.errors import Malformed, Mismatch, Unattributable

_SECONDS = 10.0
"""Seconds that one member has to answer."""


def damaged_charters(journal: Journal) -> tuple[TableRecord, ...]:
    """Return the tables at which this node plays, and whose charters are damaged. Blocks."""
    lost = []
    for record in journal.tables():
        try:
            if record.me is not None:
                Membership.recalled(journal, record)
        except Malformed:
            lost.append(record)
    return tuple(lost)


async def fetch_charter(endpoint: Endpoint, journal: Journal, record: TableRecord) -> bool:
    """Fetch the charter of a table from any member, and put it into the journal.

    Return False if no member sends it. The table's id is the charter's digest, so nobody can send
    another charter in its place.
    """
    for address in kept_addresses(journal, record.table_id):
        if address.key == endpoint.identity.public:
            continue
        with trio.move_on_after(_SECONDS):
            charter = await _ask(endpoint, address, record.table_id)
            if charter is not None:
                await trio.to_thread.run_sync(journal.replace_charter, record.table_id, charter)
                return True
    return False


async def _ask(endpoint: Endpoint, at: Address, table_id: bytes) -> bytes | None:
    """Return the charter of that table, if it is the first message of the member at `at`."""
    try:
        async with endpoint.dial(at.host, at.port, table_id, expect=at.key) as link:
            message = await hear(link)
            if isinstance(message, Agreed):
                data = message.signed_charter
                is_ours = SignedCharter.decode(data).charter.table_id == table_id
                return data if is_ours else None
    except (LinkError, Malformed, Mismatch, Unattributable):
        pass
    return None

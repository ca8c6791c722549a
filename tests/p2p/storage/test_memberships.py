"""The tables of this node and the addresses of their members, as kept in its journal."""

import pytest
import trio
from attrs import evolve

from p2p.discovery.address_book import Address, AddressBook
from p2p.storage.journal import Journal, TableRecord
from p2p.storage.memberships import (
    MatchRecord,
    Membership,
    PendingCharter,
    keep_known_addresses,
    kept_addresses,
    matches,
)
from protocol.codec import encode
from protocol.errors import Malformed
from tests.protocol.continuing import concluded, offered, seat_newcomers
from tests.protocol.seeded_table import SeededTable

pytestmark = pytest.mark.usefixtures("autojump_clock")

CHARTER = SeededTable.sit(players=2).charter
TABLE = CHARTER.charter.table_id
ADDRESS = Address(CHARTER.charter.members[0].key, "192.0.2.1", 65535)


def test_a_recalled_membership_is_the_same_but_not_fresh(empty: Journal) -> None:
    Membership(CHARTER, 1, (ADDRESS,)).keep(empty)
    found = Membership.recalled(empty, *empty.tables())
    assert found == Membership(CHARTER, 1, (ADDRESS,), fresh=False)
    assert list(found.address_book()) == [ADDRESS]


def test_the_tables_of_a_match_are_sorted_by_attempt(empty: Journal) -> None:
    """A repaired journal may have the tables in another order."""
    table = SeededTable.sit(players=2)
    later = [concluded(table, table.state, offered(table.state, (), attempt=n)) for n in (1, 2, 3)]
    for signed in (later[1], later[2], CHARTER, later[0]):
        Membership(signed, 0, ()).keep(empty)
    (match,) = matches(empty)
    assert match.first.charter == CHARTER.encode()
    assert [table.charter for table in match.later] == [signed.encode() for signed in later]


def test_the_parts_of_a_match_lead_from_its_first_to_its_newest_table(empty: Journal) -> None:
    """Entries that the next table does not continue are left out.

    If the journal lacks a table, the parts begin after it.
    """
    table = SeededTable.sit(players=4)
    signed, tables = table.charter, list[bytes]()
    for me in (0, 1, 2, None):
        tables.append(signed.charter.table_id)
        empty.create_table(tables[-1], signed.encode(), me)
        for height in (1, 2):
            table.step()
            empty.append(tables[-1], height, table.entries[-1])
        if me is not None:
            empty.append(tables[-1], 3, b"taken back")
            signed = concluded(table, table.state, offered(table.state, ()))
            seat_newcomers(table, signed.encode())
    (match,) = matches(empty)
    lacking, first = evolve(match, later=match.later[1:]), MatchRecord(match.first)
    assert tuple(match.parts(empty)) == (table.charter.encode(), *table.entries)
    assert tuple(lacking.parts(empty)) == tuple(table.entries[5:])
    found = [one.membership(empty) for one in (match, lacking, first)]
    assert [(one.table_id, one.me) for one in found] == [(tables[n], n) for n in (2, 2, 0)]
    assert [one.newest.table_id for one in (match, first)] == [tables[3], tables[0]]


def test_the_own_address_is_not_in_the_address_book() -> None:
    own, other = (Address(member.key, "192.0.2.1", 7) for member in CHARTER.charter.members)
    assert list(Membership(CHARTER, 0, (own, other)).address_book()) == [other]


@pytest.mark.parametrize(
    ("table_id", "me", "why"),
    [(bytes(32), 1, "another table"), (TABLE, None, "no seat"), (TABLE, 2, "no seat")],
)
def test_charters_of_other_or_watched_tables_are_no_membership(
    empty: Journal, table_id: bytes, me: int | None, why: str
) -> None:
    record = TableRecord(table_id, CHARTER.encode(), me, "2026-01-01")
    with pytest.raises(Malformed, match=why):
        Membership.recalled(empty, record)


def test_a_signed_charter_is_kept_until_all_have_signed_or_it_is_dropped(empty: Journal) -> None:
    signed = PendingCharter(CHARTER.charter, evolve(ADDRESS, port=1))
    PendingCharter.drop(empty)
    assert PendingCharter.recalled(empty) is None
    for forget in (PendingCharter.drop, Membership(CHARTER, 1, ()).keep):
        signed.keep(empty)
        assert PendingCharter.recalled(empty) == signed
        forget(empty)
        assert PendingCharter.recalled(empty) is None


@pytest.mark.parametrize(
    ("key", "host", "port"),
    [
        (bytes(32), "h" * 65, 7),
        (bytes(33), "192.0.2.1", 7),
        (bytes(32), "192.0.2.1", 0),
        (bytes(32), "192.0.2.1", 65536),
    ],
)
def test_a_damaged_pending_charter_is_reported(
    empty: Journal, key: bytes, host: str, port: int
) -> None:
    empty.keep_pending_charter(encode((CHARTER.charter.encode(), key, host, port)))
    with pytest.raises(Malformed):
        PendingCharter.recalled(empty)


@pytest.mark.usefixtures("on_memory")
async def test_addresses_of_members_are_kept_whenever_they_change(
    empty: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Known addresses are kept at once, for the next start, and again after each change."""
    news = [ADDRESS, None, evolve(ADDRESS, port=2), evolve(ADDRESS, port=3)]
    book, kept = AddressBook(), []
    book.learn_all((evolve(ADDRESS, port=1),))
    Membership(CHARTER, 1, ()).keep(empty)
    keep, writes = Journal.keep_addresses, []

    async def next_news() -> None:
        kept.append(kept_addresses(empty, TABLE))
        await trio.sleep(0)
        if not news:
            await trio.sleep_forever()
        if (address := news.pop(0)) is not None:
            book.learn(address, seen=True)

    def noted(journal: Journal, table_id: bytes, addresses: bytes) -> None:
        writes.append(addresses)
        keep(journal, table_id, addresses)

    assert kept_addresses(empty, TABLE) == ()
    monkeypatch.setattr(Journal, "keep_addresses", noted)
    with trio.move_on_after(1):
        await keep_known_addresses(empty, TABLE, book, next_news)
    ports = [[address.port for address in addresses] for addresses in kept]
    assert ports == [[1], [65535, 1], [65535, 1], [2, 65535, 1], [3, 2, 65535, 1]]
    assert len(writes) == 4

"""The tables of this node and the addresses of their members, as kept in its journal."""

from pathlib import Path

import pytest
import trio
from attrs import evolve

from p2p.discovery.address_book import Address, AddressBook
from p2p.storage.data_path import JOURNAL_FILE
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


def test_a_recalled_membership_is_the_same_but_not_fresh(tmp_path: Path) -> None:
    with Journal.open(tmp_path / "home" / JOURNAL_FILE) as journal:
        Membership(CHARTER, 1, (ADDRESS,)).keep(journal)
        (record,) = journal.tables()
        found = Membership.recalled(journal, record)
    assert found == Membership(CHARTER, 1, (ADDRESS,), fresh=False)
    assert list(found.address_book()) == [ADDRESS]


def test_the_tables_of_a_match_are_sorted_by_attempt(tmp_path: Path) -> None:
    """A repaired journal may have them in another order."""
    table = SeededTable.sit(players=2)
    later = [concluded(table, table.state, offered(table.state, (), attempt=n)) for n in (1, 2, 3)]
    with Journal.open(tmp_path / "home" / JOURNAL_FILE) as journal:
        for signed in (later[1], later[2], CHARTER, later[0]):
            Membership(signed, 0, ()).keep(journal)
        (match,) = matches(journal)
    assert match.first.charter == CHARTER.encode()
    assert [table.charter for table in match.later] == [signed.encode() for signed in later]


def test_the_parts_of_a_match_lead_from_its_first_table_to_the_end_of_the_newest(
    tmp_path: Path,
) -> None:
    """Entries that the next table does not continue are left out.

    If the journal lacks a table, the parts begin after it.
    """
    table = SeededTable.sit(players=4)
    signed, tables = table.charter, list[bytes]()
    with Journal.open(tmp_path / "home" / JOURNAL_FILE) as journal:
        for me in (0, 1, 2, None):
            tables.append(signed.charter.table_id)
            journal.create_table(tables[-1], signed.encode(), me)
            for height in (1, 2):
                table.step()
                journal.append(tables[-1], height, table.entries[-1])
            if me is not None:
                journal.append(tables[-1], 3, b"taken back")
                signed = concluded(table, table.state, offered(table.state, ()))
                seat_newcomers(table, signed.encode())
        (match,) = matches(journal)
        lacking, first = evolve(match, later=match.later[1:]), MatchRecord(match.first)
        assert tuple(match.parts(journal)) == (table.charter.encode(), *table.entries)
        assert tuple(lacking.parts(journal)) == tuple(table.entries[5:])
        found = [one.membership(journal) for one in (match, lacking, first)]
    assert [(one.table_id, one.me) for one in found] == [(tables[n], n) for n in (2, 2, 0)]
    assert [one.newest.table_id for one in (match, first)] == [tables[3], tables[0]]


def test_the_own_address_is_not_in_the_address_book(tmp_path: Path) -> None:
    own, other = (Address(member.key, "192.0.2.1", 7) for member in CHARTER.charter.members)
    assert list(Membership(CHARTER, 0, (own, other)).address_book()) == [other]


@pytest.mark.parametrize(
    ("table_id", "me", "why"),
    [(bytes(32), 1, "another table"), (TABLE, None, "no seat"), (TABLE, 2, "no seat")],
)
def test_charters_of_other_or_watched_tables_are_no_membership(
    tmp_path: Path, table_id: bytes, me: int | None, why: str
) -> None:
    record = TableRecord(table_id, CHARTER.encode(), me, "2026-01-01")
    with (
        Journal.open(tmp_path / "home" / JOURNAL_FILE) as journal,
        pytest.raises(Malformed, match=why),
    ):
        Membership.recalled(journal, record)


def test_a_signed_charter_is_kept_until_all_have_signed_or_it_is_dropped(tmp_path: Path) -> None:
    signed = PendingCharter(CHARTER.charter, evolve(ADDRESS, port=1))
    with Journal.open(tmp_path / "home" / JOURNAL_FILE) as journal:
        PendingCharter.drop(journal)
        assert PendingCharter.recalled(journal) is None
        for forget in (PendingCharter.drop, Membership(CHARTER, 1, ()).keep):
            signed.keep(journal)
            assert PendingCharter.recalled(journal) == signed
            forget(journal)
            assert PendingCharter.recalled(journal) is None


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
    tmp_path: Path, key: bytes, host: str, port: int
) -> None:
    with Journal.open(tmp_path / "home" / JOURNAL_FILE) as journal:
        journal.keep_pending_charter(encode((CHARTER.charter.encode(), key, host, port)))
        with pytest.raises(Malformed):
            PendingCharter.recalled(journal)


@pytest.mark.usefixtures("on_memory")
async def test_addresses_of_members_are_kept_whenever_they_change(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They are kept for the next start: known ones at once, and later each change."""
    news = [ADDRESS, None, evolve(ADDRESS, port=2), evolve(ADDRESS, port=3)]
    book, kept = AddressBook(), []
    book.learn_all((evolve(ADDRESS, port=1),))
    with Journal.open(tmp_path / "home" / JOURNAL_FILE) as journal:
        Membership(CHARTER, 1, ()).keep(journal)

        async def next_news() -> None:
            kept.append(kept_addresses(journal, TABLE))
            await trio.sleep(0)
            if not news:
                await trio.sleep_forever()
            if (address := news.pop(0)) is not None:
                book.learn(address, seen=True)

        assert kept_addresses(journal, TABLE) == ()
        keep, writes = Journal.keep_addresses, []

        def noted(journal: Journal, table_id: bytes, addresses: bytes) -> None:
            writes.append(addresses)
            keep(journal, table_id, addresses)

        monkeypatch.setattr(Journal, "keep_addresses", noted)
        with trio.move_on_after(1):
            await keep_known_addresses(journal, TABLE, book, next_news)
    ports = [[address.port for address in addresses] for addresses in kept]
    assert ports == [[1], [65535, 1], [65535, 1], [2, 65535, 1], [3, 2, 65535, 1]]
    assert len(writes) == 4

"""Tables that this node belongs to, as the journal has them."""

from pathlib import Path

import pytest

from p2p.discovery.address_book import Address
from p2p.storage.data_path import JOURNAL_FILE
from p2p.storage.journal import Journal, TableRecord
from p2p.storage.memberships import Membership, PendingCharter
from protocol.errors import Malformed
from tests.protocol.ring import Ring

CHARTER = Ring.sit(players=2).charter
TABLE = CHARTER.charter.table_id
ADDRESS = Address(CHARTER.charter.members[0].key, "192.0.2.1", 65535)


def test_a_membership_comes_back_as_it_was_but_not_fresh(tmp_path: Path) -> None:
    with Journal.open(tmp_path / "home" / JOURNAL_FILE) as journal:
        Membership(CHARTER, 1, (ADDRESS,)).keep(journal)
        (record,) = journal.tables()
        found = Membership.recalled(journal, record)
    assert found == Membership(CHARTER, 1, (ADDRESS,), fresh=False)
    assert list(found.address_book()) == [ADDRESS]


@pytest.mark.parametrize(
    ("table_id", "me", "why"), [(bytes(32), 1, "another table"), (TABLE, None, "no player")]
)
def test_a_charter_of_another_table_and_one_that_was_watched_are_no_membership(
    tmp_path: Path, table_id: bytes, me: int | None, why: str
) -> None:
    record = TableRecord(table_id, CHARTER.encode(), me, "2026-01-01")
    with (
        Journal.open(tmp_path / "home" / JOURNAL_FILE) as journal,
        pytest.raises(Malformed, match=why),
    ):
        Membership.recalled(journal, record)


def test_what_was_signed_is_remembered_until_all_have_or_it_is_dropped(tmp_path: Path) -> None:
    signed = PendingCharter(CHARTER.charter, ADDRESS)
    with Journal.open(tmp_path / "home" / JOURNAL_FILE) as journal:
        PendingCharter.drop(journal)
        assert PendingCharter.recalled(journal) is None
        for forget in (PendingCharter.drop, Membership(CHARTER, 1, ()).keep):
            signed.keep(journal)
            assert PendingCharter.recalled(journal) == signed
            forget(journal)
            assert PendingCharter.recalled(journal) is None

"""`resume` with a damaged journal, or a host who never answers."""

import re
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from client.cli.commands import resume
from client.cli.menus.network_tables import resumable
from client.i18n.language import number
from p2p.discovery.address_book import Address
from p2p.lobby import guest
from p2p.storage.data_path import JOURNAL_FILE
from p2p.storage.identity import Identity
from p2p.storage.journal import Journal
from p2p.storage.memberships import Membership, PendingCharter, keep_history
from p2p.transport.frames import LinkError
from protocol.charter import SignedCharter
from protocol.errors import Refused
from tests.client.cli.run_command import run
from tests.p2p.table.vector_records import record_of
from tests.protocol.continuing import replaced, seat_newcomers
from tests.protocol.seeded_table import SeededTable


@pytest.fixture
def home(home: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the data folder of a machine without a network: a key and an empty journal."""
    monkeypatch.setattr(guest, "CLAIM_PAUSES", (0.0,))
    Identity.load_or_create(home)
    Journal.open(home / JOURNAL_FILE).close()
    return home


def begin_a_table(home: Path, file: str = "canastra.json") -> bytes:
    """Begin a table of a few entries, and return its id."""
    with Journal.open(home / JOURNAL_FILE) as journal:
        return record_of(journal, file, 5).table_id


def sign_for_one(home: Path) -> None:
    """Sign for a table whose host is gone; nothing listens there any more."""
    with Journal.open(home / JOURNAL_FILE) as journal:
        signed_for = SeededTable.sit(players=2).charter.charter
        PendingCharter(signed_for, Address(bytes(32), "127.0.0.1", 9)).keep(journal)


def damage(home: Path, statement: str) -> None:
    with closing(sqlite3.connect(home / JOURNAL_FILE)) as database, database:
        assert database.execute(statement).rowcount == 1


def damage_charter(home: Path, table: bytes) -> None:
    where = f"WHERE table_id = x'{table.hex()}'"
    damage(home, f"UPDATE tables SET charter = zeroblob(300) {where}")


def test_a_damaged_charter_is_listed_with_the_others(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    damage_charter(home, begin_a_table(home))
    begin_a_table(home, "records.json")
    assert run(resume, "--list") == 0
    other, damaged = capsys.readouterr().out.splitlines()
    assert other.startswith("1. ")
    about = "The charter of the table begun ....-..-.. ..:.. UTC is damaged."
    assert re.fullmatch(f"{about} To fetch it: sobremesa resume", damaged)


@pytest.mark.parametrize("time", ["2026-1q-23 06:42:19", "", "2026-11-33 06:42:19"])
def test_a_table_with_a_damaged_time_is_listed(
    home: Path, capsys: pytest.CaptureFixture[str], time: str
) -> None:
    begin_a_table(home)
    damage(home, f"UPDATE tables SET created = '{time}'")
    assert run(resume, "--list") == 0
    assert ", begun ? UTC, 5 entries" in capsys.readouterr().out


def test_a_silent_host_does_not_block_resuming_another_table(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sign_for_one(home)
    with pytest.raises(LinkError, match="not known whether the table has begun"):
        run(resume, "--autoplay")
    told = capsys.readouterr().out
    assert "Asking the host whether the table that you signed for has begun …\n" in told
    assert "--number" not in told  # there is no other table
    begin_a_table(home)
    with pytest.raises(LinkError, match="not known whether the table has begun"):
        run(resume, "--autoplay")
    told = "To go on at another table: sobremesa resume --number 1\n"
    assert capsys.readouterr().out.endswith(told)
    with pytest.raises(Refused, match="There is no table 2 to go on at"):
        run(resume, "--autoplay", "--number", "2")
    assert "Asking the host" not in capsys.readouterr().out


def test_the_menu_offers_to_resume_the_table_last_signed(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert not resumable()
    sign_for_one(home)
    assert run(resume, "--list") == 0
    asked = "The last table that you signed for, if all others have signed too"
    assert capsys.readouterr().out == f"{asked}. To go on: sobremesa resume\n"
    assert resumable() == {("resume",): asked}
    begin_a_table(home)
    assert [*resumable()] == [("resume",), ("resume", "--number", "1")]


def test_a_damaged_pending_charter_does_not_block_resuming(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sign_for_one(home)
    damage(home, "UPDATE pending_charter SET pending = zeroblob(40)")
    with pytest.raises(Refused, match="No table with other people waits"):
        run(resume, "--autoplay")
    assert "The charter that you signed last is damaged." in capsys.readouterr().out


@pytest.mark.usefixtures("proofless")
def test_a_continued_match_is_listed_with_all_its_rounds_and_entries(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table = SeededTable.sit("canasta", 3, seed=3, rounds=2)
    table.play_until("close")
    tables = [(table.charter, tuple(table.entries))]
    seat_newcomers(table, replaced(table, table.state, table.state.writers[0]))
    second = SignedCharter.decode(table.entries.pop())
    table.entries.clear()
    table.play_until("move")
    with Journal.open(home / JOURNAL_FILE) as journal:
        keep_history(journal, tables)
        Membership(second, table.state.writers[0], ()).keep(journal)
        for height, entry in enumerate(table.entries, 1):
            journal.append(second.charter.table_id, height, entry)
    assert run(resume, "--list") == 0
    score = " : ".join(map(number, table.state.match.totals))
    seated = [table.state.charter.members[player].name for player in table.state.match.seating]
    line = capsys.readouterr().out
    assert line.startswith(f"1. Canasta with {seated[0]}, {seated[1]} and {seated[2]}: {score}, ")
    assert line.endswith(f"{len(tables[0][1]) + len(table.entries)} entries\n")

"""The matches that `sobremesa resume` lists: unfinished ones, and those whose end others lack."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from client.cli.commands import resume
from p2p.storage.data_path import JOURNAL_FILE
from p2p.storage.journal import Journal
from tests.client.cli.run_command import run
from tests.p2p.table.vector_records import record_of
from tests.protocol.continuing import ended, follow, replaced
from tests.protocol.seeded_table import SeededTable


@pytest.mark.parametrize(
    ("file", "keep", "notes", "found"),
    [
        ("records.json", 86, "", "waits"),
        ("records.json", 86, "synced", "waits"),
        ("records.json", 86, "written", "over"),
        ("records.json", 86, "written synced", ""),
        ("records.json", 85, "written synced", "waits"),  # one of two signatures is missing
        ("records.json", 0, "written synced", "waits"),
        ("records.json", 86, "written synced damaged", "waits"),
        ("rounds.json", 118, "written synced", "waits"),  # all have signed the first of two rounds
        ("records.json", 40, "cheat", "waits"),
        ("records.json", 40, "cheat written", ""),  # one player of two cannot go on
        ("void.json", 20, "cheat written synced", "waits"),  # two players of three can go on
    ],
)
def test_a_match_is_listed_until_all_have_its_end(
    file: str, keep: int, notes: str, found: str, home: Path
) -> None:
    """A match waits to be resumed, or is over, or is not listed ("").

    The journal has the first `keep` entries of the record in `file`. Its notes say that the record
    is in a file ("written"), and that all players have the end of the record ("synced").
    """
    with Journal.open(home / JOURNAL_FILE) as journal:
        table = record_of(journal, file, keep).table_id
        if "cheat" in notes:
            journal.keep_evidence(table, "two entries in one place", b"an entry")
        if "damaged" in notes:
            journal._write("UPDATE entries SET entry = zeroblob(40) WHERE height = 86")
        if "written" in notes:
            journal.note_in_a_file(table)
        if "synced" in notes:
            journal.note_all_synced(table)
        listed = ["over" if one.over else "waits" for one in resume.unfinished_tables(journal)]
        assert listed == [found] * bool(found)


def test_finished_matches_are_listed_last_with_the_reason(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with Journal.open(home / JOURNAL_FILE) as journal:
        record_of(journal, "records.json", 5)
        journal.note_in_a_file(record_of(journal, "canastra.json", 221).table_id)
        record_of(journal, "void.json", 4)
    assert run(resume, "--list") == 0
    lines = capsys.readouterr().out.splitlines()
    games = [line.split(" with ")[0] for line in lines]
    assert games == ["1. Canasta", "2. Canasta", "3. Canastra"]
    assert lines[0].endswith(" UTC, 4 entries")
    assert lines[2].endswith(", 221 entries; it is over, but somebody may not have its end yet")


@pytest.fixture
def match(home: Path) -> Iterator[tuple[SeededTable, Journal]]:
    """Yield a match of three in which this machine has the first seat, and its journal."""
    with Journal.open(home / JOURNAL_FILE) as journal:
        table = SeededTable.sit("canasta", 3)
        charter = table.charter
        journal.create_table(charter.charter.table_id, charter.encode(), 0)
        yield table, journal


def lines_of(journal: Journal) -> list[str]:
    return [table.line for table in resume.unfinished_tables(journal)]


@pytest.mark.parametrize(("ends", "waits"), [(False, True), (True, False)])
def test_a_match_continued_at_another_table_is_listed_once_until_its_end(
    match: tuple[SeededTable, Journal], ends: bool, waits: bool
) -> None:
    """The match is over when those who stayed have signed its end."""
    table, journal = match
    part = (ended if ends else replaced)(table, table.state, 2)
    table_id = follow(table.state, part).table_id
    journal.create_table(table_id, part, 0)
    journal.note_in_a_file(table.state.table_id)
    journal.note_all_synced(table_id)
    lines = lines_of(journal)
    assert len(lines) == waits
    if waits:
        assert "Olga" in lines[0]


def test_a_match_continued_without_this_player_is_not_listed(
    match: tuple[SeededTable, Journal],
) -> None:
    table, journal = match
    part = replaced(table, table.state, 0)
    journal.create_table(follow(table.state, part).table_id, part, None)
    assert lines_of(journal) == []


def test_a_match_that_was_given_up_is_listed_as_given_up(
    match: tuple[SeededTable, Journal], capsys: pytest.CaptureFixture[str]
) -> None:
    table, journal = match
    assert len(lines_of(journal)) == 1
    journal.note_given_up(table.state.table_id)
    assert lines_of(journal) == []
    journal.close()
    assert run(resume, "--list") == 0
    name = table.state.charter.name_of(0)
    assert capsys.readouterr().out.endswith(f"; given up by {name}\n")

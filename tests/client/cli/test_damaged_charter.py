"""`doctor` and `resume` when the charter of a table is damaged in the journal."""

import re
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from client.cli.commands import doctor, resume
from p2p.storage.data_path import HOME_VARIABLE, JOURNAL_FILE
from p2p.storage.identity import Identity
from p2p.storage.journal import Journal
from p2p.storage.private_files import make_private
from protocol.errors import Refused
from tests.client.cli.run_command import run
from tests.p2p.table.vector_records import record_of

FILES = ("canastra.json", "records.json")
DAMAGED = "The charter of the table begun ....-..-.. ..:.. UTC is damaged."


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the data folder of a machine without a network."""
    monkeypatch.setenv(HOME_VARIABLE, f"{tmp_path / 'home'}")
    monkeypatch.setattr(doctor, "interfaces", lambda: ())
    home = make_private(tmp_path / "home")
    Identity.load_or_create(home)
    return home


def tables(home: Path, *files: str) -> None:
    """Make tables of a few entries, and damage the charter of the first one."""
    with Journal.open(home / JOURNAL_FILE) as journal:
        for file in files:
            record_of(journal, file, 5)
        damaged = journal.tables()[0].table_id
    with closing(sqlite3.connect(home / JOURNAL_FILE)) as database, database:
        statement = "UPDATE tables SET charter = zeroblob(300) WHERE table_id = ?"
        assert database.execute(statement, (damaged,)).rowcount == 1


def test_the_doctor_names_it_and_the_way_out(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    tables(home, FILES[0])
    assert run(doctor) == 1
    assert (
        "Journal: FAULT. Tables whose charter is damaged: 1. "
        "sobremesa resume fetches it from the others.\n"
    ) in capsys.readouterr().out


def test_it_is_listed_with_the_others(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    tables(home, *FILES)
    assert run(resume, "--list") == 0
    other, damaged = capsys.readouterr().out.splitlines()
    assert other.startswith("1. ")
    assert re.fullmatch(f"{DAMAGED} To fetch it: sobremesa resume", damaged)


def test_where_nobody_has_it_that_is_said_and_nothing_that_contradicts(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    tables(home, FILES[0])
    with pytest.raises(Refused) as refused:
        run(resume, "--autoplay")
    asked, answer = capsys.readouterr().out.splitlines()[-2:]
    assert re.fullmatch(f"{DAMAGED} Asking the others for it …", asked)
    assert answer == "None of them answers. Ask them to start, and resume again."
    assert str(refused.value) == "There is no other table to resume."

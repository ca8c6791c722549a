"""The records in the first screen: their list, and the choices for each of them."""

import shutil
from pathlib import Path

import pytest
import trio

from client.cli.commands.play import FirstScreen
from client.record_files import RecordError
from client.record_summary import RecordSummary
from client.session.loopback_table import loopback_table
from client.session.solo import delete_table
from client.session.solo_folder import solo_folder, unfinished
from client.settings import Settings, save_settings
from client.statistics_line import FILE
from client.ui.tui.toolkit.glyphs import UNICODE
from client.ui.tui.toolkit.style import style_of
from client.ui.tui.toolkit.terminal_look import TerminalLook
from engine.games import game_named
from p2p.storage.data_path import HOME_VARIABLE
from p2p.storage.private_files import IdentityInUse, locked, make_private
from protocol.record import MAGIC
from tests.client.quick_reviews import quickly
from tests.client.terminals import Typed

KEPT = Path(__file__).parents[2] / "records" / "format-1-canasta.sobremesa"
NAME = "2026-01-02-canasta-1.sobremesa"


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv(HOME_VARIABLE, str(tmp_path / "home"))
    home = make_private(tmp_path / "home")
    save_settings(home, Settings(name="Ana"))  # otherwise a newcomer is welcomed
    return home


@pytest.fixture
def record(home: Path) -> Path:
    return Path(shutil.copy(KEPT, make_private(home / "records") / NAME))


def typed(*lines: str) -> None:
    """Run the first screen in lines, with these lines typed."""
    look = TerminalLook(UNICODE, style_of("plain"), lines=Typed(lines))
    FirstScreen(Settings(name="Ana"), look).run()


# On the first screen 5 is the records, or 6 when there is an unfinished table. For a record 1 is
# open, 2 replay, 3 review, 4 audit, 5 delete.


def test_a_record_is_listed_by_game_names_date_and_score(record: Path) -> None:
    """Names and points are in the order of the seats: here Bruno has drawn seat 1."""
    summary = RecordSummary.read(record)
    assert summary.line.endswith("  Canasta with Bruno and Ana: 145 : 855")
    assert summary.line.startswith(f"{summary.written:%Y-%m-%d %H:%M}")


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"", "holds no record"),
        (b"a poem\n", "no record of a Sobremesa game"),
        (MAGIC + b"\xff\xff\xff\xff", "cannot be read"),
        (MAGIC + b"\0\0\0\1x", "cannot be read"),
        (KEPT.read_bytes()[:40], "holds no record"),
    ],
)
def test_a_file_that_is_no_record_is_listed_with_the_reason(
    record: Path, data: bytes, why: str, capsys: pytest.CaptureFixture[str]
) -> None:
    record.write_bytes(data)
    with pytest.raises(RecordError, match=f"{NAME}.*{why}"):
        RecordSummary.read(record)
    typed("5", "", "")
    assert why in capsys.readouterr().out, "the others can still be chosen"


def test_a_record_that_breaks_off_has_the_score_so_far(record: Path) -> None:
    record.write_bytes(KEPT.read_bytes()[:-400])
    assert RecordSummary.read(record).line.endswith(
        "Canasta with Bruno and Ana: no round counted yet"
    )


def test_the_own_game_is_judged_or_that_of_whoever_is_chosen(
    home: Path, record: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    quickly(monkeypatch)
    save_settings(home, Settings(name="Eve"))
    typed("5", "1", "3", "2", "", "", "")
    shown = capsys.readouterr().out
    assert "Whose game?" in shown
    assert "Bruno made " in shown
    save_settings(home, Settings(name="Ana"))
    typed("5", "1", "3", "", "", "")
    assert "Ana made 24 decisions" in capsys.readouterr().out


def test_the_own_results_are_worked_out_once_and_then_stand_on_the_first_screen(
    home: Path, record: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    typed("6", "", "")
    shown = capsys.readouterr().out
    assert "6. Your statistics: Matches, wins, streaks" in shown
    assert "There is no sound record of a match of yours" in shown, "others have played it"
    assert "0 matches, 0 won; rating 1,000, give or take 686" in shown
    assert (home / FILE).exists()
    record.with_name("another.sobremesa").write_bytes(KEPT.read_bytes())
    typed("")
    assert "0 matches" not in capsys.readouterr().out, "a record is new"


async def _solo_table() -> Path:
    """Return the folder of a table at which nobody has played."""
    folder = make_private(solo_folder() / "0")
    game = game_named("canasta")
    async with loopback_table(game, game.options(), ("Ana", "Bruno"), folder):
        return folder


async def test_a_table_that_is_played_at_is_not_deleted() -> None:
    folder = await _solo_table()
    with locked(folder / "0"), pytest.raises(IdentityInUse):
        delete_table(folder)
    assert unfinished() == (folder,)
    delete_table(folder)
    assert unfinished() == ()


def test_an_unfinished_table_is_deleted_when_that_is_said_twice(
    record: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = trio.run(_solo_table)
    typed("6", "1", "2", "1", "1", "2", "2", "", "")  # the table is listed before the record
    assert not folder.exists()
    assert record.exists()
    assert "Canasta with Ana and Bruno: no round counted yet, left" in capsys.readouterr().out

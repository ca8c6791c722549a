"""`sobremesa review`: the seat that is judged, the rounds, and the page that is written."""

from pathlib import Path

import pytest

from client.cli.commands import review
from client.errors import BadRequest
from client.record_files import RecordError
from client.settings import Settings, save_settings
from p2p.storage.data_path import HOME_VARIABLE
from p2p.storage.private_files import make_private
from tests.client.cli.run_command import run
from tests.client.quick_reviews import CANASTA, quickly


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv(HOME_VARIABLE, str(tmp_path / "home"))
    quickly(monkeypatch)
    return make_private(tmp_path / "home")


def test_the_own_game_is_judged_in_lines(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    save_settings(home, Settings(name="Bruno"))
    assert run(review, str(CANASTA)) == 0
    told = capsys.readouterr().out
    assert "Bruno made " in told
    assert "Verdict: sound." in told
    assert run(review, str(CANASTA), "--seat", "ana", "--round", "1") == 0
    assert "Ana made 24 decisions" in capsys.readouterr().out


def test_a_page_is_written_once(
    home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "review.html"
    assert run(review, str(CANASTA), "--seat", "2", "--html", str(out)) == 0
    assert "Review: the game of Bruno" in out.read_text()
    assert str(out) in capsys.readouterr().err
    with pytest.raises(RecordError):
        run(review, str(CANASTA), "--seat", "2", "--html", str(out))


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--seat", "Eve"), "Nobody at this table is called Eve"),
        (("--seat", "Ana", "--round", "9"), "There is no round 9 in this record; it has 1"),
        ((), "Nobody at this table is called Zoe"),
    ],
)
def test_who_or_what_is_not_there_is_said(home: Path, words: tuple[str, ...], said: str) -> None:
    save_settings(home, Settings(name="Zoe"))
    with pytest.raises(BadRequest, match=said):
        run(review, str(CANASTA), *words)

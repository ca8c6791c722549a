"""The command `learn`: the lesson that it gives, and what it prints after it."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest.mock import AsyncMock, patch

import pytest

from client.cli import main as command
from client.cli.commands import learn
from client.session.ending_signals import Interrupted
from client.settings import Settings, save_settings
from client.ui.tui.toolkit.terminal_look import TerminalLook
from engine.games import GAMES
from p2p.storage.data_path import HOME_VARIABLE

WAITS = "The lesson waits where you left it. Go on with: sobremesa learn {game}\n"
PLAYS = "That was the lesson. To play: sobremesa solo --game {game}\n"


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv(HOME_VARIABLE, str(tmp_path))
    monkeypatch.setattr(TerminalLook, "of", lambda _settings: SimpleNamespace(lines=()))
    return tmp_path


@pytest.mark.parametrize(
    ("words", "ends", "said"),
    [
        ("canasta", True, PLAYS),
        ("canasta --again", False, WAITS),
        ("canastra", Interrupted(), WAITS),
        ("", True, PLAYS),
    ],
)
def test_a_lesson_ends_with_how_to_go_on(
    words: str, ends: Any, said: str, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    game, *flags = words.split() or ["canastra"]
    attend = AsyncMock(side_effect=[ends])
    save_settings(home, Settings(name="Ana", game="canastra"))
    with patch.object(learn, "attend", attend):
        assert command.main(["learn", *words.split()]) == 0
    assert attend.call_args.args[0].game.name == game
    assert attend.call_args.kwargs == {"again": bool(flags)}
    assert capsys.readouterr().out == said.format(game=game)


@pytest.mark.parametrize(
    ("word", "said"), [("samba", "no lesson of Samba yet"), ("kanastik", "mean “kanastic”?")]
)
def test_a_game_without_a_lesson_is_named(
    word: str, said: str, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    del home
    with patch.object(learn, "taught", lambda: (GAMES["kanastic"],)):
        assert command.main(["learn"]) == 2
        with pytest.raises(SystemExit):
            command.main(["learn", word])
    assert "There is no lesson of Canasta yet." in (told := capsys.readouterr().err)
    assert said in told

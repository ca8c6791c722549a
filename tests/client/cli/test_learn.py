"""The command `learn`: the lesson that it gives, and what it prints after it."""

from pathlib import Path
from types import SimpleNamespace

import pytest

from client.cli import main as command
from client.cli.commands import learn
from client.errors import BadRequest
from client.lessons.lesson import Lesson
from client.session.ending_signals import Interrupted
from client.settings import Settings, save_settings
from client.ui.tui.toolkit.terminal_look import TerminalLook
from engine.games import GAMES
from p2p.storage.data_path import HOME_VARIABLE

WAITS = "The lesson waits where you left it. Go on with: sobremesa learn {game}\n"
PLAYS = "That was the lesson. To play: sobremesa solo --game {game}\n"


@pytest.mark.parametrize(
    ("words", "ends", "game", "said"),
    [
        ("", True, "canastra", PLAYS),
        ("canasta", True, "canasta", PLAYS),
        ("canasta --again", False, "canasta", WAITS),
        ("canastra", Interrupted(), "canastra", WAITS),
    ],
)
def test_a_lesson_ends_with_how_to_go_on(
    words: str,
    ends: bool | Interrupted,
    game: str,
    said: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    async def attend(lesson: Lesson, *_: object, again: bool) -> bool:
        assert (lesson.game.name, again) == (game, "--again" in words)
        if isinstance(ends, Interrupted):
            raise ends
        return ends

    monkeypatch.setenv(HOME_VARIABLE, str(tmp_path))
    save_settings(tmp_path, Settings(name="Ana", game="canastra"))
    monkeypatch.setattr(TerminalLook, "of", lambda _settings: SimpleNamespace(lines=()))
    monkeypatch.setattr(learn, "attend", attend)
    assert command.main(["learn", *words.split()]) == 0
    assert capsys.readouterr().out == said.format(game=game)


def test_a_game_without_a_lesson_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv(HOME_VARIABLE, str(tmp_path))
    monkeypatch.setattr(learn, "taught", lambda: (GAMES["kanastic"],))
    with pytest.raises(BadRequest, match="There is no lesson of Canasta yet"):
        learn.run(SimpleNamespace(game=None, linear=True))  # type: ignore[arg-type]
    for word, said in (("canasta", "no lesson of Canasta yet"), ("kanastik", "mean “kanastic”?")):
        with pytest.raises(SystemExit):
            command.main(["learn", word])
        assert said in capsys.readouterr().err

"""The ways to show a record: a page, lines or a screen, from a command or from the menu."""

from argparse import Namespace
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest.mock import AsyncMock, Mock, call

import pytest

from client.cli import record_command_helpers as helpers
from client.cli.commands import replay, review
from client.cli.main import main
from client.cli.menus import records
from client.cli.menus.records import RecordMenu
from client.record_files import RecordError
from client.settings import Settings, save_settings
from client.ui.model.replay import Replay
from client.ui.tui.toolkit.glyphs import UNICODE
from client.ui.tui.toolkit.style import style_of
from client.ui.tui.toolkit.terminal_look import TerminalLook
from tests.client.cli.run_command import run
from tests.client.quick_reviews import CANASTA, quickly

LOOK = TerminalLook(UNICODE, style_of("plain"))


@pytest.mark.parametrize(
    ("unusual", "shown"),
    [
        ("nothing", ["screen"]),
        ("--plain", ["one", "two"]),
        ("linear setting", ["one", "two"]),
        ("input from a file", ["one", "two"]),
        ("output to a file", ["one", "two"]),
        ("no screen", ["one", "two"]),
        ("--html", ["page"]),
    ],
)
def test_a_record_is_shown_in_the_way_that_flags_settings_and_terminal_allow(
    unusual: str,
    shown: list[str],
    home: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    save_settings(home, Settings(linear=unusual == "linear setting"))
    done: list[str] = []
    console: Any = SimpleNamespace(line=done.append, clear=Mock())
    for name, file in (("stdin", "input from a file"), ("stdout", "output to a file")):
        stream = Mock(isatty=Mock(return_value=unusual != file))
        monkeypatch.setattr(f"sys.{name}", stream)
    monkeypatch.setattr(TerminalLook, "of", lambda _settings: LOOK)
    screen = Mock(side_effect=lambda look: done.append("screen" if look is LOOK else "another"))
    path = tmp_path / "page" if unusual == "--html" else None
    arguments = Namespace(html=path, plain=unusual == "--plain")
    parts = (lambda: ("pa", "ge"), lambda: ("one", "two"))
    helpers.show(arguments, console, *parts, None if unusual == "no screen" else screen)
    if path is not None:
        done.append(path.read_text())
        assert capsys.readouterr().err.replace("\n", " ").endswith(f"{path}. ")
        assert console.clear.called
    assert done == shown


def test_the_progress_of_an_audit_is_cleared(tmp_path: Path) -> None:
    console = Mock()
    assert helpers.replay_of(CANASTA, console, tmp_path / "new").players == 2
    assert console.mock_calls[-1] == call.clear()
    assert console.progress.called


def test_a_page_that_exists_is_refused_before_the_record_is_read(tmp_path: Path) -> None:
    """Here the record does not exist, and the error is about the page."""
    with pytest.raises(RecordError, match="is a file"):
        helpers.replay_of(tmp_path / "none", Mock(), CANASTA)


@pytest.mark.parametrize("command", ["replay", "review"])
def test_a_command_shows_the_screen_of_a_record(
    command: str, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The replay begins at the first cards, as seen from the seat that was named."""
    quickly(monkeypatch)
    module = {"replay": replay, "review": review}[command]
    seen = Mock()
    monkeypatch.setattr(module, "run_alone", seen.run_alone)
    if command == "replay":
        monkeypatch.setattr(replay, "ReplayScreen", seen.screen)
    else:
        monkeypatch.setattr(review, "reader_application", seen.application)
    monkeypatch.setattr(
        helpers, "show", lambda _arguments, _console, _page, _lines, screen: screen(LOOK)
    )
    assert run(module, f"{CANASTA}", "--seat", "bruno") == 0
    if command == "replay":
        cursor, look = seen.screen.call_args.args
        assert (cursor.viewer, cursor.at, look) == (1, cursor.replay.first_with_cards, LOOK)
        seen.run_alone.assert_called_once_with(seen.screen().application())
    else:
        reader, look = seen.application.call_args.args
        assert (reader.title, look) == ("Review: the game of Bruno", LOOK)
        seen.run_alone.assert_called_once_with(seen.application())


@pytest.mark.parametrize(
    ("chosen", "lines", "moments", "on_screen"),
    [
        ("replay", None, True, True),
        ("replay", None, False, False),
        ("replay", (), True, False),
        ("audit", None, True, False),
        ("sheets", None, True, False),
    ],
)
async def test_the_menu_shows_a_replay_on_a_screen_and_everything_else_as_text(
    chosen: str, lines: Any, moments: bool, on_screen: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    loaded = Replay.load(CANASTA, lambda _line: None)
    shown: Any = loaded if moments else SimpleNamespace(report=loaded.report, moments=())
    screen = Mock(return_value=SimpleNamespace(run=AsyncMock()))
    monkeypatch.setattr(records, "Screen", screen)
    monkeypatch.setattr(records, "plain_lines", lambda *_, **__: ["a line"])
    monkeypatch.setattr(records, "read", read := AsyncMock())
    await RecordMenu(CANASTA, LOOK._replace(lines=lines))._show(chosen, shown)
    assert (screen.called, read.called) == (on_screen, not on_screen)
    if read.called:
        assert read.call_args.args[0].title == CANASTA.name


@pytest.mark.parametrize(("columns", "widest"), [(60, 60), (200, 100)])
def test_rules_are_as_wide_as_the_terminal_up_to_a_hundred_columns(
    columns: int,
    widest: int,
    home: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("COLUMNS", f"{columns}")
    assert main(["rules", "canasta", "7"]) == 0
    longest = max(map(len, capsys.readouterr().out.splitlines()))
    assert widest - 12 < longest <= widest


def test_long_words_of_the_rules_are_not_broken(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    words = []
    for columns in ("6", "100"):
        monkeypatch.setenv("COLUMNS", columns)
        assert main(["rules", "canasta", "13"]) == 0
        words.append(capsys.readouterr().out.split())
    assert words[0] == words[1]

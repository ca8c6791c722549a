"""Commands: their options and help, and their end in a sentence and an exit code."""

import argparse
import gc
import os
import re
import signal
import sys
from collections.abc import Callable
from contextlib import nullcontext
from importlib import import_module
from io import StringIO
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest.mock import AsyncMock, MagicMock, Mock, call

import pytest

from client.cli import entry_point
from client.cli import main as command
from client.cli.commands import learn, play
from client.cli.commands.play import FirstScreen
from client.cli.main import COMMANDS
from client.record_files import RecordError
from client.session.ending_signals import EXIT_INTERRUPTED, Interrupted
from client.settings import Settings
from client.ui.tui.toolkit.terminal_look import TerminalLook
from client.version import VERSION
from engine.games import game_named
from p2p.storage.data_path import HOME_VARIABLE, JOURNAL_FILE
from tests.client.ui.tui.golden import check_file

ROOT = Path(__file__).parents[3]
BY_DEFAULT = call.signal(signal.SIGINT, signal.SIG_DFL)
OPTIONS = Path(__file__).with_name("options.txt")


def test_the_options_of_all_commands_match_their_file() -> None:
    """Only names, values and help are compared: the layout depends on the version of argparse."""
    lines = []
    for name in COMMANDS:
        chosen = argparse.ArgumentParser()
        import_module(f"client.cli.commands.{name}").add_arguments(chosen)
        lines.append(name)
        for action in chosen._actions[1:]:
            names = ", ".join(action.option_strings) or action.metavar or action.dest
            choices = f" of {', '.join(map(str, action.choices))}" if action.choices else ""
            values = {0: "", "?": " [VALUE]", None: " VALUE"}.get(action.nargs, " VALUE ...")
            values += choices + ", repeated" * isinstance(action.default, list)
            usual = "" if action.default in (None, False, []) else f", usually {action.default}"
            lines.append(f"  {names}{values}{usual}: {action.help}")
    check_file(OPTIONS, "\n".join(lines))


def test_no_two_flags_have_the_same_explanation() -> None:
    """Two flags with one explanation would be two names for the same thing."""
    flags: dict[str, set[str]] = {}
    for line in OPTIONS.read_text("utf-8").splitlines():
        flag, _, explanation = line.strip().partition(": ")
        if flag.startswith("--"):
            flags.setdefault(explanation, set()).add(flag.split()[0])
    assert flags["how many play"] == {"--players"}
    assert [several for several in flags.values() if len(several) > 1] == []


@pytest.mark.parametrize("lines", [None, ()])
def test_the_alternate_screen_is_kept_between_menus_except_in_linear_mode(
    lines: object, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    done = MagicMock()
    monkeypatch.setattr(play, "hold_screen", lambda: done.hold)
    monkeypatch.setattr(TerminalLook, "of", lambda _settings: SimpleNamespace(lines=lines))
    monkeypatch.setattr(FirstScreen, "run", done.run)
    arguments: Any = SimpleNamespace(linear=False)
    assert play.run(arguments) == 0
    names = [name for name, *_ in done.mock_calls]
    assert names == (["hold.__enter__", "run", "hold.__exit__"] if lines is None else ["run"])


@pytest.mark.parametrize(
    ("words", "opened", "handler", "begins"),
    [
        ("players", StringIO, signal.default_int_handler, [BY_DEFAULT]),
        ("players", StringIO, signal.SIG_IGN, []),
        ("--version", lambda: None, signal.SIG_IGN, []),
        ("--version", lambda: Mock(flush=Mock(side_effect=OSError)), signal.SIG_IGN, []),
        ("--version", StringIO, signal.SIG_IGN, None),
    ],
)
def test_every_command_but_the_version_begins_with_the_default_ctrl_c_handler(
    words: str, opened: Any, handler: object, begins: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A background job of a shell goes on ignoring Ctrl-C.

    If the version cannot be printed, the usual command begins, which reports the fault. `begins`
    lists the calls that set a handler; None if the version is printed without a command.
    """
    done, output = Mock(), opened()
    done.main.return_value = 7
    monkeypatch.setattr(sys, "argv", ["sobremesa", words])
    monkeypatch.setattr(sys, "stdout", output)
    monkeypatch.setattr(signal, "getsignal", lambda _number: handler)
    monkeypatch.setattr(signal, "signal", done.signal)
    for module, name in ((gc, "disable"), (gc, "freeze"), (command, "main")):
        monkeypatch.setattr(module, name, getattr(done, name))
    assert entry_point.main() == (0 if begins is None else 7)
    steps = [] if begins is None else [*begins, call.disable(), call.main(), call.freeze()]
    assert done.mock_calls == steps
    if begins is None:
        assert output.getvalue() == f"sobremesa {VERSION}\n"


@pytest.mark.parametrize(
    ("words", "ends", "said"),
    [
        ("canasta", [True], "solo --game canasta"),
        ("canasta --again", [False], "learn canasta"),
        ("", [Interrupted()], "learn canastra"),
    ],
)
def test_a_lesson_ends_with_how_to_go_on(
    words: str,
    ends: list[Any],
    said: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    (tmp_path / "settings.toml").write_text('game = "canastra"')
    monkeypatch.setenv(HOME_VARIABLE, str(tmp_path))
    monkeypatch.setattr(TerminalLook, "of", lambda _settings: SimpleNamespace(lines=()))
    monkeypatch.setattr(learn, "attend", attend := AsyncMock(side_effect=ends))
    assert command.main(["learn", *words.split()]) == 0
    assert attend.call_args.args[0].game.name == said.rsplit(maxsplit=1)[-1]
    assert attend.call_args.kwargs == {"again": "--again" in words}
    assert capsys.readouterr().out.endswith(f": sobremesa {said}\n")


@pytest.fixture
def audit_fails(monkeypatch: pytest.MonkeyPatch) -> Callable[[BaseException], None]:
    """Return a function that makes the command `audit` fail with an error."""
    real = import_module

    def fail(error: BaseException) -> None:
        audit = SimpleNamespace(add_arguments=lambda _parser: None, run=Mock(side_effect=error))
        monkeypatch.setattr("warnings.simplefilter", lambda *_: None)  # it would outlast the test
        monkeypatch.setattr(
            command, "import_module", lambda name: audit if name.endswith(".audit") else real(name)
        )

    return fail


def interrupted_in_a_class() -> RuntimeError:
    """Return the error that Python 3.11 raises if Ctrl-C comes while a class is made."""
    error = RuntimeError("Error calling __set_name__")
    error.__cause__ = KeyboardInterrupt()
    return error


@pytest.mark.parametrize(
    ("error", "code", "sentence"),
    [
        (KeyboardInterrupt(), 130, "Interrupted.\n"),
        (Interrupted("The terminal is gone."), 130, "Interrupted.\n"),
        (interrupted_in_a_class(), 130, "Interrupted.\n"),
        (BaseExceptionGroup("", [KeyboardInterrupt(), ValueError("x")]), 130, "Interrupted.\n"),
        (RecordError("No such file."), 2, "sobremesa: No such file.\n"),
        (ExceptionGroup("", [ExceptionGroup("", [RecordError("Gone.")])]), 2, "sobremesa: Gone.\n"),
        (ExceptionGroup("", [BrokenPipeError(32, "Whoever reads has gone")]), 2, ""),
    ],
)
def test_errors_end_in_a_sentence(
    error: BaseException,
    code: int,
    sentence: str,
    audit_fails: Callable[[BaseException], None],
    capsys: pytest.CaptureFixture[str],
) -> None:
    audit_fails(error)
    assert command.main(["audit"]) == code
    assert capsys.readouterr().err == sentence


@pytest.mark.parametrize("bug", [KeyError("a bug"), ValueError("invalid literal for int()")])
def test_a_bug_is_not_hidden(bug: Exception, audit_fails: Callable[[BaseException], None]) -> None:
    audit_fails(ExceptionGroup("", [RecordError("x"), bug]))
    with pytest.raises(ExceptionGroup):
        command.main(["audit"])


@pytest.mark.parametrize(
    "texts",
    [
        ("es", "uso: sobremesa", "opciones:", "las reglas de un juego", "muestra esta ayuda"),
        ("pt", "uso: sobremesa", "opções:", "as regras de um jogo", "mostra esta ajuda"),
        ("en", "usage: sobremesa", "options:", "the rules of a game", "show this help"),
    ],
)
def test_the_help_is_in_the_language_of_the_settings(
    texts: tuple[str, ...], home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    language, *parts = texts
    (home / "settings.toml").write_text(f'language = "{language}"\n', encoding="utf-8")
    with pytest.raises(SystemExit):
        command.main(["--help"])
    shown = capsys.readouterr().out
    assert [text for text in parts if text not in shown] == []


def test_argument_errors_are_in_the_language_of_the_system(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("LANG", "es_AR.UTF-8")
    with pytest.raises(SystemExit):
        command.main(["rules", "bridge"])
    said = capsys.readouterr().err
    assert "uso: sobremesa rules" in said
    assert "game: no se admite 'bridge' (hay: " in said


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("paly", "there is no “paly”. Did you mean “play”?"),
        ("cansta", "there is no “cansta”. Did you mean “solo --game canasta”?"),
        ("solo --game cansta", "argument --game: there is no “cansta”. Did you mean “canasta”?"),
        ("rules Kanasta", "there is no “Kanasta”. Did you mean “canasta”?"),
        ("solo x --plyers", "there is no “--plyers”. Did you mean “--players”?"),
        ("solo plyers 7", "unrecognized arguments: plyers 7"),
        ("doctor --difficulty", "unrecognized arguments: --difficulty"),  # no such flag there
        ("solo --level esy", "there is no “esy”. Did you mean “easy”?"),
        (
            "solo --seats 2",
            "sobremesa solo: error: there is no “--seats”. Did you mean “--players”?",
        ),
        ("host --seats=2", "there is no “--seats”. Did you mean “--players”?"),
        ("solo --opponents easy", "there is no “--opponents”. Did you mean “--level”?"),
        ("host --anyhwere", "there is no “--anyhwere”. Did you mean “--anywhere”?"),
        ("solo --deal soon", "soon is no date"),
        ("solo --deal 2026-02-30", "2026-02-30 is no date"),
        ("solo --deal 2026-02-30-and-much-more", "--deal: 2026-02-30-and-much- is no date. Type"),
        ("solo --xyz 2", "sobremesa solo: error: unrecognized arguments: --xyz 2"),
        ("solo --game bridge", "'bridge' (choose from"),
        ("xyz", "'xyz' (choose from"),
    ],
)
def test_a_misspelt_word_gets_a_suggestion(
    words: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        command.main(words.split())
    assert ended.value.code == 2
    assert said in capsys.readouterr().err


def test_every_command_handles_ctrl_c_itself() -> None:
    """Trio's own handler can raise KeyboardInterrupt anywhere, even inside Trio."""
    for path in (ROOT / "client" / "cli").rglob("*.py"):
        runs = re.findall(r"trio\.run\(\s*(\w+)", path.read_text("utf-8"))
        assert set(runs) <= {"until_signalled"}, path.name


@pytest.mark.parametrize("left", [False, True], ids=["no table", "a table"])
def test_after_an_interruption_a_person_reads_how_to_continue(
    left: bool, home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Only a person who has left a table reads how to continue there."""
    monkeypatch.setattr(FirstScreen, "run", Mock(side_effect=Interrupted))
    monkeypatch.setattr(play, "unfinished", lambda: (Path(),) if left else ())
    with Path(os.devnull).open() as nothing:
        monkeypatch.setattr(sys, "stdin", nothing)
        assert command.main(["play", "--linear"]) == (0 if left else EXIT_INTERRUPTED)
    printed, said = capsys.readouterr()
    assert ("sobremesa solo --continue" in printed) == left
    assert ("Interrupted." in said) != left


def test_the_first_screen_looks_for_tables_without_slow_imports(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without a journal there is no table with other people to continue."""
    look: Any = SimpleNamespace(glyphs=SimpleNamespace(symbols=True))
    screen = FirstScreen(Settings(), look)
    parts = SimpleNamespace(resumable=lambda: {("resume",): "a table"})
    monkeypatch.setattr(play, "_parts", lambda: parts)
    for names, more in (((), []), ((JOURNAL_FILE,), ["continue"])):
        for name in names:
            (home / name).touch()
        assert [choice.value for choice in screen._choices()] == [
            *("now", "today", "join", "host"),
            *more,
            *("learn", "rules", "settings", "leave"),
        ]
    parts.resumable = dict
    assert "continue" not in [choice.value for choice in screen._choices()]


@pytest.mark.parametrize("words", ["", "canasta"])
def test_a_game_without_a_lesson_is_refused(
    words: str, home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(learn, "taught", lambda: (game_named("samba"),))
    monkeypatch.setattr(TerminalLook, "of", lambda _settings: SimpleNamespace(lines=()))
    with pytest.raises(SystemExit, match=r"^2$") if words else nullcontext():
        assert command.main(["learn", *words.split()]) == 2
    assert capsys.readouterr().err.endswith("There is no lesson of Canasta yet.\n")

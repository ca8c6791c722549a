"""The steps around a command: its parser, its signals, its log, and the streams when it ends."""

import gc
import os
import signal
import sys
from collections.abc import Iterator
from io import BytesIO, StringIO, TextIOWrapper
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest

from client.cli import log_file, main
from client.cli.commands import rules
from client.cli.last_sentence import left_sentence, print_last
from client.i18n.language import choose_language, choose_script
from client.session.ending_signals import Interrupted
from client.session.solo import SoloTables
from client.settings import Settings, save_settings
from client.ui.text.ascii_text import ascii_text
from client.version import VERSION
from p2p.storage.private_files import FolderError


@pytest.fixture
def handler() -> Iterator[None]:
    """Restore the handler of Ctrl-C and the garbage collector after the test."""
    before = signal.getsignal(signal.SIGINT)
    yield
    signal.signal(signal.SIGINT, before)
    gc.enable()


@pytest.mark.usefixtures("handler", "home")
@pytest.mark.parametrize(
    ("before", "during"),
    [(signal.SIG_DFL, signal.default_int_handler), (signal.SIG_IGN, signal.SIG_IGN)],
)
@pytest.mark.parametrize(("command", "collects"), [("rules", False), ("players", True)])
def test_a_command_runs_with_a_ctrl_c_handler_and_some_with_the_garbage_collector(
    before: Any, during: Any, command: str, collects: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A background job of a shell ignores Ctrl-C. `rules` makes no garbage to collect."""
    seen: list[object] = []

    def run(arguments: Any) -> int:
        seen.extend((arguments.command, gc.isenabled(), signal.getsignal(signal.SIGINT)))
        return 7

    monkeypatch.setattr(f"client.cli.commands.{command}.run", run)
    signal.signal(signal.SIGINT, before)
    gc.disable()
    assert main.main([command, *["canasta"] * (command == "rules")]) == 7
    assert seen == [command, collects, during]


@pytest.mark.usefixtures("home")
@pytest.mark.parametrize("no_folder", [False, True])
def test_the_log_begins_with_the_level_that_was_typed(
    no_folder: bool, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without a data folder the command runs all the same, and may say why there is none."""
    monkeypatch.setattr(log_file, "write_log", began := Mock())
    if no_folder:
        fails = Mock(side_effect=FolderError("There is no home."))
        monkeypatch.setattr("p2p.storage.private_files.data_path", fails)
    for words, level in (([], "info"), (["--log-level", "debug"], "debug")):
        began.reset_mock()
        assert main.main(["rules", "canasta", "--clause", "C9", *words]) == 0
        assert [call.args for call in began.mock_calls] == [(home, level)] * (not no_folder)


def test_only_the_command_that_was_typed_is_described(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    alone = main.parser("rules", alone=True).format_help()
    whole = main.parser("rules").format_help()
    assert [name for name in main.COMMANDS if f"\n    {name} " in f"{alone} "] == ["rules"]
    assert [name for name in main.COMMANDS if f"\n    {name} " in f"{whole} "] == [*main.COMMANDS]
    assert main.parser(None, alone=True).format_help() == main.parser(None).format_help()
    assert 50 < max(map(len, whole.splitlines())) <= 58


def test_the_help_of_a_command_says_what_the_command_does(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", "100")
    with pytest.raises(SystemExit, match=r"^0$"):
        main.main(["share", "--help"])
    help_text = capsys.readouterr().out
    assert "\nServe the page of one record to this network for ten minutes.\n" in help_text
    assert "--log-level" in help_text
    with pytest.raises(SystemExit, match=r"^0$"):
        main.main(["--version"])
    assert capsys.readouterr().out == f"sobremesa {VERSION}\n"


def test_a_terminal_without_accents_gets_none(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The letters are there without their accents, instead of question marks."""
    save_settings(home, Settings(language="es"))
    texts = []
    try:
        for encoding in ("ascii", "utf-8"):
            written = BytesIO()
            monkeypatch.setattr(sys, "stdout", TextIOWrapper(written, encoding=encoding))
            with pytest.raises(SystemExit):
                main.main(["--help"])
            sys.stdout.flush()
            texts.append(written.getvalue().decode(encoding))
            choose_script(str)
    finally:
        choose_language("en")
        choose_script(str)
    plain, accented = texts
    assert plain == ascii_text(accented) != accented


@pytest.mark.skipif(sys.platform == "win32", reason="there is no /dev/full")
@pytest.mark.parametrize("words", ["rules canasta --clause C999", "rules nothing", "paly"])
def test_errors_that_cannot_be_written_fail_only_once(
    words: str, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Otherwise Python would fail once more when the program ends."""
    with Path("/dev/full").open("w", encoding="utf-8") as full:
        monkeypatch.setattr(sys, "stderr", full)
        assert main.main(words.split()) == 2
        sys.stderr.flush()
        monkeypatch.undo()
        os.dup2(os.open(os.devnull, os.O_WRONLY), full.fileno())


def test_an_interrupted_command_hides_the_warnings_of_python(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Python would warn of coroutines that were never awaited."""
    monkeypatch.setattr("warnings.simplefilter", ignored := Mock())
    monkeypatch.setattr(rules, "run", Mock(side_effect=KeyboardInterrupt))
    assert main.main(["rules", "canasta"]) == 130
    ignored.assert_called_once_with("ignore", RuntimeWarning)
    assert capsys.readouterr() == ("", "Interrupted.\n")


@pytest.mark.parametrize("lost", [None, OSError("The terminal is gone.")])
def test_the_last_sentence_is_written_at_once(
    lost: OSError | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    stream = StringIO()
    stream.flush = flushed = Mock(side_effect=lost)  # type: ignore[method-assign]
    monkeypatch.setattr(sys, "stdout", stream)
    print_last("You have left the table.")
    assert stream.getvalue() == "You have left the table.\n"
    assert flushed.called


@pytest.mark.parametrize(
    ("given", "typed", "command"),
    [
        ([], ["tables"], "play"),
        (None, [], "play"),
        (None, ["tables"], "tables"),
        (["players"], ["tables"], "players"),
    ],
)
def test_without_words_the_first_screen_is_shown(
    given: list[str] | None,
    typed: list[str],
    command: str,
    home: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ran = Mock(return_value=3)
    for name in ("play", "tables", "players"):
        monkeypatch.setattr(f"client.cli.commands.{name}.run", ran)
    monkeypatch.setattr(sys, "argv", ["sobremesa", *typed])
    assert main.main(given) == 3
    assert [one.args[0].command for one in ran.call_args_list] == [command]


def test_an_interrupted_table_tells_how_to_go_on(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(SoloTables, "new", Mock(side_effect=Interrupted))
    monkeypatch.setattr("client.ui.tui.toolkit.terminal_look._typed_lines", tuple)
    assert main.main(["solo"]) == 0
    assert capsys.readouterr().out == f"{left_sentence()}\n"

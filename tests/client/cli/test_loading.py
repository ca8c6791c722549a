"""Imports of commands: those that answer at once import nothing that takes long."""

import os
import subprocess
import sys
from functools import partial
from io import StringIO
from pathlib import Path

import pytest

from client.cli.standard_streams import columns
from client.settings import Settings, save_settings
from client.spoken_language import AUTO, SETTINGS_FILE, spoken_language
from client.version import VERSION
from p2p.storage.data_path import HOME_VARIABLE

_PROGRAM = """
import sys
from client.cli.entry import main
sys.argv = ["sobremesa", *sys.argv[1:]]
try:
    main()
finally:
    loaded = {name.partition(".")[0] for name in sys.modules} | set(sys.modules)
    print(" ".join(loaded), file=sys.stderr)
"""


def loaded(home: Path, *words: str, variable: str = HOME_VARIABLE) -> tuple[str, set[str]]:
    """Return the output of a command, and all modules that it has imported."""
    ended = ran(_PROGRAM, home, *words, variable=variable)
    return ended.stdout, set(ended.stderr.split())


def ran(
    program: str, home: Path, *words: str, variable: str = HOME_VARIABLE
) -> subprocess.CompletedProcess[str]:
    """Return the finished process of a Python program that runs a command."""
    environment = {variable: str(home), "LC_ALL": "C.UTF-8"}
    command = [sys.executable, "-c", program, *words]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=True)


@pytest.mark.parametrize("words", [["--version"], ["--help"], ["-h"]])
def test_help_and_version_load_next_to_nothing(words: list[str], tmp_path: Path) -> None:
    told, modules = loaded(tmp_path, *words)
    assert told.startswith("usage: " if "h" in words[0] else f"sobremesa {VERSION}")
    assert modules.isdisjoint({"attr", "attrs", "cryptography", "importlib.metadata", "tomllib"})
    assert modules.isdisjoint({"platformdirs", "prompt_toolkit", "protocol", "trio", "zeroconf"})
    assert {n for n in modules if n.startswith("engine.")} <= {"engine.marked_texts"}
    assert modules.isdisjoint({"bz2", "pathlib", "shutil", "typing"})


@pytest.mark.skipif(sys.platform != "linux", reason="where the data lie is known on Linux")
def test_help_looks_for_the_settings_at_home_without_a_library(tmp_path: Path) -> None:
    data = tmp_path / ".local/share/sobremesa"
    data.mkdir(parents=True)
    (data / SETTINGS_FILE).write_text('language = "es"\n')
    told, modules = loaded(tmp_path, "--help", variable="HOME")
    assert "reglas" in told
    assert modules.isdisjoint({"pathlib", "platformdirs", "typing"})


def test_the_version_loads_nothing_but_the_version(tmp_path: Path) -> None:
    told, modules = loaded(tmp_path, "--version")
    assert told == f"sobremesa {VERSION}\n"
    assert modules.isdisjoint({"argparse", "enum", "gettext", "pathlib", "signal"})
    assert {name for name in modules if name.startswith("client.")} == {
        *("client.cli", "client.cli.entry", "client.version")
    }


def test_nothing_that_a_command_leaves_is_looked_through_again_at_the_end(tmp_path: Path) -> None:
    program = _PROGRAM.replace("import sys", "import gc, sys").replace(
        "finally:", "finally:\n    print(len(gc.get_objects()))"
    )
    ended = ran(program, tmp_path, "rules", "canastra", "--clause", "B25")
    assert int(ended.stdout.splitlines()[-1]) < 1000


@pytest.mark.parametrize(
    ("words", "described"),
    [(["rules", "canastra"], 1), (["--help"], 19), (["--help", "rules"], 19)],
)
def test_only_the_command_that_is_named_first_is_described(
    words: list[str], described: int, tmp_path: Path
) -> None:
    ended = ran(_COUNTED, tmp_path, *words)
    assert int(ended.stdout.splitlines()[-1]) == described


_COUNTED = """
from argparse import _SubParsersAction
described, add_parser = [], _SubParsersAction.add_parser
def counted(self, name, **about):
    described.append(name)
    return add_parser(self, name, **about)
_SubParsersAction.add_parser = counted
""" + _PROGRAM.replace("finally:", "finally:\n    print(len(described))")


@pytest.mark.parametrize(
    ("words", "looks"), [(["rules", "canastra"], "False"), (["players"], "True")]
)
def test_garbage_is_looked_for_by_commands_that_do_not_answer_at_once(
    words: list[str], looks: str, tmp_path: Path
) -> None:
    ended = ran(_ASKED.format(command=words[0]) + _PROGRAM, tmp_path, *words)
    assert ended.stdout.splitlines()[0] == looks


_ASKED = """
import gc
from client.cli.commands import {command} as command
run = command.run
def asked(arguments):
    print(gc.isenabled())
    return run(arguments)
command.run = asked
"""


def test_garbage_is_looked_for_behind_the_first_screen(tmp_path: Path) -> None:
    program = """if True:
        import gc
        gc.disable()
        from client.cli.commands import play
        before = gc.isenabled()
        play._parts()
        print(before, gc.isenabled())
    """
    assert ran(program, tmp_path).stdout == "False True\n"


@pytest.mark.parametrize(
    ("game", "clause"), [("canasta", "C25"), ("kanastic", "K25"), ("canastra", "B25")]
)
def test_the_rules_load_the_rules_alone(game: str, clause: str, tmp_path: Path) -> None:
    told, modules = loaded(tmp_path, "rules", game, "--clause", clause)
    assert clause in told
    assert f"engine.{game}.options" in modules
    assert modules.isdisjoint({"engine.position", "engine.match", f"engine.{game}.position"})
    assert modules.isdisjoint({"cryptography", "prompt_toolkit", "trio", "zeroconf"})
    assert "protocol.libsodium" not in modules
    assert modules.isdisjoint({"client.ui.text.ascii_text", "pathlib", "textwrap"})
    assert not any(name.startswith(("client.bots", "p2p.table")) for name in modules)
    games = {"engine.canasta.game", "engine.kanastic.game", "engine.canastra.game"}
    assert modules & games == {f"engine.{game}.game"}


@pytest.mark.skipif(sys.platform == "win32", reason="pseudo-terminals")
def test_the_first_screen_loads_no_game_no_network_and_no_classes(tmp_path: Path) -> None:
    """Its keys, colours and settings need a screen library, and nothing else that is large."""
    import pty  # noqa: PLC0415 - not on Windows

    told = tmp_path / "modules"
    save_settings(tmp_path, Settings(name="Ana"))  # or it would ask for a name
    environment = {HOME_VARIABLE: str(tmp_path), "LC_ALL": "C.UTF-8", "COLORFGBG": "15;0"}
    terminal, its_end = pty.openpty()
    os.write(terminal, b"q")  # leaves it
    program = _PROGRAM.replace("sys.stderr", f"open({str(told)!r}, 'w')")
    with subprocess.Popen(
        [sys.executable, "-c", program, "play"],
        env=environment | {"TERM": "xterm"},
        stdin=its_end,
        stdout=its_end,
        start_new_session=True,
    ) as process:
        os.close(its_end)
        shown = b"".join(iter(partial(_read, terminal), b""))
    os.close(terminal)
    assert process.returncode == 0
    assert b"Play now" in shown
    modules = set(told.read_text().split())
    assert "prompt_toolkit" in modules
    assert modules.isdisjoint({"attr", "attrs", "cryptography", "msgpack", "sqlite3", "trio"})
    assert modules.isdisjoint(
        {
            "engine.cards",
            "engine.table_status",
            "tomllib",
            "zeroconf",
            "json",
            "logging.handlers",
            "pickle",
        }
    )
    heavy = ("client.bots", "client.reports", "engine.canasta", "engine.position", "p2p.table")
    assert {name for name in modules - _LIGHT if name.startswith((*heavy, "protocol."))} == set()


_LIGHT = {"protocol.errors", "protocol.names"}


def test_a_player_with_a_screen_loads_what_a_table_takes_and_no_more(tmp_path: Path) -> None:
    """Most of the rest would be code that libraries have for their own tests.

    It would take memory as long as the player sits at the table.
    """
    program = """if True:
        import sys
        from client.cli.commands import host
        from client.ui.tui.lobby import screen
        from client.ui.tui.table import screen
        from protocol.shuffle_proof import generators
        generators(2)
        print(*sys.modules)
    """
    modules = set(ran(program, tmp_path).stdout.split())
    assert {"prompt_toolkit", "protocol.libsodium", "trio", "zeroconf"} <= modules
    assert modules.isdisjoint({"doctest", "http", "multiprocessing", "pdb", "rbcl", "unittest"})
    assert modules.isdisjoint({"decimal", "difflib", "fractions", "logging.handlers", "statistics"})
    assert modules.isdisjoint({"confusable_homoglyphs", "json", "pickle", "segno"})
    ours = ("client.bots.games.", "client.reports.html", "client.ui.html")
    assert not any(name.startswith((*ours, "engine.canasta")) for name in modules)
    assert modules.isdisjoint(
        {"client.bots.search", "client.bots.evaluator", "client.bots.evaluators"}
    )


def _read(terminal: int) -> bytes:
    try:
        return os.read(terminal, 1 << 16)
    except OSError:  # as Linux says that nobody is there any more
        return b""


def test_help_is_in_the_language_of_the_settings(tmp_path: Path) -> None:
    (tmp_path / SETTINGS_FILE).write_text('language = "es"\n')
    told, _modules = loaded(tmp_path, "--help")
    assert "usage" not in told.splitlines()[0]
    assert "reglas" in told


@pytest.mark.parametrize(
    ("text", "language"),
    [
        (None, AUTO),
        (b'language = "pt"\ngame = "no such game"', "pt"),
        (b"# mine\r\n 'language'='es' # Spanish\r\n", "es"),
        (b'name = "language = \\"es\\""\n#language = "es"', AUTO),
        (b'language = "xx"', AUTO),
        (b"language = 3", AUTO),
        (b"language = [[", AUTO),
        (b"\xff", AUTO),
        (b'language = "pt"' + b" " * 70_000, AUTO),
    ],
)
def test_the_language_is_read_from_any_file(
    text: bytes | None, language: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(HOME_VARIABLE, str(tmp_path))
    if text is not None:
        (tmp_path / SETTINGS_FILE).write_bytes(text)
    assert spoken_language() == language


@pytest.mark.parametrize(
    ("named", "wide"),
    [("100", 100), ("0", 80), ("", 80), ("-5", 80), ("٣", 80), ("9" * 20, 10**9 - 1)],
)
def test_lines_are_as_long_as_the_environment_says(
    named: str, wide: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:  # or the report of the test is as wide, with -v
        patch.setenv("COLUMNS", named)
        patch.setattr("sys.stdout", StringIO())
        assert columns() == wide


def test_no_folder_is_made_to_find_the_language(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(HOME_VARIABLE, str(tmp_path / "none"))
    assert spoken_language() == AUTO
    assert not (tmp_path / "none").exists()

"""Imports of commands: a command that answers at once imports nothing slow."""

import gc
import os
import subprocess
import sys
from functools import partial
from pathlib import Path
from unittest.mock import Mock

import pytest

from client.cli.commands import play
from client.cli.menus import first_screen_actions
from client.cli.standard_streams import columns
from client.language_setting import AUTO, MOST_BYTES, SETTINGS_FILE, configured_language
from client.settings import Settings, save_settings
from client.version import VERSION
from p2p.storage.data_path import HOME_VARIABLE
from p2p.storage.private_files import make_private

_PROGRAM = """
import sys
from client.cli.entry_point import main
sys.argv = ["sobremesa", *sys.argv[1:]]
try:
    main()
finally:
    loaded = {name.partition(".")[0] for name in sys.modules} | set(sys.modules)
    print(" ".join(loaded), file=sys.stderr)
"""


def loaded(home: Path, *words: str, variable: str = HOME_VARIABLE) -> tuple[str, set[str]]:
    """Run a command, and return its output and the modules that it has imported."""
    ended = ran(_PROGRAM, home, *words, variable=variable)
    return ended.stdout, set(ended.stderr.split())


def ran(
    program: str, home: Path, *words: str, variable: str = HOME_VARIABLE
) -> subprocess.CompletedProcess[str]:
    """Return the finished process of a Python program that runs a command."""
    environment = {variable: str(home), "LC_ALL": "C.UTF-8"}
    command = [sys.executable, "-c", program, *words]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=True)


def test_version_imports_only_the_version_module(tmp_path: Path) -> None:
    told, modules = loaded(tmp_path, "--version")
    assert told == f"sobremesa {VERSION}\n"
    assert modules.isdisjoint({"argparse", "attrs", "enum", "gettext", "pathlib", "signal"})
    assert {name for name in modules if name.startswith("client.")} == {
        *("client.cli", "client.cli.entry_point", "client.version")
    }


@pytest.mark.skipif(sys.platform != "linux", reason="the test knows the data folder on Linux only")
def test_help_imports_little_and_uses_the_saved_language(tmp_path: Path) -> None:
    data = tmp_path / ".local/share/sobremesa"
    data.mkdir(parents=True)
    (data / SETTINGS_FILE).write_text('language = "es"\n')
    told, modules = loaded(tmp_path, "--help", variable="HOME")
    assert "reglas" in told
    assert "usage" not in told.splitlines()[0]
    assert modules.isdisjoint({"attr", "attrs", "cryptography", "importlib.metadata", "tomllib"})
    assert modules.isdisjoint({"platformdirs", "prompt_toolkit", "protocol", "trio", "zeroconf"})
    assert {n for n in modules if n.startswith("engine.")} <= {"engine.marked_texts"}
    assert modules.isdisjoint({"bz2", "pathlib", "shutil", "typing"})


_WATCHED = """
import gc
from argparse import _SubParsersAction

described, add_parser = [], _SubParsersAction.add_parser
def counted(self, name, **about):
    described.append(name)
    return add_parser(self, name, **about)
_SubParsersAction.add_parser = counted
""" + _PROGRAM.replace("finally:", "finally:\n    print(len(described), len(gc.get_objects()))")
"""Program that runs a command, and then prints what the command costs.

These are the number of commands whose arguments were described, and the number of objects that the
garbage collector would look through at the end.
"""


@pytest.mark.parametrize(("game", "clause"), [("canasta", "C25"), ("canastra", "B25")])
def test_rules_command_imports_only_the_rules(game: str, clause: str, tmp_path: Path) -> None:
    ended = ran(_WATCHED, tmp_path, "rules", game, "--clause", clause)
    *told, counts = ended.stdout.splitlines()
    modules = set(ended.stderr.split())
    assert clause in " ".join(told)
    described, objects = map(int, counts.split())
    assert described == 1
    assert objects < 1000
    assert f"engine.{game}.options" in modules
    assert modules.isdisjoint({"engine.position", "engine.match", f"engine.{game}.position"})
    assert modules.isdisjoint({"cryptography", "pathlib", "prompt_toolkit", "trio", "zeroconf"})
    assert modules.isdisjoint({"client.ui.text.ascii_text", "protocol.libsodium"})
    assert not any(name.startswith(("client.bots", "p2p.table")) for name in modules)
    games = {"engine.canasta.game", "engine.kanastic.game", "engine.canastra.game"}
    assert modules & games == {f"engine.{game}.game"}


def test_loading_the_actions_of_the_first_screen_enables_the_garbage_collector() -> None:
    gc.disable()
    try:
        assert play._parts() is first_screen_actions
        assert gc.isenabled()
    finally:
        gc.enable()


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such pseudo-terminals")
def test_the_first_screen_imports_no_game_no_network_and_no_attrs(tmp_path: Path) -> None:
    """Its keys, colours and settings need a screen library, and nothing else that is large."""
    import pty  # noqa: PLC0415 - not on Windows

    told = tmp_path / "modules"
    save_settings(tmp_path, Settings(name="Ana"))  # without a name, the screen would ask for one
    environment = {HOME_VARIABLE: str(tmp_path), "LC_ALL": "C.UTF-8", "COLORFGBG": "15;0"}
    terminal, its_end = pty.openpty()
    os.write(terminal, b"q")  # leaves the first screen
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
    assert modules.isdisjoint({"engine.cards", "engine.position_facts", "tomllib", "zeroconf"})
    assert modules.isdisjoint({"json", "logging.handlers", "pickle"})
    heavy = ("client.bots", "client.reports", "engine.canasta", "engine.position", "p2p.table")
    assert {name for name in modules - _LIGHT if name.startswith((*heavy, "protocol."))} == set()


_LIGHT = {"protocol.errors", "protocol.names"}


def test_a_player_with_a_screen_imports_no_needless_modules(tmp_path: Path) -> None:
    """A needless module would take memory as long as the player sits at the table.

    Most of the modules that must be missing are code that libraries have for their own tests.
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
    bots = ("client.bots.games.", "client.bots.search", "client.bots.evaluator")
    ours = (*bots, "client.reports.html", "client.ui.html", "engine.canasta")
    assert [name for name in modules if name.startswith(ours)] == []


def _read(terminal: int) -> bytes:
    try:
        return os.read(terminal, 1 << 16)
    except OSError:  # on Linux, when the other end is closed
        return b""


@pytest.mark.parametrize(
    ("text", "language"),
    [
        (None, AUTO),
        (b'language = "pt"\ngame = "no such game"', "pt"),
        (b"# mine\r\n 'language'='es' # Spanish\r\n", "es"),
        (b'name = "language = \\"es\\""\n#language = "es"', AUTO),
        (b'language = "xx"', AUTO),
        (b"language = 3", AUTO),
        (b'language = ["es"]', AUTO),
        (b"language = [[", AUTO),
        (b"\xff", AUTO),
        (b'language = "pt"'.ljust(MOST_BYTES), "pt"),
        (b'language = "pt"'.ljust(MOST_BYTES + 1), AUTO),
    ],
)
def test_the_language_is_read_from_good_and_bad_settings_files(
    text: bytes | None, language: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Looking for the language makes no folder."""
    home = tmp_path / "home"
    monkeypatch.setenv(HOME_VARIABLE, str(home))
    if text is not None:
        make_private(home).joinpath(SETTINGS_FILE).write_bytes(text)
    assert configured_language() == language
    assert home.exists() is (text is not None)


@pytest.mark.parametrize(
    ("named", "width", "wide"),
    [
        *[("100", 123, 100), ("1", 123, 1), ("9" * 20, 123, 10**9 - 1)],
        *[(bad, None, 80) for bad in ("0", "0000000001", "", "-5", "٣")],
        *[(None, 123, 123), (None, 0, 80), (None, None, 80)],
    ],
)
def test_the_variable_named_columns_or_the_terminal_sets_the_line_length(
    named: str | None, width: int | None, wide: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    size = OSError("no terminal") if width is None else os.terminal_size((width, 40))
    with monkeypatch.context() as patch:  # pytest -v must not use this width
        patch.delenv("COLUMNS", raising=False)
        if named is not None:
            patch.setenv("COLUMNS", named)
        patch.setattr("sys.stdout", Mock())
        patch.setattr("os.get_terminal_size", Mock(side_effect=[size]))
        assert columns() == wide

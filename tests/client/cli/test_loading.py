"""What a command loads: those that answer at once load nothing that takes long."""

import subprocess
import sys
from pathlib import Path

import pytest

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


def loaded(home: Path, *words: str) -> tuple[str, set[str]]:
    """What a command prints, and all that it has loaded."""
    environment = {HOME_VARIABLE: str(home), "LC_ALL": "C.UTF-8"}
    command = [sys.executable, "-c", _PROGRAM, *words]
    ended = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    return ended.stdout, set(ended.stderr.split())


@pytest.mark.parametrize("words", [["--version"], ["--help"], ["-h"]])
def test_help_and_version_load_next_to_nothing(words: list[str], tmp_path: Path) -> None:
    told, modules = loaded(tmp_path, *words)
    assert told.startswith("usage: " if "h" in words[0] else f"sobremesa {VERSION}")
    assert modules.isdisjoint({"attr", "attrs", "cryptography", "importlib.metadata", "tomllib"})
    assert modules.isdisjoint({"platformdirs", "prompt_toolkit", "protocol", "trio", "zeroconf"})
    assert {name for name in modules if name.startswith("engine.")} == {"engine.marked_texts"}


def test_the_rules_load_the_rules_alone(tmp_path: Path) -> None:
    told, modules = loaded(tmp_path, "rules", "canastra", "--clause", "B25")
    assert "B25" in told
    assert modules.isdisjoint({"cryptography", "prompt_toolkit", "rbcl", "trio", "zeroconf"})
    assert not any(name.startswith(("client.bots", "p2p.table")) for name in modules)


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


def test_no_folder_is_made_to_find_the_language(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(HOME_VARIABLE, str(tmp_path / "none"))
    assert spoken_language() == AUTO
    assert not (tmp_path / "none").exists()

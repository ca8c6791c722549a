"""The arrows between the packages point downwards, and the lower two do no input or output."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
LAYERS = ("client", "p2p", "protocol", "engine")  # each may import itself and those after it
PURE = ("protocol", "engine")
IMPURE = {
    *("asyncio", "datetime", "fcntl", "io", "logging", "multiprocessing", "os", "pathlib"),
    *("random", "secrets", "select", "shutil", "signal", "socket", "sqlite3", "ssl"),
    *("subprocess", "sys", "tempfile", "threading", "time", "trio", "uuid", "zeroconf"),
}
# libsodium writes itself to a temporary file when it is loaded; this takes the file away.
EXCEPTIONS = {"protocol/group.py": {"importlib", "pathlib"}}
SOURCES = [path for layer in LAYERS for path in sorted((ROOT / layer).rglob("*.py"))]


def imported(source: str) -> Iterator[str]:
    """Top-level names of all modules that a source imports, anywhere in it."""
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Import(names):
                yield from (alias.name.split(".")[0] for alias in names)
            case ast.ImportFrom(module=str(module), level=0):
                yield module.split(".")[0]
            case ast.ImportFrom():
                yield "."
            case ast.Call(func=ast.Name("__import__") | ast.Attribute(attr="import_module")):
                yield "importlib"


def breaches(layer: str, source: str) -> set[str]:
    """What a source of that layer imports and may not."""
    names = set(imported(source))
    above = {*LAYERS[: LAYERS.index(layer)], "tests", "."}
    forbidden = above | (IMPURE | {"importlib"} if layer in PURE else set())
    return names & forbidden


def called(source: str) -> set[str]:
    """Names of functions that a source calls plainly."""
    return {
        node.func.id
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
    }


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_imports_point_downwards(path: Path) -> None:
    name = path.relative_to(ROOT).as_posix()
    layer = path.relative_to(ROOT).parts[0]
    assert breaches(layer, path.read_text("utf-8")) == EXCEPTIONS.get(name, set())


@pytest.mark.parametrize("layer", PURE)
def test_pure_layers_read_and_write_nothing(layer: str) -> None:
    for path in (ROOT / layer).rglob("*.py"):
        assert called(path.read_text("utf-8")) & {"open", "print", "input"} == set(), path


@pytest.mark.parametrize(
    ("layer", "source", "breach"),
    [
        ("engine", "import protocol.group", "protocol"),
        ("engine", "from client import main", "client"),
        ("engine", "def f():\n    import random", "random"),
        ("engine", "if True:\n    from os.path import join", "os"),
        ("engine", "from . import cards", "."),
        ("engine", "from tests.engine import positions", "tests"),
        ("engine", "import importlib\nimportlib.import_module('ti' + 'me')", "importlib"),
        ("protocol", "from time import time", "time"),
        ("protocol", "import p2p.transport.link as link", "p2p"),
        ("p2p", "from client.cli.main import main", "client"),
    ],
)
def test_a_breach_is_seen(layer: str, source: str, breach: str) -> None:
    assert breaches(layer, source) == {breach}


def test_what_is_allowed_is_no_breach() -> None:
    assert breaches("client", "import trio, p2p.table.node, engine.cards, random") == set()
    assert breaches("protocol", "from engine.cards import Card\nimport hashlib") == set()


def test_there_is_something_to_look_at() -> None:
    assert {path.relative_to(ROOT).parts[0] for path in SOURCES} == set(LAYERS)

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


def modules() -> dict[str, str]:
    """The sources of all modules by their dotted names."""
    names = {".".join(path.relative_to(ROOT).with_suffix("").parts): path for path in SOURCES}
    return {name: path.read_text("utf-8") for name, path in names.items()}


def circles(sources: dict[str, str]) -> list[set[str]]:
    """Modules that import each other in a circle, in whatever block the import stands."""
    arrows = {name: modules_imported(source) & {*sources} for name, source in sources.items()}
    found = []
    while arrows:
        # What imports nothing that is left, or is imported by nothing, is in no circle.
        targets = set().union(*arrows.values())
        free = {name for name, to in arrows.items() if not to or name not in targets}
        if not free:
            found.append(set(arrows))
            break
        arrows = {name: to - free for name, to in arrows.items() if name not in free}
    return found


def modules_imported(source: str) -> set[str]:
    """Dotted names of all that a source imports: modules, and what may be one in a folder."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Import(names):
                found |= {alias.name for alias in names}
            case ast.ImportFrom(module=str(module), names=names):
                found |= {module, *(f"{module}.{alias.name}" for alias in names)}
    return found


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


def test_no_files_import_each_other_in_a_circle() -> None:
    assert circles(modules()) == []


@pytest.mark.parametrize(
    "back",
    [
        "from engine.a import X",
        "from engine import a",
        "import engine.a",
        "if TYPE_CHECKING:\n    from engine.a import X",
        "def late():\n    from engine.a import X",
    ],
)
def test_a_circle_is_seen(back: str) -> None:
    sources = {
        "engine.a": "from engine.b import Y",
        "engine.b": "import engine.c",
        "engine.c": back,
        "engine.d": "from engine.a import X",
    }
    assert circles(sources) == [{"engine.a", "engine.b", "engine.c"}]
    assert circles({**sources, "engine.c": "from engine.e import Z"}) == []


def test_there_is_something_to_look_at() -> None:
    assert {path.relative_to(ROOT).parts[0] for path in SOURCES} == set(LAYERS)

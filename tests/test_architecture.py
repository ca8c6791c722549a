"""The structure of the code: imports point downwards, lower packages do no I/O, files are short."""

import ast
import re
from collections.abc import Mapping, Sequence
from functools import cache
from itertools import chain
from pathlib import Path

import pytest
from attrs import field, frozen

from engine.games import GAMES

ROOT = Path(__file__).parents[1]
LAYERS = ("client", "p2p", "protocol", "engine")  # each may import itself and the layers after it
PURE = ("protocol", "engine")
IMPURE = {
    *("asyncio", "datetime", "fcntl", "io", "logging", "multiprocessing", "os", "pathlib"),
    *("random", "secrets", "select", "shutil", "signal", "socket", "sqlite3", "ssl"),
    *("subprocess", "sys", "tempfile", "threading", "time", "trio", "uuid", "zeroconf"),
}
EXCEPTIONS = {
    # Loading libsodium writes a temporary file, which this module deletes.
    "protocol/libsodium.py": {"importlib", "pathlib"},
    "engine/games.py": {"importlib"},  # imports a game lazily, by its name
}
CLAUSE = re.compile(rf"[{''.join(game.position.letter for game in GAMES.values())}]\d+[a-z]?")
SOURCES = [path for layer in LAYERS for path in sorted((ROOT / layer).rglob("*.py"))]


@frozen
class Named:
    """Names anywhere in a source."""

    packages: set[str] = field(factory=set)
    """Top-level names of all imported modules."""
    modules: set[str] = field(factory=set)
    """Dotted names of all imports: modules, and names that may be modules of a folder."""
    functions: set[str] = field(factory=set)
    """Functions that the source calls by their plain names."""
    games: set[str] = field(factory=set)
    """Names of games, and of their clauses, used as keys of a table, or in comparisons."""


@cache
def named(source: str) -> Named:
    """Return the names in a source. The result is cached: do not change it."""
    found = Named()
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Import(names):
                found.packages.update(alias.name.split(".")[0] for alias in names)
                found.modules.update(alias.name for alias in names)
            case ast.ImportFrom(module=str(module), level=0, names=names):
                found.packages.add(module.split(".")[0])
                found.modules.update({module, *(f"{module}.{alias.name}" for alias in names)})
            case ast.ImportFrom():
                found.packages.add(".")
            case ast.Call(func=ast.Attribute(attr="import_module")):
                found.packages.add("importlib")
            case ast.Call(func=ast.Name(function)):
                found.functions.add(function)
            case ast.Dict(keys=parts) | ast.Compare(comparators=parts) | ast.Set(elts=parts):
                found.games.update(_games_of(parts))
            case ast.MatchValue(value=part):
                found.games.update(_games_of([part]))
    if "__import__" in found.functions:
        found.packages.add("importlib")
    return found


def _games_of(parts: Sequence[ast.expr | None]) -> set[str]:
    values = {str(part.value) for part in parts if isinstance(part, ast.Constant)}
    return {value for value in values if value in GAMES or CLAUSE.fullmatch(value)}


def modules() -> dict[str, str]:
    """Return the sources of all modules by their dotted names."""
    names = {".".join(path.relative_to(ROOT).with_suffix("").parts): path for path in SOURCES}
    return {name: path.read_text("utf-8") for name, path in names.items()}


def circles(sources: dict[str, str]) -> list[set[str]]:
    """Return sets of modules that import each other in a circle, also by imports in functions."""
    arrows = {name: {*sources} & named(source).modules for name, source in sources.items()}
    found = []
    while arrows:
        # A module that imports no other, or that no other imports, is in no cycle.
        targets = set().union(*arrows.values())
        free = {name for name, to in arrows.items() if not to or name not in targets}
        if not free:
            found.append(set(arrows))
            break
        arrows = {name: to - free for name, to in arrows.items() if name not in free}
    return found


def breaches(layer: str, source: str) -> set[str]:
    """Return the imports of a source that are forbidden in its layer."""
    names = named(source).packages
    above = {*LAYERS[: LAYERS.index(layer)], "tests", "."}
    forbidden = above | (IMPURE | {"importlib"} if layer in PURE else set())
    return names & forbidden


def test_imports_point_downwards_and_pure_layers_read_and_write_nothing() -> None:
    """One test checks all files: a test for each file took seconds to list and to report."""
    assert {path.relative_to(ROOT).parts[0] for path in SOURCES} == set(LAYERS)
    for path in SOURCES:
        name, source = path.relative_to(ROOT).as_posix(), path.read_text("utf-8")
        layer = name.split("/")[0]
        assert breaches(layer, source) == EXCEPTIONS.get(name, set()), name
        if layer in PURE:
            assert named(source).functions & {"open", "print", "input"} == set(), name


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
def test_the_check_finds_a_forbidden_import(layer: str, source: str, breach: str) -> None:
    assert breaches(layer, source) == {breach}


def test_allowed_imports_are_not_reported() -> None:
    assert breaches("client", "import trio, p2p.table.node, engine.cards, random") == set()
    assert breaches("protocol", "from engine.cards import Card\nimport hashlib") == set()


def test_rules_do_not_import_the_notation() -> None:
    """A game describes its lines as values (`engine.own_lines`), which the notation reads."""
    for name, source in modules().items():
        if name.startswith("engine.") and not name.startswith("engine.notation."):
            assert not any("engine.notation" in one for one in named(source).modules), name


def test_there_are_no_import_cycles() -> None:
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
def test_the_check_finds_an_import_cycle(back: str) -> None:
    sources = {
        "engine.a": "from engine.b import Y",
        "engine.b": "import engine.c",
        "engine.c": back,
        "engine.d": "from engine.a import X",
    }
    assert circles(sources) == [{"engine.a", "engine.b", "engine.c"}]
    assert circles({**sources, "engine.c": "from engine.e import Z"}) == []


OF_ONE_GAME = (*(f"engine/{game}/" for game in GAMES), "client/bots/games/", "engine/games.py")


def games_named(source: str) -> set[str]:
    """Return the names in a source that belong to one game.

    They are modules of the game, and its name or clauses as keys of a table or in a comparison.
    """
    one = named(source)
    return one.games | {name for name in one.modules if name.startswith(ENGINES)}


ENGINES = tuple(f"engine.{game}." for game in GAMES)


@pytest.mark.parametrize("layer", LAYERS)
def test_games_are_named_only_in_their_folder_and_the_registry(layer: str) -> None:
    for path in (ROOT / layer).rglob("*.py"):
        name = path.relative_to(ROOT).as_posix()
        if not name.startswith(OF_ONE_GAME):
            assert games_named(path.read_text("utf-8")) == set(), name


@pytest.mark.parametrize(
    ("source", "named"),
    [
        ("from engine.kanastic.melds import is_mixed", "engine.kanastic.melds"),
        ("SHOWN = {'canasta': 1, 'other': 2}", "canasta"),
        ("if game.name == 'canastra': pass", "canastra"),
        ("match game:\n    case 'canasta': pass", "canasta"),
        ("CLOSING = {'C69', 'X3'}", "C69"),
    ],
)
def test_the_check_finds_a_named_game(source: str, named: str) -> None:
    assert named in games_named(source)
    assert games_named("play(game='canasta')") == set()


def test_test_files_do_not_import_other_test_files() -> None:
    importing = re.compile(r"^\s*(?:from|import) tests\.[\w., ]*\btest_\w+", re.MULTILINE)
    assert importing.search("from tests.client import test_one")
    for path in (ROOT / "tests").rglob("*.py"):
        source = path.read_text("utf-8")
        if importing.search(source):  # parsing all files takes a second
            shared = {one for one in named(source).modules if re.search(r"\btest_", one)}
            assert shared == set(), path.relative_to(ROOT)


MOST_LINES = 450


@pytest.mark.parametrize("folder", [*LAYERS, "tests"])
def test_files_are_not_too_long(folder: str) -> None:
    """`spec/verifier.py` is left out: it is one file on purpose, to be read and run by itself."""
    for path in (ROOT / folder).rglob("*.py"):
        name = path.relative_to(ROOT).as_posix()
        lines = len(path.read_text("utf-8").splitlines())
        assert lines <= MOST_LINES, f"{name} has {lines} lines"


# -- inside client and p2p: rooms (packages and modules), each with the rooms that it may import

_BELOW_UI = {
    *("bots", "i18n", "record_files", "record_summary", "reports", "session", "session.display"),
    *("settings", "language_setting"),
}
_MODEL = {*_BELOW_UI, "ui.model", "ui.model.commands", "ui.text"}
_TOOLKIT = {"ui.tui.terminal", "ui.tui.toolkit"}
_SCREENS = {"ui.tui.lobby", "ui.tui.replay", "ui.tui.table", *_TOOLKIT}
CLIENT_ROOMS: dict[str, set[str]] = {
    "i18n": set(),
    "version": set(),
    "settings_parser": set(),
    "language_setting": {"i18n", "settings_parser"},
    "child_processes": set(),
    "bots": {"child_processes"},
    "errors": set(),
    "record_files": {"errors"},
    "own_statistics_line": {"i18n"},
    "record_summary": {"errors", "i18n", "record_files"},
    "settings": {"i18n", "bots", "settings_parser", "language_setting"},
    "session.display": {"i18n", "record_files"},
    "session": {
        *("bots", "i18n", "record_files", "record_summary", "session.display", "settings"),
        "language_setting",
    },
    "reports": {
        *("child_processes", "errors", "i18n", "record_files", "own_statistics_line", "version")
    },
    "ui.text": {"i18n", "session", "session.display"},
    "ui.model": {*_BELOW_UI, "child_processes", "ui.text"},
    "ui.model.commands": {*_BELOW_UI, "ui.model", "ui.text"},
    "ui.tui.terminal": {"session"},
    "ui.tui.toolkit": {*_MODEL, "ui.tui.terminal"},
    "ui.tui.table": {*_MODEL, *_TOOLKIT},
    "ui.tui.lobby": {*_MODEL, *_TOOLKIT},
    "ui.tui.replay": {*_MODEL, "ui.tui.table", *_TOOLKIT},
    "ui.html": {*_MODEL, "errors", "ui.tui.replay", *_TOOLKIT},
    "ui.linear": {*_MODEL, "ui.tui.table", *_TOOLKIT},
    "lessons": {"bots", "session", "session.display", "settings", "ui.model"},
    "ui": {*_MODEL, *_SCREENS, "ui.html", "ui.linear"},
    "cli": {
        *(*_MODEL, *_SCREENS, "errors", "lessons", "own_statistics_line"),
        *("ui", "ui.html", "ui.linear", "version"),
    },
}
"""Rooms of `client`, the lowest first, each with the rooms that it may import."""

P2P_ROOMS = (
    *("background_task", "memory_release", "rate_limit", "fair_shares", "refusals"),
    *("shuffle_threads", "error_reasons", "version"),
    *("discovery", "storage", "transport", "table", "match", "lobby"),
)
"""Rooms of p2p: each may import itself and those before it."""

ROOMS = {
    **{f"client.{room}": {f"client.{one}" for one in low} for room, low in CLIENT_ROOMS.items()},
    **{
        f"p2p.{room}": {f"p2p.{one}" for one in P2P_ROOMS[:place]}
        for place, room in enumerate(P2P_ROOMS)
    },
}

NO_SCREEN = (
    *("session", "session.display", "bots", "i18n"),
    *("ui.model", "ui.model.commands", "ui.text"),
)
"""Rooms that import no prompt_toolkit, not even indirectly."""

MODULES = modules()


def imports_of(module: str) -> set[str]:
    """Return the project's modules that a module imports; called in tests, not at collection."""
    return {*MODULES} & named(MODULES[module]).modules


def room_of(module: str) -> str:
    """Return the room of a module: the longest name of a room that contains it; else ""."""
    rooms = [room for room in ROOMS if f"{module}.".startswith(f"{room}.")]
    return max(rooms, key=len, default="")


def wrong_arrows(module: str, imports: set[str]) -> set[tuple[str, str]]:
    """Return pairs of rooms: the first imports the second, but must not."""
    room = room_of(module)
    layer = room.split(".")[0]
    others = {room_of(other) for other in imports if other.startswith(f"{layer}.")} - {room}
    return {(room, other) for other in others - ROOMS[room]}


def reached(module: str) -> set[str]:
    """Return a module and all modules of this project that it imports, directly or not."""
    seen: set[str] = set()
    waiting = [module]
    while waiting:
        name = waiting.pop()
        if name not in seen:
            seen.add(name)
            waiting += imports_of(name)
    return seen


def test_rooms_import_only_allowed_rooms() -> None:
    for module in MODULES:
        if module.startswith(("client.", "p2p.")):
            assert wrong_arrows(module, imports_of(module)) == set(), module


def test_rooms_import_only_lower_rooms() -> None:
    order = list(ROOMS)
    for room, others in ROOMS.items():
        assert others <= {*order[: order.index(room)]}, room


@pytest.mark.parametrize("room", NO_SCREEN)
def test_rooms_without_a_screen_do_not_need_prompt_toolkit(room: str) -> None:
    modules = [name for name in MODULES if room_of(name) == f"client.{room}"]
    needed = {other for name in modules for other in reached(name)}
    assert {name for name in needed if "prompt_toolkit" in named(MODULES[name]).packages} == set()


@pytest.mark.parametrize(
    ("module", "imported", "wrong"),
    [
        ("client.session.solo", "client.ui.text.events", ("client.session", "client.ui.text")),
        ("client.ui.text.events", "client.ui.html.page", ("client.ui.text", "client.ui.html")),
        ("client.cli.main", "client.session.run", None),
        ("p2p.transport.link", "p2p.table.mesh", ("p2p.transport", "p2p.table")),
        ("p2p.lobby.guest", "p2p.table.mesh", None),
    ],
)
def test_the_check_finds_a_wrong_import_between_rooms(
    module: str, imported: str, wrong: tuple[str, str] | None
) -> None:
    found = wrong_arrows(module, {imported, "engine.cards", "protocol.state"})
    assert found == ({wrong} if wrong else set())


def test_indirect_imports_are_found() -> None:
    assert "prompt_toolkit" in named(MODULES["client.ui.tui.table.screen"]).packages
    assert "client.ui.tui.table.screen" in reached("client.cli.commands.play")


def lonely_interfaces(sources: Mapping[str, str]) -> set[str]:
    """Return the Protocol classes that have fewer than two implementations.

    A class implements an interface if it has all members of the interface. Interfaces with
    `__call__` do not count, because any function implements them.
    """
    trees = (ast.walk(ast.parse(source)) for source in sources.values())
    classes = {node.name: node for node in chain(*trees) if isinstance(node, ast.ClassDef)}
    bases = {name: {*map(ast.unparse, node.bases)} for name, node in classes.items()}
    bases = {name: {one.split("[")[0] for one in given} for name, given in bases.items()}

    def members(name: str) -> set[str]:
        found = set[str]()
        for node in classes[name].body:
            match node:
                case ast.FunctionDef(member) | ast.AsyncFunctionDef(member):
                    found.add(member)
                case ast.AnnAssign(ast.Name(member)):
                    found.add(member)
        return found.union(*(members(base) for base in bases[name] & classes.keys() - {name}))

    interfaces = {name for name, given in bases.items() if given & {"Protocol", "typing.Protocol"}}
    having = {name: members(name) for name in classes}
    others = [having[name] for name in classes.keys() - interfaces]
    return {
        name
        for name in interfaces
        if "__call__" not in having[name] and sum(having[name] <= other for other in others) < 2
    }


def test_an_interface_has_several_implementations() -> None:
    """With one implementation, callers can name the class itself."""
    assert lonely_interfaces(MODULES) == set()


@pytest.mark.parametrize("base", ["Protocol", "Protocol[T]", "typing.Protocol"])
def test_the_check_finds_an_interface_of_one_class(base: str) -> None:
    source = f"class A({base}):\n    def f(self): ...\n"
    one, other = (f"class {name}:\n    def f(self): ...\n" for name in "BC")
    assert lonely_interfaces({"m": source + one}) == {"A"}
    assert lonely_interfaces({"m": source + one, "n": other}) == set()


def makers_of_cycles(source: str) -> set[str]:
    """Return the calls by which an object passes itself to another object that it makes."""
    found = set()
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Call(ast.Name(name) | ast.Attribute(attr=name), args, keywords):
                given = {ast.unparse(one) for one in (*args, *(k.value for k in keywords))}
                if name.lstrip("_")[:1].isupper() and "self" in given:
                    found.add(ast.unparse(node))
    return found


def test_no_object_passes_itself_to_an_object_that_it_makes() -> None:
    """Two objects that hold each other cannot be used alone; values or functions can be passed."""
    for name, source in MODULES.items():
        assert makers_of_cycles(source) == set(), name


@pytest.mark.parametrize("call", ["Gallery(self)", "b.Gallery(1, owner=self)", "_Gallery(self, 1)"])
def test_the_check_finds_an_object_that_passes_itself(call: str) -> None:
    assert makers_of_cycles(call) == {call}
    assert makers_of_cycles(call.replace("self", "self.news")) == set()

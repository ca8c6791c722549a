"""`python -m tests.spec_texts`: writes what follows from the program in `spec/` and its verifiers:
the rules, the options of each game, and the page that verifies.
"""

import re
from collections.abc import Callable, Iterator
from pathlib import Path

from client.i18n.language import choose_language
from client.i18n.rulebook.text import all_common_rules, all_rules
from client.reports.html.verification import verifier_page
from client.reports.html.verifier_source import FOLDER
from engine.games import GAMES

SPEC = Path(__file__).parent.parent / "spec"
PAGE = SPEC / "verifier.html"

Values = bool | tuple[int, int, int]
"""What an option is by the rules; of a number its bounds besides."""


def rendered() -> dict[Path, str]:
    """What each file has to hold. Raises ValueError where a file has lost
    the place of the options.
    """
    rules = {SPEC / f"rules-{game.name}.md": all_rules(game) for game in GAMES.values()}
    return {
        SPEC / "rules-common.md": all_common_rules(),
        **rules,
        SPEC / "wire.md": _with_options(SPEC / "wire.md", _in_wire),
        SPEC / "verifier.py": _with_options(SPEC / "verifier.py", _in_python),
        FOLDER / "options.js": _with_options(FOLDER / "options.js", _in_javascript),
    }


def write() -> None:
    """The page is last: it holds the verifier in JavaScript."""
    choose_language("en")
    for path, text in rendered().items():
        path.write_text(text, encoding="utf-8", newline="\n")
    PAGE.write_text(verifier_page(), encoding="utf-8", newline="\n")


_PLACES = {
    "wire.md": re.compile(r"(\| Game \| Option .*\n\|[-|]+\|\n)(?:\|.*\n)+"),
    "verifier.py": re.compile(r"(\nOPTIONS: .* = \{\n)(?: .*\n)+"),
    "options.js": re.compile(r"(\nconst OPTIONS = \{\n)(?: .*\n)+"),
}
"""Where the options stand in a file: behind what the first group matches."""


def _with_options(path: Path, lines: Callable[[], Iterator[str]]) -> str:
    options = "".join(f"{line}\n" for line in lines())
    text, count = _PLACES[path.name].subn(
        lambda found: found[1] + options, path.read_text(encoding="utf-8")
    )
    if count != 1:
        raise ValueError(f"{path.name} has {count} places for the options")
    return text


def _values() -> Iterator[tuple[str, str, str, Values]]:
    """Game, option, clause and values."""
    for game in GAMES.values():
        for name, about in game.options.describe().items():
            default = about["default"]
            numbers = (default, about["low"], about["high"]) if "low" in about else default
            yield game.name, name, about["clause"], numbers


def _in_wire() -> Iterator[str]:
    for game, name, clause, values in _values():
        if isinstance(values, bool):
            yield f"| {game} | {name} | {str(values).lower()} | false, true | {clause} |"
        else:
            default, low, high = values
            yield f"| {game} | {name} | {default:,} | {low:,} .. {high:,} | {clause} |"


def _in_python() -> Iterator[str]:
    for game in GAMES:
        yield f'    "{game}": {{'
        yield from (f'        "{name}": {values},' for name, values in _of(game))
        yield "    },"


def _in_javascript() -> Iterator[str]:
    for game in GAMES:
        yield f"  {game}: {{"
        for name, values in _of(game):
            listed = [values] if isinstance(values, bool) else values
            yield f"    {name}: [{', '.join(str(value).lower() for value in listed)}],"
        yield "  },"


def _of(game: str) -> Iterator[tuple[str, Values]]:
    return ((name, values) for one, name, _clause, values in _values() if one == game)


if __name__ == "__main__":
    write()

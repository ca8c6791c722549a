"""`python -m tests.spec_texts`: writes what follows from the program in `spec/` and its verifiers:
the rules, the options of each game, and the page that verifies.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path

from client.i18n.language import choose_language
from client.i18n.rulebook.text import all_common_rules, all_rules
from client.reports.html.verification import verifier_page
from client.reports.html.verifier_source import FOLDER
from engine.game import Game
from engine.games import GAMES

SPEC = Path(__file__).parent.parent / "spec"

Values = bool | tuple[int, int, int]
"""What an option is by the rules; of a number its bounds besides."""


def values_of(game: Game) -> dict[str, Values]:
    """The values of its options, by name."""
    return {
        name: (about["default"], about["low"], about["high"])
        if "low" in about
        else about["default"]
        for name, about in game.options.describe().items()
    }


def _in_format() -> Iterator[str]:
    for game in GAMES.values():
        about = game.options.describe()
        for name, values in values_of(game).items():
            if isinstance(values, bool):
                row = f"{str(values).lower()} | false, true"
            else:
                default, low, high = values
                row = f"{default:,} | {low:,} .. {high:,}"
            yield f"| {game.name} | {name} | {row} | {about[name]['clause']} |"


def _in_python() -> Iterator[str]:
    for game in GAMES.values():
        yield f'    "{game.name}": {{'
        yield from (f'        "{name}": {values},' for name, values in values_of(game).items())
        yield "    },"


def _in_javascript() -> Iterator[str]:
    for game in GAMES.values():
        yield f"  {game.name}: {{"
        for name, values in values_of(game).items():
            listed = [values] if isinstance(values, bool) else values
            yield f"    {name}: [{', '.join(str(value).lower() for value in listed)}],"
        yield "  },"


def _with_options(path: Path, head: str, lines: Callable[[], Iterator[str]]) -> str:
    """The file with the options in the lines behind what matches `head`. Raises ValueError where it
    has lost the place.
    """
    options = "".join(f"{line}\n" for line in lines())
    text, count = re.subn(
        rf"({head}\n)(?:[ |].*\n)+",
        lambda found: found[1] + options,
        path.read_text(encoding="utf-8"),
    )
    if count != 1:
        raise ValueError(f"{path.name} has {count} places for the options")
    return text


_FORMAT, _PYTHON, _JAVASCRIPT = SPEC / "format.md", SPEC / "verifier.py", FOLDER / "options.js"

TEXTS: Mapping[Path, Callable[[], str]] = {
    SPEC / "rules-common.md": all_common_rules,
    **{SPEC / f"rules-{game.name}.md": partial(all_rules, game) for game in GAMES.values()},
    _FORMAT: partial(_with_options, _FORMAT, r"\| Game \| Option .*\n\|[-|]+\|", _in_format),
    _PYTHON: partial(_with_options, _PYTHON, r"\nOPTIONS: .* = \{", _in_python),
    _JAVASCRIPT: partial(_with_options, _JAVASCRIPT, r"\nconst OPTIONS = \{", _in_javascript),
    SPEC / "verifier.html": verifier_page,  # last: it holds the verifier in JavaScript
}
"""What makes the text of each file."""


if __name__ == "__main__":
    choose_language("en")
    for path, text in TEXTS.items():
        path.write_text(text(), encoding="utf-8", newline="\n")

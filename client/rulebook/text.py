"""The rules for reading: one text a game, its numbers filled in from engine and options.

`spec/rules-*.md` are these texts with the default options.
"""

import re
from pathlib import Path

from client.rulebook.values import rule_values
from engine.errors import InvalidOption
from engine.games import Game
from engine.options import Options

_CLAUSE = re.compile(r"^- \*\*(?P<number>[A-Z]\d+[a-z]?)\*\* .*?(?=^- \*\*|^#|^\S|\Z)", re.M | re.S)


def common_rules() -> str:
    """What the three games share, in Markdown."""
    return _read("common")


def rules(game: Game, options: Options) -> str:
    """The rules of `game` with the values of `options`, in Markdown."""
    return _read(game.name).format_map(rule_values(game, options))


def clauses(text: str) -> dict[str, str]:
    """The clauses of a text of rules by their numbers, each on one line."""
    found = {}
    for match in _CLAUSE.finditer(text):
        body = " ".join(match[0].split())
        found[match["number"]] = body.removeprefix("- ").replace("**", "")
    return found


def clause(game: Game, options: Options, number: str) -> str:
    """One clause. Raises InvalidOption if neither the game nor what all games share has it."""
    found = clauses(common_rules()) | clauses(rules(game, options))
    by_lower = {key.lower(): text for key, text in found.items()}
    if number.lower() not in by_lower:
        raise InvalidOption(f"{game.title} has no clause {number!r}; `sobremesa rules` lists all.")
    return by_lower[number.lower()]


def option_lines(game: Game, options: Options) -> list[str]:
    """Every option with its value, its default and its bounds, and what it does."""
    lines = []
    chosen = dict(options.pairs())
    for name, about in game.options.describe().items():
        default = _value(about["default"])
        bounds = f", {about['low']:,} to {about['high']:,}" if "low" in about else ""
        lines.append(
            f"- `{name}` = {_value(chosen[name])} (default {default}{bounds}): "
            f"{about['doc']} [{about['clause']}]"
        )
    return lines


def _value(value: bool | int) -> str:
    if isinstance(value, bool):
        return "on" if value else "off"
    return f"{value:,}"


def _read(name: str) -> str:
    return Path(__file__).with_name(f"{name}.md").read_text(encoding="utf-8")

"""The rules for reading: one text a game, its numbers filled in from engine and options.

They are in the language of the program. `spec/rules-*.md` are the English texts with the default
options.
"""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from client.i18n import language
from client.i18n.language import _
from client.i18n.rulebook.values import option_value, rule_values
from engine.game import Game
from engine.options import Options

_CLAUSE = re.compile(r"^- \*\*(?P<number>[A-Z]\d+[a-z]?)\*\* .*?(?=^- \*\*|^#|^\S|\Z)", re.M | re.S)


class NoSuchClause(Exception):
    """A clause that the rules do not have; the message is a sentence for people."""


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
    """One clause. Raises NoSuchClause if neither the game nor what all games share has it."""
    found = clauses(common_rules()) | clauses(rules(game, options))
    by_lower = {key.lower(): text for key, text in found.items()}
    if number.lower() not in by_lower:
        raise NoSuchClause(
            _("{game} has no clause {number}; `sobremesa rules` lists all.").format(
                game=game.title, number=number[:10]
            )
        )
    return by_lower[number.lower()]


def option_lines(game: Game, options: Options) -> list[str]:
    """Every option with its value, its default and its bounds, and what it does."""
    lines = []
    chosen = dict(options.pairs())
    for name, about in game.options.describe().items():
        value, doc, number = option_value(chosen[name]), about["doc"], about["clause"]
        lines.append(f"- `{name}` = {value} ({_default(about)}): {_(doc)} [{number}]")
    return lines


def _default(about: Mapping[str, Any]) -> str:
    if "low" not in about:
        return _("default {value}").format(value=option_value(about["default"]))
    return _("default {value}, {low} to {high}").format(
        value=option_value(about["default"]),
        low=option_value(about["low"]),
        high=option_value(about["high"]),
    )


def _read(name: str) -> str:
    return (
        Path(__file__)
        .with_name(language.spoken())
        .joinpath(f"{name}.md")
        .read_text(encoding="utf-8")
    )

"""The rules as texts to read: one for each game, with the numbers of the engine and the options.

The texts are in the language of the program.

- A passage in brackets holds only with an option, such as `[penalties: ...]`, or only without it:
  `[!penalties: ...]`. An option that is a number counts as off when it is 0.
- If a text does not mention a yes-or-no option, the description of that option is added to the
  clause that the option names.
- The text for a table has only the passages that hold at that table.
- `spec/rules-*.md` are the English texts with all passages and the default numbers. Passages in
  `[spec: ...]` are only in these files.
"""

import os
import re
from collections.abc import Mapping
from typing import Any

from client.i18n import language
from client.i18n.language import _
from client.i18n.rulebook.numerals import Number
from engine.game import Game
from engine.options import Options
from protocol.errors import LocalError

VARIANT = re.compile(r"(?P<space>\s*)\[(?P<without>!?)(?P<option>\w+):\s(?P<text>[^\]]*)\]")
"""Pattern of a passage in brackets, which holds with an option or without it."""
SPEC_ONLY = "spec"
_CLAUSE = re.compile(r"^- \*\*(?P<number>[A-Z]\d+[a-z]?)\*\*(?=\s).*(?:\n(?!\S).*)*", re.M)
"""Pattern of a clause: its first line, and the indented or empty lines that follow."""


class NoSuchClause(LocalError):
    """The error if no rule has the clause, subject or words that a person asked for."""


class NoRules(LocalError):
    """The error for rules whose text is missing from this installation."""


def common_rules(options: Options) -> str:
    """Return the rules that the games share, for a table with these options, in Markdown."""
    text, spoken = read_rules("common")
    return _as_played(text, options).format_map(option_values(options, spoken))


def rules(game: Game, options: Options) -> str:
    """Return the rules of `game` for a table with these options, in Markdown.

    The rules are in English if they are not translated into the program's language.
    """
    text, spoken = read_rules(game.name)
    return _as_played(text, options).format_map(rule_values(game, options, spoken))


def _as_played(text: str, options: Options) -> str:
    """Return the text with only those passages in brackets that hold with these options."""
    text = with_own_sentences(text, type(options))
    chosen = dict(options.pairs())

    def said(match: re.Match[str]) -> str:
        if match["option"] == SPEC_ONLY:
            return ""
        holds = bool(chosen[match["option"]]) != bool(match["without"])
        return match["space"] + match["text"] if holds else ""

    return VARIANT.sub(said, text)


def with_own_sentences(text: str, options: type[Options]) -> str:
    """Return the text with a sentence for each yes-or-no option that it does not mention.

    The sentence is the option's description, in brackets, at the end of the option's clause.
    """
    spoken_of = {match["option"] for match in VARIANT.finditer(text)}
    for name, about in options.describe().items():
        end = _end_of_clause(text, about["clause"])
        if "low" in about or name in spoken_of or f"{{{name}" in text or end is None:
            continue
        text = f"{text[:end]}\n  [{name}: {_(about['doc'])}]{text[end:]}"
    return text


def _end_of_clause(text: str, number: str) -> int | None:
    """Return the end of a clause in the text; None if the text does not have it."""
    found = next((m for m in _CLAUSE.finditer(text) if m["number"] == number), None)
    return None if found is None else found.start() + len(found[0].rstrip())


def clauses(text: str) -> dict[str, str]:
    """Return the clauses of a text of rules by their numbers, each on one line."""
    found = {}
    for match in _CLAUSE.finditer(text):
        body = " ".join(match[0].split())
        found[match["number"]] = body.removeprefix("- ").replace("**", "")
    return found


def clause(game: Game, options: Options, number: str) -> str:
    """Return one clause.

    Raises NoSuchClause if neither the game's rules nor the common ones have it.
    """
    found = clauses(common_rules(options)) | clauses(rules(game, options))
    by_lower = {key.lower(): text for key, text in found.items()}
    if number.lower() not in by_lower:
        raise NoSuchClause(
            "{game} has no clause {number}; `sobremesa rules` lists all.",
            game=game.title,
            number=number[:10],
        )
    return by_lower[number.lower()]


def clause_sentence(game: Game, options: Options, number: str) -> str:
    """Return the text of a clause, without its number. Raises NoSuchClause."""
    return clause(game, options, number).partition(" ")[2]


def option_lines(game: Game, options: Options) -> list[str]:
    """Return every option with its value, default, bounds, and meaning."""
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


def read_rules(name: str) -> tuple[str, str]:
    """Return the source text of rules, and its language: the program's, or else English.

    Raises NoRules if there is not even an English text, as for a game that is being written.
    """
    # This avoids pathlib, because importing it takes longer than reading all texts.
    for spoken in (language.spoken(), "en"):
        path = os.path.join(os.path.dirname(__file__), spoken, f"{name}.md")
        if spoken == "en" or os.path.exists(path):
            break
    try:
        with open(path, encoding="utf-8") as file:
            return language.written(file.read()), spoken
    except FileNotFoundError as error:
        raise NoRules(
            "There are no rules to show: the file {path} is missing. Install the program again.",
            path=path,
        ) from error


# -- the values of the placeholders


def rule_values(game: Game, options: Options, spoken: str) -> Mapping[str, object]:
    """Return the numbers of `game` and the values of `options`, by the names in the rules.

    `spoken` is the language of the rules.
    """
    cards = len(game.decks.at(options, game.usual_players))
    deck = {"deck": cards, "last_cut": cards - 1}
    numbers = {
        name: Number.in_text(value, spoken) for name, value in ({**game.numbers()} | deck).items()
    }
    return _Values(numbers, **option_values(options, spoken))


class _Values(dict[str, object]):
    """Values of placeholders, by their names."""

    def __missing__(self, name: str) -> object:
        raise KeyError(
            f"{{{name}}} in the rules is no option and no number of the game (`numbers`)"
        )


def option_values(options: Options, spoken: str) -> Mapping[str, object]:
    """Return the values of the options, by their names."""
    return {
        name: option_value(value) if isinstance(value, bool) else Number.in_text(value, spoken)
        for name, value in options.pairs()
    }


def option_value(value: bool | int) -> str:
    """Return the value of an option as people read it: on or off, or a number."""
    if isinstance(value, bool):
        return _("on") if value else _("off")
    return language.number(value)

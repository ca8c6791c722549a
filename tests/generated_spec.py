"""Generated texts of the specification: rules with all options, and the page that checks records.

`tests.spec_texts` writes them.
"""

import re

from client.i18n.rulebook.text import (
    SPEC_ONLY,
    VARIANT,
    read_rules,
    rule_values,
    with_own_sentences,
)
from client.reports.html.markup import Html, join, tag
from client.reports.html.verification import check_place, checking_document
from engine.game import Game
from engine.games import GAMES
from protocol.charter import FORMAT


def all_rules(game: Game) -> str:
    """Return the rules of `game` with the passages of all options, as Markdown for `spec/`."""
    text, spoken = read_rules(game.name)
    text = with_own_sentences(text, game.options)
    return _with_conditions(text).format_map(rule_values(game, game.options(), spoken))


def all_common_rules() -> str:
    """Return the common rules with the passages of all options, as Markdown for `spec/`."""
    return _with_conditions(read_rules("common")[0]).format_map({"rounds": _usual_rounds()})


def _usual_rounds() -> str:
    """Return a text about the usual number of rounds: 0, except in some games."""
    others = [
        f"in {game.title} {rounds}"
        for game in GAMES.values()
        if (rounds := game.options().rounds) != 0
    ]
    return ", ".join(["0", *others])


def _with_conditions(text: str) -> str:
    """Return the text with each passage in brackets replaced by its condition and its words."""

    def said(match: re.Match[str]) -> str:
        if match["option"] == SPEC_ONLY:
            return match["space"] + match["text"]
        condition = "Without" if match["without"] else "With"
        return f"{match['space']}{condition} `{match['option']}`: {match['text']}"

    return VARIANT.sub(said, text)


def verifier_page() -> Html:
    """Return the page that checks any record."""
    title = "Check a record"
    about = (
        "This page checks a record of Sobremesa in this browser and sends it nowhere: who "
        "shuffled, every proof, every signature, and the order of moves. It needs no network, so "
        "it can be saved and kept."
    )
    version = f"Written from version {FORMAT} of the specification."
    main = (tag("h1", title), tag("p", about), _chooser(), check_place())
    return join(checking_document(title, main, version))


def _chooser() -> Html:
    return tag(
        "p",
        tag("label", "Choose a record, or drop one here:", for_="file"),
        " ",
        tag("input", id="file", type="file"),
        " ",
        tag("span", id="file-name", class_="note"),
        class_="drop",
    )

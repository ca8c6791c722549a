"""The values of the placeholders in the rules' texts, from the engine and the options."""

from collections.abc import Mapping

from client.i18n.language import _, number
from client.i18n.rulebook.numerals import Number
from engine.game import Game
from engine.options import Options


def rule_values(game: Game, options: Options, language: str) -> Mapping[str, object]:
    """Return the values of `game` under `options`, by the names that its text uses.

    `language` is the language of the text.
    """
    cards = len(game.decks.at(options, game.usual_players))
    deck = {"deck": cards, "last_cut": cards - 1}
    numbers = {
        name: Number.in_text(value, language) for name, value in ({**game.numbers()} | deck).items()
    }
    return {**numbers, **option_values(options, language)}


def option_values(options: Options, language: str) -> Mapping[str, object]:
    """Return the values of the options, by their names."""
    return {
        name: option_value(value) if isinstance(value, bool) else Number.in_text(value, language)
        for name, value in options.pairs()
    }


def option_value(value: bool | int) -> str:
    """Return the value of an option as people read it: on or off, or a number."""
    if isinstance(value, bool):
        return _("on") if value else _("off")
    return number(value)

"""What settings and their values are called on the screen; in the file they keep their names."""

from collections.abc import Mapping

from client.i18n.language import LANGUAGES, _, later
from engine.games import GAMES

TITLES: Mapping[str, str] = {
    "name": later("Name"),
    "language": later("Language"),
    "game": later("Game"),
    "level": later("Opponents"),
    "theme": later("Theme"),
    "colours": later("Colours"),
    "symbols": later("Characters"),
    "letters": later("Letters for suits"),
    "linear": later("Lines, no screen"),
    "bell": later("Bell"),
    "pace": later("Pace"),
}

VALUES: Mapping[str, str] = {
    "auto": later("by the system"),
    "easy": later("easy"),
    "middle": later("middle"),
    "strong": later("strong"),
    "evening": later("evening"),
    "morning": later("morning"),
    "colour-blind": later("for the colour-blind"),
    "contrast": later("high contrast"),
    "plain": later("without colours"),
    "all": later("all"),
    "none": later("none"),
    "unicode": "Unicode",
    "ascii": "ASCII",
    "at once": later("at once"),
    "quick": later("quick"),
    "calm": later("calm"),
    **{name: game.title for name, game in GAMES.items()},
    **LANGUAGES,
}


def value_text(value: str | bool) -> str:
    """A value as people read it; names and numbers are their own."""
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    return _(VALUES.get(value, value))

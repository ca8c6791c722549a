"""Words for settings and their values on the screen; the settings file has the keys."""

from collections.abc import Mapping

from client.i18n.language import LANGUAGES, _
from engine.games import GAMES
from engine.sentences import N_

TITLES: Mapping[str, str] = {
    "name": N_("Name"),
    "language": N_("Language"),
    "game": N_("Game"),
    "level": N_("Level"),
    "theme": N_("Theme"),
    "colours": N_("Colours"),
    "symbols": N_("Characters"),
    "letters": N_("Letters for suits"),
    "linear": N_("Lines, no screen"),
    "bell": N_("Bell"),
    "pace": N_("Pace"),
    "hints": N_("Hints"),
}

VALUES: Mapping[str, str] = {
    "auto": N_("by the system"),
    "light": N_("for a light background"),
    "dark": N_("for a dark background"),
    "colour-blind": N_("for the colour-blind"),
    "contrast": N_("high contrast"),
    "plain": N_("without colours"),
    "all": N_("all"),
    "none": N_("none"),
    "unicode": "Unicode",
    "ascii": "ASCII",
    "at once": N_("at once"),
    "quick": N_("quick"),
    "calm": N_("calm"),
    "never": N_("never"),
    "on request": N_("on request"),
    "before a blunder": N_("on request, and before a blunder"),
    **{name: game.title for name, game in GAMES.items()},
    **LANGUAGES,
}


def value_text(value: str | bool) -> str:
    """Return a value as people read it; names and numbers stay as they are."""
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    return _(VALUES.get(value, value))

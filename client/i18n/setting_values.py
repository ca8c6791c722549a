"""The values of settings in words: the screen says "by the system" for the value "auto"."""

from collections.abc import Mapping

from client.i18n.language import LANGUAGES, _
from engine.games import GAMES
from engine.sentences import N_

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
    **LANGUAGES,
}


def value_text(value: str | bool) -> str:
    """Return a value in words; a value that has none, such as a name, stays as it is."""
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    return _(GAMES[value].title if value in GAMES else VALUES.get(value, value))

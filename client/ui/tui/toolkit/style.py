"""The themes: colours for the classes that spans name.

A terminal with fewer colours gets the nearest ones it has; without colours at all, bold, dim,
reversed and underlined remain, and suits are told by their shapes or letters.
"""

from collections.abc import Mapping

from prompt_toolkit.output import ColorDepth
from prompt_toolkit.styles import Style

_COMMON = {
    "header": "reverse",
    "dim": "",
    "warn": "bold",
    "notice": "",
    "mine": "bold",
    "frame": "",
    "back": "",
    "rule": "",
    "side": "bold",
    "side.mine": "bold",
    "seat.turn": "bold reverse",
    "seat.partner": "underline",
    "staged": "italic",
    "selected": "reverse",
    "cursor": "bold",
    "bar": "",
    "key": "bold",
    "page": "",
    "page.title": "bold reverse",
    "card.gold": "bold underline",
    "card.joker": "bold",
    "card.special": "bold",
    "mark.clean": "bold",
    "mark.dirty": "bold",
    "mark.royal": "bold underline",
}

_EVENING = {
    "header": "bg:#005f5f #ffffff noreverse",
    "dim": "#8a8a8a",
    "warn": "bold #ffaf00",
    "notice": "#5fd7d7",
    "mine": "bold #afff5f",
    "frame": "#8a8a8a",
    "back": "#5f87d7",
    "rule": "#585858",
    "side.mine": "bold #afff5f",
    "seat.turn": "bold bg:#afff5f #000000 noreverse",
    "seat.partner": "#afff5f nounderline",
    "bar": "#5fd7d7",
    "key": "bold #ffd75f",
    "page.title": "bg:#005f5f #ffffff noreverse",
    "cursor": "bold #ffd75f",
    "card.spades": "#ffffff",
    "card.hearts": "#ff5f5f",
    "card.diamonds": "#5fafff",
    "card.clubs": "#5fd75f",
    "card.gold": "bold #ffd700",
    "card.joker": "bold #ff87ff",
    "card.special": "bold #ff87ff",
    "mark.clean": "bold #ff5f5f",
    "mark.dirty": "bold #d7d7d7",
    "mark.royal": "bold #ffd700",
}

# For a light background.
_MORNING = {
    **_EVENING,
    "dim": "#6c6c6c",
    "warn": "bold #af5f00",
    "notice": "#005f87",
    "mine": "bold #005f00",
    "side.mine": "bold #005f00",
    "seat.partner": "#005f00 nounderline",
    "seat.turn": "bold bg:#005f00 #ffffff noreverse",
    "back": "#0000af",
    "bar": "#005f87",
    "key": "bold #870000",
    "cursor": "bold #870000",
    "card.spades": "#000000",
    "card.hearts": "#d70000",
    "card.diamonds": "#005fd7",
    "card.clubs": "#008700",
    "card.gold": "bold #875f00",
    "card.joker": "bold #870087",
    "card.special": "bold #870087",
    "mark.clean": "bold #d70000",
    "mark.dirty": "bold #000000",
    "mark.royal": "bold #875f00",
}

# Four hues that protanopes, deuteranopes and tritanopes tell apart (Okabe and Ito, 2008).
_COLOUR_BLIND = {
    **_EVENING,
    "warn": "bold #E69F00",
    "mine": "bold #56B4E9",
    "side.mine": "bold #56B4E9",
    "seat.partner": "#56B4E9 nounderline",
    "seat.turn": "bold bg:#56B4E9 #000000 noreverse",
    "card.spades": "#ffffff",
    "card.hearts": "#D55E00",
    "card.diamonds": "#56B4E9",
    "card.clubs": "#009E73",
    "card.gold": "bold #F0E442",
    "card.joker": "bold #CC79A7",
    "card.special": "bold #CC79A7",
    "mark.clean": "bold #D55E00",
    "mark.royal": "bold #F0E442",
}

_CONTRAST = {
    "header": "bg:#ffffff #000000 bold noreverse",
    "warn": "bold #ffff00",
    "notice": "bold #ffffff",
    "mine": "bold #ffffff",
    "side.mine": "bold #ffffff underline",
    "seat.turn": "bold bg:#ffffff #000000 noreverse",
    "key": "bold #ffff00",
    "cursor": "bold #ffff00",
    "card.spades": "bold #ffffff",
    "card.hearts": "bold #ff0000",
    "card.diamonds": "bold #00ffff",
    "card.clubs": "bold #00ff00",
    "card.gold": "bold underline #ffff00",
    "card.joker": "bold #ff00ff",
    "card.special": "bold #ff00ff",
}

THEMES: Mapping[str, Mapping[str, str]] = {
    "evening": _EVENING,
    "morning": _MORNING,
    "colour-blind": _COLOUR_BLIND,
    "contrast": _CONTRAST,
    "plain": {},
}

COLOURS: Mapping[str, ColorDepth | None] = {
    "auto": None,
    "all": ColorDepth.DEPTH_24_BIT,
    "256": ColorDepth.DEPTH_8_BIT,
    "16": ColorDepth.DEPTH_4_BIT,
    "none": ColorDepth.DEPTH_1_BIT,
}


def style_of(theme: str) -> Style:
    """The style of a theme named in THEMES."""
    return Style(list((dict(_COMMON) | dict(THEMES[theme])).items()))

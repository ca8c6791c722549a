"""The themes: colours for the classes that spans name.

Where colour has no meaning, the terminal's own foreground and background are used. A theme has one
palette for a dark background, one for a light one, and one that can be read on both, for a terminal
that does not tell its background. A terminal with fewer colours gets the nearest ones it has;
without colours at all, bold, reversed and underlined remain, and shapes or letters tell suits
apart.
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

_ON_COLOUR = {
    "header": "bg:#005f5f #ffffff noreverse",
    "page.title": "bg:#005f5f #ffffff noreverse",
}

_DARK = {
    **_ON_COLOUR,
    "dim": "#8a8a8a",
    "warn": "bold #ffaf00",
    "notice": "#5fd7d7",
    "mine": "bold #afff5f",
    "frame": "#8a8a8a",
    "back": "#5f87d7",
    "rule": "#8a8a8a",
    "side.mine": "bold #afff5f",
    "seat.turn": "bold bg:#afff5f #000000 noreverse",
    "seat.partner": "#afff5f nounderline",
    "bar": "#5fd7d7",
    "key": "bold #ffd75f",
    "cursor": "bold #ffd75f",
    "card.hearts": "#ff5f5f",
    "card.diamonds": "#5fafff",
    "card.clubs": "#5fd75f",
    "card.gold": "bold #ffd700",
    "card.joker": "bold #ff87ff",
    "card.special": "bold #ff87ff",
    "mark.clean": "bold #ff5f5f",
    "mark.royal": "bold #ffd700",
}

_LIGHT = {
    **_ON_COLOUR,
    "dim": "#6c6c6c",
    "warn": "bold #af5f00",
    "notice": "#005f87",
    "mine": "bold #005f00",
    "frame": "#6c6c6c",
    "back": "#0000af",
    "rule": "#6c6c6c",
    "side.mine": "bold #005f00",
    "seat.turn": "bold bg:#005f00 #ffffff noreverse",
    "seat.partner": "#005f00 nounderline",
    "bar": "#005f87",
    "key": "bold #870000",
    "cursor": "bold #870000",
    "card.hearts": "#d70000",
    "card.diamonds": "#005fd7",
    "card.clubs": "#006f00",
    "card.gold": "bold #875f00",
    "card.joker": "bold #870087",
    "card.special": "bold #870087",
    "mark.clean": "bold #d70000",
    "mark.royal": "bold #875f00",
}

_BOTH = {
    **_ON_COLOUR,
    "dim": "#767676",
    "warn": "bold #bc5800",
    "notice": "#00809a",
    "mine": "bold #008812",
    "frame": "#767676",
    "back": "#0c72e6",
    "rule": "#767676",
    "side.mine": "bold #008812",
    "seat.turn": "bold reverse",
    "seat.partner": "#008812 nounderline",
    "bar": "#00809a",
    "key": "bold #966e00",
    "cursor": "bold #966e00",
    "card.hearts": "#eb0000",
    "card.diamonds": "#0c72e6",
    "card.clubs": "#008812",
    "card.gold": "bold #966e00",
    "card.joker": "bold #c62ac6",
    "card.special": "bold #c62ac6",
    "mark.clean": "bold #eb0000",
    "mark.royal": "bold #966e00",
}


def _four_hues(
    palette: Mapping[str, str], red: str, blue: str, green: str, gold: str, purple: str
) -> Mapping[str, str]:
    """Return a palette whose hues protanopes, deuteranopes and tritanopes can tell apart.

    The hues are those of Okabe and Ito (2008), as light or dark as the palette's background needs.
    """
    return {
        **palette,
        "mine": f"bold {blue}",
        "side.mine": f"bold {blue}",
        "seat.partner": f"{blue} nounderline",
        "seat.turn": "bold reverse",
        "card.hearts": red,
        "card.diamonds": blue,
        "card.clubs": green,
        "card.gold": f"bold {gold}",
        "card.joker": f"bold {purple}",
        "card.special": f"bold {purple}",
        "mark.clean": f"bold {red}",
        "mark.royal": f"bold {gold}",
    }


_CONTRAST = {"header": "bold reverse", "page.title": "bold reverse", "seat.turn": "bold reverse"}
_DARK_CONTRAST = {
    **_CONTRAST,
    "warn": "bold #ffff00",
    "key": "bold #ffff00",
    "cursor": "bold #ffff00",
    "card.hearts": "bold #ff6060",
    "card.diamonds": "bold #00ffff",
    "card.clubs": "bold #00ff00",
    "card.gold": "bold underline #ffff00",
    "card.joker": "bold #ff60ff",
    "card.special": "bold #ff60ff",
}
_LIGHT_CONTRAST = {
    **_CONTRAST,
    "warn": "bold #7a0000",
    "key": "bold #00007a",
    "cursor": "bold #00007a",
    "card.hearts": "bold #b00000",
    "card.diamonds": "bold #0000c0",
    "card.clubs": "bold #005500",
    "card.gold": "bold underline #5f4300",
    "card.joker": "bold #6a006a",
    "card.special": "bold #6a006a",
}

Palettes = Mapping[str, Mapping[str, str]]
_USUAL: Palettes = {"dark": _DARK, "light": _LIGHT, "": _BOTH}
_COLOUR_BLIND: Palettes = {
    "dark": _four_hues(_DARK, "#e8681a", "#56b4e9", "#00ae7f", "#f0e442", "#cc79a7"),
    "light": _four_hues(_LIGHT, "#a84800", "#0072b2", "#006f51", "#6a5c00", "#9a4a76"),
    "": _four_hues(_BOTH, "#c75000", "#007ac0", "#008561", "#966e00", "#bb4c8d"),
}

THEMES: Mapping[str, Palettes] = {
    "auto": _USUAL,
    "light": dict.fromkeys(_USUAL, _LIGHT),
    "dark": dict.fromkeys(_USUAL, _DARK),
    "colour-blind": _COLOUR_BLIND,
    "contrast": {"dark": _DARK_CONTRAST, "light": _LIGHT_CONTRAST, "": _CONTRAST},
    "plain": {background: {} for background in _USUAL},
}
"""Palettes by theme and background; "" is an unknown background."""

COLOURS: Mapping[str, ColorDepth | None] = {
    "auto": None,
    "all": ColorDepth.DEPTH_24_BIT,
    "256": ColorDepth.DEPTH_8_BIT,
    "16": ColorDepth.DEPTH_4_BIT,
    "none": ColorDepth.DEPTH_1_BIT,
}


def palette_of(theme: str, background: str = "") -> Mapping[str, str]:
    """Return all classes with their styles, on a "dark", "light" or unknown background ("")."""
    return dict(_COMMON) | dict(THEMES[theme][background])


def style_of(theme: str, background: str = "") -> Style:
    """Return the style of a theme named in THEMES."""
    return Style(list(palette_of(theme, background).items()))

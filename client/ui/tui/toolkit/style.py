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

_Palette = Mapping[str, str]

_COMMON: _Palette = {
    "header": "reverse",
    "warn": "bold",
    "mine": "bold",
    "side": "bold",
    "side.mine": "bold",
    "seat.turn": "bold reverse",
    "seat.partner": "underline",
    "staged": "italic",
    "selected": "reverse",
    "cursor": "bold",
    "key": "bold",
    "page.title": "bold reverse",
    "card.gold": "bold underline",
    "card.joker": "bold",
    "card.special": "bold",
    "mark.clean": "bold",
    "mark.dirty": "bold",
    "mark.special": "bold underline",
}
"""Styles without colours, in every theme that does not replace them."""

_COLOURED: _Palette = {
    "header": "bg:#005f5f #ffffff noreverse",
    "page.title": "bg:#005f5f #ffffff noreverse",
    "dim": "#{grey}",
    "frame": "#{grey}",
    "rule": "#{grey}",
    "warn": "bold #{warn}",
    "notice": "#{news}",
    "bar": "#{news}",
    "mine": "bold #{own}",
    "side.mine": "bold #{own}",
    "seat.partner": "#{own} nounderline",
    "key": "bold #{key}",
    "cursor": "bold #{key}",
    "back": "#{back}",
    "card.hearts": "#{red}",
    "card.diamonds": "#{blue}",
    "card.clubs": "#{green}",
    "card.gold": "bold #{gold}",
    "card.joker": "bold #{purple}",
    "card.special": "bold #{purple}",
    "mark.clean": "bold #{red}",
    "mark.special": "bold #{gold}",
}
"""Styles with colours, to be filled in from a row of `_COLOURS`."""

_CONTRAST: _Palette = dict.fromkeys(("header", "page.title", "seat.turn"), "bold reverse")
_STRONG: _Palette = {
    **_CONTRAST,
    "warn": "bold #{warn}",
    "key": "bold #{key}",
    "cursor": "bold #{key}",
    "card.hearts": "bold #{red}",
    "card.diamonds": "bold #{blue}",
    "card.clubs": "bold #{green}",
    "card.gold": "bold underline #{gold}",
    "card.joker": "bold #{purple}",
    "card.special": "bold #{purple}",
}
"""Styles of high contrast, to be filled in like `_COLOURED`."""

# The rows whose names begin with "blind" have hues that protanopes, deuteranopes and tritanopes can
# tell apart. They are those of Okabe and Ito (2008), as light or dark as the background needs.
_COLOURS = """
              grey   warn   news   own    key    back   red    blue   green  gold   purple
dark          8a8a8a ffaf00 5fd7d7 afff5f ffd75f 5f87d7 ff5f5f 5fafff 5fd75f ffd700 ff87ff
light         6c6c6c af5f00 005f87 005f00 870000 0000af d70000 005fd7 006f00 875f00 870087
both          767676 bc5800 00809a 008812 966e00 0c72e6 eb0000 0c72e6 008812 966e00 c62ac6
blind_dark    8a8a8a ffaf00 5fd7d7 56b4e9 ffd75f 5f87d7 e8681a 56b4e9 00ae7f f0e442 cc79a7
blind_light   6c6c6c af5f00 005f87 0072b2 870000 0000af a84800 0072b2 006f51 6a5c00 9a4a76
blind_both    767676 bc5800 00809a 007ac0 966e00 0c72e6 c75000 007ac0 008561 966e00 bb4c8d
strong_dark   -      ffff00 -      -      ffff00 -      ff6060 00ffff 00ff00 ffff00 ff60ff
strong_light  -      7a0000 -      -      00007a -      b00000 0000c0 005500 5f4300 6a006a
"""


def _palette(row: str, styles: _Palette = _COLOURED) -> _Palette:
    """Return styles with the colours of the row of that name."""
    head, *rows = (line.split() for line in _COLOURS.strip().splitlines())
    found = next(colours for name, *colours in rows if name == row)
    named = dict(zip(head, found, strict=True))
    return {name: style.format_map(named) for name, style in styles.items()}


_DARK = {**_palette("dark"), "seat.turn": "bold bg:#afff5f #000000 noreverse"}
_LIGHT = {**_palette("light"), "seat.turn": "bold bg:#005f00 #ffffff noreverse"}

THEMES: Mapping[str, Mapping[str, _Palette]] = {
    "auto": {"dark": _DARK, "light": _LIGHT, "": _palette("both")},
    "light": dict.fromkeys(("dark", "light", ""), _LIGHT),
    "dark": dict.fromkeys(("dark", "light", ""), _DARK),
    "colour-blind": {
        "dark": _palette("blind_dark"),
        "light": _palette("blind_light"),
        "": _palette("blind_both"),
    },
    "contrast": {
        "dark": _palette("strong_dark", _STRONG),
        "light": _palette("strong_light", _STRONG),
        "": _CONTRAST,
    },
    "plain": {background: {} for background in ("dark", "light", "")},
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

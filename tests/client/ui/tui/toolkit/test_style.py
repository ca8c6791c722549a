"""Styles: each is readable on its backgrounds."""

import pytest
from prompt_toolkit.styles import Style

from client.settings import COLOURS as COLOUR_NAMES
from client.settings import THEMES as THEME_NAMES
from client.ui.tui.toolkit.style import COLOURS, THEMES, palette_of
from tests.client.contrast import LEAST
from tests.client.contrast import contrast as contrast_of

BLACK, WHITE = "000000", "ffffff"
ON = {"dark": (BLACK,), "light": (WHITE,), "": (BLACK, WHITE)}


def contrast(one: str, other: str) -> float:
    return contrast_of(tuple(bytes.fromhex(one)), tuple(bytes.fromhex(other)))


@pytest.mark.parametrize("background", ON)
@pytest.mark.parametrize("theme", THEMES)
def test_every_style_has_enough_contrast_with_its_background(theme: str, background: str) -> None:
    palette = palette_of(theme, background)
    style = Style(list(palette.items()))
    grounds = ON[theme if theme in ("light", "dark") else background]
    for name in palette:
        attrs = style.get_attrs_for_style_str(f"class:{name}")
        for ground in grounds:
            ink, paper = attrs.color, attrs.bgcolor or ground
            if ink:  # otherwise the terminal chooses the colour, for its own background
                assert contrast(ink, paper) >= LEAST, (name, ink, paper)
            else:
                assert not attrs.bgcolor, name


@pytest.mark.parametrize("background", ON)
def test_spades_have_the_default_colour_of_the_terminal(background: str) -> None:
    for theme in THEMES:
        assert "card.spades" not in palette_of(theme, background)


def test_every_theme_and_colour_setting_is_implemented() -> None:
    assert tuple(THEMES) == THEME_NAMES
    assert tuple(COLOURS) == COLOUR_NAMES


def test_contrast_gives_known_values() -> None:
    assert contrast(BLACK, WHITE) == pytest.approx(21)
    assert contrast("777777", WHITE) == pytest.approx(4.48, abs=0.01)

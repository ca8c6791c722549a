"""How the program looks and speaks on this terminal, from the settings."""

import sys
from collections.abc import AsyncIterator
from typing import NamedTuple, Self

from prompt_toolkit.output import ColorDepth
from prompt_toolkit.styles import BaseStyle
from prompt_toolkit.utils import is_dumb_terminal

from client.settings import Settings
from client.ui.text.broken_lines import fitted
from client.ui.tui.terminal.background import background
from client.ui.tui.toolkit.glyphs import Glyphs, glyphs_for
from client.ui.tui.toolkit.style import COLOURS, style_of


class TerminalLook(NamedTuple):
    """`lines` is what is typed in the linear mode; None where there is a full screen."""

    glyphs: Glyphs
    style: BaseStyle
    colours: ColorDepth | None
    bell: bool
    lines: AsyncIterator[str] | None

    @classmethod
    def of(cls, settings: Settings, typed: AsyncIterator[str] | None = None) -> Self:
        """As the settings say; linear also where standard input or output is no terminal, or
        one that cannot move its cursor. All texts are written with the glyphs that it has.

        `typed` are the lines that are being read already: nothing that was typed ahead is lost.
        """
        terminal = sys.stdin.isatty() and sys.stdout.isatty()
        linear = settings.linear or not terminal or is_dumb_terminal()
        # With NO_COLOR set nothing is coloured, whatever the settings say (https://no-color.org).
        colours = ColorDepth.from_env() or COLOURS[settings.colours]
        plain = linear or colours is ColorDepth.DEPTH_1_BIT or settings.theme == "plain"
        glyphs = glyphs_for(sys.stdout, symbols=settings.symbols, letters=settings.letters)
        glyphs.choose_script()
        return cls(
            glyphs=glyphs,
            style=style_of("plain") if plain else style_of(settings.theme, background()),
            colours=colours,
            bell=settings.bell,
            lines=(typed or _typed_lines()) if linear else None,
        )


def _typed_lines() -> AsyncIterator[str]:
    # It takes Trio, for which the first full screen does not wait.
    from client.ui.tui.terminal.typed_lines import TypedLines  # noqa: PLC0415

    return TypedLines(sys.stdin.fileno())


def write_out(text: str) -> None:
    """To standard output, at once; on a terminal that is too narrow broken between words."""
    sys.stdout.write(fitted(text, sys.stdout))
    sys.stdout.flush()

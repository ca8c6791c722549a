"""The look of the program on this terminal: characters, colours, and the linear mode."""

import sys
from collections.abc import AsyncIterator, Callable
from typing import Any, NamedTuple, Self

from prompt_toolkit.application import Application
from prompt_toolkit.key_binding import KeyBindings
from prompt_toolkit.layout import HSplit, Layout
from prompt_toolkit.output import ColorDepth
from prompt_toolkit.styles import BaseStyle
from prompt_toolkit.utils import is_dumb_terminal

from client.settings import Settings
from client.ui.text.broken_lines import fitted
from client.ui.tui.terminal.background import background
from client.ui.tui.terminal.whole_screen import whole_screen
from client.ui.tui.toolkit.glyphs import Glyphs, glyphs_for
from client.ui.tui.toolkit.lines import LinesWindow, Write, ignore
from client.ui.tui.toolkit.spans import Click, Span, cut
from client.ui.tui.toolkit.style import COLOURS, style_of


class TerminalLook(NamedTuple):
    """The characters, colours and other properties of the program on a terminal."""

    glyphs: Glyphs
    style: BaseStyle
    colours: ColorDepth | None = None
    bell: bool = False
    lines: AsyncIterator[str] | None = None
    """Typed lines of the linear mode; None on a full screen."""
    hints: str = "on request"
    """The setting that says when a better move is shown."""

    @classmethod
    def of(cls, settings: Settings, typed: AsyncIterator[str] | None = None) -> Self:
        """Return the look that the settings ask for.

        The mode is also linear if standard input or output is no terminal, or is a terminal that
        cannot move its cursor. From now on all texts are written with the terminal's glyphs.
        `typed` is an earlier reader of lines. A new reader would miss the lines that the earlier
        one has read already.
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
            hints=settings.hints,
        )

    def application(
        self, layout: Layout, keys: KeyBindings, *, mouse: bool = False
    ) -> Application[Any]:
        """Return an application on the whole screen, with this look."""
        return whole_screen(layout, keys, self.style, self.colours, mouse=mouse)

    def text_application(
        self,
        write: Write,
        hint: str,
        keys: KeyBindings,
        on_click: Callable[[Click], None] | None = None,
    ) -> Application[Any]:
        """Return an application that shows lines, and below them a hint for its keys.

        Without `on_click` the mouse is left to the terminal, so that text can be selected with it.
        """
        text = f" {self.glyphs.plain(hint)}"
        body = LinesWindow(write, on_click or ignore)
        foot = LinesWindow(lambda width, _rows: [cut((Span(text),), width)], height=1)
        layout = Layout(HSplit([body, foot]), focused_element=body)
        return self.application(layout, keys, mouse=on_click is not None)

    def say(self, line: str) -> None:
        """Write a line to standard output at once, with the characters of the terminal."""
        write_out(f"{self.glyphs.plain(line)}\n")


def _typed_lines() -> AsyncIterator[str]:
    # Lazy import: it imports Trio, which the first full screen does not need.
    from client.ui.tui.terminal.typed_lines import TypedLines  # noqa: PLC0415

    return TypedLines(sys.stdin.fileno())


def write_out(text: str) -> None:
    """Write to standard output at once; on a narrow terminal lines are broken between words."""
    sys.stdout.write(fitted(text, sys.stdout))
    sys.stdout.flush()

"""A screen for work that takes a while, with its progress; Esc gives it up."""

from collections.abc import Callable
from typing import TypeVar

import trio
from attrs import define
from prompt_toolkit.application import Application
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.layout import Layout

from client.i18n.language import _
from client.ui.tui.terminal.run_beside_trio import Screen
from client.ui.tui.terminal.whole_screen import whole_screen
from client.ui.tui.toolkit.lines import Lines, LinesWindow
from client.ui.tui.toolkit.spans import Line, Span, cut
from client.ui.tui.toolkit.terminal_look import TerminalLook, write_out

T = TypeVar("T")

OnProgress = Callable[[str], None]
"""Callback with the progress of the work, in one line."""


class _GivenUp(Exception):
    """Raised in the callback for progress after the person has given the work up."""


@define
class _Progress:
    """The progress on the screen."""

    title: str
    line: str = ""
    wanted: bool = True
    """True while the person waits."""

    def lines(self, width: int) -> list[Line]:
        title, line = Span(f"  {self.title}", "class:mine"), Span(f"  {self.line}")
        return [(), cut((title,), width), (), cut((line,), width)]

    def show(self, line: str) -> None:
        self.line = line


async def while_working(
    title: str, work: Callable[[OnProgress], T], look: TerminalLook
) -> T | None:
    """Return the result of `work`, run in a thread; None if the person does not wait for it.

    `work` must call back often, because it is ended there. Raises the errors of `work`, and
    Interrupted.
    """
    if look.lines is not None:
        write_out(look.glyphs.plain(title) + "\n")
        return await trio.to_thread.run_sync(work, lambda _line: None)
    progress = _Progress(look.glyphs.plain(title))
    screen = Screen(_application(progress, look))
    results: list[T] = []
    errors: list[Exception] = []

    def on_progress(line: str) -> None:
        if not progress.wanted:
            raise _GivenUp
        screen.call(progress.show, look.glyphs.plain(line))

    # Errors are raised when the screen is gone: out of the nursery they would come in a group.
    async def run() -> None:
        try:
            results.append(await trio.to_thread.run_sync(work, on_progress))
        except Exception as error:
            errors.append(error)
        screen.stop()

    async with trio.open_nursery() as nursery:
        nursery.start_soon(run)
        try:
            await screen.run()
        finally:
            progress.wanted = False
    for error in errors:
        if not isinstance(error, _GivenUp):
            raise error
    return results[0] if results else None


def _application(progress: _Progress, look: TerminalLook) -> Application[None]:
    hint = Span(" " + look.glyphs.plain(_("Esc goes back.")))
    body = Lines(
        lambda width, rows: [
            *(progress.lines(width) + [()] * rows)[: rows - 1],
            cut((hint,), width),
        ],
        lambda _click: None,
        focusable=True,
    )
    return whole_screen(Layout(LinesWindow(body)), _keys(), look.style, look.colours)


def _keys() -> KeyBindings:
    keys = KeyBindings()

    @keys.add("escape", eager=True)
    @keys.add("q")
    @keys.add("c-c")
    def _back(event: KeyPressEvent) -> None:
        event.app.exit()

    return keys

"""A screen for work or a wait that takes a while, with its progress; Esc gives it up."""

from collections.abc import Awaitable, Callable
from typing import TypeVar

import trio
from attrs import define
from prompt_toolkit.application import Application
from prompt_toolkit.layout import Layout

from client.i18n.language import _
from client.ui.tui.terminal.run_beside_trio import Screen
from client.ui.tui.terminal.whole_screen import key_bindings, whole_screen
from client.ui.tui.toolkit.lines import Lines, LinesWindow
from client.ui.tui.toolkit.spans import Line, Span, cut, folded
from client.ui.tui.toolkit.terminal_look import TerminalLook, write_out

T = TypeVar("T")

OnProgress = Callable[[str], None]
"""Callback with the progress of the work, or with why it takes long."""


class _GivenUp(Exception):
    """The error that ends the work, raised in its callback after the person has given it up."""


@define
class _Progress:
    """The progress on the screen, in a sentence."""

    title: str
    line: str = ""
    wanted: bool = True
    """True while the person waits."""

    def lines(self, width: int) -> list[Line]:
        title = Span(f"  {self.title}", "class:mine")
        line = [(Span("  "), *part) for part in folded(self.line, width - 2)]
        return [(), cut((title,), width), (), *line]

    def show(self, line: str) -> None:
        self.line = line


async def while_working(
    title: str, work: Callable[[OnProgress], T], look: TerminalLook
) -> T | None:
    """Return the result of `work`, run in a thread; None if the person does not wait for it.

    `work` must call its callback often: after the person has given up, the callback raises an error
    that ends `work`. Raises the errors of `work`, and Interrupted.
    """
    if look.lines is not None:
        write_out(look.glyphs.plain(title) + "\n")
        return await trio.to_thread.run_sync(work, lambda _line: None)
    progress, screen = _screen(title, look)

    def on_progress(line: str) -> None:
        if not progress.wanted:
            raise _GivenUp
        screen.call(progress.show, look.glyphs.plain(line))

    async def run() -> T:
        return await trio.to_thread.run_sync(work, on_progress)

    return await _beside(screen, progress, run)


async def while_waiting(
    title: str, wait: Callable[[OnProgress], Awaitable[T]], look: TerminalLook
) -> T | None:
    """Return the result of `wait`; if the person gives it up, cancel it and return None.

    Raises the errors of `wait`, and Interrupted. The linear mode leaves out a line of progress that
    is equal to the one before.
    """
    if look.lines is not None:
        shown = [title]
        write_out(look.glyphs.plain(title) + "\n")

        def tell(line: str) -> None:
            if line != shown[-1]:
                shown.append(line)
                write_out(look.glyphs.plain(line) + "\n")

        return await wait(tell)
    progress, screen = _screen(title, look)

    async def run() -> T:
        return await wait(lambda line: screen.call(progress.show, look.glyphs.plain(line)))

    return await _beside(screen, progress, run, cancels=True)


def _screen(title: str, look: TerminalLook) -> tuple[_Progress, Screen[None]]:
    progress = _Progress(look.glyphs.plain(title))
    return progress, Screen(_application(progress, look))


async def _beside(
    screen: Screen[None],
    progress: _Progress,
    run: Callable[[], Awaitable[T]],
    *,
    cancels: bool = False,
) -> T | None:
    """Run the screen until `run` has ended or the person gives up; then `cancels` ends `run`."""
    results: list[T] = []
    errors: list[Exception] = []

    # Errors are collected and raised below: from inside the nursery they would come as a group.
    async def run_and_stop() -> None:
        try:
            results.append(await run())
        except Exception as error:
            errors.append(error)
        screen.stop()

    async with trio.open_nursery() as nursery:
        nursery.start_soon(run_and_stop)
        try:
            await screen.run()
        finally:
            progress.wanted = False
        if cancels:
            nursery.cancel_scope.cancel()
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
    keys = key_bindings({"escape q c-c": lambda event: event.app.exit()})
    return whole_screen(Layout(LinesWindow(body)), keys, look.style, look.colours)

"""A screen for work or a wait that takes a while, with its progress; Esc gives it up."""

from collections.abc import Awaitable, Callable
from typing import TypeVar

import trio

from client.i18n.language import _
from client.ui.tui.terminal.run_beside_trio import Screen
from client.ui.tui.terminal.whole_screen import key_bindings
from client.ui.tui.toolkit.spans import Line, Span, cut, folded
from client.ui.tui.toolkit.terminal_look import TerminalLook
from p2p.background_task import beside

T = TypeVar("T")

OnProgress = Callable[[str], None]
"""Callback with the progress of the work, or with the reason why it takes long."""


async def while_working(
    title: str, work: Callable[[OnProgress], T], look: TerminalLook
) -> T | None:
    """Return the result of `work`, run in a thread; None if the person gives it up.

    `work` must call its callback often, in its own thread: after the person has given up, the
    callback raises Cancelled, which ends `work`. Raises the errors of `work`, and Interrupted.
    """

    async def wait(on_progress: OnProgress) -> T:
        def told(line: str) -> None:
            trio.from_thread.check_cancelled()
            on_progress(line)

        return await trio.to_thread.run_sync(work, told)

    return await while_waiting(title, wait, look, quiet=True)


async def while_waiting(
    title: str,
    wait: Callable[[OnProgress], Awaitable[T]],
    look: TerminalLook,
    *,
    quiet: bool = False,
) -> T | None:
    """Return the result of `wait`; if the person gives it up, cancel it and return None.

    Any thread may call the callback. Raises the errors of `wait`, and Interrupted. The linear mode
    leaves out a line of progress that is equal to the one before; with `quiet` it tells none.
    """
    now = title if look.lines is not None else ""

    def tell(line: str) -> None:
        nonlocal now
        if look.lines is not None and line != now and not quiet:
            look.say(line)
        now = line

    if look.lines is not None:
        look.say(title)
        return await wait(tell)

    def write(width: int, _rows: int) -> list[Line]:
        progress = folded(look.glyphs.plain(now), width - 2)
        head = cut((Span(f"  {look.glyphs.plain(title)}", "class:mine"),), width)
        return [(), head, (), *((Span("  "), *line) for line in progress)]

    keys = key_bindings({"escape q c-c": lambda event: event.app.exit()})
    screen = Screen(look.text_application(write, _("Esc goes back."), keys))
    results: list[T] = []
    errors: list[Exception] = []

    # Errors are collected and raised below: in the background task they would come as a group.
    async def run_and_stop() -> None:
        try:
            results.append(await wait(lambda line: screen.call(tell, line)))
        except Exception as error:
            errors.append(error)
        screen.stop()

    async with beside(run_and_stop):
        await screen.run()
    for error in errors:
        raise error
    return results[0] if results else None

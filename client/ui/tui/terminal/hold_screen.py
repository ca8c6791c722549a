"""Several applications in a row on the whole screen, with no glimpse of the shell in between.

A terminal has two screens, and prompt_toolkit leaves the second one whenever an application ends.
Inside `hold_screen` the terminal stays on the second screen until the block is left. Ctrl-Z still
gives the shell its own screen.
"""

import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

from prompt_toolkit.application import create_app_session, get_app
from prompt_toolkit.output import Output
from prompt_toolkit.output.defaults import create_output


@contextmanager
def hold_screen(output: Output | None = None) -> Iterator[None]:
    """Stay on the second screen between the applications that run in this block.

    `output` is standard output by default. If that is no terminal, the block simply runs.
    """
    if output is None and not sys.stdout.isatty():
        yield
        return
    held = _HeldOutput(output or create_output())
    with create_app_session(output=held):  # type: ignore[arg-type]
        try:
            yield
        finally:
            held.leave()


_DRAWING = frozenset(
    {"write", "write_raw", "erase_screen", "erase_end_of_line", "erase_down"}
    | {"cursor_goto", "cursor_up", "cursor_down", "cursor_forward", "cursor_backward"}
)
"""Methods that change the screen, or the place of the next character."""


class _HeldOutput:
    """An output that stays on the second screen when an application is done.

    The last drawing stays until the next application draws. When an application ends, it moves the
    cursor below its drawing, where a shell would go on. That would scroll a full screen by a row,
    so this output ignores all that an ended application draws.
    """

    def __init__(self, output: Output) -> None:
        self._output = output
        self._on_second_screen = False

    def __getattr__(self, name: str) -> Any:
        if name in _DRAWING and get_app().is_done:
            return _draw_nothing
        return getattr(self._output, name)

    def enter_alternate_screen(self) -> None:
        if self._on_second_screen:
            # The next application begins at the top, over what the last one has left.
            self._output.cursor_goto(0, 0)
        else:
            self._output.enter_alternate_screen()
        self._on_second_screen = True

    def quit_alternate_screen(self) -> None:
        if not get_app().is_done:  # the application is suspended by Ctrl-Z, and not ended
            self.leave()

    def leave(self) -> None:
        """Go back to the screen of the shell."""
        if self._on_second_screen:
            self._on_second_screen = False
            with suppress(OSError):  # the terminal is gone
                self._output.quit_alternate_screen()
                self._output.flush()


def _draw_nothing(*_arguments: object) -> None:
    """Do nothing, instead of drawing."""

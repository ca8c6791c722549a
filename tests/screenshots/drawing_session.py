"""A terminal in memory, for applications that are drawn and not read."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, cast

from prompt_toolkit.application import create_app_session
from prompt_toolkit.data_structures import Size
from prompt_toolkit.input import DummyInput, Input
from prompt_toolkit.output import ColorDepth
from prompt_toolkit.output.vt100 import Vt100_Output


class _Nothing:
    """A stand-in for a terminal's standard output, as prompt_toolkit uses it. It keeps nothing."""

    encoding = "utf-8"

    def write(self, data: str) -> int:
        return len(data)

    def flush(self) -> None: ...

    def isatty(self) -> bool:
        return True

    def fileno(self) -> int:
        return -1


@contextmanager
def drawing_session(size: Size, keyboard: Input | None = None) -> Iterator[None]:
    """Let applications that are created in this block draw on a terminal of this size."""
    output = Vt100_Output(
        cast(Any, _Nothing()),
        lambda: size,
        term="xterm-256color",
        default_color_depth=ColorDepth.DEPTH_8_BIT,
        enable_bell=False,
        enable_cpr=False,
    )
    with create_app_session(keyboard or DummyInput(), output):
        yield

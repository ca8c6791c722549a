"""A recorder for the output of an application, in the asciicast format, version 2.

A file has a header, then an event in each line: seconds since the beginning, "o" for output, text.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, cast

from attrs import define, field
from prompt_toolkit.application import Application, create_app_session
from prompt_toolkit.application.current import set_app
from prompt_toolkit.data_structures import Size
from prompt_toolkit.filters import to_filter
from prompt_toolkit.input import DummyInput, Input
from prompt_toolkit.output import ColorDepth
from prompt_toolkit.output.vt100 import Vt100_Output

_TERMINAL = "xterm-256color"


@define
class _Tape:
    """A stand-in for a terminal's standard output, as prompt_toolkit uses it. It keeps the text."""

    encoding: str = "utf-8"
    text: str = ""

    def write(self, data: str) -> int:
        self.text += data
        return len(data)

    def flush(self) -> None: ...

    def isatty(self) -> bool:
        return True

    def fileno(self) -> int:
        return -1


@define
class Recording:
    """A terminal of a given size, which records everything drawn on it with the time."""

    size: Size
    title: str
    seconds: float = 0.0
    events: list[tuple[float, str]] = field(factory=list)
    _tape: _Tape = field(factory=_Tape)

    @contextmanager
    def session(self, keyboard: Input | None = None) -> Iterator[None]:
        """Let applications that are created in this block draw on the recording."""
        output = Vt100_Output(
            cast(Any, self._tape),
            lambda: self.size,
            term=_TERMINAL,
            default_color_depth=ColorDepth.DEPTH_8_BIT,
            enable_bell=False,
            enable_cpr=False,
        )
        with create_app_session(keyboard or DummyInput(), output):
            yield

    def draw(self, app: Application[None], seconds: float) -> None:
        """Draw the application as it is now, and leave the drawing there for `seconds`."""
        app.renderer.mouse_support = to_filter(False)
        with set_app(app):
            app.renderer.render(app, app.layout)
        if self._tape.text:
            self.events.append((self.seconds, self._tape.text))
            self._tape.text = ""
        self.seconds += seconds

    @property
    def text(self) -> str:
        """The whole file."""
        import json  # noqa: PLC0415 - programs that only measure drawing write no file

        header = {
            "version": 2,
            "width": self.size.columns,
            "height": self.size.rows,
            "title": self.title,
            "env": {"TERM": _TERMINAL},
        }
        events = ([round(at, 3), "o", data] for at, data in self.events)
        lines = (json.dumps(line, ensure_ascii=False) for line in (header, *events))
        return "".join(f"{line}\n" for line in lines)

"""Plain output: lines, and one line of progress that rewrites itself where there is a terminal."""

import sys
from typing import TextIO

from attrs import define, field

from client.i18n.language import has_symbols
from client.i18n.plain import plain, plain_lines
from client.ui.text.broken_lines import fitted


@define
class Console:
    """Writes to `stream`. Without a terminal there is no progress, only plain lines."""

    stream: TextIO = field(factory=lambda: sys.stdout)
    _width: int = field(default=0, init=False)

    @property
    def symbols(self) -> bool:
        """Whether the stream's encoding has the suits' symbols."""
        return has_symbols(self.stream.encoding)

    def line(self, text: str = "") -> None:
        """A line of its own, in which nothing moves the cursor. A terminal that is too narrow for
        it has it in several, broken between words.
        """
        self.drawn(fitted(plain_lines(text), self.stream))

    def exactly(self, text: str) -> None:
        """Likewise, but no line is broken: what programs read, and people copy."""
        self.drawn(plain_lines(text))

    def drawn(self, text: str) -> None:
        """A line of our own that a terminal may obey."""
        self.clear()
        self.stream.write(self._written(text) + "\n")
        self.stream.flush()

    def progress(self, text: str) -> None:
        """What is going on, in place of what went on before; nothing without a terminal."""
        if not self.stream.isatty():
            return
        text = self._written(plain(text))
        self.stream.write("\r" + text.ljust(self._width))
        self._width = len(text)
        self.stream.flush()

    def clear(self) -> None:
        """Without the line of progress."""
        if self._width:
            self.stream.write("\r" + " " * self._width + "\r")
            self._width = 0

    def _written(self, text: str) -> str:
        """With what the stream's encoding has."""
        if self.symbols:
            return text
        from client.ui.text.ascii_text import ascii_text  # noqa: PLC0415 - few streams need it

        return ascii_text(text)

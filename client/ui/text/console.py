"""Plain output: lines and, on a terminal, one line of progress that is written again and again."""

import sys
from typing import TextIO

from attrs import define, field

from client.i18n.control_characters import plain, plain_lines
from client.i18n.language import has_symbols
from client.ui.text.broken_lines import fitted


@define
class Console:
    """A writer of lines to `stream`, with progress if the stream is a terminal."""

    stream: TextIO = field(factory=lambda: sys.stdout)
    _width: int = field(default=0, init=False)

    @property
    def symbols(self) -> bool:
        """True if the stream's encoding has the suits' symbols."""
        return has_symbols(self.stream.encoding)

    def line(self, text: str = "") -> None:
        """Write a line without control characters, broken between words on a narrow terminal."""
        self.drawn(fitted(plain_lines(text), self.stream))

    def exactly(self, text: str) -> None:
        """Write a line without breaking it, for programs that read it and people who copy it."""
        self.drawn(plain_lines(text))

    def drawn(self, text: str) -> None:
        """Write a line in which the program itself may have put control sequences."""
        self.clear()
        self.stream.write(self._written(text) + "\n")
        self.stream.flush()

    def progress(self, text: str) -> None:
        """Show progress in place of the progress shown before; do nothing without a terminal."""
        if not self.stream.isatty():
            return
        text = self._written(plain(text))
        self.stream.write("\r" + text.ljust(self._width))
        self._width = len(text)
        self.stream.flush()

    def clear(self) -> None:
        """Remove the line of progress."""
        if self._width:
            self.stream.write("\r" + " " * self._width + "\r")
            self._width = 0

    def _written(self, text: str) -> str:
        """Return the text with characters that the stream's encoding has."""
        if self.symbols:
            return text
        from client.ui.text.ascii_text import ascii_text  # noqa: PLC0415 - few streams need it

        return ascii_text(text)

"""Standard input and output that are closed or accept no more, and their width."""

import os
import sys
from contextlib import suppress
from io import BufferedWriter, FileIO, RawIOBase, TextIOWrapper

TYPE_CHECKING = False
if TYPE_CHECKING:  # `typing` takes longer to load than the rest of this
    from typing import TextIO

    from _typeshed import ReadableBuffer


class _Remembering(BufferedWriter):
    """A writer that keeps the error of a failed write.

    `argparse` ignores such an error, and the stream itself forgets the text.
    """

    lost: OSError | None = None

    replaced: "TextIO | None" = None
    """The stream that wrote here before; when it is freed, it closes what both write to."""

    def write(self, data: "ReadableBuffer", /) -> int:
        try:
            return super().write(data)
        except OSError as error:
            self.lost = error
            raise

    def flush(self) -> None:
        try:
            super().flush()
        except OSError as error:
            self.lost = error
            raise


def prepare_standard_streams() -> None:
    """Make standard output report lost text at the end (`what_was_lost`).

    This works even for an interpreter that was told not to buffer. A character that the encoding
    lacks becomes a question mark, and no error.
    """
    _open_missing_streams()
    sys.stdout, sys.stderr = map(_remembering, (sys.stdout, sys.stderr))


def _open_missing_streams() -> None:
    """Replace standard streams that were closed before the program began.

    Otherwise the next file or socket would be standard output, and be written to. The replacement
    is opened for reading only: a write is refused, as by a closed stream, and not lost in silence.
    """
    for name in ("stdin", "stdout", "stderr"):
        if getattr(sys, name) is not None:
            continue
        # The lowest number that is free is the missing one: those below are open by now. (On
        # Windows a program without a console has no streams either; there any number does.)
        number = os.open(os.devnull, os.O_RDONLY)
        if name == "stdin":
            sys.stdin = os.fdopen(number)
        else:
            buffer = _Remembering(FileIO(number, "w", closefd=False))
            setattr(sys, name, TextIOWrapper(buffer, encoding="utf-8", errors="replace"))


def _remembering(stream: "TextIO") -> "TextIO":
    """Return the same output with a writer that keeps errors; other kinds of streams stay."""
    if not isinstance(stream, TextIOWrapper):
        return stream
    raw = getattr(stream.buffer, "raw", stream.buffer)
    if type(stream) is not TextIOWrapper or not isinstance(raw, RawIOBase):
        stream.reconfigure(errors="replace")
        return stream
    if isinstance(stream.buffer, _Remembering):
        return stream
    with suppress(OSError):  # what waits in it is refused again, or was written by then
        stream.flush()
    unbuffered = stream.buffer is raw
    buffer = _Remembering(raw)
    buffer.replaced = stream
    return TextIOWrapper(
        buffer,
        encoding=stream.encoding,
        errors="replace",
        line_buffering=stream.line_buffering or unbuffered,
    )


def what_was_lost(stream: "TextIO") -> OSError | None:
    """Return the error by which text written to the stream was lost; None if nothing was.

    The stream is flushed first. Text that it does not accept is dropped, because the interpreter
    would fail on it again at its end.
    """
    try:
        stream.flush()
    except OSError as error:
        with suppress(OSError, ValueError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
            stream.flush()
        return error
    buffer = getattr(stream, "buffer", None)
    return buffer.lost if isinstance(buffer, _Remembering) else None


def columns() -> int:
    """Return the width of the terminal, or the value of $COLUMNS; 80 without either.

    This is `shutil.get_terminal_size`, whose module takes longer to import than the help to be
    written.
    """
    named = os.environ.get("COLUMNS", "")
    if named.isascii() and named.isdecimal() and int(named[:9]) > 0:
        return int(named[:9])
    try:
        return os.get_terminal_size(sys.stdout.fileno()).columns or 80
    except (ValueError, OSError):  # closed, or no terminal
        return 80

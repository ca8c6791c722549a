"""Standard streams that may be closed or fail, and the width of the terminal."""

import os
import sys
from contextlib import suppress
from io import BufferedWriter, FileIO, RawIOBase, TextIOWrapper

TYPE_CHECKING = False
if TYPE_CHECKING:  # `typing` is slower to import than this whole module
    from typing import TextIO

    from _typeshed import ReadableBuffer


class _Remembering(BufferedWriter):
    """A writer that keeps the error of a failed write.

    Otherwise the error may be lost: `argparse` ignores it, and the stream drops the text.
    """

    lost: OSError | None = None

    replaced: "TextIO | None" = None
    """The replaced stream, which is kept because freeing it would close the shared file."""

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
    """Replace standard output and error by streams that remember lost text (`what_was_lost`).

    This works for an unbuffered interpreter (`python -u`), too. A character that the encoding lacks
    is written as a question mark.
    """
    _open_missing_streams()
    sys.stdout, sys.stderr = map(_remembering, (sys.stdout, sys.stderr))


def _open_missing_streams() -> None:
    """Replace standard streams that were closed before the program began.

    Otherwise the next file or socket would get the number of standard output, and printed text
    would be written to it. The replacement is opened for reading only, so that a write fails, as it
    does on a closed stream, and no text is lost silently.
    """
    for name in ("stdin", "stdout", "stderr"):
        if getattr(sys, name) is not None:
            continue
        # The system gives the lowest free number, which is the number of the missing stream,
        # because all streams with lower numbers are open now. (On Windows a program without a
        # console has no streams either; there any number is good enough.)
        number = os.open(os.devnull, os.O_RDONLY)
        if name == "stdin":
            sys.stdin = os.fdopen(number)
        else:
            buffer = _Remembering(FileIO(number, "w", closefd=False))
            setattr(sys, name, TextIOWrapper(buffer, encoding="utf-8", errors="replace"))


def _remembering(stream: "TextIO") -> "TextIO":
    """Return a stream that writes to the same file, and keeps the error of a failed write.

    A stream that is no plain `TextIOWrapper` over a file is returned as it is.
    """
    if not isinstance(stream, TextIOWrapper):
        return stream
    raw = getattr(stream.buffer, "raw", stream.buffer)
    if type(stream) is not TextIOWrapper or not isinstance(raw, RawIOBase):
        stream.reconfigure(errors="replace")
        return stream
    if isinstance(stream.buffer, _Remembering):
        return stream
    with suppress(OSError):  # text that stays in the buffer will fail again later
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
    """Flush a stream, and return the error by which text was lost; None if no text was lost.

    Text that cannot be written is dropped, because otherwise the interpreter would fail again on it
    when it ends.
    """
    try:
        stream.flush()
    except OSError as error:
        with suppress(OSError, ValueError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
        return error
    buffer = getattr(stream, "buffer", None)
    return buffer.lost if isinstance(buffer, _Remembering) else None


def columns() -> int:
    """Return the width of the terminal, or the value of $COLUMNS; 80 without either.

    `shutil.get_terminal_size` does the same, but `shutil` takes longer to import than the help
    takes to be printed.
    """
    named = os.environ.get("COLUMNS", "")
    if named.isascii() and named.isdecimal() and int(named[:9]) > 0:
        return int(named[:9])
    try:
        return os.get_terminal_size(sys.stdout.fileno()).columns or 80
    except (ValueError, OSError):  # closed, or no terminal
        return 80

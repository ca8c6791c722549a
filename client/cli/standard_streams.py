"""Standard input and output that are closed, or take no more, and how wide they are."""

import os
import sys
from contextlib import suppress
from io import BufferedWriter, FileIO, RawIOBase, TextIOWrapper

TYPE_CHECKING = False
if TYPE_CHECKING:  # `typing` takes longer to load than the rest of this
    from typing import TextIO

    from _typeshed import ReadableBuffer


class _Remembering(BufferedWriter):
    """Knows what it could not write, whoever keeps quiet about the error: `argparse` does, and the
    stream itself forgets the text.
    """

    lost: OSError | None = None

    replaced: "TextIO | None" = None
    """The stream that wrote here before. When it goes, it closes what both write to."""

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
    """Output says at the end whether something of it was lost (`what_was_lost`), also where the
    interpreter was told to buffer nothing. An accent that an encoding lacks becomes a question
    mark, and no error.
    """
    _open_missing_streams()
    sys.stdout, sys.stderr = map(_remembering, (sys.stdout, sys.stderr))


def _open_missing_streams() -> None:
    """Puts something in the place of standard streams that were closed before the program began.

    Otherwise the next file or socket would be standard output, and be written to. It opens for
    reading alone: what is written is refused, as by a closed stream, and not lost in silence.
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
    """The same output, which remembers; a stream that somebody else has put there stays."""
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
    """Why something that was written to the stream is lost, after what waits in it is written; None
    if nothing is. What it does not take is thrown away: the interpreter would fail over it once
    more at its end.
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
    """Of the terminal, or what $COLUMNS says; 80 without either.

    It is `shutil.get_terminal_size`, whose module takes longer to load than the help to be written.
    """
    named = os.environ.get("COLUMNS", "")
    if named.isascii() and named.isdecimal() and int(named[:9]) > 0:
        return int(named[:9])
    try:
        return os.get_terminal_size(sys.stdout.fileno()).columns or 80
    except (ValueError, OSError):  # closed, or no terminal
        return 80

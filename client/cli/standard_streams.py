"""Standard input and output that are closed, or take no more, and how wide they are."""

import os
import sys
from contextlib import suppress
from io import TextIOWrapper

TYPE_CHECKING = False
if TYPE_CHECKING:  # `typing` takes longer to load than the rest of this
    from typing import TextIO


def open_missing_streams() -> None:
    """Puts nothing in the place of standard streams that were closed before the program began.

    Otherwise the next file or socket would be standard output, and be written to.
    """
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is not None:
            continue
        # The lowest number that is free is the missing one: those below are open by now. (On
        # Windows a program without a console has no streams either; there any number does.)
        setattr(sys, name, os.fdopen(os.open(os.devnull, os.O_RDWR), mode))


def takes_no_more(stream: "TextIO") -> bool:
    """Whether the stream fails when what waits in it is written. Then it is thrown away, and so is
    all that comes after: the interpreter would fail over it once more at its end.
    """
    try:
        stream.flush()
    except OSError:
        with suppress(OSError, ValueError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
            stream.flush()
        return True
    return False


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


def let_write_anything(stream: "TextIO") -> None:
    """An accent that the stream's encoding lacks becomes a question mark, and no error."""
    if isinstance(stream, TextIOWrapper):
        stream.reconfigure(errors="replace")

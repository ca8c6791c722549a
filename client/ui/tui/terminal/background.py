"""The terminal's background, dark or light, from xterm's query OSC 11.

A second query follows, for the device attributes, which every terminal answers. Its answer ends the
wait if the terminal does not know OSC 11.
"""

import os
import re
import select
import sys
import time
from functools import cache

SECONDS = 1.0
"""Timeout for an answer. A terminal that answers nothing at all is rare."""

_QUESTION = b"\x1b]11;?\x1b\\\x1b[c"
_ANSWER = re.compile(rb"\x1b\]11;rgba?:([0-9a-fA-F]{1,4})/([0-9a-fA-F]{1,4})/([0-9a-fA-F]{1,4})")
_ATTRIBUTES = re.compile(rb"\x1b\[\?[0-9;]*c")
_LONGEST = 1024


@cache
def background() -> str:
    """Return "dark", "light", or "" if the terminal does not say."""
    said = told_by_environment(os.environ.get("COLORFGBG", ""))
    return said or told_by_terminal(sys.stdin.fileno(), sys.stdout.fileno())


def told_by_environment(value: str) -> str:
    """Return the lightness in COLORFGBG, as rxvt and others set it: "15;0" is white on black."""
    last = value.rpartition(";")[2]
    if not last.isascii() or not last.isdecimal() or len(last) > 3:
        return ""
    return "light" if int(last) in (7, *range(9, 16)) else "dark"


def told_by_terminal(reading: int, writing: int, seconds: float = SECONDS) -> str:
    """Return the answer of the terminal at these descriptors.

    If something was typed ahead, nothing is asked: the typed text would be taken for the answer.
    """
    try:
        import termios  # noqa: PLC0415 - not on Windows
        import tty  # noqa: PLC0415
    except ImportError:
        return ""
    try:
        before = termios.tcgetattr(reading)
        try:
            tty.setcbreak(reading, termios.TCSANOW)
            if select.select([reading], [], [], 0)[0]:
                return ""
            os.write(writing, _QUESTION)
            return lightness(_answer(reading, seconds))
        finally:
            termios.tcsetattr(reading, termios.TCSANOW, before)
    except (OSError, termios.error):
        return ""


def _answer(reading: int, seconds: float) -> bytes:
    """Return the bytes that come until the second query is answered, or the timeout is over."""
    came = b""
    end = time.monotonic() + seconds
    while not _ATTRIBUTES.search(came) and len(came) < _LONGEST:
        left = end - time.monotonic()
        if left <= 0 or not select.select([reading], [], [], left)[0]:
            break
        came += os.read(reading, _LONGEST)
    return came


def lightness(answer: bytes) -> str:
    """Return "dark" or "light" for an answer such as "rgb:ffff/ffff/ffff"; "" for none."""
    found = _ANSWER.search(answer)
    if found is None:
        return ""
    red, green, blue = (int(part, 16) / (16 ** len(part) - 1) for part in found.groups())
    return "light" if 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.5 else "dark"

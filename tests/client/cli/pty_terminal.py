"""The installed command on a pseudo-terminal of 80 by 24, and its screen."""

import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from select import select

import pyte
import pytest

from tests.patience import PATIENCE

pty = pytest.importorskip("pty", reason="only POSIX has pseudo-terminals")
termios = pytest.importorskip("termios")
COMMAND = f"{Path(sys.executable).with_name('sobremesa')}"
_TAKE_TERMINAL = (
    "import fcntl, os, sys, termios; fcntl.ioctl(0, termios.TIOCSCTTY, 0); "
    "os.execvp(sys.argv[1], sys.argv[1:])"
)
_END_OF_DRAWING = b"\x1b[0m"
"""Bytes that prompt_toolkit writes at the end of each drawing."""


class Terminal:
    """A program on a pseudo-terminal of 80 by 24, seen through pyte."""

    def __init__(self, local: Path, *arguments: str) -> None:
        self.screen = pyte.Screen(80, 24)
        self._stream = pyte.ByteStream(self.screen)
        self.master, slave = pty.openpty()
        self.before = termios.tcgetattr(slave)
        termios.tcsetwinsize(slave, (24, 80))
        environment = os.environ | {
            "SOBREMESA_HOME": str(local),
            "TERM": "xterm-256color",
            "LC_ALL": "C.UTF-8",
            "COLORFGBG": "15;0",
        }
        self.process = subprocess.Popen(
            [sys.executable, "-c", _TAKE_TERMINAL, *arguments],
            stdin=slave,
            stdout=slave,
            stderr=slave,
            env=environment,
            start_new_session=True,
        )
        self.slave = slave
        self.written = b""

    @property
    def text(self) -> str:
        return "\n".join(line.rstrip() for line in self.screen.display)

    def press(self, keys: str) -> None:
        os.write(self.master, keys.encode())

    def wait(self, wanted: Callable[[str], bool]) -> str:
        """Wait until `wanted` is true for the text of the screen, and return the text."""
        end = time.monotonic() + PATIENCE
        while not wanted(self.text):
            if time.monotonic() > end:
                raise AssertionError(f"waited in vain:\n{self.text}")
            if self.process.poll() is not None and not select([self.master], [], [], 0)[0]:
                raise AssertionError(f"the program has ended:\n{self.text}")
            self._read(0.2)
        return self.text

    def answer(self, question: str, keys: str) -> None:
        """Press the keys as soon as the question is on the screen."""
        self.wait(lambda text: question in text)
        self.press(keys)

    def choose(self, choice: str) -> None:
        """Wait for the menu with that choice, and press the choice's number."""
        shown = self.wait(lambda text: _choices(text).count(choice) == 1)
        self.press(str(1 + _choices(shown).index(choice)))

    def settle(self) -> str:
        """Wait until the screen is drawn completely, and return its text."""
        end = time.monotonic() + PATIENCE
        while self._read(0.02) or not self.written.endswith(_END_OF_DRAWING):
            assert time.monotonic() < end, self.text
        return self.text

    def end(self) -> int:
        """Wait for the end of the program, read all its output, and return the exit code."""
        end = time.monotonic() + PATIENCE
        while self.process.poll() is None:
            assert time.monotonic() < end, self.text
            self._read(0.1)
        while self._read(0):
            pass
        return self.process.returncode

    def _read(self, seconds: float) -> bool:
        if not select([self.master], [], [], seconds)[0]:
            return False
        data = os.read(self.master, 65536)
        self.written += data
        # pyte mistakes the private sequence for extended keys for a text attribute.
        self._stream.feed(data.replace(b"\x1b[>4;0m", b"").replace(b"\x1b[>4;2m", b""))
        return True

    @property
    def restored(self) -> bool:
        """True if the program has left the terminal as it was: its modes, screen and mouse."""
        modes = termios.tcgetattr(self.slave)
        raw = self.written
        left = raw.rfind(b"\x1b[?1049l") > raw.rfind(b"\x1b[?1049h")
        mouse = raw.rfind(b"\x1b[?1000l") >= raw.rfind(b"\x1b[?1000h")  # both -1 without a mouse
        return bool(modes[:4] == self.before[:4] and left and mouse)

    def close(self) -> None:
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        os.close(self.master)
        os.close(self.slave)


def _choices(text: str) -> list[str]:
    """Return the choices of the menu on the screen: the rows around the marked one."""
    rows = [row.strip() for row in text.splitlines()]
    marked = next((place for place, row in enumerate(rows) if row.startswith("▶ ")), None)
    if marked is None:
        return []
    blanks = [place for place, row in enumerate(rows) if not row]
    first = max((place for place in blanks if place < marked), default=-1) + 1
    behind = min((place for place in blanks if place > marked), default=len(rows))
    return [row.removeprefix("▶ ") for row in rows[first:behind]]

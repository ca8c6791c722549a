"""Fixtures of the command line: programs on pseudo-terminals, and a fresh log."""

import logging
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.client.cli.pty_terminal import Terminal


@pytest.fixture
def open_terminal(tmp_path: Path) -> Iterator[Callable[..., "Terminal"]]:
    """Return a function that starts a command on a terminal, by default `sobremesa play`.

    The settings have quick opponents and no bell.
    """
    # Not every system has pseudo-terminals.
    from tests.client.cli.pty_terminal import COMMAND, Terminal  # noqa: PLC0415

    opened: list[Terminal] = []
    (tmp_path / "settings.toml").write_text('pace = "at once"\nlevel = "easy"\nbell = false\n')
    (tmp_path / "settings.toml").chmod(0o600)
    tmp_path.chmod(0o700)

    def open_one(*arguments: str) -> Terminal:
        opened.append(Terminal(tmp_path, *(arguments or (COMMAND, "play"))))
        return opened[-1]

    yield open_one
    for terminal in opened:
        terminal.close()


@pytest.fixture
def own_log() -> Iterator[None]:
    """Begin without captured warnings, and restore the root logger after the test."""
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    hooks = sys.unraisablehook, threading.excepthook
    factory = logging.getLogRecordFactory()
    logging.captureWarnings(False)  # another test may have left the capture on
    yield
    logging.setLogRecordFactory(factory)
    sys.unraisablehook, threading.excepthook = hooks
    for handler in root.handlers[:]:
        if handler not in handlers:
            root.removeHandler(handler)
            handler.close()
    logging.captureWarnings(False)
    root.setLevel(level)

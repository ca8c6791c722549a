"""The screen of a replay in a real pseudo-terminal, ended from outside."""

import signal
from collections.abc import Callable
from pathlib import Path

import pytest

from client.session.ending_signals import EXIT_INTERRUPTED
from tests.client.cli.test_solo_pty import COMMAND, Terminal, open_terminal
from tests.protocol.played import played

__all__ = ["open_terminal"]


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_a_signal_leaves_the_terminal_as_it_was(
    open_terminal: Callable[..., Terminal], tmp_path: Path, number: signal.Signals
) -> None:
    record = tmp_path / "match.sobremesa"
    record.write_bytes(played("canasta", 2).record())
    terminal = open_terminal(COMMAND, "replay", str(record))
    terminal.wait(lambda text: "q leave" in text)
    terminal.process.send_signal(number)
    assert terminal.end() == EXIT_INTERRUPTED
    assert terminal.restored

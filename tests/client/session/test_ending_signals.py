"""Signals that end the program."""

import signal
import sys

import pytest

from client.session.ending_signals import answered


@pytest.mark.skipif(sys.platform == "win32", reason="raises signals of POSIX")
@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM", "SIGHUP", "SIGBREAK"])
def test_every_ending_signal_of_the_system_has_a_handler(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """SIGBREAK exists only on Windows. Here SIGUSR1 stands for it."""
    if name == "SIGBREAK":
        monkeypatch.setattr(signal, name, signal.SIGUSR1, raising=False)
    number = getattr(signal, name)
    before = signal.getsignal(number)
    answers: list[str] = []
    with answered(lambda: answers.append(name)):
        assert signal.getsignal(number) != before
        signal.raise_signal(number)
    assert answers == [name]
    assert signal.getsignal(number) == before

"""A prompt_toolkit application that runs alone, and all its ways to end."""

import signal

import pytest

from client.session.ending_signals import Interrupted
from client.ui.tui.terminal.exit_and_suspend import continued
from client.ui.tui.terminal.run_alone import run_alone
from tests.client.ui.tui.terminal.little_application import Terminal, little_application


def test_run_alone_returns_the_result_of_the_application(terminal: Terminal) -> None:
    terminal[0].send_text("q")
    assert run_alone(little_application()) == "quit"


def test_run_alone_raises_the_error_of_a_key(terminal: Terminal) -> None:
    terminal[0].send_text("b")
    with pytest.raises(ZeroDivisionError, match="broken"):
        run_alone(little_application())


def test_a_lost_terminal_interrupts_run_alone(terminal: Terminal) -> None:
    terminal[0].close()
    with pytest.raises(Interrupted, match="gone"):
        run_alone(little_application())


@pytest.mark.parametrize("number", ["SIGINT", "SIGTERM", "SIGHUP"])
def test_a_signal_interrupts_run_alone_and_its_handler_is_restored(
    number: str, terminal: Terminal
) -> None:
    if not hasattr(signal, number):
        pytest.skip("this system has no such signal")
    before = signal.getsignal(getattr(signal, number))
    app = little_application()
    shown: list[str] = []

    def end(_app: object) -> None:
        shown.append(terminal[1].text)
        signal.raise_signal(getattr(signal, number))

    app.after_render += end
    with pytest.raises(Interrupted):
        run_alone(app)
    assert "hello" in shown[0]
    assert signal.getsignal(getattr(signal, number)) == before


@pytest.mark.skipif(not hasattr(signal, "SIGCONT"), reason="Windows cannot suspend a process")
def test_run_alone_notes_when_the_process_is_resumed(terminal: Terminal) -> None:
    continued.clear()
    before = signal.getsignal(signal.SIGCONT)
    app = little_application()

    def go_on(_app: object) -> None:
        signal.raise_signal(signal.SIGCONT)
        terminal[0].send_text("q")

    app.after_render += go_on
    run_alone(app)
    assert continued.is_set()
    assert signal.getsignal(signal.SIGCONT) == before

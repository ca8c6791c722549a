"""A replay ended by a signal, and the screens of `play` suspended, in a real pseudo-terminal."""

import signal
from collections.abc import Callable
from pathlib import Path

from client.session.ending_signals import EXIT_INTERRUPTED
from tests.client.cli.pty_terminal import COMMAND, Terminal
from tests.protocol.played import played


def test_a_replay_ended_by_a_signal_leaves_the_terminal_as_it_was(
    open_terminal: Callable[..., Terminal], tmp_path: Path
) -> None:
    record = tmp_path / "match.sobremesa"
    record.write_bytes(played("canasta", 2).record())
    terminal = open_terminal(COMMAND, "replay", str(record))
    terminal.wait(lambda text: "q leave" in text)
    terminal.process.send_signal(signal.SIGHUP)
    assert terminal.end() == EXIT_INTERRUPTED
    assert terminal.restored


def test_ctrl_z_returns_to_the_shell_from_every_screen(
    open_terminal: Callable[..., Terminal],
) -> None:
    """The screens are a menu, a typed line, and a text to read."""
    terminal = open_terminal("bash", "--norc", "--noprofile", "-i")
    terminal.press(f"{COMMAND} play\r")
    set_aside_and_back(terminal, "Play now")
    terminal.choose("Rules")
    terminal.wait(lambda text: "Which game?" in text)
    for keys, wanted in (("1", "Search"), ("1", "Rules about what?")):
        terminal.press(keys)
        terminal.wait(lambda text, wanted=wanted: wanted in text)  # type: ignore[misc]
    set_aside_and_back(terminal, "Rules about what?")
    terminal.press("pile\r")
    set_aside_and_back(terminal, "Esc goes back")
    terminal.press("\x1b")
    terminal.answer("Search", "\x1b")
    terminal.wait(lambda text: "Play now" in text)
    leave_the_shell(terminal)


def set_aside_and_back(terminal: Terminal, seen: str) -> None:
    """Suspend the program when `seen` is on the screen, and resume it."""
    terminal.wait(lambda text: seen in text)
    before = terminal.written.count(b"Stopped")
    terminal.press("\x1a")
    terminal.wait(lambda _: terminal.written.count(b"Stopped") > before)
    terminal.screen.reset()
    terminal.press("fg\r")
    terminal.wait(lambda text: seen in text)


def leave_the_shell(terminal: Terminal) -> None:
    """End the program, and type `exit` to the shell only after the program has left the screen.

    Before that, the program would take this input.
    """
    left = terminal.written.count(b"\x1b[?1049l")
    terminal.press("q")
    terminal.wait(lambda _: terminal.written.count(b"\x1b[?1049l") > left)
    terminal.press("exit\r")
    assert terminal.end() == 0

"""The installed command in a real pseudo-terminal: welcome, signals, suspending, and lines."""

import os
import signal
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.client.cli.pty_terminal import COMMAND, Terminal, termios
from tests.patience import PATIENCE

fcntl = pytest.importorskip("fcntl")


def test_a_signal_leaves_the_terminal_as_it_was(open_terminal: Callable[..., Terminal]) -> None:
    terminal = open_terminal(COMMAND, "solo", "--players", "2")
    terminal.wait(_has_begun)
    terminal.process.send_signal(signal.SIGTERM)
    assert terminal.end() == 0
    assert terminal.restored
    assert b"nothing is lost" in terminal.written


def test_a_table_survives_a_resize_and_ctrl_z(open_terminal: Callable[..., Terminal]) -> None:
    terminal = open_terminal("bash", "--norc", "--noprofile", "-i")
    terminal.press(f"{COMMAND} solo --players 2 --seed 4\r")
    terminal.wait(_is_ones_turn)
    terminal.screen.resize(30, 120)
    termios.tcsetwinsize(terminal.slave, (30, 120))  # the kernel sends SIGWINCH
    terminal.wait(lambda text: any(line.find("Log") > 70 for line in text.splitlines()))
    terminal.settle()
    terminal.press("\x1a")
    terminal.wait(lambda _: b"Stopped" in terminal.written)
    terminal.screen.reset()
    terminal.screen.resize(20, 60)
    termios.tcsetwinsize(terminal.slave, (20, 60))  # while it is stopped
    terminal.press("fg\r")
    terminal.wait(lambda text: any(line.startswith("── Log ") for line in text.splitlines()))
    terminal.wait(_is_ones_turn)
    # The terminal is in raw mode again: it passes keys one by one, and echoes nothing.
    assert not termios.tcgetattr(terminal.slave)[3] & (termios.ICANON | termios.ECHO)
    before = terminal.settle()
    terminal.press(before.splitlines()[-1].strip()[0])  # the first key that the footer names
    terminal.wait(lambda text: text != before)
    terminal.press("\x03\x03")
    terminal.wait(lambda _: b"nothing is lost" in terminal.written)
    terminal.press("exit\r")
    assert terminal.end() == 0


def _has_begun(text: str) -> bool:
    """Return True if the deal has begun; on a busy machine it may already be over."""
    return "shuffles and locks" in text or "cut the deck" in text or _is_ones_turn(text)


def _is_ones_turn(text: str) -> bool:
    return "Your turn" in text or "You are to cut" in text


def test_a_lost_terminal_ends_the_program(open_terminal: Callable[..., Terminal]) -> None:
    terminal = open_terminal(COMMAND, "solo", "--players", "2")
    terminal.wait(_has_begun)
    os.close(terminal.master)
    terminal.master = os.open(os.devnull, os.O_RDWR)
    assert terminal.process.wait(PATIENCE) == 2  # its last sentence cannot be written


def test_the_linear_mode_plays_by_typed_lines(tmp_path: Path) -> None:
    """The first discard has been made when the next one is asked for."""
    words = [COMMAND, "solo", "--linear", "--players", "2"]
    environment = os.environ | {"SOBREMESA_HOME": str(tmp_path), "LC_ALL": "C.UTF-8"}
    tmp_path.chmod(0o700)
    pipe = subprocess.PIPE
    with subprocess.Popen(words, stdin=pipe, stdout=pipe, env=environment) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        written, discards = b"", 0
        while discards < 2:
            data = os.read(process.stdout.fileno(), 4096)
            assert data, written.decode()
            written += data
            if written.endswith(b"> "):
                answer = _answer(written.decode())
                discards += answer.startswith("discard")
                process.stdin.write(answer.encode())
                process.stdin.flush()
        left, _ = process.communicate(b"quit\n", PATIENCE)
    assert process.returncode == 0
    assert b"\x1b" not in written
    assert b"sobremesa solo --continue" in left


def _answer(written: str) -> str:
    """Return the line to type next: cut, draw, or discard the first card."""
    prompt = written.rsplit("\n", 1)[-1]
    if "discard" not in prompt:
        return "cut\n" if "cut" in prompt else "draw\n"
    hand = written.rsplit("Your hand, ", 1)[-1].split(": ", 1)[1]
    first = hand.split()[0].rstrip(".")
    suits = {"♠": "s", "♥": "h", "♦": "d", "♣": "c"}
    return f"discard {first[:-1]}{suits.get(first[-1], first[-1])}\n"


def test_a_first_time_player_is_welcomed_named_and_taught(
    open_terminal: Callable[..., Terminal], tmp_path: Path
) -> None:
    settings = tmp_path / "settings.toml"
    settings.unlink()
    terminal = open_terminal()
    terminal.wait(lambda text: "Welcome to Sobremesa" in text and "Look around" in text)
    terminal.press("\x1b")
    terminal.answer("Host a table", "q")
    assert terminal.end() == 0
    assert not settings.exists(), "settings were saved before anything was chosen"
    again = open_terminal()
    again.answer("against opponents on this machine", "\r")
    again.answer("Your name at the table", "\x15Dora\r")
    again.answer("Learn Canasta", "\r")
    again.answer("── Step 1 of", "d")
    again.answer("── Step 2 of", "\x03\x03")
    again.answer("Play now", "q")
    assert again.end() == 0
    assert 'name = "Dora"' in settings.read_text("utf-8")
    assert (tmp_path / "lessons" / "canasta").read_text() == "1\n"

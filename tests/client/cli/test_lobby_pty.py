"""Two installed commands in real pseudo-terminals, from the first screen to one table."""

import os
import re
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.client.cli.pty_terminal import COMMAND, Terminal
from tests.patience import PATIENCE

ENTER_SCREEN, LEAVE_SCREEN = b"\x1b[?1049h", b"\x1b[?1049l"
WORDS = re.compile(r"\w+ {3}\w+ {3}\w+ {3}\w+")


@contextmanager
def terminal_of(folder: Path, name: str, *arguments: str) -> Iterator[Terminal]:
    """Return a terminal of a person with that name."""
    local = folder / name
    local.mkdir(mode=0o700)
    settings = local / "settings.toml"
    settings.write_text(f'name = "{name}"\nbell = false\n')
    settings.chmod(0o600)
    terminal = Terminal(local, *arguments)
    try:
        yield terminal
    finally:
        terminal.close()


def join_again(folder: Path, name: str) -> subprocess.CompletedProcess[str]:
    """Start a second process with the same identity."""
    environment = os.environ | {"SOBREMESA_HOME": f"{folder / name}", "LC_ALL": "C.UTF-8"}
    return subprocess.run(
        [COMMAND, "join", "127.0.0.1:9"],
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE,
    )


def test_two_people_meet_in_the_lobby_and_begin_a_match(tmp_path: Path) -> None:
    with terminal_of(tmp_path, "Ana", COMMAND, "play") as ana:
        ana.choose("Host a table")
        ana.answer("Which game?", "\r")
        ana.answer("House rules", "2")
        ana.answer("How many play?", "1")
        ana.answer("Players: 2", "1")
        lobby = ana.wait(lambda text: "Waiting for 1 more player." in text)
        port = re.findall(r"sobremesa join \S+:(\d+)", lobby)[0]
        again = join_again(tmp_path, "Ana")
        assert again.returncode == 2
        assert "already running" in again.stderr
        assert "Traceback" not in again.stderr
        with terminal_of(tmp_path, "Bruno", COMMAND, "join", f"127.0.0.1:{port}") as bruno:
            bruno.wait(lambda text: "You have knocked" in text)
            ana.wait(lambda text: "Bruno" in text and "knocks" in text)
            ana.press("l")
            bruno.answer("All are here", "r")
            ana.wait(lambda text: re.search(r"Bruno +ready", text) is not None)
            ana.press("r")
            words = [
                WORDS.search(terminal.wait(lambda text: WORDS.search(text) is not None))
                for terminal in (ana, bruno)
            ]
            assert words[0] is not None
            assert words[1] is not None
            assert words[0].group() == words[1].group()
            for terminal in (ana, bruno):
                terminal.press("\r")
                terminal.wait(lambda text: "Log" in text)
            bruno.press("\x03\x03")
            assert bruno.end() == 0
            assert bruno.restored
            assert b"sobremesa resume" in bruno.written
            assert bruno.written.count(ENTER_SCREEN) == 1, "the screen has flickered"
        ana.press("\x03\x03")
        ana.answer("Continue a table", "q")
        assert ana.end() == 0
        assert ana.restored
        assert ana.written.count(ENTER_SCREEN) == ana.written.count(LEAVE_SCREEN) == 1

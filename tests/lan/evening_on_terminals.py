"""An evening on terminals: `python -m tests.lan.evening_on_terminals`.

The players know only the screen. Three real programs sit at a table on the loopback, two of them on
terminals. The third disappears. The people at the terminals press the keys that the screen offers,
until they play on with an opponent in the empty seat. To say what they would like, they press two
keys: one for the page, and one for the wish. The exit code is 1 if the people do not get that far.
"""

import os
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack, closing
from pathlib import Path

from attrs import define, field

from p2p.storage.data_path import HOME_VARIABLE
from p2p.storage.private_files import make_private
from tests.client.cli.pty_terminal import COMMAND, Terminal
from tests.patience import PATIENCE

GRACE_SECONDS = 10
TOLD_SECONDS = 2.0
"""The seconds after Carla's death within which the screens must tell of it."""

LOOK_SECONDS = 1.0
"""The seconds for which a person looks at the effect of a key before pressing another."""

_Rules = Sequence[tuple[str, str]]
"""Texts on the screen, each with the key that a person presses, or "" to press nothing.

The first text that is on the screen counts.
"""

WAITING: _Rules = ()
TO_THE_TABLE: _Rules = (
    ("e let everybody in", "e"),
    ("All are here: say that you are ready.", "r"),
    ("The table's words", "\x1b"),
    ("c cut", "c"),
)
PLAYING: _Rules = (
    ("Enter next round", "\r"),
    ("c cut", "c"),
    ("d draw", "d"),
    ("Your turn: meld, or discard", "h"),
)
TO_LEAD: _Rules = (
    ("an opponent of this program takes the seat of Carla (your", ""),
    ("an opponent of this program takes the seat of Carla", "o"),
    ("w what can be done", "w"),
)
TO_JOIN: _Rules = (
    ("join what Ana proposes (your", ""),
    ("join what Ana proposes", "j"),
    ("w what can be done", "w"),
)


class NotReached(Exception):
    """Raised, with the people's screens, if a step of the evening is not reached in time."""


@define
class Person:
    """A person at a terminal, who presses the keys that the screen offers."""

    terminal: Terminal
    pressed: list[str] = field(factory=list)
    _pressed_at: float = 0.0

    def sees(self, text: str) -> bool:
        """Return True if the text is on the terminal now; frames and ends of lines do not count."""
        self.terminal._read(0.05)
        return text in " ".join(self.terminal.text.replace("│", " ").split())

    def look(self, rules: _Rules) -> None:
        """Press the key of the first rule whose text is on the screen.

        No key is pressed until `LOOK_SECONDS` after the last one.
        """
        key = next((key for text, key in rules if self.sees(text)), "")
        if key and time.monotonic() >= self._pressed_at + LOOK_SECONDS:
            self._pressed_at = time.monotonic()
            self.pressed.append(key)
            self.terminal.press(key)


def until(done: Callable[[], bool], *people: tuple[Person, _Rules]) -> float:
    """Let people press keys until `done` is true; return the seconds. Raises NotReached."""
    begun = time.monotonic()
    while not done():
        if time.monotonic() > begun + PATIENCE:
            raise NotReached("\n".join(person.terminal.text for person, _rules in people))
        for person, rules in people:
            person.look(rules)
    return time.monotonic() - begun


def evening(folder: Path, cleanup: ExitStack) -> None:
    """Play the evening, and print the time of each step. Raises NotReached."""
    homes = [make_private(folder / name) for name in ("ana", "bruno", "carla")]
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        port: int = one.getsockname()[1]
    joining = (COMMAND, "join", f"127.0.0.1:{port}", "--name")

    def at_a_terminal(home: Path, *words: str) -> Person:
        return Person(cleanup.enter_context(closing(Terminal(home, *words))))

    table = ("--game", "canasta", "--players", "3", "--grace", f"{GRACE_SECONDS}")
    ana = at_a_terminal(homes[0], COMMAND, "host", *table, "--port", f"{port}", "--name", "Ana")
    until(lambda: ana.sees("Waiting for 2 more"))
    bruno = at_a_terminal(homes[1], *joining, "Bruno")
    carla = subprocess.Popen(
        [*joining, "Carla", "--autoplay"],
        env={**os.environ, HOME_VARIABLE: f"{homes[2]}"},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
    )
    cleanup.callback(carla.wait)
    cleanup.callback(carla.kill)
    until(lambda: ana.sees("“Bruno”") and ana.sees("“Carla”"), (bruno, WAITING))
    until(
        lambda: ana.sees("stock") and ana.sees("13 cards"),
        (ana, TO_THE_TABLE),
        (bruno, TO_THE_TABLE),
    )
    carla.kill()
    seconds = until(lambda: ana.sees("The machine of Carla cannot be reached."), (bruno, WAITING))
    print(f"told of the death after {seconds:.1f} s")
    if seconds > TOLD_SECONDS:
        raise NotReached(f"It took {seconds:.1f} s until the screen told of the death.")
    playing = (ana, PLAYING), (bruno, PLAYING)
    until(lambda: ana.sees("may decide how to go on"), *playing)
    for person in (ana, bruno):
        person.pressed.clear()
    until(lambda: bruno.sees("Ana proposes"), (ana, TO_LEAD), (bruno, WAITING))
    seconds = until(lambda: ana.sees("Robot Ada plays on in that seat"), (bruno, TO_JOIN))
    print(f"went on {seconds:.1f} s after the proposal")
    if (ana.pressed, bruno.pressed) != (["w", "o"], ["w", "j"]):
        raise NotReached(f"Each wish should take two keys: {ana.pressed}, {bruno.pressed}")
    until(lambda: ana.sees("Robot Ada draws"), *playing)
    print("all three play on")


def main() -> int:
    """Play the evening; return 1 if the people do not get to its end."""
    with tempfile.TemporaryDirectory() as folder, ExitStack() as cleanup:
        try:
            evening(Path(folder), cleanup)
        except NotReached as error:
            print(error)
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())

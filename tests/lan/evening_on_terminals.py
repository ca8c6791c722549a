"""An evening on terminals: `python -m tests.lan.evening_on_terminals [--cast OUT]`.

The players know only the screen. Three real programs sit at a table on the loopback, two of them on
terminals. The third disappears. The people at the terminals press the keys that the screen offers,
until they play on with an opponent in the empty seat; a wish takes one key, after the key of its
page. With `--cast` the host's terminal is recorded for asciinema. The exit code is 1 if the people
do not get that far.
"""

import argparse
import codecs
import os
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from attrs import define, field
from prompt_toolkit.data_structures import Size

from p2p.storage.private_files import make_private
from tests.client.terminals import Emulator
from tests.lan.storm import COLUMNS, ROWS, Program, free_port, running
from tests.patience import PATIENCE
from tests.screenshots.asciicast import Recording

GRACE_SECONDS = 10
TOLD_SECONDS = 2.0
"""The seconds after Carla's death within which the screens must tell of it."""

LOOK_SECONDS = 1.0
"""The seconds for which a person looks at the effect of a key before pressing another."""

_Rule = tuple[str, str]
"""A text on the screen, and the key that a person presses when they see it."""

TO_THE_TABLE: Sequence[_Rule] = (
    ("e let everybody in", "e"),
    ("All are here: say that you are ready.", "r"),
    ("The table's words", "\x1b"),
    ("c cut", "c"),
)
PLAYING: Sequence[_Rule] = (
    ("Enter next round", "\r"),
    ("c cut", "c"),
    ("d draw", "d"),
    ("Your turn: meld, or discard", "h"),
)
TO_LEAD: Sequence[_Rule] = (
    ("an opponent of this program takes the seat of Carla (your", ""),
    ("an opponent of this program takes the seat of Carla", "o"),
    ("w what can be done", "w"),
)
TO_JOIN: Sequence[_Rule] = (
    ("join what Ana proposes (your", ""),
    ("join what Ana proposes", "j"),
    ("w what can be done", "w"),
)


class NotReached(Exception):
    """The error that a step of the evening was not reached in time, with the people's screens."""


@define
class Person:
    """A person at a terminal, who presses the keys that the screen offers."""

    program: Program
    recording: Recording = field(factory=lambda: Recording(Size(ROWS, COLUMNS), "An evening"))
    pressed: list[str] = field(factory=list)
    _emulator: Emulator = field(factory=lambda: Emulator(COLUMNS, ROWS))
    _decoder: codecs.IncrementalDecoder = field(
        factory=lambda: codecs.getincrementaldecoder("utf-8")("replace")
    )
    _read: int = 0
    _begun: float = field(factory=time.monotonic)
    _pressed_at: float = 0.0

    @property
    def screen(self) -> str:
        """Return the words that are on the terminal now, in one line, without frames."""
        self.program.listen(0.05)
        new, self._read = self.program.said[self._read :], len(self.program.said)
        text = self._decoder.decode(new)
        if text:
            self._emulator.write(text)
            self.recording.events.append((time.monotonic() - self._begun, text))
        return " ".join(self._emulator.text.replace("│", " ").split())

    def look(self, rules: Sequence[_Rule]) -> None:
        """Press the key of the first rule whose text is on the screen.

        No key is pressed until `LOOK_SECONDS` after the last one.
        """
        screen, now = self.screen, time.monotonic()
        key = next((key for text, key in rules if text in screen), "")
        if key and now >= self._pressed_at + LOOK_SECONDS:
            self._pressed_at = now
            self.pressed.append(key)
            os.write(self.program.reads, key.encode())


def until(
    done: Callable[[], bool], people: Sequence[tuple[Person, Sequence[_Rule]]], what: str
) -> float:
    """Let people press keys until `done` is true; return the seconds. Raises NotReached."""
    begun = time.monotonic()
    while not done():
        if time.monotonic() > begun + PATIENCE:
            screens = "\n".join(person.screen for person, _rules in people)
            raise NotReached(f"{what}:\n{screens}")
        for person, rules in people:
            person.look(rules)
    return time.monotonic() - begun


def evening(folder: Path) -> Person:
    """Play the evening, print the time of each step, and return the host. Raises NotReached."""
    homes = [make_private(folder / name) for name in ("ana", "bruno", "carla")]
    place = f"127.0.0.1:{(port := free_port())}"
    grace = ("--grace", f"{GRACE_SECONDS}")
    table = ("--game", "canasta", "--players", "3", "--port", f"{port}", *grace)
    with running(homes[0], "host", *table, "--name", "Ana", terminal=True) as hosting:
        ana = Person(hosting)
        until(lambda: "Waiting for 2 more" in ana.screen, [(ana, ())], "the table is open")
        with (
            running(homes[1], "join", place, "--name", "Bruno", terminal=True) as joining,
            running(homes[2], "join", place, "--name", "Carla", "--autoplay") as third,
        ):
            bruno = Person(joining)

            def knocked() -> bool:
                return all(f"“{name}”" in ana.screen for name in ("Bruno", "Carla"))

            until(knocked, [(ana, ()), (bruno, ())], "both knock")
            both = [(ana, TO_THE_TABLE), (bruno, TO_THE_TABLE)]
            until(lambda: "stock" in ana.screen and "13 cards" in ana.screen, both, "it is dealt")
            third.process.kill()
            told = "The machine of Carla cannot be reached."
            seconds = until(lambda: told in ana.screen, [(ana, ()), (bruno, ())], "it is told")
            print(f"told of the death after {seconds:.1f} s")
            if seconds > TOLD_SECONDS:
                raise NotReached(f"It took {seconds:.1f} s until the screen told of the death.")
            playing = [(ana, PLAYING), (bruno, PLAYING)]
            until(lambda: "others may decide how to go on" in ana.screen, playing, "the grace ends")
            keys = len(ana.pressed), len(bruno.pressed)
            until(lambda: "Ana proposes" in bruno.screen, [(ana, TO_LEAD), (bruno, ())], "a wish")
            seated = "Robot Ada plays on in that seat"
            joined = [(ana, ()), (bruno, TO_JOIN)]
            seconds = until(lambda: seated in ana.screen, joined, "they join")
            print(f"went on {seconds:.1f} s after the proposal")
            pressed = ana.pressed[keys[0] :], bruno.pressed[keys[1] :]
            print(f"Ana pressed {' '.join(pressed[0])}, and Bruno {' '.join(pressed[1])}")
            if pressed != (["w", "o"], ["w", "j"]):
                raise NotReached("A wish took other keys than w for its page, and one more.")
            until(lambda: "Robot Ada draws" in ana.screen, playing, "they play on")
            print("all three play on")
    return ana


def main() -> int:
    """Play the evening; return 1 if the people do not get to its end."""
    arguments = argparse.ArgumentParser(prog="python -m tests.lan.evening_on_terminals")
    arguments.add_argument("--cast", type=Path, metavar="OUT", help="write a recording")
    chosen = arguments.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        try:
            ana = evening(Path(folder))
        except NotReached as error:
            print(error)
            return 1
    if chosen.cast is not None:
        chosen.cast.write_text(ana.recording.text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())

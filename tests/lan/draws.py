"""Draws at a table while strangers attack it: `python -m tests.lan.draws [NAME ..]`.

A person hosts a table of two with `--linear`, on a network of namespaces, and types a command now
and then. The time of a draw is the time from the command to the line with the card. Draws under
each attack are compared with draws without it; the exit code is 1 if those under an attack take
more than `MOST` times as long. Each attack is bounded in number and time.
"""

import sys
import time
from collections.abc import Callable
from functools import partial
from statistics import median

from attrs import define

from tests.lan.at_table import open_table, player_arguments
from tests.lan.attacks import beacons, crowd, knocks
from tests.lan.hosts import Host, Lan
from tests.lan.scenes import Scene, main
from tests.lan.strangers import HOSTILE
from tests.patience import PATIENCE

MOST = 1.5
"""The highest allowed ratio of the time of a draw under an attack to that without it."""
DRAWS = 8
"""The number of draws in each of four parts: without and under the attack, both twice."""
REST_SECONDS = 0.3
"""A pause before each command, in which all nodes finish the previous move."""
BEGIN_SECONDS = 5.0
"""Seconds for an attack to begin, or for its last connections to end."""

_DRAW, _DRAWN, _CUT = "Your turn: draw", "New:", "cut the deck>"

Attack = Callable[[Host, Host], list[str]]
"""A function of the host and the stranger, which returns the words of a stranger's act."""


@define
class Player:
    """A person at the table, who types."""

    host: Host
    read: int = 0
    """The length of the output to which the person has reacted."""

    def draws(self) -> list[float]:
        """Draw `DRAWS` times, and return the seconds of each draw."""
        seconds = []
        for _ in range(DRAWS):
            self._until(_DRAW, self._play_by_hints, REST_SECONDS)
            time.sleep(REST_SECONDS)
            begun = time.monotonic()
            self._type("draw")
            self._until(_DRAWN, lambda: None, 0.001)
            seconds.append(time.monotonic() - begun)
        return seconds

    def _until(self, text: str, act: Callable[[], None], pause: float) -> None:
        """Act again and again until the text is in the new output."""
        deadline = time.monotonic() + PATIENCE
        while not self._is_said(text):
            assert time.monotonic() < deadline, self.host.said[-1000:]
            act()
            time.sleep(pause)

    def _play_by_hints(self) -> None:
        if self._is_said(_CUT):
            self._type("cut")
        elif self._is_said(_DRAWN) or self._is_said("discard>"):
            self._type("hint")

    def _is_said(self, text: str) -> bool:
        return text in self.host.said[self.read :]

    def _type(self, line: str) -> None:
        self.read = len(self.host.said)
        self.host.type(line)


def watchers(host: Host, stranger: Host) -> list[str]:
    """Return the words of the act that begins and stops watching, from nine addresses."""
    return ["watchers", *knocks(host, stranger)[1:]]


def measured(attack: Attack, network: Lan) -> str:
    """Play a while, half of the time under the attack."""
    host, guest, stranger = network.hosts
    rules = ("--option", "target=100000", "--open", "--spectators")
    open_table(host, "canasta", *rules, by_hand=True)
    guest.start("join", host.address, *player_arguments(guest))
    host.wait_for("All are here")
    host.type("ready")
    words, player = attack(host, stranger), Player(host)
    quiet: list[float] = []
    attacked: list[float] = []
    for _ in range(2):
        quiet += player.draws()
        stranger.start_program(*HOSTILE, *words)
        time.sleep(BEGIN_SECONDS)
        attacked += player.draws()
        stranger.kill()
        time.sleep(BEGIN_SECONDS)
    usual, under_attack = 1000 * median(quiet), 1000 * median(attacked)
    times = under_attack / usual
    result = f"{usual:.0f} ms, under the attack {under_attack:.0f} ms, {times:.2f} times as long"
    assert times <= MOST, result
    return result


SCENES = {one.__name__: Scene(partial(measured, one)) for one in (beacons, crowd, knocks, watchers)}


if __name__ == "__main__":
    sys.exit(main("tests.lan.draws", SCENES, __doc__))

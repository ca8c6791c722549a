"""Draws at a table while strangers attack it: `python -m tests.lan.draws [NAME ..]`.

A person hosts a table of two with `--linear`, on a network of namespaces, and types a command now
and then. The time of a draw is the time from the command to the line with the card. Draws under
each attack are compared with draws without it; the exit code is 1 if those under an attack take
more than `MOST` times as long. Each attack is bounded in number and time.
"""

import argparse
import os
import sys
import time
from collections.abc import Callable
from statistics import median

from attrs import define, field

from tests.lan.at_table import TABLE, player_arguments
from tests.lan.attacks import CROWDS, NINE, machines, take
from tests.lan.hosts import DEVICE, Host, ip, why_no_lan
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


@define
class Player:
    """A person at the table, who types."""

    host: Host
    read: int = 0
    """The length of the output to which the person has reacted."""

    def draws(self, number: int) -> list[float]:
        """Draw `number` times, and return the seconds of each draw."""
        seconds = []
        for _ in range(number):
            self._await_turn()
            seconds.append(self._draw())
        return seconds

    def _draw(self) -> float:
        begun = time.monotonic()
        self._type("draw")
        self._until(_DRAWN)
        return time.monotonic() - begun

    def _await_turn(self) -> None:
        """Play by hints until it is the player's turn to draw."""
        deadline = time.monotonic() + PATIENCE
        while not self._is_said(_DRAW):
            assert time.monotonic() < deadline, self.host.said[-1000:]
            if self._is_said(_CUT):
                self._type("cut")
            elif self._is_said(_DRAWN) or self._is_said("discard>"):
                self._type("hint")
            time.sleep(REST_SECONDS)
        time.sleep(REST_SECONDS)

    def _is_said(self, text: str) -> bool:
        return text in self.host.said[self.read :]

    def _type(self, line: str) -> None:
        self.read = len(self.host.said)
        self.host.type(line)

    def _until(self, text: str) -> None:
        deadline = time.monotonic() + PATIENCE
        while not self._is_said(text):
            assert time.monotonic() < deadline, self.host.said[-1000:]
            time.sleep(0.001)


@define
class Figures:
    """Seconds of draws without an attack and under it."""

    quiet: list[float] = field(factory=list)
    attacked: list[float] = field(factory=list)

    @property
    def ratio(self) -> float:
        return median(self.attacked) / median(self.quiet)

    def __str__(self) -> str:
        quiet, attacked = (1000 * median(one) for one in (self.quiet, self.attacked))
        return (
            f"medians: {quiet:.0f} ms of {len(self.quiet)} quiet draws, {attacked:.0f} ms of "
            f"{len(self.attacked)} draws under the attack, {self.ratio:.2f} times as long"
        )


def beacons(host: Host, stranger: Host) -> list[str]:
    """Forge 120 beacons a second that name the host's address."""
    return ["beacons", stranger.address, host.address]


def crowd(host: Host, stranger: Host) -> list[str]:
    """Make a thousand connections a second from 900 addresses."""
    ip("-n", host.namespace, "addr", "add", "10.88.0.1/16", "dev", DEVICE)
    sources = [f"10.88.{1 + number // 250}.{1 + number % 250}" for number in range(900)]
    take(stranger, sources, 16)
    return ["crowd", "1000", *(f"{one}=10.88.0.1" for one in sources)]


def knocks(host: Host, stranger: Host) -> list[str]:
    """Ask for a seat again and again from nine addresses."""
    take(stranger, NINE, 24)
    return ["knocks", *(f"{one}={host.address}" for one in NINE)]


def watchers(host: Host, stranger: Host) -> list[str]:
    """Begin and stop watching again and again from nine addresses."""
    return ["watchers", *knocks(host, stranger)[1:]]


ATTACKS: dict[str, Callable[[Host, Host], list[str]]] = {
    one.__name__: one for one in (beacons, crowd, knocks, watchers)
}


def measured(attack: Callable[[Host, Host], list[str]]) -> Figures:
    """Play a while, half of the time under the attack."""
    figures = Figures()
    with machines(3, delay=0.0) as network:
        host, guest, stranger = network.hosts
        table = ("--game", "canasta", "--players", "2", "--table", TABLE)
        rules = ("--option", "target=100000", "--open", "--spectators")
        host.start("host", *table, *rules, "--linear", "--name", "Ana", typed=True)
        host.wait_for("is open", PATIENCE)
        guest.start("join", host.address, *player_arguments(guest))
        host.wait_for("All are here", PATIENCE)
        host.type("ready")
        words = attack(host, stranger)
        player = Player(host)
        for _ in range(2):
            figures.quiet += player.draws(DRAWS)
            stranger.start_program(*CROWDS, *words)
            time.sleep(BEGIN_SECONDS)
            figures.attacked += player.draws(DRAWS)
            stranger.kill()
            time.sleep(BEGIN_SECONDS)
    return figures


def main() -> int:
    """Measure under each attack; return 1 if draws took too long under any of them."""
    arguments = argparse.ArgumentParser(prog="python -m tests.lan.draws")
    arguments.add_argument("attack", nargs="*", metavar="NAME", help=", ".join(ATTACKS))
    chosen = arguments.parse_args().attack or list(ATTACKS)
    if (reason := why_no_lan()) is not None:
        print(reason)
        return 2
    slow = False
    for name in chosen:
        figures = measured(ATTACKS[name])
        slow |= figures.ratio > MOST
        told = "SLOW" if figures.ratio > MOST else "held"
        print(f"{name}: {told}; {figures} (load {os.getloadavg()[0]:.1f})", flush=True)
    return 1 if slow else 0


if __name__ == "__main__":
    sys.exit(main())

"""Whole rounds on bad networks and on machines that die: `python -m tests.lan.soak`.

They take too long for the daily tests. Each scenario prints one line. With `--minutes M` all faults
come at once, table after table, for M minutes.
"""

import argparse
import random
import signal
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from tests.lan.at_table import (
    check_records,
    come_back,
    sit_down,
    take_seat,
    tell_the_end,
    until_played_on,
)
from tests.lan.faulty_matches import play_matches
from tests.lan.hosts import Host, Lan, NoLan, lan, until, why_no_lan

Scenario = Callable[[Lan, str, random.Random], str]

LEAST_DEATHS = 3
"""Fewest deaths with which the scenario shows anything."""


def calm(network: Lan, game: str, _rng: random.Random) -> str:
    """Play without a fault."""
    sit_down(network, game)
    network.wait()
    return ""


def bad_air(network: Lan, game: str, _rng: random.Random) -> str:
    """Lose 5 % of all frames and delay all by 100 to 150 ms, those of mDNS included."""
    switch = network.switch
    assert switch is not None
    switch.loss, switch.delay, switch.jitter = 0.05, 0.1, 0.05
    sit_down(network, game)
    network.wait()
    return f"{switch.lost} of {switch.frames} frames lost"


def parted(network: Lan, game: str, rng: random.Random) -> str:
    """Split the LAN into two halves for 20 s in the middle of the round."""
    switch = network.switch
    assert switch is not None
    sit_down(network, game)
    time.sleep(rng.uniform(1, 4))
    numbers = list(range(len(network.hosts)))
    rng.shuffle(numbers)
    half = len(numbers) // 2
    switch.apart = (frozenset(numbers[:half]), frozenset(numbers[half:]))
    time.sleep(20)
    switch.apart = ()
    network.wait()
    return f"{[sorted(group) for group in (numbers[:half], numbers[half:])]} were apart"


def moved(network: Lan, game: str, rng: random.Random) -> str:
    """Give a machine another address in the middle of the round, for good."""
    sit_down(network, game, rounds=2)
    time.sleep(rng.uniform(1, 4))
    mover = rng.choice(network.hosts)
    began = time.monotonic()
    assert all(host.running for host in network.hosts)
    mover.take_address(f"10.77.0.{100 + mover.number}")
    until_played_on(network, mover)
    stood_still = time.monotonic() - began
    network.wait()
    return f"machine {mover.number} moved; it played on after {stood_still:.0f} s"


def away(network: Lan, game: str, rng: random.Random) -> str:
    """Take a machine off the network for a minute in the middle of the round."""
    sit_down(network, game, rounds=2)
    time.sleep(rng.uniform(1, 4))
    absent = rng.choice(network.hosts)
    assert all(host.running for host in network.hosts)
    absent.set_link(up=False)
    time.sleep(60)
    absent.set_link(up=True)
    began = time.monotonic()
    until_played_on(network, absent)
    stood_still = time.monotonic() - began
    network.wait()
    return f"machine {absent.number} was away; it played on after {stood_still:.0f} s more"


def dying(network: Lan, game: str, rng: random.Random) -> str:
    """Kill a random machine with SIGKILL every few seconds and start it again, for two rounds."""
    sit_down(network, game, rounds=2)
    deaths = 0
    had: dict[int, int] = {}
    while all(host.running for host in network.hosts):
        time.sleep(rng.uniform(0.5, 3))
        victim = rng.choice(network.hosts)
        # On a slow machine all would otherwise be killed again before they have come back.
        is_back = victim.entries > had.get(victim.number, 0)
        if not victim.running or victim.records() or not (is_back or rng.random() < 0.1):
            continue
        had[victim.number] = victim.entries
        victim.kill()
        time.sleep(rng.uniform(0, 2))
        come_back(victim)
        deaths += 1
    network.wait()
    late = sum(not host.records() for host in network.hosts)
    if late:
        tell_the_end(network)
    assert deaths >= LEAST_DEATHS, f"only {deaths} deaths"
    return f"{deaths} deaths, {late} came too late for the end and were told it"


def leaving(network: Lan, game: str, rng: random.Random) -> str:
    """Let one player leave for good; after the grace an opponent takes the seat."""
    if len(network.hosts) == 2:
        return "two cannot agree on the absence of one"
    sit_down(
        network, game, rounds=4, waiting=("--if-absent", "opponent"), hosting=("--grace", "10")
    )  # with fewer rounds the interrupted one could be the last, as it may count as it lies
    time.sleep(rng.uniform(1, 3))
    gone = network.hosts.pop()
    gone.kill()
    network.wait()
    assert all("Robot" in host.said for host in network.hosts)
    return "a seat was taken by an opponent"


def replaced(network: Lan, game: str, rng: random.Random) -> str:
    """Let one player leave for good; after the grace a newcomer takes the seat."""
    newcomer = network.hosts.pop()
    if len(network.hosts) == 2:
        network.hosts.clear()
        return "two cannot agree on the absence of one"
    sit_down(
        network, game, rounds=4, waiting=("--if-absent", "person"), hosting=("--grace", "10")
    )  # with fewer rounds the interrupted one could be the last, as it may count as it lies
    time.sleep(rng.uniform(1, 3))
    gone = network.hosts.pop()
    gone.kill()
    until_vacant(network.hosts[0])
    take_seat(newcomer, network.hosts[0])
    newcomer.wait_for("You are invited", 60)
    network.hosts.append(newcomer)
    network.wait()
    return "a seat was taken by a person"


def until_vacant(host: Host) -> None:
    """Wait until the host announces that a seat can be taken over."""
    until(lambda: "begun" in host.run("tables", "--once"), 120, lambda: host.said)


SCENARIOS: dict[str, Scenario] = {
    "calm": calm,
    "bad_air": bad_air,
    "parted": parted,
    "moved": moved,
    "away": away,
    "dying": dying,
    "leaving": leaving,
    "replaced": replaced,
}

EXTRA_HOSTS = {"replaced": 1}

TABLES = (
    ("canastra", 2),
    ("kanastic", 2),
    ("kanastic", 3),
    ("kanastic", 4),
    ("canasta", 2),
    ("canasta", 4),
    ("canasta", 6),
)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.lan.soak", description=__doc__)
    parser.add_argument("scenarios", nargs="*", help=f"of {', '.join(SCENARIOS)}; default: all")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--game", choices=sorted({game for game, _ in TABLES}), help="only this one"
    )
    parser.add_argument("--players", type=int, help="only tables of so many")
    parser.add_argument("--minutes", type=float, metavar="M", help="all faults at once")
    arguments = parser.parse_args()
    reason = why_no_lan()
    if reason is not None:
        print(f"No LAN can be made here: {reason}.")
        return 2
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # so that blocks clean up
    if arguments.minutes is not None:
        try:
            return play_matches(arguments.minutes, arguments.seed)
        except NoLan as error:
            print(f"The machines cannot be made here: {error}.")
            return 2
    failed = 0
    for name in arguments.scenarios or SCENARIOS:
        for game, players in TABLES:
            if arguments.game in {None, game} and arguments.players in {None, players}:
                failed += not _holds(name, game, players, arguments.seed)
    return 1 if failed else 0


def _holds(name: str, game: str, players: int, seed: int) -> bool:
    """Play a scenario and print its result; return True if it was as it should be."""
    hosts = players + EXTRA_HOSTS.get(name, 0)
    rng = random.Random(f"{seed} {name} {game} {players}")
    began, holds = time.monotonic(), True
    with tempfile.TemporaryDirectory() as folder, lan(hosts, Path(folder)) as network:
        try:
            told = SCENARIOS[name](network, game, rng)
            if any(host.said for host in network.hosts):
                check_records(network)
        except AssertionError as error:
            told, holds = f"FAILED: {error}", False
    seconds = time.monotonic() - began
    print(f"{name:8} {game:8} {players} hosts {seconds:6.1f} s  {told}", flush=True)
    return holds


if __name__ == "__main__":
    sys.exit(main())

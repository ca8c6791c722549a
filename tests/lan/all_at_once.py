"""All faults at once, until the time is over: `python -m tests.lan.soak --minutes 60`.

One table after the other, of two to four machines. Frames are lost as long as they play, and every
few seconds something happens to a random machine. At the end of each match all records are sound
and the same.
"""

import random
import signal
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path

from p2p.storage.data_path import JOURNAL_FILE
from tests.lan.at_table import check_records, come_back, sit_down, tell_the_end
from tests.lan.hosts import Host, Lan, lan

LOSS = 0.03
TABLES = (("canastra", 2), ("kanastic", 3), ("canasta", 4), ("kanastic", 2), ("canasta", 3))

Fault = Callable[[Lan, Host, random.Random], None]


def death(_network: Lan, victim: Host, rng: random.Random) -> None:
    victim.kill()
    time.sleep(rng.uniform(0, 2))
    come_back(victim)


def death_without_the_log(_network: Lan, victim: Host, _rng: random.Random) -> None:
    victim.kill()
    for ending in ("-wal", "-shm"):
        (victim.home / f"{JOURNAL_FILE}{ending}").unlink(missing_ok=True)
    come_back(victim)


def sleep(_network: Lan, victim: Host, rng: random.Random) -> None:
    assert victim.process is not None
    victim.process.send_signal(signal.SIGSTOP)
    time.sleep(rng.uniform(1, 8))
    victim.process.send_signal(signal.SIGCONT)


def cable(_network: Lan, victim: Host, rng: random.Random) -> None:
    victim.set_link(up=False)
    time.sleep(rng.uniform(1, 8))
    victim.set_link(up=True)


def partition(network: Lan, victim: Host, rng: random.Random) -> None:
    assert network.switch is not None
    alone = frozenset({victim.number - 1})
    network.switch.apart = (alone, frozenset(range(len(network.hosts))) - alone)
    time.sleep(rng.uniform(1, 8))
    network.switch.apart = ()


def another_address(_network: Lan, victim: Host, rng: random.Random) -> None:
    victim.take_address(f"10.77.0.{rng.randrange(10, 250) // 10 * 10 + victim.number}")


FAULTS: Mapping[str, Fault] = {
    "deaths": death,
    "deaths without the log": death_without_the_log,
    "sleeps": sleep,
    "cables out": cable,
    "partitions": partition,
    "other addresses": another_address,
}


def storm(network: Lan, game: str, rng: random.Random, deadline: float) -> Counter[str]:
    """One match in bad weather, which ends at the deadline; how often each fault came."""
    assert network.switch is not None
    sit_down(network, game)
    network.switch.loss = LOSS
    came: Counter[str] = Counter()
    had: dict[int, int] = {}
    while time.monotonic() < deadline and all(host.running for host in network.hosts):
        time.sleep(rng.uniform(0.5, 4))
        victim = rng.choice(network.hosts)
        # On a slow machine the next fault would come before the last one is over.
        is_back = victim.entries > had.get(victim.number, -1)
        if not victim.running or victim.records() or not is_back:
            continue
        had[victim.number] = victim.entries
        name = rng.choice(tuple(FAULTS))
        FAULTS[name](network, victim, rng)
        came[name] += 1
    network.switch.loss = 0.0
    network.wait()
    if not all(host.records() for host in network.hosts):
        tell_the_end(network)
    check_records(network)
    return came


def storms(minutes: float, seed: int) -> int:
    """Storm after storm; 1 if anything was lost."""
    began = time.monotonic()
    deadline = began + minutes * 60
    came: Counter[str] = Counter()
    matches = failed = 0
    while time.monotonic() < deadline:
        game, players = TABLES[matches % len(TABLES)]
        rng = random.Random(f"{seed} {matches} storm")
        matches += 1
        at = time.monotonic()
        with tempfile.TemporaryDirectory() as folder, lan(players, Path(folder)) as network:
            try:
                faults = storm(network, game, rng, deadline)
                came += faults
                told = f"{faults.total()} faults, all records sound and the same"
            except AssertionError as error:
                failed += 1
                told = f"FAILED: {error}"
        seconds = time.monotonic() - at
        print(f"storm {matches}: {game} of {players}, {seconds:.0f} s, {told}", flush=True)
    spent = (time.monotonic() - began) / 60
    print(f"{spent:.1f} minutes, {matches} matches, {failed} failed; {dict(came)}")
    return 1 if failed else 0

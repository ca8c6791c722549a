"""Faults of a machine in the middle of a round of an evening, besides those of the soak."""

import os
import random
import shutil
import signal
import time
from collections.abc import Callable, Mapping
from functools import partial

from p2p.storage.data_path import JOURNAL_FILE
from tests.lan import soak_faults, strangers
from tests.lan.at_table import come_back, has_played_on
from tests.lan.disks import fill
from tests.lan.hosts import Host, Lan, until

FREED = 200_000
"""The bytes to free on a full disk, enough to go on."""

Fault = Callable[[Lan, Host], str]
"""A function that makes a fault on a machine at the table, and returns a note for the report.

The network also has a third machine, which does not sit at the table.
"""


def of_the_soak(fault: soak_faults.Fault, network: Lan, victim: Host) -> str:
    """Make a fault of the soak, with random numbers by which sleeps and cables last a minute."""
    table = Lan(network.hosts[:2], network.switch)
    return "" if fault(table, victim, random.Random(2)) else "the other player did not have it all"


def damaged_journal(_network: Lan, victim: Host) -> str:
    """Kill the program, and damage every fourth page of the journal except the first few."""
    victim.kill()
    journal = victim.home / JOURNAL_FILE
    data = bytearray(journal.read_bytes())
    pages = range(16, len(data) // 4096, 4)
    for page in pages:
        data[page * 4096 : (page + 1) * 4096] = bytes(4096)
    journal.write_bytes(data)
    come_back(victim)
    return f"{len(pages)} pages of {len(data) // 4096} were damaged"


def goodbye(network: Lan, victim: Host) -> str:
    """Let the machine's player leave with Ctrl-C, and come back."""
    assert victim.process is not None
    return _leave(network, victim, partial(victim.process.send_signal, signal.SIGINT))


def leaving(network: Lan, victim: Host) -> str:
    """Let the machine's player type `quit`, and come back."""
    play_by_lines(victim)
    return _leave(network, victim, partial(victim.type, "quit"))


def _leave(network: Lan, victim: Host, leave: Callable[[], None]) -> str:
    table = network.hosts[:2]
    other = next(host for host in table if host is not victim)
    read, left = len(other.said), f"Player {victim.number} has left the table"
    leave()
    heard = until(lambda: left in other.said[read:], 60, table)
    until(lambda: not victim.running, 10, [victim])
    come_back(victim)
    return f"the other player read of it after {heard:.1f} s"


def play_by_lines(host: Host, told: str = "Your hand") -> None:
    """Restart the program for a player who types lines, and wait until it prints `told`."""
    host.kill()
    host.start("resume", "--linear", typed=True)
    until(lambda: told in host.said_last, 60, [host])


def type_turn(host: Host) -> None:
    """Type commands for a turn: draw, and discard a card that is already in the hand."""
    hand = host.said.rpartition("Your hand, ")[2].partition(".")[0].split(": ")[-1].split()
    for line in ("draw", *(f"discard {card.rstrip('★')}" for card in hand[-6:])):
        host.type(line)
    time.sleep(1)


def copied_home(network: Lan, victim: Host) -> str:
    """Copy the machine's home to a third machine, and resume the table there as well.

    The victim types moves, so that the match is not over before the copy has started.
    """
    play_by_lines(victim)
    copy = network.hosts[2]
    ignored = shutil.ignore_patterns("lock", "lost+found")
    shutil.copytree(victim.home, copy.home, ignore=ignored)
    come_back(copy)
    sign = "with your key"
    until(lambda: sign in copy.said + victim.said, 120, [copy, victim])
    stopped = copy if sign in copy.said else victim
    until(lambda: not stopped.running, 30, [stopped])
    for machine in (copy, victim):
        machine.kill()
    come_back(victim)
    return f"{'the copy' if stopped is copy else 'the first one'} stopped and said so"


def full_disk(_network: Lan, victim: Host) -> str:
    """Fill the disk of the machine's home; then free 200 kB, and start the program again."""
    filling = fill(victim.home)
    seconds = until(lambda: not victim.running, 120, [victim])
    assert "make room" in victim.said.lower(), victim.said[-500:]
    os.truncate(filling, filling.stat().st_size - FREED)
    enough = victim.entries + 2
    come_back(victim)
    until(lambda: has_played_on(victim, enough), 120, [victim])
    filling.unlink()
    return f"it ended after {seconds:.0f} s, and went on with {FREED // 1000} kB more"


FAULTS: Mapping[str, Fault] = {
    "crash": partial(of_the_soak, soak_faults.death),
    "lost log": partial(of_the_soak, soak_faults.death_without_the_log),
    "damaged file": partial(of_the_soak, soak_faults.damaged_file),
    "files put back": partial(of_the_soak, soak_faults.files_put_back),
    "machine put back": partial(of_the_soak, soak_faults.machine_put_back),
    "cable out": partial(of_the_soak, soak_faults.cable),
    "asleep": partial(of_the_soak, soak_faults.sleep),
    "damaged journal": damaged_journal,
    "goodbye": goodbye,
    "quit": leaving,
    "copied home": copied_home,
    "full disk": full_disk,
    **strangers.FAULTS,
}

"""Mishaps of an evening, between real processes: `python -m tests.lan.fault_scenes`.

Most faults happen in the middle of a round, on a network of namespaces. The command prints after
how long each player played on, and which sentences they read meanwhile. At the end of each match
all records must be sound and the same.
"""

import os
import random
import shutil
import signal
import sys
import textwrap
import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial

from p2p.storage.data_path import JOURNAL_FILE
from tests.lan import going_on, soak_faults, strangers
from tests.lan.at_table import (
    TABLE,
    come_back,
    finish,
    has_played_on,
    open_table,
    play_by_lines,
    sit_down,
    type_turn,
    until_dealt,
)
from tests.lan.disks import fill, give_disk
from tests.lan.hosts import Host, Lan, ip, until
from tests.lan.scenes import Scene, main

GAME = "canastra"
ROUNDS = 2
"""The rounds of a match, enough for most faults to be over before the match is."""
DISK_BYTES = 8 << 20
LINES = 4
"""Number of lines that are printed from the end of each player's output."""
FREED = 200_000
"""The bytes to free on a full disk, enough to go on."""

Fault = Callable[[Lan, Host], str]
"""A function that makes a fault on a machine at the table, and returns a note for the report.

The network also has a third machine, which does not sit at the table.
"""


# -- faults of a machine in the middle of a round


def of_the_soak(fault: soak_faults.Fault, network: Lan, victim: Host) -> str:
    """Make a fault of the soak.

    With these random numbers, a machine sleeps or has no cable for a minute.
    """
    table = Lan(network.hosts[:2], network.switch)
    made = fault(table, victim, random.Random(2)) is not False
    return "" if made else "no files were lost, because the other player did not have all entries"


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


# -- scenes


def in_a_round(fault: Fault, network: Lan, victim: int) -> str:
    """Make the fault in the middle of a round; return the time until the victim played on."""
    table = Lan(network.hosts[:2], network.switch)
    hit = table.hosts[victim]
    give_disk(hit, DISK_BYTES)
    sit_down(table, GAME, rounds=ROUNDS)
    until_dealt(table.hosts)
    soak_faults.take_moment(hit)
    until_dealt(table.hosts, hit.entries + 6)
    read = {host.number: len(host.said) for host in table.hosts}
    began = time.monotonic()
    told = fault(network, hit)
    went_on = _until_all_play_on(table.hosts, began)
    for host in table.hosts:
        who = "hit" if host is hit else "other"
        print(f"  player {host.number} ({who}) went on after {went_on[host.number]:.1f} s")
        _print_last_lines(host, read[host.number])
    finish(table)
    return f"{went_on[hit.number]:.1f} s; {told}"


def _until_all_play_on(seated: Sequence[Host], began: float) -> dict[int, float]:
    """Return the seconds until each player has played on.

    Every deal needs all players, so without one of them the others can write only a few entries.
    """
    enough = {host.number: host.entries + 2 * len(seated) for host in seated}
    went_on: dict[int, float] = {}

    def have_all() -> bool:
        for host in seated:
            if host.number not in went_on and has_played_on(host, enough[host.number]):
                went_on[host.number] = time.monotonic() - began
        return len(went_on) == len(seated)

    until(have_all, 120, seated)
    return went_on


def dead_table(network: Lan) -> str:
    """Open a table whose host dies, and return how long others still see it."""
    host, guest = network.hosts[:2]
    open_table(host, GAME)
    until(lambda: TABLE in guest.run("tables", "--once"), 60, [host])
    host.kill()
    seconds = until(lambda: TABLE not in guest.run("tables", "--once"), 60, [host])
    return f"nobody saw the dead table any more after {seconds:.1f} s"


def wrong_address(network: Lan, victim: int) -> str:
    """Give a player a container bridge, with an address that nobody else can reach."""
    host = network.hosts[victim]
    ip("-n", host.namespace, "link", "add", "docker0", "type", "bridge")
    ip("-n", host.namespace, "addr", "add", "172.17.0.1/16", "dev", "docker0")
    ip("-n", host.namespace, "link", "set", "docker0", "up")
    table = Lan(network.hosts[:2], network.switch)
    began = time.monotonic()
    sit_down(table, GAME)
    seconds = time.monotonic() - began
    finish(table)
    return f"both sat at the table after {seconds:.1f} s"


def isolated(network: Lan, game: str, opponents: int, victim: int) -> str:
    """Unplug a machine: it must say that it is cut off, and offer no way to go on alone."""
    sit_down(network, game, rounds=ROUNDS, opponents=opponents)
    host = network.hosts[victim]
    until_dealt([host])
    play_by_lines(host)
    enough = host.entries + 2  # so many entries show that a typed turn was played

    def plays() -> bool:
        type_turn(host)
        return host.entries >= enough

    until(plays, 120, [host])
    read = len(host.said)
    host.set_link(up=False)

    def says_so() -> bool:
        type_turn(host)
        return "This machine is cut off" in host.said[read:]

    seconds = until(says_so, 120, [host])
    time.sleep(5)
    told = host.said[read:]
    assert "the rest of you may decide" not in told.lower(), told
    assert "More than half" not in told, told
    _print_last_lines(host, read)
    host.set_link(up=True)
    host.kill()
    come_back(host)
    _until_all_play_on(network.hosts, time.monotonic())
    finish(network)
    return f"it said so after {seconds:.1f} s"


def _print_last_lines(host: Host, read: int) -> None:
    """Print the newest lines of the output after the first `read` characters."""
    for line in [line for line in host.said[read:].splitlines() if line.strip()][-LINES:]:
        print(f"    player {host.number} read: {textwrap.shorten(line, 150)}")


OF_A_SEAT: Mapping[str, Callable[..., str]] = {
    "wrong address": wrong_address,
    "lying member": strangers.lying_member,
    "isolated": partial(isolated, game="kanastic", opponents=0),
    "isolated with an opponent": partial(isolated, game="canasta", opponents=1),
    **{name: partial(in_a_round, fault) for name, fault in FAULTS.items()},
}
"""Scenes that are played twice: once they happen to the host, and once to a guest."""

SCENES: Mapping[str, Scene] = {
    "dead table": Scene(dead_table),
    **{name: Scene(scene) for name, scene in strangers.SCENES.items()},
    **{name: Scene(scene, going_on.MACHINES) for name, scene in going_on.SCENES.items()},
    **{
        f"{name}, {'host' if victim == 0 else 'guest'}": Scene(partial(scene, victim=victim))
        for name, scene in OF_A_SEAT.items()
        for victim in (0, 1)
    },
}


if __name__ == "__main__":
    sys.exit(main("tests.lan.fault_scenes", SCENES, __doc__))

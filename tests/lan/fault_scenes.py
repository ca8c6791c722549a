"""Mishaps of an evening, between real processes: `python -m tests.lan.fault_scenes`.

Most faults happen in the middle of a round, on a network of namespaces. The command prints after
how long each player played on, and which sentences they read meanwhile, with a summary at the end.
At the end of each match all records must be sound and the same.
"""

import argparse
import os
import signal
import subprocess
import sys
import tempfile
import textwrap
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from tests.lan import going_on, strangers
from tests.lan.at_table import TABLE, check_records, come_back, has_played_on, sit_down
from tests.lan.disks import disks_in, give_disk
from tests.lan.hosts import Host, Lan, NoLan, ip, lan, until, why_no_lan
from tests.lan.scene_faults import FAULTS, Fault, full_disk, play_by_lines, type_turn

GAME = "canastra"
MACHINES = 3
ROUNDS = 2
"""The rounds of a match, enough for most faults to be over before the match is."""
SMALL_DISK = 4 << 20
LINES = 4
"""Number of lines that are printed from the end of each player's output."""


def in_the_middle(network: Lan, seated: Sequence[Host]) -> None:
    """Let the players sit down, and play until the first round has been dealt."""
    table = Lan(list(seated), network.switch)
    sit_down(table, GAME, rounds=ROUNDS)
    until(lambda: min(h.entries for h in seated) >= 24, 120, lambda: seated[0].said[-1500:])


def in_a_round(fault: Fault, network: Lan, victim: int) -> str:
    """Make the fault in the middle of a round; return the time until the victim played on."""
    seated = network.hosts[:2]
    hit = seated[victim]
    if fault is full_disk:
        give_disk(hit, SMALL_DISK)
    in_the_middle(network, seated)
    read = {host.number: len(host.said) for host in seated}
    began = time.monotonic()
    told = fault(network, hit)
    went_on = _until_all_play_on(seated, began)
    if told:
        print(f"  {told}")
    for host in seated:
        who = "hit" if host is hit else "other"
        print(f"  player {host.number} ({who}) went on after {went_on[host.number]:.1f} s")
        for line in _last_lines(host.said[read[host.number] :]):
            print(f"    player {host.number} read: {line}")
    finish(Lan(list(seated)))
    return f"{went_on[hit.number]:.1f} s"


def _until_all_play_on(seated: Sequence[Host], began: float) -> dict[int, float]:
    """Return the seconds until each player has played on (see `until_played_on`)."""
    enough = {host.number: host.entries + 2 * len(seated) for host in seated}
    went_on: dict[int, float] = {}

    def have_all() -> bool:
        for host in seated:
            if host.number not in went_on and has_played_on(host, enough[host.number]):
                went_on[host.number] = time.monotonic() - began
        return len(went_on) == len(seated)

    until(have_all, 120, lambda: "\n".join(host.said[-1500:] for host in seated))
    return went_on


def finish(table: Lan) -> None:
    """Let the table play to the end of the match; programs that have ended are started again."""
    table.wait()
    for host in table.hosts:
        if not host.records():
            come_back(host)
    table.wait()
    check_records(table)


def dead_table(network: Lan) -> str:
    """Open a table whose host dies, and return how long others still see it."""
    host, guest = network.hosts[:2]
    host.start("host", "--game", GAME, "--table", TABLE, "--autoplay", "--name", "Player 1")
    host.wait_for("is open", 120)
    until(lambda: TABLE in guest.run("tables", "--once"), 60, str)
    host.kill()
    began = time.monotonic()
    until(lambda: TABLE not in guest.run("tables", "--once"), 60, str)
    seconds = time.monotonic() - began
    print(f"  nobody saw the dead table any more after {seconds:.1f} s")
    return f"{seconds:.1f} s"


def wrong_address(network: Lan, victim: int) -> str:
    """Give a player a container bridge, with an address that nobody else can reach."""
    host = network.hosts[victim]
    ip("-n", host.namespace, "link", "add", "docker0", "type", "bridge")
    ip("-n", host.namespace, "addr", "add", "172.17.0.1/16", "dev", "docker0")
    ip("-n", host.namespace, "link", "set", "docker0", "up")
    table = Lan(network.hosts[:2])
    began = time.monotonic()
    sit_down(table, GAME)
    seconds = time.monotonic() - began
    print(f"  both sat at the table after {seconds:.1f} s")
    finish(table)
    return f"{seconds:.1f} s"


def isolated(network: Lan, game: str, opponents: int, victim: int) -> str:
    """Unplug a machine: it must say that it is cut off, and offer no way to go on alone."""
    sit_down(network, game, rounds=ROUNDS, opponents=opponents)
    host = network.hosts[victim]
    until(lambda: host.entries >= 24, 120, lambda: host.said[-1500:])
    play_by_lines(host)
    enough = host.entries + 2  # its player has typed a turn

    def plays() -> bool:
        type_turn(host)
        return host.entries >= enough

    until(plays, 120, lambda: host.said[-1500:])
    read, began = len(host.said), time.monotonic()
    host.set_link(up=False)

    def says_so() -> bool:
        type_turn(host)
        return "This machine is cut off" in host.said[read:]

    until(says_so, 120, lambda: host.said[read:])
    seconds = time.monotonic() - began
    time.sleep(5)
    told = host.said[read:]
    assert "the rest of you may decide" not in told.lower(), told
    assert "More than half" not in told, told
    for line in _last_lines(told):
        print(f"    player {host.number} read: {line}")
    host.set_link(up=True)
    host.kill()
    come_back(host)
    began = time.monotonic()
    _until_all_play_on(network.hosts, began)
    print(f"  all went on {time.monotonic() - began:.1f} s after the cable was in again")
    finish(network)
    return f"{seconds:.1f} s"


def _last_lines(said: str) -> list[str]:
    lines = [line for line in said.splitlines() if line.strip()]
    return [textwrap.shorten(line, 150) for line in lines[-LINES:]]


OF_A_SEAT: dict[str, Callable[..., str]] = {
    "wrong address": wrong_address,
    "lying member": strangers.lying_member,
    "isolated": partial(isolated, game="kanastic", opponents=0),
    "isolated with an opponent": partial(isolated, game="canasta", opponents=1),
    **{name: partial(in_a_round, fault) for name, fault in FAULTS.items()},
}
"""Scenes that are played twice: once they happen to the host, and once to a guest."""

EVENINGS: dict[str, Callable[[Lan], str]] = {
    "dead table": dead_table,
    **strangers.SCENES,
    **going_on.SCENES,
    **{
        f"{name}, {'host' if victim == 0 else 'guest'}": partial(scene, victim=victim)
        for name, scene in OF_A_SEAT.items()
        for victim in (0, 1)
    },
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Play the scenes; return 1 if somebody did not play on, or a record is not sound."""
    parser = argparse.ArgumentParser(prog="python -m tests.lan.fault_scenes", description=__doc__)
    parser.add_argument("evenings", nargs="*", help=f"some of: {'; '.join(EVENINGS)}")
    given = parser.parse_args(arguments)
    reason = why_no_lan()
    if reason is not None:
        print(f"No LAN can be made here: {reason}.")
        return 2
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # so that `with` blocks clean up
    results: dict[str, str] = {}
    for name in given.evenings or EVENINGS:
        print(f"{name}:", flush=True)
        with tempfile.TemporaryDirectory() as folder:
            machines = going_on.MACHINES if name in going_on.SCENES else MACHINES
            try:
                with disks_in(Path(folder)), lan(machines, Path(folder)) as network:
                    results[name] = EVENINGS[name](network)
            except NoLan as error:
                results[name] = f"left out: {error}"
            except (AssertionError, subprocess.TimeoutExpired) as error:
                results[name] = f"FAILED: {error}"
                print(f"  {results[name]}", flush=True)
    print()
    for name, result in results.items():
        print(f"{name:32} {textwrap.shorten(result, 60)}")
    load = " ".join(f"{one:.1f}" for one in os.getloadavg())
    failed = sum(result.startswith("FAILED") for result in results.values())
    print(f"{os.cpu_count()} cores, load of the last 1, 5, 15 minutes: {load}")
    print(f"{len(results)} evenings, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    raise SystemExit(main())

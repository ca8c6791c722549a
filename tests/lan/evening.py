"""What an evening brings, between real processes: `python -m tests.lan.evening`.

Each fault happens in the middle of a round on a network of namespaces. Lines tell after how long
each player played on, and what they read meanwhile, and a table at the end the same at a glance. At
the end of each match all records are sound and the same.
"""

import argparse
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import textwrap
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from p2p.discovery.interfaces import DEFAULT_PORT
from p2p.storage.data_path import JOURNAL_FILE
from tests.lan import strangers
from tests.lan.at_table import (
    TABLE,
    check_records,
    come_back,
    has_played_on,
    sit_down,
    until_played_on,
)
from tests.lan.disks import disks_in, fill, give_disk
from tests.lan.hosts import Host, Lan, NoLan, ip, lan, until, why_no_lan

GAME = "canastra"
ROUNDS = 2
"""So that most faults are over before the match is."""
FREED = 200_000
"""Bytes that are enough after a full disk."""
SMALL_DISK = 4 << 20
STRANGERS = 60
LINES = 4
"""Of what each has read, the last ones are printed."""

Fault = Callable[[Lan, Host], str]
"""Happens to a machine that sits at the table; a third machine in the network does not. What is
worth telling.
"""


def in_the_middle(network: Lan, seated: Sequence[Host]) -> None:
    """Sit down, and play until the round has been dealt."""
    table = Lan(list(seated), network.switch)
    sit_down(table, GAME, rounds=ROUNDS)
    until(lambda: min(h.entries for h in seated) >= 24, 120, lambda: seated[0].said[-1500:])


def crash(_network: Lan, victim: Host) -> str:
    """The program dies, and is started again."""
    victim.kill()
    come_back(victim)
    return ""


def lost_log(_network: Lan, victim: Host) -> str:
    """It dies, and a cleaner takes the log of its journal away."""
    victim.kill()
    lost = [victim.home / f"{JOURNAL_FILE}{ending}" for ending in ("-wal", "-shm")]
    size = sum(file.stat().st_size for file in lost if file.exists())
    for file in lost:
        file.unlink(missing_ok=True)
    come_back(victim)
    return f"{size} bytes were lost"


def flipped_bit(_network: Lan, victim: Host) -> str:
    """It dies, and one bit in the middle of its journal's log is not as it was written."""
    victim.kill()
    log = victim.home / f"{JOURNAL_FILE}-wal"
    data = bytearray(log.read_bytes())
    place = len(data) // 2
    data[place] ^= 1
    log.write_bytes(data)
    come_back(victim)
    return f"bit 0 of byte {place} of {len(data)}"


def files_put_back(_network: Lan, victim: Host) -> str:
    """Its journal and the log of it are put back as they were some entries ago."""
    copy = victim.home.with_name(f"{victim.home.name}-copy")
    copy.mkdir()
    had = victim.entries
    for file in victim.home.glob(f"{JOURNAL_FILE}*"):
        shutil.copy2(file, copy)
    until(lambda: victim.entries >= had + 12, 120, lambda: victim.said[-1500:])
    victim.kill()
    lost = victim.entries - had
    for file in victim.home.glob(f"{JOURNAL_FILE}*"):
        file.unlink()
    for file in copy.iterdir():
        shutil.copy2(file, victim.home)
    come_back(victim)
    return f"{lost} entries were gone"


def damaged_journal(_network: Lan, victim: Host) -> str:
    """It dies, and the disk has damaged every fourth page of the journal, but the first few."""
    victim.kill()
    journal = victim.home / JOURNAL_FILE
    data = bytearray(journal.read_bytes())
    pages = range(16, len(data) // 4096, 4)
    for page in pages:
        data[page * 4096 : (page + 1) * 4096] = bytes(4096)
    journal.write_bytes(data)
    come_back(victim)
    return f"{len(pages)} pages of {len(data) // 4096} were damaged"


def cable_out(_network: Lan, victim: Host) -> str:
    """Its cable is out for 15 s."""
    victim.set_link(up=False)
    time.sleep(15)
    victim.set_link(up=True)
    return ""


def asleep(_network: Lan, victim: Host) -> str:
    """It sleeps for 20 s."""
    assert victim.process is not None
    victim.process.send_signal(signal.SIGSTOP)
    time.sleep(20)
    victim.process.send_signal(signal.SIGCONT)
    return ""


def goodbye(network: Lan, victim: Host) -> str:
    """Its player leaves with Ctrl-C, and comes back."""
    assert victim.process is not None
    other = next(host for host in network.hosts[:2] if host is not victim)
    began, read = time.monotonic(), len(other.said)
    victim.process.send_signal(signal.SIGINT)
    victim.process.wait(10)
    ended = time.monotonic() - began
    left = f"Player {victim.number} has left the table"
    until(lambda: left in other.said[read:], 10, lambda: other.said[read:])
    heard = time.monotonic() - began
    come_back(victim)
    return f"it ended within {ended:.1f} s, the other read of it within {heard:.1f} s"


def leaving(network: Lan, victim: Host) -> str:
    """Its player types `quit`, and comes back."""
    other = next(host for host in network.hosts[:2] if host is not victim)
    _play_by_lines(victim)
    began, read = time.monotonic(), len(other.said)
    victim.type("quit")
    left = f"Player {victim.number} has left the table"
    until(lambda: left in other.said[read:], 60, lambda: other.said[read:] + victim.said[-500:])
    heard = time.monotonic() - began
    until(lambda: not victim.running, 60, lambda: victim.said[-500:])
    come_back(victim)
    return f"the other read of it within {heard:.1f} s"


def _play_by_lines(host: Host) -> None:
    """Nobody plays there any longer but who types lines."""
    host.kill()
    read = len(host.said)
    host.start("resume", "--linear", typed=True)
    until(lambda: "Your hand" in host.said[read:], 60, lambda: host.said[read:])


def port_scan(network: Lan, victim: Host) -> str:
    """A third machine opens silent connections, and keeps them for 5 s."""
    program = f"""
import socket, time
open_ones = [socket.create_connection(("{victim.address}", {DEFAULT_PORT}), 5)
             for _ in range({STRANGERS})]
time.sleep(5)
"""
    before = len(victim.said)
    network.hosts[2].call(sys.executable, "-c", program)
    read = victim.said[before:]
    assert "connection" not in read, read
    return f"{STRANGERS} silent connections"


def names_without_answers(network: Lan, victim: Host) -> str:
    """A third machine announces services that it does not tell more of; then somebody looks for
    tables.
    """
    program = f"""
import socket
packet = bytes.fromhex("{strangers.pointers(20).hex()}")
sender = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
sender.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, socket.inet_aton("{{}}"))
sender.bind(("{{}}", 5353))
for _ in range(3):
    sender.sendto(packet, ("224.0.0.251", 5353))
""".format(network.hosts[2].address, network.hosts[2].address)
    network.hosts[2].call(sys.executable, "-c", program)
    began = time.monotonic()
    victim.run("tables", "--once")
    seconds = time.monotonic() - began
    assert seconds < 15, f"tables --once took {seconds:.1f} s"
    return f"`tables --once` took {seconds:.1f} s"


def copied_home(network: Lan, victim: Host) -> str:
    """Its home is copied to a third machine, and the table resumed there as well."""
    copy = network.hosts[2]
    shutil.copytree(victim.home, copy.home, ignore=shutil.ignore_patterns("lock"))
    come_back(copy)
    sign = "with your key"
    until(lambda: sign in copy.said + victim.said, 120, lambda: f"{copy.said} {victim.said[-500:]}")
    stopped, goes_on = (copy, victim) if sign in copy.said else (victim, copy)
    until(lambda: not stopped.running, 30, lambda: stopped.said[-500:])
    if goes_on is copy:
        copy.kill()
        come_back(victim)
    return f"{'the copy' if stopped is copy else 'the first one'} stopped and said so"


def full_disk(_network: Lan, victim: Host) -> str:
    """The disk of its home gets full; then 200 kB are freed, and it is started again."""
    began = time.monotonic()
    filling = fill(victim.home)
    until(lambda: not victim.running, 120, lambda: victim.said[-500:])
    seconds = time.monotonic() - began
    assert "make room" in victim.said.lower(), victim.said[-500:]
    os.truncate(filling, filling.stat().st_size - FREED)
    come_back(victim)
    until_played_on(Lan([victim]), victim)
    filling.unlink()
    return f"it ended after {seconds:.0f} s, and went on with {FREED // 1000} kB more"


FAULTS: dict[str, Fault] = {
    "crash": crash,
    "lost log": lost_log,
    "flipped bit": flipped_bit,
    "files put back": files_put_back,
    "damaged journal": damaged_journal,
    "cable out": cable_out,
    "asleep": asleep,
    "goodbye": goodbye,
    "quit": leaving,
    "port scan": port_scan,
    "names without answers": names_without_answers,
    "copied home": copied_home,
    "full disk": full_disk,
    **strangers.FAULTS,
}


def in_a_round(fault: Fault, network: Lan, victim: int) -> str:
    """The fault in the middle of a round; after how long the victim played on."""
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
    """After how many seconds each one's record has gone further than without the others."""
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
    """To the end of the match; who has ended before it is started again."""
    table.wait()
    for host in table.hosts:
        if not host.records():
            come_back(host)
    table.wait()
    check_records(table)


def dead_table(network: Lan) -> str:
    """A table is open, and its host dies: how long others still see it."""
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
    """One has a bridge of containers with an address that nobody else can reach."""
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


def _type_a_turn(host: Host) -> None:
    """Wherever their turn is, it ends, or comes to where others must show a card."""
    hand = host.said.rpartition("Your hand, ")[2].partition(".")[0].split(": ")[-1].split()
    for line in ("draw", *(f"discard {card.rstrip('★')}" for card in hand[-6:])):
        host.type(line)
    time.sleep(1)


def isolated(network: Lan, game: str, opponents: int, victim: int) -> str:
    """The cable of one of three machines is out: it blames nobody, and offers no agreement."""
    sit_down(network, game, rounds=ROUNDS, opponents=opponents)
    host = network.hosts[victim]
    until(lambda: host.entries >= 24, 120, lambda: host.said[-1500:])
    _play_by_lines(host)
    enough = host.entries + 2  # it knows where the game is, and has heard all

    def plays() -> bool:
        _type_a_turn(host)
        return host.entries >= enough

    until(plays, 120, lambda: host.said[-1500:])
    read, began = len(host.said), time.monotonic()
    host.set_link(up=False)

    def says_so() -> bool:
        _type_a_turn(host)
        return "This machine is cut off" in host.said[read:]

    until(says_so, 120, lambda: host.said[read:])
    seconds = time.monotonic() - began
    time.sleep(5)
    told = host.said[read:]
    assert "you others may agree" not in told.lower(), told
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
"""Scenes in which something happens to the host, or to a guest."""

EVENINGS: dict[str, Callable[[Lan], str]] = {
    "dead table": dead_table,
    **strangers.SCENES,
    **{
        f"{name}, {'host' if victim == 0 else 'guest'}": partial(scene, victim=victim)
        for name, scene in OF_A_SEAT.items()
        for victim in (0, 1)
    },
}


def main(arguments: Sequence[str] | None = None) -> int:
    """1 if somebody did not go on, or a record is not as it should be."""
    parser = argparse.ArgumentParser(prog="python -m tests.lan.evening", description=__doc__)
    parser.add_argument("evenings", nargs="*", help=f"of {'; '.join(EVENINGS)}; default: all")
    given = parser.parse_args(arguments)
    reason = why_no_lan()
    if reason is not None:
        print(f"No LAN can be made here: {reason}.")
        return 2
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # and clean up
    results: dict[str, str] = {}
    for name in given.evenings or EVENINGS:
        print(f"{name}:", flush=True)
        with tempfile.TemporaryDirectory() as folder:
            try:
                with disks_in(Path(folder)), lan(3, Path(folder)) as network:
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

"""Faults of a machine in the middle of a round of an evening."""

import os
import shutil
import signal
import sys
import time
from collections.abc import Callable

from p2p.discovery.interfaces import DEFAULT_PORT
from p2p.storage.data_path import JOURNAL_FILE
from tests.lan import strangers
from tests.lan.at_table import come_back, until_played_on
from tests.lan.disks import fill
from tests.lan.hosts import Host, Lan, until

FREED = 200_000
"""The bytes to free on a full disk, enough to go on."""
STRANGERS = 60
"""The number of silent connections that a port scan opens."""

Fault = Callable[[Lan, Host], str]
"""A function that makes a fault on a machine at the table, and returns a note for the report.

The network also has a third machine, which does not sit at the table.
"""


def crash(_network: Lan, victim: Host) -> str:
    """Kill the program, and start it again."""
    victim.kill()
    come_back(victim)
    return ""


def lost_log(_network: Lan, victim: Host) -> str:
    """Kill the program and delete the log of its journal, as a cleaning program may do."""
    victim.kill()
    lost = [victim.home / f"{JOURNAL_FILE}{ending}" for ending in ("-wal", "-shm")]
    size = sum(file.stat().st_size for file in lost if file.exists())
    for file in lost:
        file.unlink(missing_ok=True)
    come_back(victim)
    return f"{size} bytes were lost"


def flipped_bit(_network: Lan, victim: Host) -> str:
    """Kill the program, and flip one bit in the middle of its journal's log."""
    victim.kill()
    log = victim.home / f"{JOURNAL_FILE}-wal"
    data = bytearray(log.read_bytes())
    place = len(data) // 2
    data[place] ^= 1
    log.write_bytes(data)
    come_back(victim)
    return f"bit 0 of byte {place} of {len(data)}"


def files_put_back(_network: Lan, victim: Host) -> str:
    """Restore the machine's journal and its log as they were some entries ago."""
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


def cable_out(_network: Lan, victim: Host) -> str:
    """Unplug the machine's cable for 15 s."""
    victim.set_link(up=False)
    time.sleep(15)
    victim.set_link(up=True)
    return ""


def asleep(_network: Lan, victim: Host) -> str:
    """Let the machine sleep for 20 s."""
    assert victim.process is not None
    victim.process.send_signal(signal.SIGSTOP)
    time.sleep(20)
    victim.process.send_signal(signal.SIGCONT)
    return ""


def goodbye(network: Lan, victim: Host) -> str:
    """Let the machine's player leave with Ctrl-C, and come back."""
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
    return f"the program ended after {ended:.1f} s; the other player read of it after {heard:.1f} s"


def leaving(network: Lan, victim: Host) -> str:
    """Let the machine's player type `quit`, and come back."""
    other = next(host for host in network.hosts[:2] if host is not victim)
    play_by_lines(victim)
    began, read = time.monotonic(), len(other.said)
    victim.type("quit")
    left = f"Player {victim.number} has left the table"
    until(lambda: left in other.said[read:], 60, lambda: other.said[read:] + victim.said[-500:])
    heard = time.monotonic() - began
    until(lambda: not victim.running, 60, lambda: victim.said[-500:])
    come_back(victim)
    return f"the other player read of it after {heard:.1f} s"


def play_by_lines(host: Host, told: str = "Your hand") -> None:
    """Restart the program for a player who types lines, and wait until it prints `told`."""
    host.kill()
    read = len(host.said)
    host.start("resume", "--linear", typed=True)
    until(lambda: told in host.said[read:], 60, lambda: host.said[read:])


def type_turn(host: Host) -> None:
    """Type commands for a turn: draw, and discard a card that is already in the hand."""
    hand = host.said.rpartition("Your hand, ")[2].partition(".")[0].split(": ")[-1].split()
    for line in ("draw", *(f"discard {card.rstrip('★')}" for card in hand[-6:])):
        host.type(line)
    time.sleep(1)


def port_scan(network: Lan, victim: Host) -> str:
    """Open silent connections from a third machine, and keep them for 5 s."""
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
    """Let the machine list tables while a third one announces services, but answers no question."""
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
    """Copy the machine's home to a third machine, and resume the table there as well.

    The victim types moves, so that the match is not over before the copy has started.
    """
    play_by_lines(victim)
    copy = network.hosts[2]
    shutil.copytree(victim.home, copy.home, ignore=shutil.ignore_patterns("lock"))
    come_back(copy)
    sign = "with your key"
    until(lambda: sign in copy.said + victim.said, 120, lambda: f"{copy.said} {victim.said[-500:]}")
    stopped = copy if sign in copy.said else victim
    until(lambda: not stopped.running, 30, lambda: stopped.said[-500:])
    for machine in (copy, victim):
        machine.kill()
    come_back(victim)
    return f"{'the copy' if stopped is copy else 'the first one'} stopped and said so"


def full_disk(_network: Lan, victim: Host) -> str:
    """Fill the disk of the machine's home; then free 200 kB, and start the program again."""
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

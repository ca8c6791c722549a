"""Scenes of `tests.lan.fault_scenes` in which a third machine is a hostile stranger.

That machine runs the acts of `tests.lan.hostile`.
"""

import struct
import sys
import time
from collections.abc import Callable

from p2p.discovery.beacon import SERVICE
from p2p.storage.identity import Identity
from p2p.storage.private_files import make_private
from tests.lan.at_table import (
    TABLE,
    check_records,
    come_back,
    finish,
    open_table,
    player_arguments,
    sit_down,
    until_dealt,
)
from tests.lan.at_table import WORDS as ALL_SIT
from tests.lan.calls import acquaint
from tests.lan.hostile import GOODBYES, WORDS
from tests.lan.hosts import DEVICE, Host, Lan, ip, until

HOSTILE = (sys.executable, "-m", "tests.lan.hostile")


def other_network(network: Lan, victim: Host) -> str:
    """Move the third machine to another network, and let it call from there."""
    stranger = network.hosts[2]
    stranger.take_address("10.99.0.3")
    for host, there in ((stranger, "10.77.0.0/24"), (victim, "10.99.0.0/24")):
        ip("-n", host.namespace, "route", "add", there, "dev", DEVICE)
    told = stranger.run("join", victim.address, "--autoplay")
    assert "takes no calls from other networks" in told, told
    return f"the caller read: {told.splitlines()[-1]}"


def archive_links(network: Lan, victim: Host) -> str:
    """Let a former player of a table that is over open links for that table, and hold them 5 s."""
    member = network.hosts[2]
    identity = Identity.load_or_create(make_private(member.home))
    victim.kill()
    table = acquaint(victim.home, identity)
    come_back(victim)
    member.start_program(*HOSTILE, "links", victim.address, table.hex())
    member.wait_for(" links\n", 300)
    return member.said.strip()


def hostile_goodbyes(network: Lan) -> str:
    """Let a guest call a host who says goodbye in chosen words, none of which may be shown."""
    guest, stranger = network.hosts[1:]
    stranger.start_program(*HOSTILE, "goodbyes")
    stranger.wait_for("listens")
    for number in range(len(GOODBYES)):
        told = guest.run("join", stranger.address, "--autoplay")
        assert not any(word in told for word in (WORDS, "curl", "Traceback")), told
        print(f"  {number + 1}. guest read: {told.splitlines()[-1]}")
    return f"{len(GOODBYES)} goodbyes were told"


def forged_tables(network: Lan) -> str:
    """Let a stranger copy beacons, announce that tables are gone, and invent others."""
    host, guest, stranger = network.hosts
    stranger.start_program(*HOSTILE, "forges", stranger.address)

    def listed() -> bool:
        told = guest.run("tables", "--once")
        assert "AAA" not in told, told
        return TABLE in told

    open_table(host, "canastra")
    stranger.wait_for("has announced")
    seconds = until(listed, 120, network.hosts)
    return f"listed after {seconds:.1f} s; {_sits_and_plays(network, guest)}"


def made_up_guests(network: Lan) -> str:
    """Let a stranger take the seat and never be ready, until the host sends them away."""
    host, guest, stranger = network.hosts
    open_table(host, "canastra")
    stranger.start("join", TABLE, "--linear", "--name", "Nobody", typed=True)
    stranger.wait_for("Nobody")
    seconds = until(lambda: not stranger.running, 400, network.hosts)
    print(f"  the stranger read: {stranger.said.splitlines()[-1]}")
    return f"sent away after {seconds:.1f} s; {_sits_and_plays(network, guest)}"


def _sits_and_plays(network: Lan, guest: Host) -> str:
    """Let the guest join the first host, and both play to the end of the match."""
    guest.start("join", TABLE, *player_arguments(guest))
    seconds = until(lambda: ALL_SIT in guest.said, 120, network.hosts)
    finish(Lan(network.hosts[:2], network.switch))
    return f"the guest sat {seconds:.1f} s after their call"


def equivocation(network: Lan) -> str:
    """Let a member sign two moves for one place; the others go on without that member.

    They may go on from a place before both moves (spec/record.md, 6.7), so the record need not
    contain both moves.
    """
    honest, cheat = network.hosts[:2], network.hosts[2]
    cheats = {cheat.number: (*HOSTILE, "equivocates")}
    sit_down(network, "kanastic", rounds=2, programs=cheats, waiting=("--if-absent", "opponent"))
    told = f"Player {cheat.number} has signed what exposes them"
    seconds = until(lambda: all(told in host.said for host in honest), 120, honest)
    until(lambda: all(host.records() for host in honest), 240, honest)
    check_records(honest)
    audited = honest[0].run("audit", f"{honest[0].records()[-1]}")
    assert f"to go on without Player {cheat.number}" in audited, audited
    return f"all told {seconds:.1f} s after they had sat down"


def lying_member(network: Lan, victim: int) -> str:
    """Let a member claim that others' records are longer; then one of the others is restarted."""
    hit, liar = network.hosts[victim], network.hosts[2]
    sit_down(network, "kanastic", rounds=2, programs={liar.number: (*HOSTILE, "lies")})
    until_dealt([hit])
    hit.kill()
    enough = hit.entries + 6
    come_back(hit)
    seconds = until(lambda: hit.entries >= enough, 120, network.hosts)
    network.wait()
    check_records(network.hosts)
    return f"player {hit.number} went on after {seconds:.1f} s"


def names_without_answers(network: Lan, victim: Host) -> str:
    """Let the machine list tables while a third one announces services, but answers no question."""
    address = network.hosts[2].address
    program = f"""
import socket
sender = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
sender.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, socket.inet_aton("{address}"))
sender.bind(("{address}", 5353))
for _ in range(3):
    sender.sendto(bytes.fromhex("{_pointers(20).hex()}"), ("224.0.0.251", 5353))
"""
    network.hosts[2].call(sys.executable, "-c", program)
    began = time.monotonic()
    victim.run("tables", "--once")
    seconds = time.monotonic() - began
    assert seconds < 15, f"tables --once took {seconds:.1f} s"
    return f"`tables --once` took {seconds:.1f} s"


def _pointers(count: int) -> bytes:
    """Return an mDNS response (RFC 6762, 18) with `count` names of our service."""
    service = _labels(SERVICE)
    records = (
        service + struct.pack(">HHIH", 12, 1, 4500, len(name)) + name
        for name in (_labels(f"ghost-{number}.{SERVICE}") for number in range(count))
    )
    return struct.pack(">6H", 0, 0x8400, 0, count, 0, 0) + b"".join(records)


def _labels(name: str) -> bytes:
    parts = name.rstrip(".").split(".")
    return b"".join(bytes([len(part)]) + part.encode() for part in parts) + b"\0"


SCENES: dict[str, Callable[[Lan], str]] = {
    "hostile goodbyes": hostile_goodbyes,
    "forged tables": forged_tables,
    "made-up guests": made_up_guests,
    "equivocation": equivocation,
}

FAULTS: dict[str, Callable[[Lan, Host], str]] = {
    "other network": other_network,
    "archive links": archive_links,
    "names without answers": names_without_answers,
}

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
from tests.lan.at_table import TABLE, check_records, come_back, player_arguments, sit_down
from tests.lan.flood import acquaint
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
    stranger.wait_for("listens", 60)
    seconds = 0.0
    for number in range(len(GOODBYES)):
        began = time.monotonic()
        told = guest.run("join", stranger.address, "--autoplay")
        seconds = max(seconds, time.monotonic() - began)
        assert not any(word in told for word in (WORDS, "curl", "Traceback")), told
        print(f"  {number + 1}. guest read: {told.splitlines()[-1]}")
    return f"{len(GOODBYES)} goodbyes, each told within {seconds:.1f} s"


def forged_tables(network: Lan) -> str:
    """Let a stranger copy beacons, announce that tables are gone, and invent others."""
    host, guest, stranger = network.hosts
    stranger.start_program(*HOSTILE, "forges", stranger.address)
    sits: dict[str, float] = {}

    def listed() -> bool:
        told = guest.run("tables", "--once")
        assert "AAA" not in told, told
        return TABLE in told

    host.start("host", "--game", "canastra", "--table", TABLE, *player_arguments(host))
    host.wait_for("is open", 120)
    stranger.wait_for("has announced", 120)
    began = time.monotonic()
    until(listed, 120, lambda: guest.run("tables", "--once"))
    sits["listed"] = time.monotonic() - began
    guest.start("join", TABLE, *player_arguments(guest))
    guest.wait_for("The table's words", 120)
    sits["seated"] = time.monotonic() - began
    told = ", ".join(f"{what} after {seconds:.1f} s" for what, seconds in sits.items())
    print(f"  {told}")
    table = Lan([host, guest])
    table.wait()
    check_records(table)
    return told


def made_up_guests(network: Lan) -> str:
    """Let a stranger take the seat and never be ready, until the host sends them away."""
    host, guest, stranger = network.hosts
    host.start("host", "--game", "canastra", "--table", TABLE, *player_arguments(host))
    host.wait_for("is open", 120)
    began = time.monotonic()
    stranger.start("join", TABLE, "--linear", "--name", "Nobody", typed=True)
    stranger.wait_for("Nobody", 60)
    until(lambda: not stranger.running, 400, lambda: _ends(network.hosts))
    sent_away = time.monotonic() - began
    print(f"  the stranger read: {stranger.said.splitlines()[-1]}")
    guest.start("join", TABLE, *player_arguments(guest))
    guest.wait_for("The table's words", 120)
    seconds = time.monotonic() - began
    print(f"  the stranger was sent away after {sent_away:.1f} s, the guest sat at {seconds:.1f} s")
    table = Lan([host, guest])
    table.wait()
    check_records(table)
    return f"{seconds:.1f} s"


def equivocation(network: Lan) -> str:
    """Let a member sign two moves for one place; the others go on without that member.

    They may go on from a place before both moves (spec/record.md, 6.7), so the record need not
    contain both moves.
    """
    honest, cheat = network.hosts[:2], network.hosts[2]
    cheats = {cheat.number: (*HOSTILE, "equivocates")}
    sit_down(network, "kanastic", rounds=2, programs=cheats, waiting=("--if-absent", "opponent"))
    began = time.monotonic()
    told = f"Player {cheat.number} has signed what exposes them"
    until(lambda: all(told in host.said for host in honest), 120, lambda: _ends(honest))
    seconds = time.monotonic() - began
    until(lambda: all(host.records() for host in honest), 240, lambda: _ends(honest))
    check_records(Lan(honest))
    audited = honest[0].run("audit", f"{honest[0].records()[-1]}")
    assert f"to go on without Player {cheat.number}" in audited, audited
    return f"all told {seconds:.1f} s after they had sat down"


def lying_member(network: Lan, victim: int) -> str:
    """Let a member claim that others' records are longer; then one of the others is restarted."""
    hit, liar = network.hosts[victim], network.hosts[2]
    sit_down(network, "kanastic", rounds=2, programs={liar.number: (*HOSTILE, "lies")})
    until(lambda: hit.entries >= 24, 120, lambda: hit.said[-1500:])
    hit.kill()
    enough = hit.entries + 6
    began = time.monotonic()
    come_back(hit)
    until(lambda: hit.entries >= enough, 120, lambda: _ends(network.hosts))
    seconds = time.monotonic() - began
    print(f"  player {hit.number} went on after {seconds:.1f} s")
    network.wait()
    check_records(network)
    return f"{seconds:.1f} s"


def pointers(count: int) -> bytes:
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


def _ends(hosts: list[Host]) -> str:
    return "\n".join(host.said[-1000:] for host in hosts)


SCENES: dict[str, Callable[[Lan], str]] = {
    "hostile goodbyes": hostile_goodbyes,
    "forged tables": forged_tables,
    "made-up guests": made_up_guests,
    "equivocation": equivocation,
}

FAULTS: dict[str, Callable[[Lan, Host], str]] = {
    "other network": other_network,
    "archive links": archive_links,
}

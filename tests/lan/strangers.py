"""Scenes of `tests.lan.fault_scenes` in which a third machine is a hostile stranger.

That machine runs the acts of `tests.lan.hostile`.
"""

import sys
from collections.abc import Callable
from pathlib import Path

import msgpack

from protocol.record_file import RecordReader
from tests.lan.at_table import (
    TABLE,
    WORDS,
    check_records,
    come_back,
    finish,
    open_table,
    player_arguments,
    sit_down,
    until_dealt,
)
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
    seconds = until(lambda: WORDS in guest.said, 120, network.hosts)
    finish(Lan(network.hosts[:2], network.switch))
    return f"the guest sat {seconds:.1f} s after their call"


def sorted_parts(record: Path) -> list[list[object]]:
    """Return the parts of a record in a fixed order, and the values of each part, too.

    So two records are equal that differ only in which of two moves evidence names first.
    """
    parts = RecordReader().feed(record.read_bytes())
    return sorted((sorted(msgpack.unpackb(part), key=repr) for part in parts), key=repr)


def equivocation(network: Lan) -> str:
    """Let a member sign two moves for one place; the others go on without that member.

    They may go on from a place before both moves (spec/record.md, 6.7), so the record need not
    contain both moves. At the end of each record is the evidence: the two moves, first the one that
    its player heard first. In everything else the records are the same.
    """
    honest, cheat = network.hosts[:2], network.hosts[2]
    cheats = {cheat.number: (*HOSTILE, "equivocates")}
    sit_down(network, "kanastic", rounds=2, programs=cheats, waiting=("--if-absent", "opponent"))
    told = f"Player {cheat.number} has signed what exposes them"
    seconds = until(lambda: all(told in host.said for host in honest), 120, honest)
    until(lambda: all(host.records() for host in honest), 240, honest)
    for host in honest:
        check_records([host])
    one, other = ([sorted_parts(record) for record in host.records()] for host in honest)
    assert one == other, "the records of the honest players differ"
    audited = honest[0].run("audit", f"{honest[0].records()[-1]}")
    assert f"to go on without Player {cheat.number}" in audited, audited
    return f"all told {seconds:.1f} s after they had sat down"


def lying_member(network: Lan, victim: int) -> str:
    """Let a member claim too long records for all others; then restart one of the others."""
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


SCENES: dict[str, Callable[[Lan], str]] = {
    "forged tables": forged_tables,
    "made-up guests": made_up_guests,
    "equivocation": equivocation,
}

FAULTS: dict[str, Callable[[Lan, Host], str]] = {
    "other network": other_network,
}

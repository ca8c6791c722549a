"""Scenes in which one of three or four players stays away, and the others go on without them.

In most scenes the others type wishes, which differ twice and then are the same. The result of a
scene is the time from the last typed line until all play on.
"""

import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial

from p2p.discovery.interfaces import DEFAULT_PORT
from tests.lan.at_table import (
    check_records,
    come_back,
    play_by_lines,
    player_arguments,
    sit_down,
    type_turn,
    until_dealt,
)
from tests.lan.disks import cut_power, give_disk
from tests.lan.hosts import Host, Lan, number_in, outputs, until

GAME = "canasta"
MACHINES = 4
DISK_BYTES = 32 << 20
ROUNDS = 6
"""The rounds of a match, enough for a scene to end before its match."""
GRACE_SECONDS = 10
GRACE = ("--grace", f"{GRACE_SECONDS}")
DEALT = 40
"""The number of entries after which the first round of four players has been dealt."""

WISHES: Sequence[Sequence[str]] = (
    ("opponent", "end", "wait"),
    ("wait", "opponent", "end"),
    ("opponent", "opponent", "opponent"),
)
"""The wishes of the other players, in three turns: twice they differ, then all are the same.

If only two others are there, they have the last two wishes of each turn.
"""

_TABLES = "SELECT count(*) FROM tables"


def without_a_player(
    network: Lan, *, opponents: int = 0, comes_back: bool = False, power_cut: bool = False
) -> str:
    """Kill the last player, and let the others go on; return the seconds until all play on.

    The host brings `opponents` computer opponents, in place of people. With `power_cut` all
    machines lose the data that are not on their disks, and the other players' programs start again.
    If the last player `comes_back`, their program starts again just before the last line is typed.
    """
    network.hosts[MACHINES - opponents :] = []
    if power_cut:
        for host in network.hosts:
            give_disk(host, DISK_BYTES, journal=True)
    sit_down(network, GAME, rounds=ROUNDS, opponents=opponents, hosting=GRACE)
    until_dealt(network.hosts, DEALT)
    *others, gone = network.hosts
    for host in network.hosts if power_cut else [gone]:
        host.kill()
    for host in network.hosts if power_cut else []:
        cut_power(host)
    for host in others:
        play_by_lines(host, "Type a command")

    def told() -> bool:
        for host in others:
            type_turn(host)
        return all("The rest of you may decide how to go on" in host.said_last for host in others)

    until(told, 120, network.hosts)
    before = [_place(host) for host in others]
    for wishes in WISHES[:-1]:
        for host, wish in zip(others, wishes[-len(others) :], strict=True):
            _wish(host, wish)
        time.sleep(2)
        assert [_place(host) for host in others] == before, outputs(network.hosts)
    for host in others[:-1]:
        _wish(host, WISHES[-1][0])
    if comes_back:
        come_back(gone)
        until(lambda: bool(gone.said_last), 60, network.hosts)
    others[-1].type(f"agree {WISHES[-1][0]}")
    seconds = _until_all_play(others, before)
    is_back = not any("plays on in that seat" in host.said_last for host in others)
    assert comes_back or not is_back, outputs(network.hosts)
    for host in others:
        host.kill()
        come_back(host)
    network.wait()
    return f"all played on {seconds:.1f} s after the last line{' with them' * is_back}"


def by_themselves(network: Lan) -> str:
    """Kill the only guest of a host with two opponents and the option `--if-absent opponent`.

    Nobody types anything. Return the seconds from the end of the grace until all play on.
    """
    network.hosts[2:] = []
    host, guest = network.hosts
    absent = ("--if-absent", "opponent", *GRACE)
    sit_down(network, GAME, rounds=ROUNDS, opponents=2, hosting=absent)
    until_dealt(network.hosts, DEALT)
    guest.kill()
    new_table = number_in(host.home, _TABLES) + 1
    seconds = until(lambda: _place(host) >= (new_table, 4), 120, [host]) - GRACE_SECONDS
    network.wait()
    return f"the host and three opponents played on {seconds:.1f} s after the grace"


def by_a_newcomer(network: Lan) -> str:
    """Kill one of three players; a newcomer takes the seat, as `--if-absent person` says.

    Return the seconds from the newcomer's call until they are invited.
    """
    *seated, newcomer = network.hosts
    network.hosts[:] = seated
    sit_down(network, GAME, rounds=ROUNDS, waiting=("--if-absent", "person"), hosting=GRACE)
    host, _, gone = seated
    until_dealt(seated, DEALT)
    gone.kill()
    until(lambda: "begun" in host.run("tables", "--once"), 120, seated)
    newcomer.start("join", f"{host.address}:{DEFAULT_PORT}", *player_arguments(newcomer))
    seconds = until(lambda: "You are invited" in newcomer.said, 60, [newcomer])
    network.hosts[-1] = newcomer
    network.wait()
    check_records(network.hosts)
    return f"the newcomer was invited after {seconds:.1f} s"


def _place(host: Host) -> tuple[int, int]:
    """Return how many tables a host's journal has, and how many entries the newest table has."""
    return number_in(host.home, _TABLES), host.entries


def _wish(host: Host, wish: str) -> None:
    """Type a wish, and again if the program asks for confirmation."""
    read = len(host.said)
    host.type(f"agree {wish}")
    if wish == "end":
        until(lambda: "once more to confirm" in host.said[read:], 30, [host])
        host.type(f"agree {wish}")
    until(lambda: "Your wish: " in host.said[read:], 30, [host])


def _until_all_play(others: Sequence[Host], before: Sequence[tuple[int, int]]) -> float:
    """Return the seconds until each host has a new entry, or a new table with four entries."""

    def play() -> bool:
        places = zip(map(_place, others), before, strict=True)
        return all(now >= (tables + 1, 4) or now[1] > entries for now, (tables, entries) in places)

    return until(play, 120, others)


SCENES: Mapping[str, Callable[[Lan], str]] = {
    "others differ": without_a_player,
    "others differ, missing player returns": partial(without_a_player, comes_back=True),
    "others differ, with an opponent": partial(without_a_player, opponents=1),
    "others differ, power cut": partial(without_a_player, power_cut=True),
    "host with two opponents": by_themselves,
    "a newcomer takes the seat": by_a_newcomer,
}

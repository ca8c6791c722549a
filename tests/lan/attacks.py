"""Attacks of strangers on an evening with friends: `python -m tests.lan.attacks [NAME ..]`.

Each attack is bounded in number and time, and runs in network namespaces of its own. A line for
each scene says if the attack kept friends out; the exit code is 1 if any attack did. Frames take
30 ms each way.
"""

import re
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from attrs import evolve

from p2p.discovery.interfaces import DEFAULT_PORT
from tests.lan.at_table import WORDS, open_table, player_arguments, sit_down
from tests.lan.hosts import DEVICE, Host, Lan, ip, outputs, until
from tests.lan.scenes import Scene, main
from tests.lan.strangers import HOSTILE

RECORD = Path(__file__).parents[1] / "records" / "format-1-canastra.sobremesa"
DELAY_SECONDS = 0.03
LONGEST_SECONDS = 30.0
"""Seconds after which a friend who has not sat down counts as kept out."""
PAGE_SECONDS = 5.0
"""The most seconds for which a friend may wait for a shared page."""
AT_ONCE_SECONDS = 10.0
"""The most seconds until all friends sit, after the host has let them in with one key."""

_ALL_SIT = "6 of 6"

NINE = [f"10.77.0.{number}" for number in range(101, 110)]
_NETWORK = [f"fd77::1:{number:x}" for number in range(1, 65)]
_FETCH = "import urllib.request as u, sys; print(len(u.urlopen(sys.argv[1], timeout=5).read()))"


def forged_beacons(network: Lan) -> str:
    """Let a guest join by address while forged beacons name the same address.

    The guest's machine looks for tables meanwhile.
    """
    host, guest, stranger = network.hosts
    open_table(host, "canasta")
    looking = evolve(guest, home=guest.home / "other", log=guest.log.with_suffix(".tables"))
    looking.start("tables")
    stranger.start_program(*HOSTILE, *beacons(host, stranger))
    time.sleep(8)
    try:
        return _joins(guest, host)
    finally:
        looking.kill()


def many_addresses(network: Lan) -> str:
    """Make a thousand connections a second from 900 addresses."""
    host, guest, stranger = network.hosts
    words = crowd(host, stranger)
    open_table(host, "canasta")
    stranger.start_program(*HOSTILE, *words)
    stranger.wait_for("2000\n")
    return _joins(guest, host)


def full_door(network: Lan) -> str:
    """Knock without a pause from nine addresses of one machine."""
    host, guest, stranger = network.hosts
    _open_by_hand(host)
    stranger.start_program(*HOSTILE, *knocks(host, stranger))
    time.sleep(8)
    return _joins(guest, host, "You have knocked", "at the door")


def spent_arrivals(network: Lan) -> str:
    """Begin and stop watching again and again from one address, each time with another key."""
    *table, guest, stranger = network.hosts
    sit_down(Lan(table, network.switch), "canasta", rounds=200, hosting=("--spectators",))
    stranger.start_program(*HOSTILE, "watchers", f"{stranger.address}={table[0].address}")
    time.sleep(8)
    begun = time.monotonic()
    guest.start("watch", f"{table[0].address}:{DEFAULT_PORT}", "--linear", "--name", "Olga")
    while guest.running and time.monotonic() < begun + 5:
        time.sleep(0.1)
    saw = "The part of its record that you saw is sound" in guest.said
    assert saw or guest.running, outputs([guest])
    return "the friend watches"


def slow_fetches(network: Lan) -> str:
    """Hold slow connections to a shared page: six from each of six addresses."""
    host, guest, stranger = network.hosts
    take(stranger, NINE[:6], 24)
    host.start("share", f"{RECORD}", "--port", "8080")
    host.wait_for("http://")
    (page,) = re.findall(r"http://\S+", host.said)
    stranger.start_program(*HOSTILE, "fetches", "8080", *_pairs(NINE[:6], host.address))
    time.sleep(5)

    def fetched() -> bool:
        if not guest.running:
            if re.search(r"^\d+$", guest.said_last, re.MULTILINE):
                return True
            guest.start_program(sys.executable, "-c", _FETCH, page)
        return False

    return f"the page came after {until(fetched, PAGE_SECONDS, [guest]):.1f} s"


def five_friends(network: Lan) -> str:
    """Let five friends join in the same second; the host lets all of them in with one key."""
    host, *guests = network.hosts
    _open_by_hand(host, players=6)
    _join(guests, host)
    names = [_name(guest) for guest in guests]
    knocked = until(
        lambda: all(f"“{name}”" in host.said for name in names), LONGEST_SECONDS, guests
    )
    host.type("let everybody in")
    seconds = until(lambda: _ALL_SIT in host.said, AT_ONCE_SECONDS, guests)
    return f"all had knocked after {knocked:.1f} s, and sat {seconds:.1f} s after the key"


def five_friends_in_a_crowd(network: Lan) -> str:
    """Let five friends join while a stranger knocks and calls without a pause.

    The host lets in the guests with the friends' names, one by one.
    """
    host, *guests, stranger = network.hosts
    for one in (host, stranger):
        for scope in ("all", "default", DEVICE):
            one.call("sysctl", "-qw", f"net.ipv6.conf.{scope}.disable_ipv6=0")
    ip("-n", host.namespace, "addr", "add", "fd77::1/64", "dev", DEVICE, "nodad")
    knocking = knocks(host, stranger)
    take(stranger, _NETWORK, 64)
    others = _pairs(_NETWORK, "fd77::1")
    _open_by_hand(host, players=6)
    caller = evolve(stranger, log=stranger.log.with_suffix(".crowd"))
    caller.start_program(*HOSTILE, "crowd", "1000", *knocking[1:], *others)
    stranger.start_program(*HOSTILE, *knocking, *others[:4])
    time.sleep(8)
    _join(guests, host)
    waiting = [_name(guest) for guest in guests]

    def all_sit() -> bool:
        for name in [name for name in waiting if f"“{name}”" in host.said]:
            waiting.remove(name)
            host.type(f"let in {name}")
        return _ALL_SIT in host.said

    try:
        return f"all sat after {until(all_sit, LONGEST_SECONDS, guests):.1f} s"
    finally:
        caller.kill()


def beacons(host: Host, stranger: Host) -> list[str]:
    """Return the words of the act that forges 120 beacons a second with the host's address."""
    return ["beacons", stranger.address, host.address]


def crowd(host: Host, stranger: Host) -> list[str]:
    """Return the words of the act that makes a thousand connections a second, from 900 addresses.

    The machines get these addresses.
    """
    ip("-n", host.namespace, "addr", "add", "10.88.0.1/16", "dev", DEVICE)
    sources = [f"10.88.{1 + number // 250}.{1 + number % 250}" for number in range(900)]
    take(stranger, sources, 16)
    return ["crowd", "1000", *_pairs(sources, "10.88.0.1")]


def knocks(host: Host, stranger: Host) -> list[str]:
    """Return the words of the act that knocks again and again, from nine addresses.

    The stranger's machine gets these addresses.
    """
    take(stranger, NINE, 24)
    return ["knocks", *_pairs(NINE, host.address)]


def take(host: Host, addresses: Sequence[str], length: int) -> None:
    """Give a machine these addresses besides its own."""
    for address in addresses:
        nodad = ("nodad",) if ":" in address else ()
        ip("-n", host.namespace, "addr", "add", f"{address}/{length}", "dev", DEVICE, *nodad)


def _pairs(sources: Sequence[str], address: str) -> list[str]:
    return [f"{source}={address}" for source in sources]


def _name(guest: Host) -> str:
    return f"Player {guest.number}"


def _join(guests: Sequence[Host], host: Host) -> None:
    for guest in guests:
        guest.start("join", f"{host.address}:{DEFAULT_PORT}", *player_arguments(guest))


def _open_by_hand(host: Host, players: int = 2) -> None:
    open_table(host, "canasta", players=players, by_hand=True)
    host.type("ready")


def _joins(guest: Host, host: Host, *texts: str) -> str:
    """Start a guest's program, which must show one of `texts`.

    The default text is the one that a guest reads when all sit.
    """
    _join([guest], host)
    wanted = texts or (WORDS,)

    def came() -> bool:
        assert guest.running or any(text in guest.said for text in wanted), guest.said[-1500:]
        return any(text in guest.said for text in wanted)

    return f"in after {until(came, LONGEST_SECONDS, [guest]):.1f} s"


SCENES = {
    "beacons": Scene(forged_beacons, 3, DELAY_SECONDS),
    "addresses": Scene(many_addresses, 3, DELAY_SECONDS),
    "door": Scene(full_door, 3, DELAY_SECONDS),
    "spectators": Scene(spent_arrivals, 4, DELAY_SECONDS),
    "share": Scene(slow_fetches, 3, DELAY_SECONDS),
    "friends": Scene(five_friends, 6, DELAY_SECONDS),
    "crowd": Scene(five_friends_in_a_crowd, 7, DELAY_SECONDS),
}


if __name__ == "__main__":
    sys.exit(main("tests.lan.attacks", SCENES, __doc__))

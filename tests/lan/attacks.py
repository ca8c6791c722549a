"""Attacks of strangers on an evening with friends: `python -m tests.lan.attacks [NAME ..]`.

Each attack is bounded in number and time, and runs in network namespaces of its own. A line for
each scene says if the attack kept friends out; the exit code is 1 if any attack did. Frames take
30 ms each way.
"""

import argparse
import re
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from attrs import define, evolve

from p2p.discovery.interfaces import DEFAULT_PORT
from tests.lan.at_table import TABLE, WORDS, player_arguments, sit_down
from tests.lan.hosts import DEVICE, Host, Lan, ip, lan, why_no_lan

CROWDS = (sys.executable, "-m", "tests.lan.hostile_crowds")
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


@define
class Outcome:
    """The outcome of a scene: a sentence, and True if friends were kept out."""

    text: str
    kept_out: bool


def forged_beacons(network: Lan) -> Outcome:
    """Let a guest join by address while forged beacons name the same address.

    The guest's machine looks for tables meanwhile.
    """
    host, guest, stranger = network.hosts
    _open_table(host)
    looking = evolve(guest, home=guest.home / "other", log=guest.log.with_suffix(".tables"))
    looking.start("tables")
    stranger.start_program(*CROWDS, "beacons", stranger.address, host.address)
    time.sleep(8)
    try:
        return _joins(guest, host)
    finally:
        looking.kill()


def many_addresses(network: Lan) -> Outcome:
    """Make a thousand connections a second from 900 addresses."""
    host, guest, stranger = network.hosts
    ip("-n", host.namespace, "addr", "add", "10.88.0.1/16", "dev", DEVICE)
    sources = [f"10.88.{1 + number // 250}.{1 + number % 250}" for number in range(900)]
    take(stranger, sources, 16)
    _open_table(host)
    stranger.start_program(*CROWDS, "crowd", "1000", *(f"{one}=10.88.0.1" for one in sources))
    stranger.wait_for("2000\n", 60)
    return _joins(guest, host)


def full_door(network: Lan) -> Outcome:
    """Knock without a pause from nine addresses of one machine."""
    host, guest, stranger = network.hosts
    take(stranger, NINE, 24)
    _open_table(host, by_hand=True)
    stranger.start_program(*CROWDS, "knocks", *(f"{one}={host.address}" for one in NINE))
    time.sleep(8)
    return _joins(guest, host, "You have knocked", "at the door")


def spent_arrivals(network: Lan) -> Outcome:
    """Begin and stop watching again and again from one address, each time with another key."""
    *table, guest, stranger = network.hosts
    sit_down(Lan(table, network.switch), "canasta", rounds=200, hosting=("--spectators",))
    stranger.start_program(*CROWDS, "watchers", f"{stranger.address}={table[0].address}")
    time.sleep(8)
    begun = time.monotonic()
    guest.start("watch", f"{table[0].address}:{DEFAULT_PORT}", "--linear", "--name", "Olga")
    while guest.running and time.monotonic() < begun + 5:
        time.sleep(0.1)
    text = (guest.said.splitlines() or ["nothing"])[-1]
    saw = "The part of its record that you saw is sound" in guest.said
    return Outcome(f"the last line that the friend read: {text}", not (saw or guest.running))


def slow_fetches(network: Lan) -> Outcome:
    """Hold slow connections to a shared page: six from each of six addresses."""
    host, guest, stranger = network.hosts
    sources = NINE[:6]
    take(stranger, sources, 24)
    host.start("share", f"{RECORD}", "--port", "8080")
    host.wait_for("http://", 60)
    (page,) = re.findall(r"http://\S+", host.said)
    stranger.start_program(
        *CROWDS, "fetches", "8080", *(f"{one}={host.address}" for one in sources)
    )
    time.sleep(5)
    begun = time.monotonic()
    while time.monotonic() < begun + LONGEST_SECONDS:
        guest.start_program(sys.executable, "-c", _FETCH, page)
        while guest.running:
            time.sleep(0.05)
        if re.search(r"^\d+$", guest.said_last, re.MULTILINE):
            seconds = time.monotonic() - begun
            return Outcome(f"the page came after {seconds:.1f} s", seconds > PAGE_SECONDS)
    return Outcome(f"no page in {LONGEST_SECONDS:.0f} s", True)


def five_friends(network: Lan) -> Outcome:
    """Let five friends join in the same second; the host lets all of them in with one key."""
    host, *guests = network.hosts
    _open_table(host, by_hand=True, seats=6)
    begun = time.monotonic()
    _all_join(host, guests)
    _until(lambda: all(f"“{_name(one)}”" in host.said for one in guests), LONGEST_SECONDS)
    knocked = time.monotonic() - begun
    host.type("let everybody in")
    pressed = time.monotonic()
    kept_out = not _until(lambda: _ALL_SIT in host.said, AT_ONCE_SECONDS)
    seconds = time.monotonic() - pressed
    text = f"all had knocked after {knocked:.1f} s, and sat {seconds:.1f} s after the key"
    return Outcome(text if not kept_out else f"{text}: {_ends(guests)}", kept_out)


def five_friends_in_a_crowd(network: Lan) -> Outcome:
    """Let five friends join while a stranger knocks and calls without a pause.

    The host lets in the guests with the friends' names, one by one.
    """
    host, *guests, stranger = network.hosts
    for one in (host, stranger):
        for scope in ("all", "default", DEVICE):
            one.call("sysctl", "-qw", f"net.ipv6.conf.{scope}.disable_ipv6=0")
    ip("-n", host.namespace, "addr", "add", "fd77::1/64", "dev", DEVICE, "nodad")
    take(stranger, NINE, 24)
    take(stranger, _NETWORK, 64)
    pairs = [f"{one}={host.address}" for one in NINE] + [f"{one}=fd77::1" for one in _NETWORK]
    _open_table(host, by_hand=True, seats=6)
    crowd = evolve(stranger, log=stranger.log.with_suffix(".crowd"))
    crowd.start_program(*CROWDS, "crowd", "1000", *pairs)
    stranger.start_program(*CROWDS, "knocks", *pairs[:13])
    time.sleep(8)
    begun = time.monotonic()
    _all_join(host, guests)
    let_in: dict[str, float] = {}

    def all_sit() -> bool:
        for guest in guests:
            name = _name(guest)
            if name not in let_in and f"“{name}”" in host.said:
                let_in[name] = time.monotonic() - begun
                host.type(f"let in {name}")
        return _ALL_SIT in host.said

    kept_out = not _until(all_sit, LONGEST_SECONDS)
    seconds = time.monotonic() - begun
    crowd.kill()
    came = ", ".join(f"{after:.1f}" for after in let_in.values())
    text = f"at the door after {came} s; all sat: {not kept_out}, after {seconds:.1f} s"
    return Outcome(text if not kept_out else f"{text}: {_ends(guests)}", kept_out)


def _name(guest: Host) -> str:
    return f"Player {guest.number}"


def _all_join(host: Host, guests: Sequence[Host]) -> None:
    for guest in guests:
        guest.start("join", f"{host.address}:{DEFAULT_PORT}", *player_arguments(guest))


def _open_table(host: Host, *, by_hand: bool = False, seats: int = 2) -> None:
    """Open a table whose host is ready.

    With `by_hand` a person lets strangers in when they knock; without it they sit down at once.
    """
    game = ("host", "--game", "canasta", "--players", f"{seats}", "--table", TABLE)
    if by_hand:
        host.start(*game, "--linear", "--name", "Ana", typed=True)
    else:
        host.start(*game, *player_arguments(host))
    host.wait_for("is open", 30)
    if by_hand:
        host.type("ready")


def _joins(guest: Host, host: Host, *texts: str) -> Outcome:
    """Start a guest's program, and restart it when it ends, until it shows one of `texts`.

    The default text is the one that a guest reads when all sit.
    """
    wanted = texts or (WORDS,)
    begun, programs = time.monotonic(), 0
    while time.monotonic() < begun + LONGEST_SECONDS:
        if not guest.running:
            programs += 1
            guest.start("join", f"{host.address}:{DEFAULT_PORT}", *player_arguments(guest))
        if any(text in guest.said for text in wanted):
            seconds = time.monotonic() - begun
            return Outcome(f"got in after {seconds:.1f} s, with {programs} starts", programs > 1)
        time.sleep(0.05)
    return Outcome(f"not in after {programs} starts: {_ends([guest])}", True)


def take(host: Host, addresses: Sequence[str], length: int) -> None:
    """Give a machine these addresses besides its own."""
    for address in addresses:
        nodad = ("nodad",) if ":" in address else ()
        ip("-n", host.namespace, "addr", "add", f"{address}/{length}", "dev", DEVICE, *nodad)


def _until(condition: Callable[[], bool], seconds: float) -> bool:
    """Wait for the condition; return True if it comes true within `seconds`."""
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.05)
    return True


def _ends(guests: Sequence[Host]) -> str:
    return "; ".join((guest.said.splitlines() or ["nothing"])[-1] for guest in guests)


SCENES: dict[str, tuple[Callable[[Lan], Outcome], int]] = {
    "beacons": (forged_beacons, 3),
    "addresses": (many_addresses, 3),
    "door": (full_door, 3),
    "spectators": (spent_arrivals, 4),
    "share": (slow_fetches, 3),
    "friends": (five_friends, 6),
    "crowd": (five_friends_in_a_crowd, 7),
}


@contextmanager
def machines(count: int, delay: float = DELAY_SECONDS) -> Iterator[Lan]:
    """Make a network of `count` machines, in a folder of its own."""
    with tempfile.TemporaryDirectory() as folder, lan(count, Path(folder)) as network:
        assert network.switch is not None
        network.switch.delay = delay
        yield network


def main() -> int:
    """Run the scenes; return 1 if friends were kept out in any of them."""
    arguments = argparse.ArgumentParser(prog="python -m tests.lan.attacks")
    arguments.add_argument("scene", nargs="*", metavar="NAME", help=", ".join(SCENES))
    chosen = arguments.parse_args().scene or list(SCENES)
    if (reason := why_no_lan()) is not None:
        print(reason)
        return 2
    kept_out = False
    for name in chosen:
        scene, count = SCENES[name]
        with machines(count) as network:
            outcome = scene(network)
        print(f"{name}: {'KEPT OUT' if outcome.kept_out else 'held'}; {outcome.text}", flush=True)
        kept_out |= outcome.kept_out
    return 1 if kept_out else 0


if __name__ == "__main__":
    sys.exit(main())

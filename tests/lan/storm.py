"""A storm of connections against a table in play, and against a lobby on the screen.

`python -m tests.lan.storm` runs real processes on a network of namespaces: a host, a guest, and a
stranger who makes a thousand connections a second to the host's port, from one address or from 250.
Each scene has a kind of connection. Its result has the figures of the host. The scene fails if any
of them is bad (`faults`).
"""

import os
import re
import signal
import sys
import time
from collections.abc import Callable
from contextlib import closing, suppress
from functools import partial
from pathlib import Path

from attrs import define

from p2p.discovery.interfaces import DEFAULT_PORT
from p2p.storage.identity import Identity
from p2p.storage.private_files import make_private
from tests.client.cli.pty_terminal import Terminal
from tests.lan.at_table import TABLE, WORDS, open_table, player_arguments
from tests.lan.attacks import take
from tests.lan.calls import acquaint
from tests.lan.hosts import COMMAND, DEVICE, Host, Lan, ip, until
from tests.lan.scenes import Scene, main
from tests.lan.strangers import HOSTILE

KINDS = ("none", "silent", "crowd", "garbage", "settled")
"""The acts of `tests.lan.hostile`; with `none` nobody attacks."""
RATE = 1000
SECONDS = 6.0
"""The seconds for which play, or the screen, is watched during the storm."""

MOST_MEMORY = 100.0
"""The most memory that the host may use, in megabytes (1024 * 1024 bytes)."""
MOST_TO_END = 1.0
"""The most seconds from Ctrl-C to the end, not counting the wait for a free processor."""
LEAST_LINES = 5
"""The fewest lines of play that must be printed during the storm."""
LEAST_SHARE = 0.1
"""The smallest share of the wanted connections; a weaker storm shows nothing."""

_NOISE = ("Traceback", "Error", "WARNING", "INFO", "too many")
_COUNT = re.compile(r"^\d+$", re.MULTILINE)


@define
class Figures:
    """The figures of a scene. A figure is None if it is not measured in this scene."""

    a_second: float | None
    """The connections that the storm made in a second."""
    megabytes: float
    """The most memory that the host has had."""
    seconds_to_end: float
    """The seconds from Ctrl-C until the program ended."""
    without_processor: float
    """The part of these seconds in which the program was ready to run but had no processor."""
    seated_after: float | None = None
    lines_a_second: float | None = None
    """Lines of play that the host printed."""


def faults(figures: Figures, said: str) -> list[str]:
    """Return a sentence for each bad figure, and for each line that no player should have read."""
    found = [f"The host said: {line}" for line in said.splitlines() if _is_noise(line)]
    if figures.a_second is not None and figures.a_second < LEAST_SHARE * RATE:
        weak = f"The storm had only {figures.a_second:.0f} connections a second"
        found.append(f"{weak}, so this run shows nothing.")
    if figures.lines_a_second is not None and figures.lines_a_second * SECONDS < LEAST_LINES:
        found.append(f"The game did not go on: {figures.lines_a_second:.1f} lines a second.")
    if figures.megabytes > MOST_MEMORY:
        found.append(f"The host had {figures.megabytes:.0f} MB, more than {MOST_MEMORY:.0f}.")
    if figures.seconds_to_end - figures.without_processor > MOST_TO_END:
        found.append(f"After Ctrl-C the host took {figures.seconds_to_end:.2f} s to end.")
    return found


def _is_noise(line: str) -> bool:
    return any(word in line for word in _NOISE)


def at_a_table(kind: str, addresses: int, network: Lan) -> str:
    """Seat a guest and play a game while the storm lasts."""
    host, guest, stranger = network.hosts
    words = _act(kind, addresses, network)
    # Nobody reaches so many points during the storm.
    open_table(host, "canasta", "--option", "target=100000")
    begun = _begin(stranger, words)
    guest.start("join", f"{host.address}:{DEFAULT_PORT}", *player_arguments(guest))
    sat = until(lambda: WORDS in guest.said or not guest.running, 120, [guest])
    assert guest.running, guest.said
    before = host.said.count("\n")
    time.sleep(SECONDS)
    lines = (host.said.count("\n") - before) / SECONDS
    assert host.process is not None
    # `ip netns exec` becomes the command, so this is the process of the program itself.
    figures = _figures(host.process.pid, lambda: not host.running, stranger, begun)
    figures.seated_after, figures.lines_a_second = sat, lines
    return _judged(figures, host.said)


def on_a_screen(kind: str, addresses: int, network: Lan) -> str:
    """Show a lobby on the whole screen while the storm lasts."""
    host, _guest, stranger = network.hosts
    words = _act(kind, addresses, network)
    table = ("--game", "canasta", "--players", "2", "--table", TABLE, "--name", "Ana")
    with closing(Terminal(host.home, *host.command(f"{COMMAND}", "host", *table))) as terminal:
        terminal.wait(lambda text: "Ana" in text)
        time.sleep(2)
        before, begun = terminal.settle(), _begin(stranger, words)
        time.sleep(SECONDS)
        after = terminal.settle()
        assert after == before, f"The screen of the lobby has changed:\n{after}"
        process = terminal.process

        def ended() -> bool:
            terminal._read(0)  # a program ends only when its output is read
            return process.poll() is not None

        return _judged(_figures(process.pid, ended, stranger, begun), after)


def _act(kind: str, addresses: int, network: Lan) -> list[str]:
    """Return the words of the stranger's act; none if nobody attacks."""
    host, _guest, stranger = network.hosts
    if kind == "none":
        return []
    ip("-n", host.namespace, "addr", "add", "10.88.0.1/16", "dev", DEVICE)
    sources = [f"10.88.1.{number + 1}" for number in range(addresses)]
    take(stranger, sources, 16)
    table = []
    if kind == "settled":
        table = [acquaint(host.home, Identity.load_or_create(make_private(stranger.home))).hex()]
    return [kind, f"{RATE}", *table, *(f"{source}=10.88.0.1" for source in sources)]


def _begin(stranger: Host, words: list[str]) -> float:
    """Start the storm, wait until it has begun, and return the time."""
    if words:
        stranger.start_program(*HOSTILE, *words)
        stranger.wait_for("\n")
        time.sleep(2)
    return time.monotonic()


def _figures(process: int, has_ended: Callable[[], bool], stranger: Host, begun: float) -> Figures:
    """Return the figures of a process at the end of the storm, which Ctrl-C ends."""
    counted = _COUNT.findall(stranger.said)
    a_second = None
    if stranger.running:
        a_second = (int(counted[-1]) if counted else 0) / (time.monotonic() - begun + 2)
    found = re.search(r"VmHWM:\s+(\d+) kB", Path(f"/proc/{process}/status").read_text())
    assert found is not None
    before = waited = _waited(process)
    interrupted = time.monotonic()
    os.kill(process, signal.SIGINT)
    while not has_ended() and time.monotonic() < interrupted + 20:
        with suppress(OSError, IndexError):
            waited = _waited(process)
        time.sleep(0.02)
    seconds = time.monotonic() - interrupted
    return Figures(a_second, int(found[1]) / 1024, seconds, waited - before)


def _waited(process: int) -> float:
    """Return the seconds in which the first thread was ready to run but had no processor."""
    return int(Path(f"/proc/{process}/schedstat").read_text().split()[1]) / 1e9


def _judged(figures: Figures, said: str) -> str:
    assert not faults(figures, said), " ".join(faults(figures, said))
    return f"{figures}"


SCENES = {
    f"{kind} from {addresses}, {place}": Scene(partial(scene, kind, addresses))
    for kind in KINDS
    for addresses in ((1, 250) if kind != "none" else (0,))
    for place, scene in (("table", at_a_table), ("lobby", on_a_screen))
}


if __name__ == "__main__":
    sys.exit(main("tests.lan.storm", SCENES, __doc__))

"""`sobremesa tables`: the open tables on this network."""

import argparse

import trio

from client.seating.home import run_trio
from client.telling.console import Console
from engine.games import GAMES
from p2p.beacon import Beacon, Beacons, open_beacons
from p2p.identity import words
from protocol.charter import VERSION

ONCE_SECONDS = 3.0
"""How long `--once` waits for answers."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--once", action="store_true", help="list them once and stop")


def run(arguments: argparse.Namespace) -> int:
    """0; with --once, 1 if there is no table. Raises NoBeacon."""
    return run_trio(_list, Console(), arguments.once)


async def _list(console: Console, once: bool) -> int:
    async with open_beacons() as beacons:
        if once:
            await trio.sleep(ONCE_SECONDS)
            _show(console, beacons)
            return 0 if beacons.tables else 1
        console.line("Tables come and go as they open and close; Ctrl-C ends the list.")
        shown: tuple[Beacon, ...] | None = None
        while True:
            if beacons.tables != shown:
                shown = beacons.tables
                _show(console, beacons)
            await beacons.changed()


def _show(console: Console, beacons: Beacons) -> None:
    for beacon in beacons.tables:
        console.line(table_line(beacon))
    if not beacons.tables:
        console.line("No table is open.")


def table_line(beacon: Beacon) -> str:
    """A table in one line."""
    game = GAMES[beacon.game].title if beacon.game in GAMES else beacon.game
    host = f"[{beacon.hosts[0]}]" if ":" in beacon.hosts[0] else beacon.hosts[0]
    seats = f"{beacon.free} of {beacon.seats} seats free"
    if beacon.begun:
        seats = f"{beacon.seats} seats, begun; one of them may be taken over"
    line = (
        f"{beacon.table}: {game}, {seats}, "
        f"at {host}:{beacon.port}, opened by {' '.join(words(beacon.key))}"
    )
    if beacon.version != VERSION:
        line += f" (speaks version {beacon.version}, this program {VERSION})"
    return line

"""`sobremesa tables`: the open tables on this network."""

import argparse

import trio

from client.i18n.language import _
from client.session.run_until_signal import run_trio
from client.ui.text.console import Console
from engine.games import GAMES
from p2p.discovery.address_book import place_text
from p2p.discovery.beacon import Beacon
from p2p.discovery.beacons import Beacons, open_beacons
from p2p.lobby.beacon_check import beacon_checker
from p2p.version import MESSAGES
from protocol.words_for_keys import words

_ONCE_SECONDS = 3.0
"""Longest time that `--once` waits for answers."""

_QUIET_SECONDS = 1.0
"""Time without news after which no more answers are expected."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--once", action="store_true", help=_("list them once and stop"))


def run(arguments: argparse.Namespace) -> int:
    """List the tables, and return 0; with --once, return 1 if there is none. Raises NoBeacon."""
    return run_trio(_list, Console(), arguments.once)


async def _list(console: Console, once: bool) -> int:
    async with open_beacons(beacon_checker()) as beacons:
        if once:
            return await _show_until_quiet(console, beacons)
        console.line(_("Tables come and go as they open and close; Ctrl-C ends the list."))
        shown: tuple[Beacon, ...] | None = None
        while True:
            if beacons.tables != shown:
                shown = beacons.tables
                _show(console, beacons)
            await beacons.changed()


async def _show_until_quiet(console: Console, beacons: Beacons) -> int:
    """Show each table when it answers, and return the exit code.

    End when all known tables have answered, and no other one was found for `_QUIET_SECONDS`.
    """
    shown: set[str | bytes] = set()
    with trio.move_on_after(_ONCE_SECONDS):
        quiet = False
        while not (quiet and beacons.settled):
            for beacon in beacons.tables:
                table = beacon.begun or beacon.key
                if table not in shown:
                    console.line(table_line(beacon))
                    shown.add(table)
            with trio.move_on_after(_QUIET_SECONDS) as waiting:
                await beacons.changed()
            quiet = waiting.cancelled_caught
    if not shown:
        console.line(_("No table is open."))
    return 0 if shown else 1


def _show(console: Console, beacons: Beacons) -> None:
    for beacon in beacons.tables:
        console.line(table_line(beacon))
    if not beacons.tables:
        console.line(_("No table is open."))


def table_line(beacon: Beacon) -> str:
    """Return a table in one line."""
    return f"{table_label(beacon)}, {table_place(beacon)}"


def table_label(beacon: Beacon) -> str:
    """Return the name of a table, its game and the number of its seats."""
    return _("“{table}”: {game}, {seats}").format(
        table=beacon.table,
        game=GAMES[beacon.game].title if beacon.game in GAMES else _("an unknown game"),
        seats=_seats(beacon),
    )


def table_place(beacon: Beacon) -> str:
    """Return the addresses of a table, and the words of the key that opened it."""
    place = _("at {place}, opened by {words}").format(
        place=", ".join(place_text(host, beacon.port) for host in beacon.hosts),
        words=" ".join(words(beacon.owner)),
    )
    if beacon.version == MESSAGES:
        return place
    return place + _(" (speaks version {theirs}, this program {ours})").format(
        theirs=beacon.version, ours=MESSAGES
    )


def _seats(beacon: Beacon) -> str:
    text = _("{free} of {seats} seats free")
    if beacon.begun:
        text = _("{seats} seats, begun; one of them may be taken over")
        text = text if beacon.free else _("{seats} seats, begun")
    text = text.format(free=beacon.free, seats=beacon.seats)
    return text + _("; spectators are admitted") if beacon.spectators else text

"""`sobremesa join`: sit down at somebody's table, found by its name or by its address."""

import argparse
import os

import trio
from attrs import frozen

from client.commands.tables import table_line
from client.seating.at_table import add_autoplay, play_as_asked
from client.seating.home import Home, at_home, own_name, run_trio
from client.telling.console import Console
from p2p.acquaintances import Acquaintances
from p2p.addresses import host_of
from p2p.beacon import Beacon
from p2p.folders import data_folder
from p2p.frames import LinkError
from p2p.gathering import Gathering
from p2p.identity import words
from p2p.interfaces import DEFAULT_PORT
from p2p.link import Unreachable
from p2p.lobby import Company, join
from protocol.state import State

SEARCH_SECONDS = 5.0
"""How long a table is looked for."""

_SETTLE_SECONDS = 1.5  # more tables may answer after the first


class NoTable(LinkError):
    """There is no table to sit down at, or too many; a sentence for people."""


@frozen
class Target:
    """Where to sit down; with `key`, only at the table of its holder."""

    hosts: tuple[str, ...]
    port: int
    key: bytes | None = None


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "target",
        nargs="?",
        metavar="TABLE | HOST[:PORT]",
        help="the name of a table, or where it is; without it, the only one there is",
    )
    parser.add_argument("--name", help="your name at the table")
    parser.add_argument("--port", type=int, help="where to listen")
    add_autoplay(parser)


def run(arguments: argparse.Namespace) -> int:
    """Raises LinkError, FolderError, JournalError, Malformed for a bad name."""
    return run_trio(_join, arguments)


async def _join(arguments: argparse.Namespace) -> int:
    folder = data_folder()
    name = own_name(folder, arguments.name)
    console = Console()
    async with at_home(folder, arguments.port) as home:
        console.line(f"You are {name} ({' '.join(words(home.identity.public))}).")
        if home.trouble:
            console.line(home.trouble)
        target = await find(home, arguments.target)
        acquaintances = Acquaintances(home.journal)
        company = Company(
            lambda gathering: _seated(console, gathering),
            acquaintances.objection,
            lambda: _noted(console, home),
            lambda state: _shown(console, state),
        )
        agreement = None
        for host in target.hosts:
            try:
                agreement = await join(
                    home.endpoint, home.journal, host, target.port, name, os.urandom, company,
                    expect=target.key,
                )  # fmt: skip
                break
            except Unreachable as error:
                failure = error
        if agreement is None:
            raise failure
        return await play_as_asked(home, agreement, console, arguments)


def _seated(console: Console, gathering: Gathering) -> None:
    console.line(f"In the lobby: {', '.join(gathering.names)}.")


def _noted(console: Console, home: Home) -> None:
    console.line("A player is missed at that table: the others decide whether you take the seat.")
    console.line(f"Tell them who you are: {' '.join(words(home.identity.public))}.")


def _shown(console: Console, state: State) -> None:
    if state.height == 0:
        names = ", ".join(member.name for member in state.charter.members)
        console.line(f"You are invited to the table of {names}. Its record is being checked …")


async def find(home: Home, text: str | None) -> Target:
    """Where the table is that is meant: a host and port, a table's name, or None for the only one.

    Raises NoTable.
    """
    address = None if text is None else parse_address(text)
    if address is not None and (address.port != DEFAULT_PORT or _is_ip(address.hosts[0])):
        return address
    found = await _search(home, text)
    match found:
        case [beacon]:
            return Target(beacon.hosts, beacon.port, beacon.key)
        case [] if address is not None:
            return address
        case []:
            raise NoTable(
                "No open table was found on this network. If there is one, sit down by its "
                "address: sobremesa join HOST:PORT. sobremesa doctor says more."
            )
        case _:
            lines = "; ".join(map(table_line, found))
            raise NoTable(f"Which table? Name one, or its address: {lines}.")


async def _search(home: Home, name: str | None) -> list[Beacon]:
    """Tables of that name, or all."""
    if home.beacons is None:
        return []

    def fitting() -> list[Beacon]:
        assert home.beacons is not None
        return [
            beacon
            for beacon in home.beacons.tables
            if name is None or beacon.table.casefold() == name.casefold()
        ]

    with trio.move_on_after(SEARCH_SECONDS):
        while not fitting():
            await home.beacons.changed()
        await trio.sleep(_SETTLE_SECONDS)
    return fitting()


def parse_address(text: str) -> Target | None:
    """ "host", "host:port", "[ipv6]:port" or an IPv6 address; None for what is none of them."""
    host, port = text, f"{DEFAULT_PORT}"
    if text.startswith("["):
        host, _, rest = text[1:].partition("]")
        if rest:
            port = rest.removeprefix(":")
    elif text.count(":") == 1:
        host, _, port = text.partition(":")
    if not host or " " in host or not port.isascii() or not port.isdigit() or len(port) > 5:
        return None
    return Target((host,), int(port)) if 0 < int(port) < 1 << 16 else None


def _is_ip(host: str) -> bool:
    return host_of(host) is not None

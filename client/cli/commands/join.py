"""`sobremesa join`: sit down at somebody's table, found by its name or by its address."""

import argparse
from collections.abc import Callable
from functools import partial

import trio

from client.cli.commands.tables import table_line
from client.cli.shared_arguments import add_playing, display_of, listen_at, policy_of, settings_of
from client.i18n.language import _
from client.session.display.display_interface import SessionDisplay
from client.session.joined_lobby import JoinedLobby, Target
from client.session.local_node import LocalNode, own_name
from client.session.run import run_session
from client.session.seated_bots import SeatedBots
from client.session.signals import run_trio
from client.settings import Settings
from p2p.discovery.address_book import host_of
from p2p.discovery.beacon import Beacon
from p2p.discovery.interfaces import DEFAULT_PORT
from p2p.storage.folders import data_folder
from p2p.transport.frames import LinkError

SEARCH_SECONDS = 5.0
"""How long a table is looked for."""

_SETTLE_SECONDS = 1.5  # more tables may answer after the first


class NoTable(LinkError):
    """There is no table to sit down at, or too many."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "target",
        nargs="?",
        metavar=_("TABLE | HOST[:PORT]"),
        help=_("the name of a table, or where it is; without it, the only one there is"),
    )
    parser.add_argument("--name", help=_("your name at the table"))
    add_playing(parser)


def run(arguments: argparse.Namespace) -> int:
    """Raises as `play`, and FolderError."""
    settings = settings_of(arguments)
    return play(arguments, display_of(arguments, settings), settings)


def play(arguments: argparse.Namespace, display: SessionDisplay, settings: Settings) -> int:
    """Sit down where the arguments say.

    Raises LinkError, FolderError, JournalError, Malformed for a bad name.
    """
    folder = data_folder()
    name = own_name(folder, arguments.name)

    async def begin(local: LocalNode, _seated_bots: SeatedBots) -> JoinedLobby:
        return JoinedLobby(local, name, partial(find, local, arguments.target), display.ready)

    policy = policy_of(arguments, settings)
    return run_trio(run_session, folder, listen_at(arguments), display, policy, begin)


def can_be_joined(beacon: Beacon) -> bool:
    """Whether it is a table at which one may sit down, perhaps when somebody leaves it."""
    return not beacon.begun or beacon.free > 0


async def find(
    local: LocalNode, text: str | None, fits: Callable[[Beacon], bool] = can_be_joined
) -> list[Target]:
    """Where the table is that is meant, of those that fit: a host and port, a table's name, or None
    for the only one.

    Raises NoTable.
    """
    address = None if text is None else parse_address(text)
    if address is not None and (address.port != DEFAULT_PORT or _is_ip(address.hosts[0])):
        return [address]
    found = await _search(local, text, fits)
    match found:
        case [beacon]:
            return [Target(beacon.hosts, beacon.port, announced_by=beacon.key)]
        case [] if address is not None and _is_host_name(address.hosts[0], text):
            return [address]
        case []:
            raise NoTable(
                "No open table was found on this network. If there is one, sit down by its "
                "address: sobremesa join HOST:PORT. sobremesa doctor says more."
            )
        case _:
            lines = "; ".join(map(table_line, found))
            raise NoTable("Which table? Name one, or its address: {tables}.", tables=lines)


async def _search(
    local: LocalNode, name: str | None, fits: Callable[[Beacon], bool]
) -> list[Beacon]:
    """Tables of that name, or all, that fit."""
    if local.beacons is None:
        return []

    def fitting() -> list[Beacon]:
        assert local.beacons is not None
        return [
            beacon
            for beacon in local.beacons.tables
            if fits(beacon) and (name is None or beacon.table.casefold() == name.casefold())
        ]

    with trio.move_on_after(SEARCH_SECONDS):
        while not fitting():
            await local.beacons.changed()
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


def _is_host_name(host: str, text: str | None) -> bool:
    """Whether it is asked of the system's resolver: without a port it is a table's name, also with
    dots in it, which no DNS server need hear. Names below `local` are never asked of one (RFC 6762,
    section 3).
    """
    name = host.lower().removesuffix(".")
    return text != host or name == "localhost" or name.endswith(".local")


def _is_ip(host: str) -> bool:
    return host_of(host) is not None

"""The search for the table that a person means, by its name or by its address."""

import argparse
import re
import shlex
from collections.abc import Callable

import trio
from attrs import frozen

from client.cli.commands.tables import table_line
from client.errors import BadRequest
from client.i18n.language import _
from client.session.joined_lobby import Target
from client.session.network_node import NetworkNode
from engine.notation.similar_words import nearest
from engine.sentences import Sentence
from p2p.discovery.address_book import host_of, place_text
from p2p.discovery.beacon import Beacon
from p2p.discovery.interfaces import DEFAULT_PORT
from p2p.transport.frames import LinkError

SEARCH_SECONDS = 5.0
"""Time to look for a table."""

_SETTLE_SECONDS = 1.5  # wait for more tables after the first has answered

_IPV4 = re.compile(r"\d+(\.\d+){3}")


class NoTable(LinkError):
    """The table does not exist, or it could be one of several."""


@frozen
class Wanted:
    """The tables to look for."""

    fit: Callable[[Beacon], bool]
    """Function that returns True for such a table."""
    none: Sentence
    """Sentence for the case that there are none."""
    unfit: Callable[[Beacon], Sentence]
    """Function for the sentence about a table of the right name that does not fit."""


def add_target(parser: argparse.ArgumentParser) -> None:
    """Add the argument that says which table is meant."""
    parser.add_argument(
        "target",
        nargs="?",
        metavar=_("TABLE | HOST[:PORT]"),
        help=_("the name of a table, or where it is; without it, the only one there is"),
    )


async def find(local: NetworkNode, text: str | None, wanted: Wanted) -> list[Target]:
    """Return the places of the table that is meant.

    `text` is a host and port, a table's name, or None for the only table there is. Raises NoTable,
    and BadRequest for an impossible address.
    """
    address = None if text is None else address_of(text)
    if address is not None and (address.port != DEFAULT_PORT or _is_ip(address.hosts[0])):
        return [address]
    match await _search(local, text, wanted):
        case [beacon]:
            return [Target(beacon.hosts, beacon.port, announced_by=beacon.key)]
        case [] if address is not None and _is_host_name(address.hosts[0], text):
            return [address]
        case []:
            why = wanted.none if text is None else _no_table_called(text, local, wanted)
            raise NoTable(why)
        case found:
            lines = "; ".join(map(table_line, found))
            raise NoTable("Which table? Name one, or its address: {tables}.", tables=lines)


async def _search(local: NetworkNode, name: str | None, wanted: Wanted) -> list[Beacon]:
    """Return the tables of that name, or all, that fit."""
    if local.beacons is None:
        return []

    def fitting() -> list[Beacon]:
        assert local.beacons is not None
        return [
            beacon
            for beacon in local.beacons.tables
            if wanted.fit(beacon) and (name is None or _is_called(beacon, name))
        ]

    with trio.move_on_after(SEARCH_SECONDS):
        while not fitting():
            await local.beacons.changed()
        await trio.sleep(_SETTLE_SECONDS)
    return fitting()


def _is_called(beacon: Beacon, name: str) -> bool:
    return beacon.table.casefold() == name.casefold()


def _no_table_called(name: str, local: NetworkNode, wanted: Wanted) -> Sentence:
    """Return the answer if no table of that name fits.

    It says why one of that name does not fit, or which others there are.
    """
    tables = () if local.beacons is None else local.beacons.tables
    called_so = [beacon for beacon in tables if _is_called(beacon, name)]
    if called_so:
        return wanted.unfit(called_so[0])
    fitting = {beacon.table: beacon for beacon in tables if wanted.fit(beacon)}
    none = Sentence("No table on this network is called “{name}”.", name=name)
    # The name of one that does not fit is answered with the reason.
    near = nearest(name, fitting) or nearest(name, [beacon.table for beacon in tables])
    if near is not None:
        return Sentence("{why} Did you mean “{word}”?", why=none, word=near)
    if fitting:
        lines = "; ".join(map(table_line, fitting.values()))
        return Sentence("{none} There are: {tables}.", none=none, tables=lines)
    return Sentence("{none} {advice}", none=none, advice=wanted.none)


def typed_way_to(beacon: Beacon) -> str:
    """Return a table as an argument in a shell.

    It is the name, or the first address if the name looks like a flag.
    """
    if beacon.table.startswith("-"):
        return place_text(beacon.hosts[0], beacon.port)
    return shlex.quote(beacon.table)


def check_target(text: str | None) -> None:
    """Check, before anything is opened, that what a person has typed can be found.

    Raises BadRequest for an impossible address.
    """
    if text is not None:
        address_of(text)


def address_of(text: str) -> Target | None:
    """Return the address that a person has typed; None for another text, such as a table's name.

    An address is "host", "host:port", "[ipv6]:port" or an IPv6 address. Raises BadRequest for an
    address with an impossible port or number.
    """
    host, port, bracketed = text, f"{DEFAULT_PORT}", text.startswith("[")
    if bracketed:
        host, _, rest = text[1:].partition("]")
        if rest:
            port = rest.removeprefix(":")
    elif text.count(":") == 1:
        host, _, port = text.partition(":")
    if not host or " " in host:
        return None
    if _IPV4.fullmatch(host) and not _is_ip(host):
        raise BadRequest(
            "“{host}” is no address of a machine: four numbers from 0 to 255 are.", host=host
        )
    # `kitchen:late` may be the name of a table, `[fe80::1]:late` and `10.0.0.7:70000` may not.
    is_number = port.isascii() and port.isdigit()
    if is_number and len(port) <= 5 and 0 < int(port) < 1 << 16:
        return Target((host,), int(port))
    if is_number or bracketed or _is_ip(host):
        raise BadRequest("“{port}” is no port: a port is a number from 1 to 65535.", port=port[:20])
    return None


def _is_host_name(host: str, text: str | None) -> bool:
    """Return True if the system's resolver should be asked for the name.

    A name without a port is a table's name, even with dots in it, and no DNS server needs to see
    it. Names below `local` are never sent to one (RFC 6762, section 3).
    """
    name = host.lower().removesuffix(".")
    return text != host or name == "localhost" or name.endswith(".local")


def _is_ip(host: str) -> bool:
    return host_of(host) is not None

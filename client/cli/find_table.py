"""The search for a table on the network, by its name or by its address."""

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
"""Maximum time to look for a table."""

_SETTLE_SECONDS = 1.5  # time for more tables to be found after the first one

_IPV4 = re.compile(r"\d+(\.\d+){3}")


class NoTable(LinkError):
    """The error for a search that found no fitting table, or more than one."""


@frozen
class Wanted:
    """The kind of tables to look for, and the sentences to show if none is found."""

    fit: Callable[[Beacon], bool]
    """Function that returns True for a table of this kind."""
    none: Sentence
    """Sentence to show if there is no table of this kind."""
    unfit: Callable[[Beacon], Sentence]
    """Function that returns why a table with the right name does not fit."""


def add_target(parser: argparse.ArgumentParser) -> None:
    """Add the argument for the name or the address of a table."""
    parser.add_argument(
        "target",
        nargs="?",
        type=checked_target,
        metavar=_("TABLE | HOST[:PORT]"),
        help=_("the name or the address of a table; by default the only table there is"),
    )


async def find(local: NetworkNode, text: str | None, wanted: Wanted) -> list[Target]:
    """Return the addresses to connect to for the table that the person named.

    `text` is a host and port, the name of a table, or None for the only table there is. Raises
    NoTable, and BadRequest for an impossible address.
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
            raise NoTable(
                "Several tables were found. Name one of them, or its address: {tables}.",
                tables=lines,
            )


async def _search(local: NetworkNode, name: str | None, wanted: Wanted) -> list[Beacon]:
    """Return the fitting tables with this name; with any name if `name` is None."""
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
    """Return the sentence to show if no fitting table has this name.

    If there is a table with this name, the sentence tells why that table does not fit. Otherwise it
    suggests a similar name, or lists the fitting tables.
    """
    tables = () if local.beacons is None else local.beacons.tables
    namesakes = [beacon for beacon in tables if _is_called(beacon, name)]
    if namesakes:
        return wanted.unfit(namesakes[0])
    fitting = {beacon.table: beacon for beacon in tables if wanted.fit(beacon)}
    none = Sentence("No table on this network is called “{name}”.", name=name)
    # The similar name may be that of a table that does not fit: whoever then types that name reads
    # why.
    near = nearest(name, fitting) or nearest(name, [beacon.table for beacon in tables])
    if near is not None:
        return Sentence("{why} Did you mean “{word}”?", why=none, word=near)
    if fitting:
        lines = "; ".join(map(table_line, fitting.values()))
        return Sentence("{none} There are: {tables}.", none=none, tables=lines)
    return Sentence("{none} {advice}", none=none, advice=wanted.none)


def typed_way_to(beacon: Beacon) -> str:
    """Return an argument for a shell that names this table.

    The argument is the table's name, or its first address if the name looks like a flag.
    """
    if beacon.table.startswith("-"):
        return place_text(beacon.hosts[0], beacon.port)
    return shlex.quote(beacon.table)


def checked_target(text: str) -> str:
    """Return the text that a person has typed for a table, checked before anything is opened.

    Raises BadRequest for an impossible address.
    """
    address_of(text)
    return text


def address_of(text: str) -> Target | None:
    """Return the address in a text; None if the text can only be the name of a table.

    An address is "host", "host:port", "[ipv6]:port" or an IPv6 address. Raises BadRequest for an
    address with an impossible port, or with an IPv4 number above 255.
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
            "“{host}” is no address of a machine: an address has four numbers from 0 to 255.",
            host=host,
        )
    # `kitchen:late` can be the name of a table; `[fe80::1]:late` and `10.0.0.7:70000` cannot.
    is_number = port.isascii() and port.isdigit()
    if is_number and len(port) <= 5 and 0 < int(port) < 1 << 16:
        return Target((host,), int(port))
    if is_number or bracketed or _is_ip(host):
        raise BadRequest("“{port}” is no port: a port is a number from 1 to 65535.", port=port[:20])
    return None


def _is_host_name(host: str, text: str | None) -> bool:
    """Return True if the system's resolver should look up `host`, the host in `text`.

    That is so if the text also has a port. Without a port, the text is usually the name of a table,
    even with dots in it, and should not be sent to a DNS server. The exceptions are `localhost` and
    names that end with `.local`: they are never sent to a DNS server (RFC 6762, section 3).
    """
    name = host.lower().removesuffix(".")
    return text != host or name == "localhost" or name.endswith(".local")


def _is_ip(host: str) -> bool:
    return host_of(host) is not None

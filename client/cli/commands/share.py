"""`sobremesa share FILE`: serve the page of one record to the same network for ten minutes."""

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path

import segno
import trio

from client.cli.shared_arguments import port_number
from client.errors import BadRequest
from client.i18n.language import _, _n
from client.reports.auditing import audit_file
from client.reports.html.page import page
from client.reports.page_server import PageServer, new_token
from client.reports.words import verdict
from client.session.run_until_signal import run_trio
from client.ui.text.console import Console
from p2p.discovery.address_book import is_for_others, place_text
from p2p.discovery.interfaces import Interface, interfaces

SECONDS = 600.0
"""Time for which the page is served; the texts call it ten minutes."""

_WHITE_ON_BLACK, _AS_BEFORE = "\x1b[97;40m", "\x1b[0m"
_HALVES = {(True, True): " ", (True, False): "▄", (False, True): "▀", (False, False): "█"}
"""The character for two modules of a QR code, by (upper, lower); True is a dark module."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", type=Path, metavar=_("FILE"), help=_("the record to share"))
    parser.add_argument(
        "--interface", metavar=_("NAME"), help=_("the network interface on which it is served")
    )
    parser.add_argument(
        "--port",
        type=port_number,
        default=0,
        metavar="N",
        help=_("the port; any if it is not given"),
    )


def run(arguments: argparse.Namespace) -> int:
    """Serve the page, and return 0 when the time is over.

    Raises RecordError, BadRequest, OSError.
    """
    console = Console()
    chosen = choose_interface(interfaces(), arguments.interface)
    report = audit_file(arguments.file)
    html = "".join(page([report], None, [arguments.file])).encode()
    console.line(verdict(report))
    return run_trio(_share, console, chosen, arguments.port, html)


def choose_interface(found: tuple[Interface, ...], name: str | None) -> Interface:
    """Return the interface `name`; without a name, the first that is not loopback.

    Raises BadRequest if there is none.
    """
    if not found:
        raise BadRequest("This machine has no network interface with an address.")
    names = ", ".join(one.name for one in found)
    for one in found:
        if one.name == name or (name is None and not one.is_loopback):
            return one
    if name is None:
        raise BadRequest(
            "No network is up. Name an interface with --interface: {names}.", names=names
        )
    raise BadRequest(
        "There is no interface {name} with an address here, only {names}.", name=name, names=names
    )


async def _share(console: Console, chosen: Interface, port: int, html: bytes) -> int:
    hosts = [host for host in chosen.addresses if is_for_others(host)] or list(chosen.addresses)
    listeners = await trio.open_tcp_listeners(port, host=hosts[0])
    fetches: list[str] = []

    def fetched(host: str) -> None:
        fetches.append(host)
        people = _n("{n} device", "{n} devices", len(set(fetches)))
        times = _n("fetched {n} time", "fetched {n} times", len(fetches))
        console.line(
            _("{times}, by {people}; now by {host}").format(times=times, people=people, host=host)
        )

    server = PageServer(new_token(), html, fetched)
    place = place_text(hosts[0], int(listeners[0].socket.getsockname()[1]))
    address = f"http://{place}/{server.token}"
    for line in invitation(address, sys.stdout.isatty() and console.symbols):
        console.drawn(line)
    await server.serve(listeners, SECONDS)
    console.line(
        _("The ten minutes are over. {times}.").format(
            times=_n("fetched {n} time", "fetched {n} times", len(fetches)).capitalize()
        )
    )
    return 0


def invitation(address: str, draws: bool) -> Iterator[str]:
    """Return the address as a QR code, if it can be drawn, and as text."""
    if draws:
        yield from qr_lines(address)
    yield _("Whoever is on the same network can open this address for ten minutes:")
    yield f"  {address}"
    yield _("Whoever has the address can read the record. Ctrl-C stops sharing it.")


def qr_lines(text: str) -> Iterator[str]:
    """Return the lines of a QR code with its margin; each line has two rows of modules.

    The lines set the colours white on black, so that dark modules are dark on any terminal.
    """
    rows = [[bool(module) for module in row] for row in segno.make(text).matrix_iter(border=4)]
    if len(rows) % 2:
        rows.append([False] * len(rows[0]))
    for upper, lower in zip(rows[::2], rows[1::2], strict=True):
        modules = "".join(_HALVES[pair] for pair in zip(upper, lower, strict=True))
        yield f"{_WHITE_ON_BLACK}{modules}{_AS_BEFORE}"

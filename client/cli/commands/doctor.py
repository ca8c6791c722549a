"""`sobremesa doctor`: check if others can find this machine, and tell the result in plain words.

Each check is a function that returns its result as a text, or raises `Fault` with a remedy. Any
other SentenceError, an OSError or a sqlite3.Error from a check counts as a fault, too.
"""

import argparse
import sqlite3
import threading
from collections.abc import Awaitable, Callable
from functools import partial

import trio
from zeroconf import ServiceBrowser

from client.cli.log_file import LOG_FILE
from client.cli.machine_faults import machine_sentence
from client.cli.shared_arguments import port_number
from client.i18n.language import _, _n
from client.i18n.sentences import said
from client.session.run_until_signal import run_trio
from client.ui.text.console import Console
from engine.sentences import SentenceError
from p2p.discovery.beacon import MOST_HOSTS, SERVICE, Beacon
from p2p.discovery.interfaces import Interface, interfaces, lan_addresses, listen
from p2p.discovery.mdns import MDNS_ERRORS, zeroconf_on
from p2p.error_reasons import reason_of
from p2p.lobby.damaged_charter import damaged_charters
from p2p.storage.data_path import JOURNAL_FILE
from p2p.storage.identity import Identity
from p2p.storage.journal import Journal
from p2p.storage.journal_file import own_files
from p2p.storage.private_files import IdentityInUse, data_folder, data_path, locked
from p2p.transport.frames import LinkError
from p2p.transport.link import Link, connect, serve_links
from protocol.words_for_keys import words

_MULTICAST_SECONDS = 4.0
"""Seconds to wait for the machine's own beacon; announcing one takes about one second."""

_ANSWER_SECONDS = 3.0
"""Seconds in which the machine must answer at its own port."""

Check = Callable[[], Awaitable[str]]


class Fault(SentenceError):
    """A fault that a check has found, with a remedy."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--port", type=port_number, help=_("the port at which you would listen"))


def run(arguments: argparse.Namespace) -> int:
    """Run all checks, and return 0 if nothing is wrong, otherwise 1."""
    return run_trio(_examine, Console(), arguments.port)


async def _examine(console: Console, port: int | None) -> int:
    checks: list[tuple[str, Check]] = [
        (_("Data folder"), _folder),
        (_("Journal"), _journal),
        (_("Interfaces"), _interfaces),
        (_("Port"), partial(_port, port)),
        *(
            (
                _("Beacons on {interface}").format(interface=interface.name),
                partial(_multicast, interface),
            )
            for interface in interfaces()
        ),
    ]
    faults = 0
    for name, check in checks:
        try:
            console.line(f"{name}: {await check()}")
        except (SentenceError, OSError, sqlite3.Error) as error:
            faults += 1
            what = error if isinstance(error, SentenceError) else machine_sentence(error)
            console.line(_("{check}: FAULT. {what}").format(check=name, what=said(what)))
    console.line(_("Clock: not needed; nothing depends on it."))
    if faults:
        console.line(
            _n(
                "{n} check of {all} has found a fault.",
                "{n} checks of {all} have found a fault.",
                faults,
                all=len(checks),
            )
        )
    else:
        console.line(
            _("Nothing is wrong here. If others still cannot find you, it is the network:")
        )
        console.line(_("some Wi-Fi keeps its guests apart. Join by address, or use a cable."))
    return 1 if faults else 0


async def _folder() -> str:
    try:
        folder = data_folder()
        identity = Identity.load_or_create(folder)
        with locked(folder):
            pass
    except IdentityInUse:
        return _("in use by another Sobremesa of yours, which is fine.")
    return _("{folder} is yours alone; your words are {words}.").format(
        folder=folder, words=" ".join(words(identity.public))
    )


async def _journal() -> str:
    """Check the journal by opening it, and return the result with the path of the log."""
    log = _("the log is {path}").format(path=data_path() / LOG_FILE)
    path = data_path() / JOURNAL_FILE
    if not any(file.exists() for file in own_files(path)):
        return _("there is none yet; {log}.").format(log=log)
    try:
        with Journal.open(path) as journal:
            tables = journal.tables()
            doubted = [table for table in tables if journal.is_doubtful(table.table_id)]
            lost = damaged_charters(journal)
    except IdentityInUse:
        return _("in use by another Sobremesa of yours, which is fine; {log}.").format(log=log)
    if lost:
        raise Fault(
            "Tables whose charter is damaged: {count}. sobremesa resume fetches it from the "
            "others.",
            count=len(lost),
        )
    if doubted:
        raise Fault(
            "Tables at which the journal may be older than what you have signed: {count}. Resume "
            "them with the others, whose records show what you signed.",
            count=len(doubted),
        )
    return _("undamaged; tables in it: {count}; {log}.").format(count=len(tables), log=log)


async def _interfaces() -> str:
    up = [interface for interface in interfaces() if not interface.is_loopback]
    if not up:
        raise Fault(
            "No network is connected. Only programs on this machine can reach you: plug in a "
            "cable or join a Wi-Fi network."
        )
    lines = (
        _("{interface} has {addresses}").format(
            interface=interface.name, addresses=", ".join(interface.addresses)
        )
        for interface in up
    )
    return "; ".join(lines) + "."


async def _port(wished: int | None) -> str:
    """Listen at the port, and connect to it at every address of this machine."""
    try:
        listeners, port = await listen(wished)
    except OSError as error:
        raise Fault(
            "This program cannot listen at port {port} ({error}). Choose another port with "
            "--port, or leave out --port.",
            port=str(wished),
            error=reason_of(error),
        ) from error
    here, visitor = Identity.generate(), Identity.generate()
    failed = []
    async with trio.open_nursery() as nursery:
        await nursery.start(partial(serve_links, listeners, here, _echo))
        for host in lan_addresses():
            try:
                with trio.fail_after(_ANSWER_SECONDS):
                    async with connect(host, port, visitor, expect=here.public) as link:
                        await link.receive()
            except (LinkError, trio.TooSlowError):
                failed.append(host)
        nursery.cancel_scope.cancel()
    if failed:
        raise Fault(
            "Port {port} does not answer at {addresses}. A firewall on this machine may block "
            "it: allow incoming connections to TCP port {port}.",
            port=str(port),
            addresses=", ".join(failed),
        )
    return _("{port} answers at all addresses of this machine.").format(port=port)


async def _echo(link: Link) -> None:
    await link.send(b"here")
    await trio.sleep(1)  # the link closes when this function returns: the visitor reads first


async def _multicast(interface: Interface) -> str:
    """Send a beacon on a network interface, and wait for it on the same interface."""
    try:
        seen = await trio.to_thread.run_sync(_beacon_comes_back, interface)
    except MDNS_ERRORS as error:
        raise Fault(
            "mDNS cannot be used ({error}). Join by address: HOST:PORT.", error=reason_of(error)
        ) from error
    if not seen:
        raise Fault(
            "A beacon was sent and did not come back. A firewall may block it: allow UDP port "
            "5353 to 224.0.0.251, in and out. Until then, join by address: HOST:PORT."
        )
    return _("a beacon went out and came back.")


def _beacon_comes_back(interface: Interface) -> bool:
    sender_key = Identity.generate()
    # Nothing listens at port 9: whoever hears this beacon finds no table.
    beacon = Beacon(sender_key.public, interface.addresses[:MOST_HOSTS], 9)
    service = beacon.to_service(sender_key.sign)
    came = threading.Event()

    def heard(name: str, **_more: object) -> None:
        if name == service.name:
            came.set()

    sender, hearer = zeroconf_on([interface]), zeroconf_on([interface])
    try:
        browser = ServiceBrowser(hearer, SERVICE, [heard])
        sender.register_service(service)
        came.wait(_MULTICAST_SECONDS)
        browser.cancel()
    finally:
        sender.close()
        hearer.close()
    return came.is_set()

"""The menus for tables with other people.

The menus turn the person's answers into a command that the person could have typed in a shell.
"""

import argparse
from collections.abc import Sequence
from importlib import import_module

import trio

from client.cli.commands.join import can_be_joined
from client.cli.commands.resume import unfinished_tables
from client.cli.commands.tables import table_label, table_place
from client.cli.commands.watch import can_be_watched
from client.cli.menus.new_table import NewTable
from client.i18n.language import _
from client.i18n.sentences import said
from client.session.display.display_interface import SessionDisplay
from client.settings import Settings
from client.ui.tui.toolkit.dialogs import ask_text
from client.ui.tui.toolkit.menu import Choice, Menu, OnChoices
from client.ui.tui.toolkit.terminal_look import TerminalLook
from p2p.discovery.address_book import place_text
from p2p.discovery.beacon import Beacon
from p2p.discovery.beacons import NoBeacon, open_beacons
from p2p.lobby.beacon_check import beacon_checker
from p2p.storage.data_path import JOURNAL_FILE
from p2p.storage.journal import Journal
from p2p.storage.private_files import data_folder

SEARCH_SECONDS = 2.0
"""Seconds to look for open tables before the menu of the linear mode lists them."""

_BY_ADDRESS = "address"

_WATCH = "watch\n"
"""Prefix of a choice to watch a table; no name of a table contains the line break."""


def play_command(display: SessionDisplay, settings: Settings, name: str, *arguments: str) -> None:
    """Play as if the command had been typed. Raises the errors of its `play`, and Interrupted."""
    command = import_module(f"client.cli.commands.{name}")
    parser = argparse.ArgumentParser(prog=f"sobremesa {name}")
    command.add_arguments(parser)
    command.play(parser.parse_args(arguments), display, settings)


async def joining(look: TerminalLook) -> tuple[str, ...] | None:
    """Return the command to join or to watch the table that the person chooses.

    Return None if they go back. Raises Interrupted.
    """
    chosen = await _choose_table(look)
    if chosen == _BY_ADDRESS:
        chosen = await ask_text(_("HOST or HOST:PORT"), "", look)
    if chosen is not None and chosen.startswith(_WATCH):
        return ("watch", chosen.removeprefix(_WATCH))
    return None if not chosen else ("join", chosen.strip())


async def _choose_table(look: TerminalLook) -> str | None:
    """Return the value of the person's choice from `_table_choices`; None if they go back.

    The menu is updated while tables are opened and closed.
    """
    menu = Menu(_("Which table?"), _table_choices(()))
    try:
        async with open_beacons(beacon_checker()) as beacons:

            async def follow(on_choices: OnChoices) -> None:
                while True:
                    on_choices(_table_choices(beacons.tables))
                    await beacons.changed()

            if look.lines is None:
                menu.text = (_("Tables appear here as they are opened."),)
            else:
                await trio.sleep(SEARCH_SECONDS)
                menu.update(_table_choices(beacons.tables))
            return await menu.ask(look, follow)
    except NoBeacon as error:
        menu.text = (said(error),)
        return await menu.ask(look)


def _table_choices(tables: Sequence[Beacon]) -> list[Choice]:
    """Return the tables to join or to watch, and last the choice of a table by its address."""
    choices = [
        Choice(_way_to(beacon, tables), table_label(beacon), table_place(beacon))
        for beacon in tables
        if can_be_joined(beacon)
    ]
    choices += [
        Choice(
            _WATCH + _way_to(beacon, tables),
            _("Watch: {table}").format(table=table_label(beacon)),
            table_place(beacon),
        )
        for beacon in tables
        if can_be_watched(beacon)
    ]
    detail = _("Ask the host for the address: it is on their screen.")
    return [*choices, Choice(_BY_ADDRESS, _("A table by its address"), detail)]


def _way_to(beacon: Beacon, tables: Sequence[Beacon]) -> str:
    """Return the argument of `join` or `watch` for a table.

    The argument is the table's name, so that all addresses of the table are tried. Only if the name
    is not unique, looks like a flag, or is the value of another choice, the argument is the first
    address.
    """
    name = beacon.table
    same = sum(name.casefold() == other.table.casefold() for other in tables)
    if same > 1 or name.startswith("-") or name == _BY_ADDRESS:
        return place_text(beacon.hosts[0], beacon.port)
    return name


def hosting(table: NewTable) -> tuple[str, ...]:
    """Return the command that opens a table; the host adds opponents in the lobby."""
    options = (word for option in table.option_words for word in ("--option", option))
    spectators = ("--spectators",) if table.spectators else ()
    size = f"--game {table.game.name} --players {table.players}"
    return ("host", *size.split(), *options, *spectators)


def resumable() -> dict[tuple[str, ...], str]:
    """Return the commands that continue tables with other people, each with a line about its table.

    Blocks. Raises JournalError, IdentityInUse.
    """
    path = data_folder() / JOURNAL_FILE
    if not path.exists():
        return {}
    with Journal.open(path) as journal:
        signed_for = journal.pending_charter() is not None
        tables = unfinished_tables(journal)
    asking = _("The last table that you signed for, if all others have signed too")
    return {
        **({("resume",): asking} if signed_for else {}),
        **{
            ("resume", "--number", f"{number}"): table.line
            for number, table in enumerate(tables, start=1)
        },
    }

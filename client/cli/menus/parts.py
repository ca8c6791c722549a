"""What the first screen leads to: tables, records, rules and settings, and what they load."""

from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TypeVar

import trio

from client.cli.commands.solo import outcome_sentence
from client.cli.menus.network import (
    ask,
    hosting,
    is_resumable,
    joining,
    play_command,
    resumable,
)
from client.cli.menus.new_table import NewTable, which_table
from client.cli.menus.records import RecordMenu, record_choice, surely
from client.cli.menus.rules import read_rules
from client.cli.menus.settings import change_settings
from client.cli.menus.visitor import Visitor
from client.i18n.language import _
from client.record_files import SUFFIX, kept_records, record_folder
from client.session.signals import until_signalled
from client.session.solo import Outcome, continued_table, delete_table, new_table, table_line
from client.session.solo_folder import solo_folder, unfinished
from client.settings import BadSetting, for_this_time, load_settings, save_settings
from client.ui.choose_display import restoring_display, solo_display
from client.ui.person_or_program import PersonDisplay
from client.ui.tui.toolkit.menu import Choice, Menu
from client.ui.tui.toolkit.prompt import ask_text
from client.ui.tui.toolkit.terminal_look import TerminalLook
from p2p.storage.folders import data_folder

__all__ = ("PARTS", "ask", "ask_name", "is_resumable")

T = TypeVar("T")


def ask_name(visitor: Visitor) -> None:
    """At the very first time: what the others will read at the table."""
    question = _("Your name at the table; Enter keeps it.")
    typed = _in_trio(partial(ask_text, question, visitor.settings.name, visitor.look))
    with suppress(BadSetting):  # the settings ask again, and say why
        name = visitor.settings.name if typed is None else typed.strip()
        visitor.settings = visitor.settings.changed("name", name)
    save_settings(data_folder(), visitor.settings)


def _play_now(visitor: Visitor) -> None:
    table = _new_table(visitor, _("Begin"))
    if table is not None:
        show = solo_display(visitor.look)
        wanted = (table.game, table.options, table.players)
        _sit(visitor, partial(new_table, visitor.settings, show, *wanted, None))


def _join(visitor: Visitor) -> None:
    _command(visitor, joining(visitor.look))


def _host(visitor: Visitor) -> None:
    table = _new_table(visitor, _("Open the table"), hosted=True)
    if table is not None:
        _command(visitor, hosting(table))


def _continue_table(visitor: Visitor) -> None:
    there = resumable()
    commands = {" ".join(command): command for command in there}
    choices = [Choice(" ".join(command), line) for command, line in there.items()]
    chosen = ask(Menu(_("Which table?"), [*choices, *_solo_tables()]), visitor.look)
    if chosen in commands:
        _command(visitor, commands[chosen])
    elif chosen is not None:
        _go_on(visitor, solo_folder() / chosen)


def _go_on(visitor: Visitor, folder: Path) -> None:
    show = solo_display(visitor.look)
    restoring = restoring_display(visitor.look)
    _sit(visitor, partial(continued_table, folder, visitor.settings, show, restoring, None))


def _sit(visitor: Visitor, play: Callable[[], Awaitable[Outcome]]) -> None:
    outcome = _in_trio(play)
    visitor.said = outcome_sentence(outcome) if outcome.record else None


def _command(visitor: Visitor, command: tuple[str, ...] | None) -> None:
    """Play as a command does, and show what it has told at the end."""
    if command is None:
        return
    display = PersonDisplay(visitor.look, own_screen=False)
    try:
        play_command(display, visitor.settings, *command)
    finally:
        visitor.said = " ".join(display.told) or None


def _records(visitor: Visitor) -> None:
    """Tables that are not over, then records, until the person goes back."""
    place = 0
    while choices := [*_solo_tables(), *map(record_choice, kept_records())]:
        menu = Menu(_("Records"), choices, place=min(place, len(choices) - 1))
        chosen = ask(menu, visitor.look)
        if chosen is None:
            return
        place = menu.place
        if chosen.endswith(SUFFIX):
            _in_trio(RecordMenu(record_folder() / chosen, visitor.look).run)
        else:
            _unfinished_table(visitor, choices[place])


def _unfinished_table(visitor: Visitor, table: Choice) -> None:
    """Go on at a table, or delete it."""
    choices = [
        Choice("open", _("Open"), _("Go on where you left it, card by card.")),
        Choice("delete", _("Delete"), _("You are asked once more.")),
    ]
    folder = solo_folder() / table.value
    match ask(Menu(table.label, choices), visitor.look):
        case "open":
            _go_on(visitor, folder)
        case "delete":
            told = _("The match is not over, and leaves no record.")
            if _in_trio(partial(surely, _("Delete this table?"), told, visitor.look)):
                delete_table(folder)


def _read_rules(visitor: Visitor) -> None:
    _in_trio(partial(read_rules, visitor.settings.game, visitor.look))


def _change_settings(visitor: Visitor) -> None:
    kept = load_settings(data_folder()).settings  # not what holds for this time alone
    linear = visitor.linear
    change = partial(change_settings, kept, visitor.look, data_folder(), linear=linear)
    visitor.settings = for_this_time(_in_trio(change), linear=linear)
    visitor.look = TerminalLook.of(visitor.settings, visitor.look.lines)


def _new_table(visitor: Visitor, begin: str, *, hosted: bool = False) -> NewTable | None:
    """The table that the person wants. A level that they choose is kept in the settings."""
    level = visitor.settings.level
    asked = (visitor.settings.game, level, begin, visitor.look)
    choosing = partial(which_table, *asked, hosted=hosted)
    table = _in_trio(choosing)
    if table is not None and table.level != level:
        visitor.settings = visitor.settings.changed("level", table.level)
        kept = load_settings(data_folder()).settings  # not what holds for this time alone
        save_settings(data_folder(), kept.changed("level", table.level))
    return table


PARTS: Mapping[str, Callable[[Visitor], None]] = {
    "now": _play_now,
    "join": _join,
    "host": _host,
    "continue": _continue_table,
    "records": _records,
    "rules": _read_rules,
    "settings": _change_settings,
}


def _in_trio(function: Callable[[], Awaitable[T]]) -> T:
    """What the function returns. Raises Interrupted."""
    return trio.run(until_signalled, function)


def _solo_tables() -> list[Choice]:
    """The tables against opponents that are not over, the one left last first."""
    detail = _("Not over: where you left it, card by card.")
    return [Choice(folder.name, table_line(folder), detail) for folder in unfinished()]

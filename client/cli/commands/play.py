"""`sobremesa play`: the first screen, and from it to the tables, records, rules and settings."""

import argparse
import secrets
from collections.abc import Awaitable, Callable, Mapping
from contextlib import nullcontext, suppress
from functools import partial
from pathlib import Path
from typing import TypeVar

import trio
from attrs import define

from client.cli.commands.solo import outcome_sentence, print_last
from client.cli.menus.network import ask, hosting, joining, play_command, resumable
from client.cli.menus.new_table import NewTable, which_table
from client.cli.menus.records import (
    RecordMenu,
    record_choice,
    surely,
)
from client.cli.menus.rules import read_rules
from client.cli.menus.settings import change_settings
from client.i18n.language import _, choose_language
from client.i18n.sentences import said
from client.record_files import SUFFIX, kept_records, record_folder
from client.session.signals import Interrupted, until_signalled
from client.session.solo import (
    Outcome,
    continued_table,
    delete_table,
    new_table,
    solo_folder,
    table_line,
    unfinished,
)
from client.settings import (
    BadSetting,
    Settings,
    for_this_time,
    load_settings,
    save_settings,
)
from client.spoken_language import SETTINGS_FILE
from client.ui.choose_display import restoring_display, solo_display
from client.ui.person_or_program import PersonDisplay
from client.ui.tui.toolkit.alternate_screen import hold_screen
from client.ui.tui.toolkit.menu import Choice, Menu
from client.ui.tui.toolkit.prompt import ask_text
from client.ui.tui.toolkit.terminal_look import TerminalLook
from engine.sentences import SentenceError
from p2p.storage.folders import data_folder

T = TypeVar("T")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--linear", action="store_true", help=_("lines instead of a full screen"))


def run(arguments: argparse.Namespace) -> int:
    """Raises FolderError."""
    loaded = load_settings(data_folder())
    choose_language(loaded.settings.language)
    settings = for_this_time(loaded.settings, linear=arguments.linear)
    look = TerminalLook.of(settings)
    try:
        with hold_screen() if look.lines is None else nullcontext():
            FirstScreen(settings, look, loaded.trouble, linear=arguments.linear).run()
    except Interrupted:
        print_last(outcome_sentence(None))
    return 0


@define
class FirstScreen:
    """What there is to do. `said` is a sentence above the choices; `linear` asks for lines this
    time, whatever the settings say.
    """

    settings: Settings
    look: TerminalLook
    said: str | None = None
    linear: bool = False

    def run(self) -> None:
        """Until the person leaves. Raises Interrupted."""
        if self.look.lines is None and not (data_folder() / SETTINGS_FILE).exists():
            self._ask_name()
        place = 0
        while True:
            menu = Menu("Sobremesa", self._choices(), (self.said,) if self.said else (), place)
            value = ask(menu, self.look)
            if value is None or value == _LEAVE:
                return
            place = menu.place
            self.said = None
            try:
                _PARTS[value](self)
            except SentenceError as error:
                self.said = " ".join(filter(None, (self.said, said(error))))

    def _ask_name(self) -> None:
        """At the very first time: what the others will read at the table."""
        question = _("Your name at the table; Enter keeps it.")
        typed = _in_trio(partial(ask_text, question, self.settings.name, self.look))
        with suppress(BadSetting):  # the settings ask again, and say why
            name = self.settings.name if typed is None else typed.strip()
            self.settings = self.settings.changed("name", name)
        save_settings(data_folder(), self.settings)

    def _choices(self) -> list[Choice]:
        """Only what leads somewhere."""
        choices = [
            Choice("now", _("Play now"), _("At once, against opponents on this machine.")),
            Choice("join", _("Tables on this network"), _("Sit down with other people.")),
            Choice("host", _("Host a table"), _("Open one, and wait for the others.")),
        ]
        if unfinished() or resumable():
            detail = _("Where you left it, card by card.")
            choices.append(Choice("continue", _("Continue a table"), detail))
        if unfinished() or kept_records():
            detail = _("What was played: the score, each step, the audit.")
            choices.append(Choice("records", _("Records"), detail))
        return [
            *choices,
            Choice("rules", _("Rules"), _("Of each game, by subject, or by a word.")),
            Choice("settings", _("Settings"), _("Your name, colours, language, opponents.")),
            Choice(_LEAVE, _("Leave")),
        ]

    # -- tables

    def play_now(self) -> None:
        table = self._new_table(_("Begin"))
        if table is not None:
            show, seed = solo_display(self.look), secrets.randbits(32)
            wanted = (table.game, table.options, table.players)
            self._sit(partial(new_table, self.settings, show, *wanted, seed))

    def join(self) -> None:
        self._command(joining(self.look))

    def host(self) -> None:
        table = self._new_table(_("Open the table"), hosted=True)
        if table is not None:
            self._command(hosting(table))

    def continue_table(self) -> None:
        commands = {" ".join(command): command for command in resumable()}
        choices = [Choice(" ".join(command), line) for command, line in resumable().items()]
        chosen = ask(Menu(_("Which table?"), [*choices, *_solo_tables()]), self.look)
        if chosen in commands:
            self._command(commands[chosen])
        elif chosen is not None:
            self._go_on(solo_folder() / chosen)

    def _go_on(self, folder: Path) -> None:
        show, seed = solo_display(self.look), secrets.randbits(32)
        restoring = restoring_display(self.look)
        self._sit(partial(continued_table, folder, self.settings, show, restoring, seed))

    def _sit(self, play: Callable[[], Awaitable[Outcome]]) -> None:
        outcome = _in_trio(play)
        self.said = outcome_sentence(outcome) if outcome.record else None

    def _command(self, command: tuple[str, ...] | None) -> None:
        """Play as a command does, and show what it has told at the end."""
        if command is None:
            return
        display = PersonDisplay(self.look, own_screen=False)
        try:
            play_command(display, self.settings, *command)
        finally:
            self.said = " ".join(display.told) or None

    # -- reading

    def records(self) -> None:
        """Tables that are not over, then records, until the person goes back."""
        place = 0
        while choices := [*_solo_tables(), *map(record_choice, kept_records())]:
            menu = Menu(_("Records"), choices, place=min(place, len(choices) - 1))
            chosen = ask(menu, self.look)
            if chosen is None:
                return
            place = menu.place
            if chosen.endswith(SUFFIX):
                _in_trio(RecordMenu(record_folder() / chosen, self.look).run)
            else:
                self._unfinished_table(choices[place])

    def _unfinished_table(self, table: Choice) -> None:
        """Go on at a table, or delete it."""
        choices = [
            Choice("open", _("Open"), _("Go on where you left it, card by card.")),
            Choice("delete", _("Delete"), _("You are asked once more.")),
        ]
        folder = solo_folder() / table.value
        match ask(Menu(table.label, choices), self.look):
            case "open":
                self._go_on(folder)
            case "delete":
                told = _("The match is not over, and leaves no record.")
                if _in_trio(partial(surely, _("Delete this table?"), told, self.look)):
                    delete_table(folder)

    def read_rules(self) -> None:
        _in_trio(partial(read_rules, self.settings.game, self.look))

    def change_settings(self) -> None:
        kept = load_settings(data_folder()).settings  # not what holds for this time alone
        change = partial(change_settings, kept, self.look, data_folder(), linear=self.linear)
        self.settings = for_this_time(_in_trio(change), linear=self.linear)
        self.look = TerminalLook.of(self.settings, self.look.lines)

    # -- asking

    def _new_table(self, begin: str, *, hosted: bool = False) -> NewTable | None:
        """The table that the person wants. A level that they choose is kept in the settings."""
        level = self.settings.level
        asked = (self.settings.game, level, begin, self.look)
        choosing = partial(which_table, *asked, hosted=hosted)
        table = _in_trio(choosing)
        if table is not None and table.level != level:
            self.settings = self.settings.changed("level", table.level)
            kept = load_settings(data_folder()).settings  # not what holds for this time alone
            save_settings(data_folder(), kept.changed("level", table.level))
        return table


_LEAVE = "leave"

_PARTS: Mapping[str, Callable[[FirstScreen], None]] = {
    "now": FirstScreen.play_now,
    "join": FirstScreen.join,
    "host": FirstScreen.host,
    "continue": FirstScreen.continue_table,
    "records": FirstScreen.records,
    "rules": FirstScreen.read_rules,
    "settings": FirstScreen.change_settings,
}


def _in_trio(function: Callable[[], Awaitable[T]]) -> T:
    """What the function returns. Raises Interrupted."""
    return trio.run(until_signalled, function)


def _solo_tables() -> list[Choice]:
    """The tables against opponents that are not over, the one left last first."""
    detail = _("Not over: where you left it, card by card.")
    return [Choice(folder.name, table_line(folder), detail) for folder in unfinished()]

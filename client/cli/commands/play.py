"""`sobremesa play`: the first screen, which leads to tables, records, rules and settings.

Before the first screen is shown, only the modules that it needs are imported, so that it appears
quickly.
"""

import argparse
import gc
from contextlib import nullcontext
from pathlib import Path
from types import ModuleType

from client.cli.last_sentence import left_sentence, print_last
from client.cli.menus.menu_context import MenuContext
from client.i18n.language import _
from client.language_setting import SETTINGS_FILE
from client.own_statistics_line import kept_line
from client.record_files import kept_records
from client.session.ending_signals import Interrupted
from client.session.solo_folder import unfinished
from client.settings import for_this_time, load_settings
from client.ui.tui.terminal.hold_screen import hold_screen
from client.ui.tui.toolkit.menu import Choice, Menu
from client.ui.tui.toolkit.terminal_look import TerminalLook
from engine.sentences import SentenceError
from p2p.storage.data_path import JOURNAL_FILE
from p2p.storage.private_files import data_folder


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--linear", action="store_true", help=_("lines instead of a full screen"))


def run(arguments: argparse.Namespace) -> int:
    """Show the first screen.

    Raises FolderError. After an interrupt, a last sentence tells how to continue the unfinished
    table; if there is no such table, Interrupted is raised.
    """
    loaded = load_settings(data_folder())
    settings = for_this_time(loaded.settings, linear=arguments.linear)
    look = TerminalLook.of(settings)
    try:
        with hold_screen() if look.lines is None else nullcontext():
            FirstScreen(settings, look, loaded.trouble, linear=arguments.linear).run()
    except Interrupted:
        if not unfinished():
            raise
        print_last(left_sentence())
    return 0


def _parts() -> ModuleType:
    """Return the module behind the first screen, which imports games, network and dealing."""
    # Lazy import: importing this module is slow, and the screen should be shown before.
    from client.cli.menus import first_screen_actions  # noqa: PLC0415

    gc.enable()
    return first_screen_actions


class FirstScreen(MenuContext):
    """The first screen: the menu of the whole program."""

    def run(self) -> None:
        """Run until the person leaves. Raises Interrupted."""
        if not (data_folder() / SETTINGS_FILE).exists():
            wanted = _parts().welcome(self)
            if wanted in _parts().ACTIONS:
                self._go_to(wanted)
        menu = Menu("Sobremesa", ())
        while True:
            menu.choices, menu.text = self._choices(), (self.said,) if self.said else ()
            value = self._ask(menu)
            if value is None or value == _LEAVE:
                return
            self.said = None
            self._go_to(value)

    def _go_to(self, part: str) -> None:
        """Run a part; if it raises an error, show the error above the choices."""
        try:
            _parts().ACTIONS[part](self)
        except SentenceError as error:
            from client.i18n.sentences import said  # noqa: PLC0415 - slow, and rarely needed

            self.said = " ".join(filter(None, (self.said, said(error))))

    def _ask(self, menu: Menu) -> str | None:
        if self.look.lines is None:
            return menu.ask_alone(self.look)
        chosen: str | None = _parts().ask(menu, self.look)
        return chosen

    def _results(self, records: list[Path]) -> str:
        """Return the person's results in one line, or what the choice shows if the cache is old."""
        line = kept_line(data_folder(), records)
        if line is None:
            return _("Matches, wins, streaks, and how strong you play.")
        return line.text(symbols=self.look.glyphs.symbols)

    def _choices(self) -> list[Choice]:
        """Return the choices that make sense now. Raises JournalError, IdentityInUse."""
        choices = [
            Choice("now", _("Play now"), _("At once, against opponents on this machine.")),
            Choice("today", _("Deal of the day"), _("The same cards for everybody, to compare.")),
            Choice("join", _("Tables on this network"), _("Sit down with other people.")),
            Choice("host", _("Host a table"), _("Open one, and wait for the others.")),
        ]
        has_journal = (data_folder() / JOURNAL_FILE).exists()
        if unfinished() or (has_journal and _parts().resumable()):
            detail = _("Where you left it, card by card.")
            choices.append(Choice("continue", _("Continue a table"), detail))
        records = kept_records()
        if unfinished() or records:
            detail = _("What was played: the score, each step, the audit.")
            choices.append(Choice("records", _("Records"), detail))
        if records:
            choices.append(Choice("statistics", _("Your statistics"), self._results(records)))
        return [
            *choices,
            Choice("learn", _("Learn a game"), _("A lesson of ten minutes at the table.")),
            Choice("rules", _("Rules"), _("The rules of each game, by subject or by a word.")),
            Choice("settings", _("Settings"), _("Your name, colours, language, opponents.")),
            Choice(_LEAVE, _("Leave")),
        ]


_LEAVE = "leave"

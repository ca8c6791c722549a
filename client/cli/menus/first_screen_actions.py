"""The actions behind the choices of the first screen: tables, records, rules, settings."""

from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TypeVar

import trio

from client.cli.commands.learn import showing
from client.cli.commands.solo import outcome_sentence
from client.cli.menus.menu_context import MenuContext
from client.cli.menus.network_tables import hosting, joining, play_command, resumable
from client.cli.menus.new_table import NewTable, which_game, which_table
from client.cli.menus.records import RecordMenu, record_choice, surely
from client.cli.menus.rules import read_rules
from client.cli.menus.settings import change_settings
from client.i18n.language import _, _n
from client.lessons.lesson import read_lesson, taught
from client.lessons.lesson_sitting import attend, steps_done
from client.own_statistics_line import keep_line, newest_of
from client.record_files import SUFFIX, kept_records, record_folder
from client.reports.ledger.audit_files import audit_files
from client.reports.ledger.own_statistics import (
    line_of,
    own_match,
    own_statistics,
    statistics_lines,
)
from client.session.run_until_signal import until_signalled
from client.session.solo import Outcome, SoloTables, delete_table, table_line, today
from client.session.solo_folder import solo_folder, unfinished
from client.settings import BadSetting, for_this_time, load_settings, save_settings
from client.ui.session_displays import PersonDisplay
from client.ui.tui.toolkit.dialogs import OnProgress, Reader, ask_text, read, while_working
from client.ui.tui.toolkit.menu import Choice, Menu
from client.ui.tui.toolkit.terminal_look import TerminalLook
from engine.games import game_named
from p2p.storage.identity import Identity
from p2p.storage.private_files import data_folder

__all__ = ("ACTIONS", "ask", "resumable", "welcome")

T = TypeVar("T")


def ask(menu: Menu, look: TerminalLook) -> str | None:
    """Return the person's choice in a menu; None if they go back. Raises Interrupted."""
    return _in_trio(partial(menu.ask, look))


def welcome(context: MenuContext) -> str | None:
    """Greet a person at the very first start, and return the part that they choose.

    Return None if they go back; in that case they are greeted again at the next start.
    """
    text = (
        _(
            "Here you play Canasta and its relatives: with friends on one network, or against "
            "opponents on this machine."
        ),
        _(
            "Nobody has to be trusted: all players shuffle together, and each game leaves a record "
            "that anybody can check."
        ),
    )
    choices = [
        Choice("learn", _("Learn a game"), _("A lesson of ten minutes at the table.")),
        Choice("now", _("Play now"), _("At once, against opponents on this machine.")),
        Choice("look", _("Look around"), _("Tables of others, rules, settings.")),
    ]
    chosen = ask(Menu(_("Welcome to Sobremesa"), choices, text), context.look)
    if chosen is not None:
        _ask_name(context)
    return chosen


def _ask_name(context: MenuContext) -> None:
    """Ask for the name that others will read at the table, and save the settings."""
    question = _("Your name at the table; Enter keeps it.")
    typed = _in_trio(partial(ask_text, question, context.settings.name, context.look))
    with suppress(BadSetting):  # a bad name changes nothing: the settings can be changed later
        name = context.settings.name if typed is None else typed.strip()
        context.settings = context.settings.changed("name", name)
    save_settings(data_folder(), context.settings)


def _play_now(context: MenuContext) -> None:
    table = _new_table(context, _("Begin"))
    if table is not None:
        _sit(context, partial(_tables(context).new, table.game, table.options, table.players))


def _deal_of_the_day(context: MenuContext) -> None:
    """Ask for the game, and play today's deal of it."""
    game = _in_trio(partial(which_game, context.settings.game, context.look))
    if game is not None:
        _sit(context, partial(_tables(context).of_the_day, game, today()))


def _join(context: MenuContext) -> None:
    _command(context, _in_trio(partial(joining, context.look)))


def _host(context: MenuContext) -> None:
    table = _new_table(context, _("Open the table"), hosted=True)
    if table is not None:
        _command(context, hosting(table))


def _continue_table(context: MenuContext) -> None:
    there = resumable()
    commands = {" ".join(command): command for command in there}
    choices = [Choice(" ".join(command), line) for command, line in there.items()]
    chosen = ask(Menu(_("Which table?"), [*choices, *_solo_tables()]), context.look)
    if chosen in commands:
        _command(context, commands[chosen])
    elif chosen is not None:
        _go_on(context, solo_folder() / chosen)


def _go_on(context: MenuContext, folder: Path) -> None:
    restoring = PersonDisplay(context.look).restoring
    _sit(context, partial(_tables(context).continued, folder, restoring))


def _tables(context: MenuContext) -> SoloTables:
    return SoloTables(context.settings, PersonDisplay(context.look).solo)


def _sit(context: MenuContext, play: Callable[[], Awaitable[Outcome]]) -> None:
    outcome = _in_trio(play)
    context.said = outcome_sentence(outcome) if outcome.record else None


def _command(context: MenuContext, command: tuple[str, ...] | None) -> None:
    """Run a command such as `join`, then show its last lines above the choices."""
    if command is None:
        return
    display = PersonDisplay(context.look, own_screen=False)
    try:
        play_command(display, context.settings, *command)
    finally:
        context.said = " ".join(display.unsaid) or None


def _records(context: MenuContext) -> None:
    """Show the unfinished tables and the records until the person goes back or none is left."""
    menu = Menu(_("Records"), ())
    while choices := [*_solo_tables(), *map(record_choice, kept_records())]:
        menu.choices, menu.place = choices, min(menu.place, len(choices) - 1)
        chosen = ask(menu, context.look)
        if chosen is None:
            return
        if chosen.endswith(SUFFIX):
            _in_trio(RecordMenu(record_folder() / chosen, context.look).run)
        else:
            _unfinished_table(context, choices[menu.place])


def _unfinished_table(context: MenuContext, table: Choice) -> None:
    """Continue at a table, or delete it."""
    choices = [
        Choice("open", _("Open"), _("Go on where you left it, card by card.")),
        Choice("delete", _("Delete"), _("You will be asked once more.")),
    ]
    folder = solo_folder() / table.value
    match ask(Menu(table.label, choices), context.look):
        case "open":
            _go_on(context, folder)
        case "delete":
            text = _("The match is not over, and leaves no record.")
            if _in_trio(partial(surely, _("Delete this table?"), text, context.look)):
                delete_table(folder)


def _statistics(context: MenuContext) -> None:
    """Audit the new records, and show the person's own results in all records."""

    def work(on_progress: OnProgress) -> list[str]:
        folder, files = data_folder(), kept_records()[::-1]
        newest = newest_of(files)
        identity = Identity.load(folder)
        key = "" if identity is None else identity.public.hex()
        audited = audit_files(files, folder, on_progress)
        counted = {  # a match counts once, even if several files have it
            one.match.match: own_match(file.name, one.match, key)
            for file, one in zip(files, audited, strict=True)
            if one.match is not None
        }
        found = own_statistics(match for match in counted.values() if match is not None)
        keep_line(folder, line_of(found, len(files), newest))
        return list(statistics_lines(found, symbols=context.look.glyphs.symbols))

    async def show() -> None:
        lines = await while_working(_("Checking the records that are new"), work, context.look)
        if lines is not None:
            await read(Reader(_("Your statistics"), lines), context.look)

    _in_trio(show)


def _learn(context: MenuContext) -> None:
    folder = data_folder()
    games = taught()
    choices = []
    for game in games:
        done = steps_done(folder, game.name)
        detail = _("A round at the table, step by step.")
        if done:
            detail = _n("You have done {n} step of it.", "You have done {n} steps of it.", done)
        choices.append(Choice(game.name, _("Learn {game}").format(game=game.title), detail))
    usual = [place for place, game in enumerate(games) if game.name == context.settings.game]
    place = usual[0] if usual else 0
    name = ask(Menu(_("Learn a game"), choices, place=place), context.look)
    if name is None:
        return
    lesson = read_lesson(game_named(name))
    learnt = _in_trio(partial(attend, lesson, context.settings, folder, showing(context.look)))
    if learnt:
        context.said = _("That was the lesson. Now choose “Play now”.")


def _read_rules(context: MenuContext) -> None:
    _in_trio(partial(read_rules, context.settings.game, context.look))


def _change_settings(context: MenuContext) -> None:
    kept = load_settings(data_folder()).settings  # without the flags of this command
    change = partial(change_settings, kept, context.look, data_folder(), linear=context.linear)
    context.settings = for_this_time(_in_trio(change), linear=context.linear)
    context.look = TerminalLook.of(context.settings, context.look.lines)


def _new_table(context: MenuContext, begin: str, *, hosted: bool = False) -> NewTable | None:
    """Return the table that the person wants, and save the level that they choose as a setting."""
    level = context.settings.level
    asking = partial(which_table, context.settings.game, level, begin, context.look, hosted=hosted)
    table = _in_trio(asking)
    if table is not None and table.level != level:
        context.settings = context.settings.changed("level", table.level)
        kept = load_settings(data_folder()).settings  # without the flags of this command
        save_settings(data_folder(), kept.changed("level", table.level))
    return table


ACTIONS: Mapping[str, Callable[[MenuContext], None]] = {
    "now": _play_now,
    "today": _deal_of_the_day,
    "join": _join,
    "host": _host,
    "continue": _continue_table,
    "records": _records,
    "statistics": _statistics,
    "learn": _learn,
    "rules": _read_rules,
    "settings": _change_settings,
}


def _in_trio(function: Callable[[], Awaitable[T]]) -> T:
    """Run an asynchronous function, and return its result. Raises Interrupted on a signal."""
    return trio.run(until_signalled, function)


def _solo_tables() -> list[Choice]:
    """Return the unfinished tables against opponents as choices, the most recent first."""
    detail = _("Not over: where you left it, card by card.")
    return [Choice(folder.name, table_line(folder), detail) for folder in unfinished()]

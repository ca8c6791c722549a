"""`sobremesa play`: the first screen, and from it to the tables, records, rules and settings."""

import argparse
import secrets
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path

import trio
from attrs import define, evolve

from client.language import _, _n, choose_language
from client.look import Look
from client.menu import Choice, Menu
from client.reading import paragraphs, read
from client.records import SUFFIX
from client.report.auditing import audit_file
from client.report.text import report_lines
from client.rulebook.text import common_rules, rules
from client.settings import Settings, load_settings
from client.settings_menu import change_settings
from client.solo import farewell, take_leave
from client.solo_table import Outcome, begun_at, continued_table, new_table, unfinished
from client.terminal import Interrupted, until_signalled
from engine.games import GAMES, Game, game_named
from p2p.folders import data_folder


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--linear", action="store_true", help="lines instead of a full screen")


def run(arguments: argparse.Namespace) -> int:
    """Raises FolderError."""
    loaded = load_settings(data_folder())
    choose_language(loaded.settings.language)
    linear = loaded.settings.linear or arguments.linear
    settings = evolve(loaded.settings, linear=linear)
    first_screen = FirstScreen(settings, Look.of(settings), loaded.trouble)
    try:
        trio.run(until_signalled, first_screen.run)
    except Interrupted:
        take_leave(farewell(Outcome(None)))
    return 0


@define
class FirstScreen:
    """What there is to do. `said` is a sentence above the choices."""

    settings: Settings
    look: Look
    said: str | None = None

    async def run(self) -> None:
        """Until the person leaves. Raises Interrupted."""
        place = 0
        while True:
            menu = Menu("Sobremesa", self._choices(), (self.said,) if self.said else (), place)
            value = await menu.ask(self.look)
            if value is None or value == _LEAVE:
                return
            place = menu.place
            self.said = None
            await _PARTS[value](self)

    def _choices(self) -> list[Choice]:
        """Only what leads somewhere."""
        choices = [Choice("now", _("Play now"), _("At once, against opponents on this machine."))]
        if unfinished():
            detail = _("Where you left it, card by card.")
            choices.append(Choice("continue", _("Continue a table"), detail))
        if _record_files():
            detail = _("What was played, checked from the first byte.")
            choices.append(Choice("records", _("Records"), detail))
        return [
            *choices,
            Choice("rules", _("Rules"), _("Of all games, clause by clause.")),
            Choice("settings", _("Settings"), _("Your name, colours, language, opponents.")),
            Choice(_LEAVE, _("Leave")),
        ]

    async def play_now(self) -> None:
        game = await self._which_game()
        players = None if game is None else await self._how_many(game)
        if game is not None and players is not None:
            seed = secrets.randbits(32)
            await self._sit(new_table(self.settings, self.look, game, players, seed))

    async def continue_table(self) -> None:
        folders = {f"{folder.name}": folder for folder in unfinished()}
        choices = [
            Choice(name, _("Table of {time}").format(time=f"{begun_at(folder):%Y-%m-%d %H:%M}"))
            for name, folder in folders.items()
        ]
        chosen = await Menu(_("Which table?"), choices).ask(self.look)
        if chosen is not None:
            seed = secrets.randbits(32)
            folder = folders[chosen]
            await self._sit(continued_table(folder, self.settings, self.look, seed))

    async def _sit(self, table: Awaitable[Outcome]) -> None:
        outcome = await table
        self.said = farewell(outcome) if outcome.record else None

    async def read_record(self) -> None:
        files = {path.stem: path for path in _record_files()}
        chosen = await Menu(_("Which record?"), [Choice(name, name) for name in files]).ask(
            self.look
        )
        if chosen is not None:
            report = await trio.to_thread.run_sync(audit_file, files[chosen])
            await read(chosen, report_lines(report), self.look)

    async def read_rules(self) -> None:
        game = await self._which_game()
        if game is not None:
            text = f"{rules(game, game.options())}\n{common_rules()}"
            await read(game.title, paragraphs(text), self.look)

    async def change_settings(self) -> None:
        self.settings = await change_settings(self.settings, self.look, data_folder())
        self.look = Look.of(self.settings, self.look.lines)

    async def _which_game(self) -> Game | None:
        choices = [Choice(game.name, game.title) for game in GAMES.values()]
        place = list(GAMES).index(self.settings.game)
        name = await Menu(_("Which game?"), choices, place=place).ask(self.look)
        return None if name is None else game_named(name)

    async def _how_many(self, game: Game) -> int | None:
        if len(game.players) == 1:
            return game.players[0]
        choices = []
        for number in game.players:
            text = _n("{n} player", "{n} players", number)
            if number in game.couples:
                text = _("{players}, in couples").format(players=text)
            choices.append(Choice(f"{number}", text))
        place = game.players.index(game.usual_players)
        chosen = await Menu(_("How many play?"), choices, place=place).ask(self.look)
        return None if chosen is None else int(chosen)


_LEAVE = "leave"

_PARTS: Mapping[str, Callable[[FirstScreen], Awaitable[None]]] = {
    "now": FirstScreen.play_now,
    "continue": FirstScreen.continue_table,
    "records": FirstScreen.read_record,
    "rules": FirstScreen.read_rules,
    "settings": FirstScreen.change_settings,
}


def _record_files() -> list[Path]:
    """The newest first."""
    files = (data_folder() / "records").glob(f"*{SUFFIX}")
    return sorted(files, key=lambda path: path.stat().st_mtime, reverse=True)

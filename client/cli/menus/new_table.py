"""The menus for a new table: game, number of players, level of the opponents, house rules."""

from attrs import evolve, frozen

from client.bots.levels import LEVELS, about_level
from client.cli.table_arguments import options_from
from client.i18n.language import _, _n, number
from client.i18n.rulebook.text import clause, option_value
from client.i18n.sentences import said
from client.i18n.setting_values import value_text
from client.ui.tui.toolkit.dialogs import ask_text
from client.ui.tui.toolkit.menu import Choice, Menu
from client.ui.tui.toolkit.terminal_look import TerminalLook
from engine.errors import InvalidOption
from engine.game import Game
from engine.games import GAMES, game_named
from engine.options import Options

_USUAL = "as usual"


@frozen
class NewTable:
    """The new table that the person wants."""

    game: Game
    players: int
    level: str
    """Level of the opponents."""
    options: Options
    hosted: bool = False
    """True for a table with other people."""
    spectators: bool = False
    """True if spectators may watch a hosted table."""

    @property
    def option_words(self) -> tuple[str, ...]:
        """Return the house rules as arguments of a command."""
        return tuple(f"{name}={value}" for name, value in self.options.changes())


async def which_game(name: str, look: TerminalLook) -> Game | None:
    """Return the game that the person chooses; None if they go back. Raises Interrupted.

    `name` is the game at which the cursor begins.
    """
    choices = [Choice(game.name, game.title) for game in GAMES.values()]
    chosen = await Menu(_("Which game?"), choices, place=list(GAMES).index(name)).ask(look)
    return None if chosen is None else game_named(chosen)


async def which_table(
    name: str, level: str, begin: str, look: TerminalLook, *, hosted: bool = False
) -> NewTable | None:
    """Return the table that the person wants; None if they go back. Raises Interrupted.

    `name` is the game at which the cursor begins, and `level` the level of the opponents unless the
    person changes it. `begin` is the label of the choice that ends the menu. A `hosted` table is
    for other people.
    """
    while (game := await which_game(name, look)) is not None:
        name = game.name
        table = NewTable(game, game.usual_players, level, game.options(), hosted)
        chosen = await _changed(table, begin, look)
        if chosen is not None:
            return chosen
    return None


async def _changed(table: NewTable, begin: str, look: TerminalLook) -> NewTable | None:
    """Let the person change the table until they begin, and return it; None if they go back."""
    menu = Menu(table.game.title, ())
    while True:
        menu.choices = _choices(table, begin)
        match await menu.ask(look):
            case None:
                return None
            case "begin":
                return table
            case "players":
                table = evolve(table, players=await _how_many(table, look))
            case "level":
                table = evolve(table, level=await _which_level(table.level, look))
            case "rules":
                table = evolve(table, options=await _house_rules(table.game, table.options, look))
            case "spectators":
                table = evolve(table, spectators=not table.spectators)


def _choices(table: NewTable, begin: str) -> list[Choice]:
    changed = len(table.options.changes())
    rules = _n("{n} changed", "{n} changed", changed) if changed else _("as usual")
    lines = {
        "begin": (begin, _("With the choices below.")),
        "players": (_line(_("Players"), _players(table.game, table.players)), ""),
        "level": (_line(_("Level"), value_text(table.level)), ""),
        "rules": (_line(_("House rules"), rules), _("Each with its clause, and what is usual.")),
        "spectators": (
            _line(_("Spectators"), _("admitted") if table.spectators else _("not admitted")),
            _("They see what lies open. The lobby tells all players, who sign that they agree."),
        ),
    }
    if not table.hosted:
        del lines["spectators"]
    if len(table.game.players) == 1:
        del lines["players"]
    return [Choice(value, label, detail) for value, (label, detail) in lines.items()]


def _line(what: str, value: str) -> str:
    return f"{what}: {value}"


def _players(game: Game, players: int) -> str:
    text = _n("{n} player", "{n} players", players)
    return _("{players}, in couples").format(players=text) if players in game.couples else text


async def _how_many(table: NewTable, look: TerminalLook) -> int:
    numbers = table.game.players
    choices = [Choice(f"{one}", _players(table.game, one)) for one in numbers]
    menu = Menu(_("How many play?"), choices, place=numbers.index(table.players))
    return int(await menu.ask(look) or table.players)


async def _which_level(level: str, look: TerminalLook) -> str:
    choices = [Choice(name, value_text(name), _(about_level(name))) for name in LEVELS]
    menu = Menu(_("How well do the opponents play?"), choices, place=LEVELS.index(level))
    return await menu.ask(look) or level


async def _house_rules(game: Game, options: Options, look: TerminalLook) -> Options:
    """Let the person change the options of a game, and return them. Raises Interrupted."""
    menu = Menu(_("House rules"), ())
    while True:
        usual = [Choice(_USUAL, _("All as usual"))] if options.changes() else []
        menu.choices = [*(_option(game, options, name) for name, _value in options.pairs()), *usual]
        name = await menu.ask(look)
        if name is None:
            return options
        menu.text = ()
        if name == _USUAL:
            options, menu.place = game.options(), 0
            continue
        try:
            options = await _with_other_value(game, options, name, look)
        except InvalidOption as error:
            menu.text = (said(error),)


def _option(game: Game, options: Options, name: str) -> Choice:
    """Return the choice for an option: its value, and its clause as it reads with that value."""
    about = game.options.describe()[name]
    value, usual = dict(options.pairs())[name], about["default"]
    text = _("{value}: {about}") if value == usual else _("{value}, usually {usual}: {about}")
    doc = about["doc"]
    text = text.format(
        value=option_value(value), usual=option_value(usual), about=_(doc).rstrip(".")
    )
    return Choice(name, text, clause(game, options, about["clause"]))


async def _with_other_value(game: Game, options: Options, name: str, look: TerminalLook) -> Options:
    """Ask for another value of an option, and return the options. Raises InvalidOption."""
    values = dict(options.pairs())
    about = game.options.describe()[name]
    if isinstance(values[name], bool):
        value = str(not values[name])
    else:
        doc = about["doc"]
        question = _("{about} From {low} to {high}.").format(
            about=_(doc), low=number(about["low"]), high=number(about["high"])
        )
        typed = await ask_text(question, f"{values[name]}", look)
        if typed is None:
            return options
        value = typed.strip()
    return options_from(game, (f"{one}={now}" for one, now in {**values, name: value}.items()))

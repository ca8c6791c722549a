"""Tables in the menus of the first screen: those to join, to watch and to continue."""

from contextlib import nullcontext
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest.mock import AsyncMock, MagicMock, Mock

import pytest
import trio
from attrs import evolve

from client.cli.commands import host
from client.cli.menus import first_screen_actions, network_tables
from client.cli.menus.menu_context import MenuContext
from client.cli.menus.network_tables import _BY_ADDRESS, _WATCH, _table_choices, joining
from client.cli.menus.new_table import NewTable
from client.settings import Settings, save_settings
from client.ui.session_displays import PersonDisplay
from client.ui.tui.toolkit.glyphs import UNICODE
from client.ui.tui.toolkit.menu import Choice, Menu
from client.ui.tui.toolkit.style import style_of
from client.ui.tui.toolkit.terminal_look import TerminalLook
from engine.games import game_named
from p2p.discovery.beacon import Beacon
from p2p.discovery.beacons import NoBeacon
from p2p.transport.frames import LinkError

OPEN = Beacon(bytes([1]) * 32, ("192.0.2.1",), 7, "Kitchen", "canasta", 4, 3)
BEGUN = evolve(OPEN, begun="00" * 8, free=0)
WATCHED = evolve(BEGUN, spectators=True)


def test_the_menu_returns_the_name_of_a_table_unless_it_would_be_misread() -> None:
    """The address is returned instead if two tables have the name, or if the name is misleading.

    Such a name looks like a flag, or like another choice of the menu. In the list below, four
    tables can be joined, two can be watched, and one can be neither joined nor watched.
    """
    tables = [
        OPEN,
        evolve(WATCHED, table="Attic"),
        evolve(OPEN, table="cellar", hosts=("192.0.2.3",)),
        evolve(WATCHED, table="Cellar", hosts=("192.0.2.4",)),
        evolve(OPEN, table="--x", hosts=("192.0.2.5",)),
        evolve(OPEN, table=_BY_ADDRESS, hosts=("192.0.2.6",)),
        evolve(BEGUN, table="Roof"),
    ]
    joined = ["Kitchen", "192.0.2.3:7", "192.0.2.5:7", "192.0.2.6:7"]
    watched = [_WATCH + "Attic", _WATCH + "192.0.2.4:7"]
    choices = _table_choices(tables)
    assert [choice.value for choice in choices] == [*joined, *watched, _BY_ADDRESS]
    labels = [choice.label for choice in choices[len(joined) : -1]]
    assert all(label.startswith("Watch: ") for label in labels)


@pytest.mark.parametrize(
    ("chosen", "done"),
    [("resume Attic", ["resume", "Attic"]), ("solo-1", ["go on", "solo-1"]), (None, [])],
)
def test_the_menu_continues_a_network_table_or_a_solo_table(
    chosen: str | None, done: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    did = list[str]()
    parts = {
        "resumable": lambda: {("resume", "Attic"): "at 40"},
        "_solo_tables": lambda: [Choice("solo-1", "alone")],
        "solo_folder": Path,
        "ask": (ask := Mock(return_value=chosen)),
        "_command": lambda _context, command: did.extend(command),
        "_go_on": lambda _context, folder: did.extend(("go on", f"{folder}")),
    }
    for name, part in parts.items():
        monkeypatch.setattr(first_screen_actions, name, part)
    first_screen_actions._continue_table(Mock())
    assert [choice.value for choice in ask.call_args.args[0].choices] == ["resume Attic", "solo-1"]
    assert did == done


@pytest.mark.usefixtures("autojump_clock")
@pytest.mark.parametrize("lines", [None, ()])
@pytest.mark.parametrize(
    ("network", "chosen", "command"),
    [
        (True, 0, ("join", "Kitchen")),
        (True, 1, ("watch", "Attic")),
        (True, 2, ("join", "192.0.2.7")),
        (True, None, None),
        (False, 0, ("join", "192.0.2.7")),
    ],
)
async def test_the_chosen_table_is_joined_or_watched(
    network: bool, chosen: int | None, command: object, lines: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A menu in lines has the tables found so far; a menu on a screen is kept up to date."""

    async def ask(menu: Menu, _look: object, follow: Any = None) -> str | None:
        assert menu.text or (network and lines is not None)
        if lines is None and network:
            with trio.move_on_after(1):
                await follow(menu.update)
        return None if chosen is None else menu.choices[chosen].value

    opened = MagicMock()
    found = SimpleNamespace(
        tables=[OPEN, evolve(WATCHED, table="Attic")], changed=trio.sleep_forever
    )
    opened.return_value.__aenter__.side_effect = [found if network else NoBeacon("No network.")]
    opened.return_value.__aexit__.return_value = None
    monkeypatch.setattr(network_tables, "open_beacons", opened)
    monkeypatch.setattr(network_tables, "ask_text", AsyncMock(return_value=" 192.0.2.7 "))
    monkeypatch.setattr(Menu, "ask", ask)
    assert await joining(TerminalLook(UNICODE, style_of("plain"), lines=lines)) == command


def test_a_command_of_the_menu_plays_as_if_it_was_typed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(host, "play", play := Mock(return_value=0))
    display, settings = Mock(), Settings()
    words = ("host", "--table", "Attic", "--opponents", "2")
    network_tables.play_command(display, settings, *words)
    arguments, *others = play.call_args.args
    assert (arguments.table, arguments.opponents, others) == ("Attic", 2, [display, settings])


SCREEN = TerminalLook(UNICODE, style_of("plain"))


@pytest.mark.parametrize(
    ("lines", "said"),
    [(["You have left.", "It is in a file."], "You have left. It is in a file."), ([], None)],
)
@pytest.mark.parametrize("error", [None, LinkError("Nobody answers.")])
def test_the_last_lines_of_a_command_stand_above_the_menu(
    lines: list[str], said: str | None, error: Exception | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They stand there even if the command ends in an error."""

    def played(display: PersonDisplay, settings: Settings, *words: str) -> None:
        assert (settings, words) == (context.settings, ("join", "Kitchen"))
        with display.hold_screen():
            for line in lines:
                display.tell(line)
        if error:
            raise error

    monkeypatch.setattr(first_screen_actions, "play_command", played)
    context = MenuContext(Settings(), SCREEN, "Something earlier.")
    with pytest.raises(LinkError) if error else nullcontext():
        first_screen_actions._command(context, ("join", "Kitchen"))
    assert context.said == said


def test_the_list_of_records_keeps_its_cursor_until_the_last_record_is_deleted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    tables = [Choice(f"{number}", f"Table {number}") for number in range(3)]
    seen: list[tuple[int, int]] = []

    def ask(menu: Menu, _look: object) -> str:
        seen.append((len(menu.choices), menu.place))
        menu.place = len(menu.choices) - 1
        return menu.choices[menu.place].value

    monkeypatch.setattr(first_screen_actions, "ask", ask)
    monkeypatch.setattr(first_screen_actions, "kept_records", tuple)
    monkeypatch.setattr(first_screen_actions, "_solo_tables", lambda: list(tables))
    monkeypatch.setattr(
        first_screen_actions, "_unfinished_table", lambda _, one: tables.remove(one)
    )
    first_screen_actions._records(MenuContext(Settings(), SCREEN))
    assert seen == [(3, 0), (2, 1), (1, 0)]


@pytest.mark.parametrize("level", ["easy", "middle", None])
def test_a_new_level_is_saved_without_the_flags_of_this_run(
    level: str | None, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    save_settings(home, Settings(name="Ana", level="middle"))
    context = MenuContext(Settings(name="Ana", level="middle", linear=True), SCREEN, linear=True)
    game = game_named("canasta")
    table = level and NewTable(game, 4, level, game.options())
    asked = AsyncMock(return_value=table)
    monkeypatch.setattr(first_screen_actions, "which_table", asked)
    monkeypatch.setattr(first_screen_actions, "save_settings", saved := Mock())
    assert first_screen_actions._new_table(context, "Begin", hosted=True) is table
    asked.assert_called_once_with("canasta", "middle", "Begin", SCREEN, hosted=True)
    assert context.settings.level == (level or "middle")
    if level == "easy":
        saved.assert_called_once_with(home, Settings(name="Ana", level="easy"))
    assert saved.called is (level == "easy")


@pytest.mark.parametrize(("game", "place"), [("samba", 1), ("canasta", 0)])
@pytest.mark.parametrize("learnt", [None, False, True])
def test_the_menu_of_lessons_shows_how_many_steps_the_person_has_done(
    game: str, place: int, learnt: bool | None, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The cursor begins at the game of the settings, if that has a lesson."""
    done = {"kanastic": 1, "samba": 7}
    games = tuple(map(game_named, ("kanastic", "samba")))
    ask = Mock(return_value=None if learnt is None else "samba")
    attend = AsyncMock(return_value=learnt)
    monkeypatch.setattr(first_screen_actions, "taught", lambda: games)
    monkeypatch.setattr(first_screen_actions, "steps_done", lambda folder, name: done[name])
    monkeypatch.setattr(first_screen_actions, "ask", ask)
    monkeypatch.setattr(first_screen_actions, "attend", attend)
    context = MenuContext(Settings(name="Ana", game=game), SCREEN)
    first_screen_actions._learn(context)
    if learnt is not None:
        lesson, settings, folder, _show = attend.call_args.args
        assert (lesson.game.name, settings, folder) == ("samba", context.settings, home)
    menu = ask.call_args.args[0]
    assert (menu.title, menu.place) == ("Learn a game", place)
    assert menu.choices == [
        Choice("kanastic", "Learn Kanastic", "You have done 1 step of it."),
        Choice("samba", "Learn Samba", "You have done 7 steps of it."),
    ]
    assert context.said == ("That was the lesson. Now choose “Play now”." if learnt else None)

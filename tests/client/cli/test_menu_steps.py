"""Steps of the menus that transcripts cannot show: the cursor, missing files, statistics."""

from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest.mock import AsyncMock, call

import pytest
import trio

from client.cli.menus import first_screen_actions, records, rules
from client.cli.menus.menu_context import MenuContext
from client.cli.menus.new_table import _house_rules, which_table
from client.cli.menus.records import RecordMenu
from client.i18n.rulebook.subjects import Subject
from client.settings import Settings
from client.ui.tui.toolkit.dialogs import HEADING
from client.ui.tui.toolkit.glyphs import UNICODE
from client.ui.tui.toolkit.menu import Menu
from client.ui.tui.toolkit.style import style_of
from client.ui.tui.toolkit.terminal_look import TerminalLook
from engine.games import game_named
from p2p.storage.identity import Identity

SCREEN = TerminalLook(UNICODE, style_of("plain"))
LINES = SCREEN._replace(lines=())  # type: ignore[arg-type]


class Person:
    """A person who makes `choices` in turn.

    `seen` has the title of each menu, and the value at its cursor.
    """

    def __init__(self, monkeypatch: pytest.MonkeyPatch, *choices: str | None) -> None:
        self.choices = list(choices)
        self.seen: list[tuple[str, str]] = []
        monkeypatch.setattr(Menu, "ask", lambda menu, _look: self.ask(menu))

    async def ask(self, menu: Menu) -> str | None:
        await trio.lowlevel.checkpoint()
        values = [choice.value for choice in menu.choices]
        self.seen.append((menu.title, values[menu.place]))
        chosen = self.choices.pop(0)
        if chosen is not None:
            menu.place = values.index(chosen)
        return chosen


async def test_the_cursor_begins_at_what_is_chosen_now(monkeypatch: pytest.MonkeyPatch) -> None:
    """First this is the game of the settings; later, the number of players and the level so far."""
    steps = ("players", "3", "level", "strong", "level", None, "players", None, "begin")
    person = Person(monkeypatch, "samba", *steps)
    table = await which_table("kanastic", "middle", "Begin", SCREEN)
    assert table is not None
    assert (table.game.name, table.players, table.level) == ("samba", 3, "strong")
    samba, many, level = "Samba", "How many play?", "How well do the opponents play?"
    assert person.seen == [
        ("Which game?", "kanastic"),
        (samba, "begin"),
        (many, f"{game_named('samba').usual_players}"),
        (samba, "players"),
        (level, "middle"),
        (samba, "level"),
        (level, "strong"),
        (samba, "level"),
        (many, "3"),
        (samba, "players"),
    ]


async def test_a_person_who_goes_back_chooses_another_game(monkeypatch: pytest.MonkeyPatch) -> None:
    person = Person(monkeypatch, "samba", None, "canasta", "spectators", None, None)
    assert await which_table("kanastic", "middle", "Begin", SCREEN, hosted=True) is None
    assert [place for title, place in person.seen if title == "Which game?"] == [
        *("kanastic", "samba", "canasta"),
    ]


async def test_choosing_all_as_usual_puts_the_cursor_at_the_first_house_rule(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    canasta = game_named("canasta")
    person = Person(monkeypatch, "penalties", "as usual", "red_start", None)
    options = await _house_rules(canasta, canasta.options(), SCREEN)
    assert dict(options.changes()) == {"red_start": True}
    first = canasta.options().pairs()
    assert [place for _title, place in person.seen] == [
        *(next(iter(first))[0], "penalties", next(iter(first))[0], "red_start"),
    ]


async def test_deleting_a_record_whose_file_is_gone_succeeds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The menu of the record stays after the first answer "no", and ends after the deletion."""
    for answer, deleted in (("no", False), ("yes", True)):
        Person(monkeypatch, answer)
        assert await RecordMenu(tmp_path / "gone", SCREEN)._deleted() is deleted
    person = Person(monkeypatch, "delete", "delete", "audit", None)
    monkeypatch.setattr(RecordMenu, "_deleted", AsyncMock(side_effect=[False, True]))
    monkeypatch.setattr(records, "record_choice", lambda path: SimpleNamespace(label=path.name))
    await RecordMenu(tmp_path / "gone", SCREEN).run()
    assert person.choices == ["audit", None]


async def test_a_record_is_audited_once_unless_the_person_cancels(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The person cancels the first audit. The second one is also used for the score sheets."""
    Person(monkeypatch, "audit", "audit", "sheets", None)
    monkeypatch.setattr(RecordMenu, "_audited", AsyncMock(side_effect=[None, "the replay"]))
    monkeypatch.setattr(RecordMenu, "_show", show := AsyncMock())
    monkeypatch.setattr(records, "record_choice", lambda path: SimpleNamespace(label=path.name))
    await RecordMenu(tmp_path / "record", SCREEN).run()
    assert show.call_args_list == [call("audit", "the replay"), call("sheets", "the replay")]


def test_pictures_of_the_rules_are_left_out_in_linear_mode() -> None:
    found = [Subject("Melds", ("One line.", "a\npicture", "Another."))]
    screen = [HEADING + "Melds", "", "One line.", "", "a", "picture", "", "Another.", ""]
    assert rules._lines(found, SCREEN) == screen
    lines = [HEADING + "Melds", "", "One line.", "", "Another.", ""]
    assert rules._lines(found, LINES) == lines


@pytest.mark.parametrize("has_identity", [True, False])
def test_statistics_audit_the_oldest_record_first_and_count_each_match_once(
    has_identity: bool, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    key = Identity.load_or_create(home).public.hex() if has_identity else ""
    kept = [Path(f"{number}.sobremesa") for number in (4, 3, 2, 1)]  # the newest first
    matches = {"1": "a", "2": None, "3": "b", "4": "a"}
    lines: list[object] = []

    def audit(files: list[Path], folder: Path, on_progress: object) -> list[Any]:
        assert (files, folder, on_progress) == (kept[::-1], home, "progress")
        found = (matches[file.stem] for file in files)
        return [SimpleNamespace(match=one and SimpleNamespace(match=one)) for one in found]

    async def while_working(title: str, work: Callable[[Any], Any], _look: object) -> Any:
        await trio.lowlevel.checkpoint()
        assert title == "Checking the records that are new"
        return work("progress")

    def own_match(name: str, match: Any, own: str) -> object:
        assert own == key
        return None if match.match == "b" else (name, match.match)

    parts: dict[str, object] = {
        "kept_records": lambda: list(kept),
        "newest_of": lambda files: f"newest of {len(files)}",
        "audit_files": audit,
        "own_match": own_match,
        "own_statistics": list,
        "line_of": lambda *given: given,
        "keep_line": lambda *given: lines.append(given),
        "statistics_lines": lambda found, symbols: (f"{found}", f"{symbols}"),
        "while_working": while_working,
        "read": (read := AsyncMock()),
    }
    for name, part in parts.items():
        monkeypatch.setattr(first_screen_actions, name, part)
    first_screen_actions._statistics(MenuContext(Settings(), SCREEN))
    counted = [("4.sobremesa", "a")]
    assert lines == [(home, (counted, 4, "newest of 4"))]
    reader, _look = read.call_args.args
    assert (reader.title, reader.text) == ("Your statistics", [f"{counted}", "True"])

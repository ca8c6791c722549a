"""The table of commands: keys, typed lines, and the help of both displays follow it."""

import pytest
from prompt_toolkit.keys import KEY_ALIASES, Keys

from client.i18n.language import choose_language
from client.session.display.snapshot import Snapshot
from client.ui.linear.table import LinearTable
from client.ui.model.commands.find_commands import completions, known_here, run_line
from client.ui.model.commands.table_commands import COMMAND_NAMED, COMMANDS, MOVE_WORDS
from client.ui.model.pages import Page
from client.ui.tui.table.pages import page_lines
from client.ui.tui.toolkit.glyphs import UNICODE
from client.ui.tui.toolkit.spans import text_of
from engine.turn import Step
from tests.client.plain_seat import snapshot_at
from tests.client.terminals import Typed
from tests.client.ui.model.controls_at import controls_at
from tests.engine.positions import table_of

NAMED = list(COMMAND_NAMED.values())


def at(game: str = "canasta", seats: int = 4) -> Snapshot:
    table = table_of(game, seats=seats, hands=["7h 7d Kc"], step=Step.PLAY)
    return snapshot_at(game, table)


def test_every_command_has_a_word_of_its_own_an_action_and_a_meaning() -> None:
    assert len(NAMED) == sum(bool(command.word) for command in COMMANDS)
    for command in NAMED:
        ways = (command.page, command.press, command.typed)
        assert any(way is not None for way in ways) or command.word in MOVE_WORDS, command.word
        assert command.meaning, command.word
        assert not command.label or command.key, "a command in the footer has no key"


GAMES_LACK = (
    ("canasta", 4, {"top"}),
    ("canasta", 2, {"top", "ask", "yes", "no"}),
    ("kanastic", 4, {"pass"}),
    ("canastra", 2, {"cut", "top", "pass", "ask", "yes", "no"}),
)
"""Games with the number of players, and the commands that such a table lacks."""


@pytest.mark.parametrize(("game", "seats", "lacking"), GAMES_LACK)
async def test_both_displays_list_exactly_the_commands_of_the_game_in_their_help(
    game: str, seats: int, lacking: set[str]
) -> None:
    at_table = controls_at(at(game, seats))
    page = [text_of(line) for line in page_lines(Page.KEYS, at_table, UNICODE, 120)]
    written: list[str] = []
    linear = LinearTable(UNICODE, Typed(("help", "quit")), written.append)
    linear.show(at(game, seats))
    await linear.run()
    for command in (named.here(at_table) for named in NAMED):
        there = command.word not in lacking
        shown = any(command.example in line and command.meaning[:20] in line for line in page)
        told = any(line.startswith(f"{command.example}: ") for line in written)
        assert (shown, told) == (there, there), command.word
        assert "astic" not in command.meaning, "a text for all games names Kanastic"


def test_help_describes_a_command_as_the_game_uses_it() -> None:
    told = []
    for game in ("canasta", "canastra", "kanastic"):
        here = {command.word: command for command in known_here(controls_at(at(game, 2)))}
        told.append((here["take"].example, here["add"].meaning))
    add = "add the selected cards to that meld"
    assert told == [
        ("take ^Ks Kh Kd", add),
        ("take", add),
        ("take ^Ks Kh Kd", f"{add}; again: at its other end"),
    ]


def test_every_page_has_lines_and_a_command_word_that_is_a_completion() -> None:
    opened: list[Page] = []
    at_table = controls_at(at(), open_page=opened.append)
    for command in NAMED:
        if command.page is not None:
            run_line(at_table, command.word)
            assert opened.pop() is command.page
            assert command.word in list(completions(at_table, command.word[:2]))
    assert {command.page for command in NAMED} >= {*Page}
    for page in {*Page} - {Page.LOG}:
        assert page_lines(page, at_table, UNICODE, 80), page


def test_every_command_key_is_known_to_the_screen() -> None:
    known = {*KEY_ALIASES, *(key.value for key in Keys), "1…9"}
    for command in COMMANDS:
        for key in command.keys:
            assert len(key) == 1 or key.lower() in known or key in known, key


@pytest.mark.parametrize(("language", "example"), [("es", "adversario"), ("pt", "adversário")])
def test_examples_of_commands_are_translated(language: str, example: str) -> None:
    choose_language(language)
    assert COMMAND_NAMED["agree"].example.split()[1] == example

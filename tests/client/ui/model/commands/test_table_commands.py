"""The table of commands: keys, typed lines, and the help on screen and in lines follow it."""

import pytest
from prompt_toolkit.keys import KEY_ALIASES, Keys

from client.i18n.language import choose_language
from client.ui.linear.table import LinearTable
from client.ui.model.commands.find_commands import completions, known_here, run_line
from client.ui.model.commands.table_commands import COMMAND_NAMED, COMMANDS, MOVE_WORDS, Command
from client.ui.model.controls import Controls
from client.ui.model.pages import Page
from client.ui.tui.table.pages import page_lines
from client.ui.tui.toolkit.glyphs import UNICODE
from client.ui.tui.toolkit.spans import text_of
from engine.turn import Step
from tests.client.plain_seat import snapshot_at
from tests.client.terminals import Typed
from tests.engine.positions import table_of

PLAYING = table_of("canasta", hands=["7h 7d Kc"], step=Step.PLAY)
NAMED = list(COMMAND_NAMED.values())


def controls() -> Controls:
    made = Controls(lambda *_: None)
    made.show(snapshot_at("canasta", PLAYING))
    return made


def ids(command: Command) -> str:
    return command.word


def test_every_command_word_is_unique() -> None:
    assert len(NAMED) == sum(bool(command.word) for command in COMMANDS)


@pytest.mark.parametrize("command", NAMED, ids=ids)
def test_every_command_has_an_action_and_a_meaning(command: Command) -> None:
    ways = (command.page, command.press, command.typed)
    assert any(way is not None for way in ways) or command.word in MOVE_WORDS
    assert command.meaning
    assert not command.label or command.key, "a command in the footer needs a key"


GAMES_LACK = (
    ("canasta", 4, {"top"}),
    ("canasta", 2, {"top", "ask", "yes", "no"}),
    ("kanastic", 4, {"pass"}),
    ("canastra", 2, {"cut", "top", "pass", "ask", "yes", "no"}),
)
"""Commands that a game does not have, with so many players."""


@pytest.mark.parametrize(("game", "seats", "lacking"), GAMES_LACK)
async def test_both_helps_list_exactly_the_commands_of_the_game(
    game: str, seats: int, lacking: set[str]
) -> None:
    table = table_of(game, seats=seats, hands=["7h 7d Kc"], step=Step.PLAY)
    at_table = Controls(lambda *_: None)
    at_table.show(snapshot_at(game, table))
    page = [text_of(line) for line in page_lines(Page.KEYS, at_table, UNICODE, 120)]
    written: list[str] = []
    linear = LinearTable(UNICODE, Typed(("help", "quit")), written.append)
    linear.show(snapshot_at(game, table))
    await linear.run()
    for command in (named.here(at_table) for named in NAMED):
        there = command.word not in lacking
        shown = any(command.example in line and command.meaning[:20] in line for line in page)
        told = any(line.startswith(f"{command.example}: ") for line in written)
        assert (shown, told) == (there, there), command.word
        assert "astic" not in command.meaning, "a text for all games names Kanastic"


@pytest.mark.parametrize(
    ("game", "take", "add"),
    [
        ("canasta", "take ^Ks Kh Kd", "add the selected cards to that meld"),
        ("canastra", "take", "add the selected cards to that meld"),
        (
            "kanastic",
            "take ^Ks Kh Kd",
            "add the selected cards to that meld; again: at its other end",
        ),
    ],
)
def test_help_describes_a_command_as_the_game_uses_it(game: str, take: str, add: str) -> None:
    table = table_of(game, seats=2, hands=["7h 7d Kc"], step=Step.PLAY)
    at_table = Controls(lambda *_: None)
    at_table.show(snapshot_at(game, table))
    told = {command.word: command for command in known_here(at_table)}
    assert told["take"].example == take
    assert told["add"].meaning == add


@pytest.mark.parametrize("command", [c for c in NAMED if c.page is not None], ids=ids)
def test_the_word_of_a_page_opens_it_and_is_a_completion(command: Command) -> None:
    opened: list[Page] = []
    at_table = controls()
    at_table.open_page = opened.append
    run_line(at_table, command.word)
    assert opened == [command.page]
    assert command.word in list(completions(at_table, command.word[:2]))


@pytest.mark.parametrize("page", Page)
def test_every_page_has_a_command_word_and_lines(page: Page) -> None:
    assert page in [command.page for command in NAMED]
    assert page is Page.LOG or page_lines(page, controls(), UNICODE, 80)


def test_every_command_key_is_known_to_the_screen() -> None:
    known = {*KEY_ALIASES, *(key.value for key in Keys), "1…9"}
    for command in COMMANDS:
        for key in command.keys:
            assert len(key) == 1 or key.lower() in known or key in known, key


@pytest.mark.parametrize(("language", "example"), [("es", "adversario"), ("pt", "adversário")])
def test_examples_of_commands_are_translated(language: str, example: str) -> None:
    choose_language(language)
    assert COMMAND_NAMED["agree"].example.split()[1] == example

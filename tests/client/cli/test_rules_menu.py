"""The rules from the first screen, in lines: a game, then a subject or words to search for."""

import pytest

from client.cli.main import main
from client.cli.menus.rules import read_rules
from client.ui.tui.toolkit.glyphs import UNICODE
from client.ui.tui.toolkit.style import style_of
from client.ui.tui.toolkit.terminal_look import TerminalLook
from tests.client.terminals import Typed


async def read(capsys: pytest.CaptureFixture[str], *lines: str) -> str:
    """Return the text written when these lines are typed, after the choice of Canasta."""
    look = TerminalLook(UNICODE, style_of("plain"), lines=Typed(("1", *lines)))
    await read_rules("canastra", look)
    return capsys.readouterr().out.partition("The rules of Canasta\n")[2]


async def test_a_subject_is_read(capsys: pytest.CaptureFixture[str]) -> None:
    shown = await read(capsys, "3", "")
    assert "3. Deck, players and seats\n" in shown
    assert "C1 The deck has 108 cards" in shown
    assert "C9 " not in shown


async def test_words_and_clauses_are_searched(capsys: pytest.CaptureFixture[str]) -> None:
    shown = await read(capsys, "1", "crosswise", "1", "X10", "1", "trumps", "1", "", "")
    assert "C61 Nobody looks through the pile" in shown
    assert "X10 A move belongs to a step" in shown
    assert "The rules say nothing about trumps." in shown
    assert "C1 " not in shown


async def test_all_of_it_is_read(capsys: pytest.CaptureFixture[str]) -> None:
    shown = await read(capsys, "22", "")
    assert "C1 The deck" in shown
    assert "seven of them are a canasta" in shown
    assert "╭" not in shown, "a picture says nothing to whoever listens"
    assert "X23 " in shown
    assert "target = 5,000" in shown


def test_the_command_says_where_to_look_for_what_the_rules_do_not_have(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["rules", "canasta", "trumps"]) == 2
    assert capsys.readouterr().err == (
        "sobremesa: The rules say nothing about trumps. To see what they are about: "
        "sobremesa rules canasta 0\n"
    )

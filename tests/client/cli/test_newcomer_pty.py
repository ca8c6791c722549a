"""A newcomer in a real pseudo-terminal.

They play a match by the keys that the screen offers, and know nothing else.
"""

import re
from collections.abc import Callable
from functools import partial
from operator import ne

from client.bots.levels import LEVELS
from tests.client.cli.pty_terminal import Terminal
from tests.engine.clauses import NUMBER

WAITING = ("Your turn", "You are to", "Score sheet")
OFFERED = ("c cut", "d draw", "x discard", "y yes", "p go no further", "t take the pile")
"""Offers of the footer, the best one first."""

RIGHT = "\x1b[C"


def test_a_newcomer_leaves_continues_and_replays_a_match_by_keys(
    open_terminal: Callable[..., Terminal],
) -> None:
    terminal = open_terminal()
    _sit_down(terminal, "Canastra")
    terminal.press("1")
    assert _play(terminal, turns=3) is None
    terminal.press("\x03")
    terminal.answer("Leave the table?", "\x03")
    terminal.choose("Continue a table")
    terminal.wait(lambda text: "Which table?" in text and "Canastra with" in text)
    terminal.press("\r")
    sheet = _play(terminal)
    assert sheet is not None
    assert "This deal was fair:" in sheet
    points = _match_points(sheet)
    # The round is counted before all have signed that it was the last.
    terminal.wait(lambda text: "The match is over." in text or "The match is drawn." in text)
    terminal.press("\x03\x03")
    terminal.wait(lambda text: "Its record is" in text)
    terminal.choose("Records")
    terminal.wait(lambda text: "Its record is" not in text)
    _press(terminal, "1", "Replay")
    told = _told(terminal.text)
    assert sorted(told) == sorted(points)
    _press(terminal, "1", "Verdict: sound.")
    terminal.wait(lambda text: _match_points(text) == told)
    _press(terminal, "\x1b", "Replay")
    terminal.press("\x1b")
    terminal.wait(lambda text: "Replay" not in text)
    terminal.press("\x1b")
    terminal.answer("Play now", "q")
    assert terminal.end() == 0
    assert terminal.restored


def _press(terminal: Terminal, keys: str, wanted: str) -> None:
    """Press keys, and wait for their effect."""
    terminal.press(keys)
    terminal.wait(lambda text: wanted in text)


def _sit_down(terminal: Terminal, game: str) -> None:
    """Go from the first screen to a game for two.

    The opponent has the level middle, and so needs fewer turns for a round.
    """
    terminal.wait(lambda text: "Play now" in text)
    _press(terminal, "\r", "Which game?")
    terminal.choose(game)
    terminal.wait(lambda text: "House rules" in text)
    _press(terminal, "2", "How well do the opponents play?")
    _press(terminal, str(1 + LEVELS.index("middle")), "Level: middle")


def _play(terminal: Terminal, turns: int = 1000) -> str | None:
    """Play by the footer until the round is counted, and return the sheet; None after `turns`."""
    for _ in range(turns):
        terminal.wait(lambda text: any(word in text for word in WAITING))
        text = terminal.settle()
        if _match_points(text) and "Esc closes" in text:  # the last line of the sheet
            return text
        terminal.press(_next_keys(text))
        terminal.wait(partial(ne, text))
    return None


def _next_keys(text: str) -> str:
    """Return the key of the best offer in the footer.

    After a refusal, the key that goes to the next card comes before it.
    """
    footer = text.splitlines()[-1]
    offered = next((what for what in OFFERED if f" {what}" in footer), "")
    refused = re.search(rf"\[{NUMBER}\]", text) is not None
    return (RIGHT if refused else "") + offered[:1]


def _told(text: str) -> list[tuple[str, str]]:
    """Return the names and points in a line about a match, in the order of the seats."""
    found = re.search(r"with (\w+) and (\w+): (-?\d[\d,]*) : (-?\d+(?:,\d+)*)", text)
    assert found is not None, text
    return list(zip(found.groups()[:2], found.groups()[2:], strict=True))


def _match_points(text: str) -> list[tuple[str, str]]:
    """Return the sides on the score sheet with their match points; [] without a sheet.

    A sheet at the table begins with one's own side.
    """
    lines = text.splitlines()
    titles = [line for line in lines if re.search(r"\bRound \d  ", line)]
    totals = [line for line in lines if re.search(r"\bMatch  ", line)]
    if not titles or not totals:
        return []
    names = re.findall(r"  (\w+)", titles[0])
    return list(zip(names, re.findall(r"-?[\d,]+", totals[0]), strict=True))

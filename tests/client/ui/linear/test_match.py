"""Whole matches of three games in the linear mode, by a player who knows only the lines."""

import random
from functools import partial

import pytest
from attrs import define, field

from client.bots.eager import choose
from client.ui.linear.table import PROMPT
from client.ui.tui.toolkit.glyphs import ASCII, UNICODE, Glyphs
from tests.client.plain_seat import PlainSeat
from tests.client.ui.linear.typists import typed_session

LIKED = ("send", "meld", "add", "yes", "cut", "draw", "top", "discard", "pass", "take", "undo")
"""First words of lines that the player types, the preferred ones first."""


@define
class Listener:
    """A player who reads the lines, asks for legal moves, and makes the one that they prefer."""

    heard: str = ""
    asked: bool = False
    last: str = ""
    unanswered: list[str] = field(factory=list)
    """Typed lines whose effect the table did not tell."""

    def answer(self, written: str) -> str | None:
        """Return the next line to type after the text so far; None when the match is over."""
        new, self.heard = written.removeprefix(self.heard), written
        lines = new.splitlines()[:-1]  # without the prompt
        told = any(word in new for word in ("Sent.", "Laid out: ", "Once more"))
        self.unanswered += [self.last] if self.last and not (self.asked or told) else []
        if any(line.startswith("The match is over.") for line in lines):
            return None
        if any(line.endswith("Once more to confirm.") for line in lines):
            return self.last
        if not self.asked:
            self.asked = True
            return "moves"
        self.asked = False
        ranks = {word: place for place, word in enumerate(LIKED)}
        legal = [line for line in lines if line.split(" ")[0] in ranks]
        self.last = min(legal, key=lambda line: ranks[line.split(" ")[0]])
        return self.last


@pytest.mark.parametrize(
    ("game", "players", "options", "glyphs"),
    [
        ("canasta", 4, {"rounds": 2}, UNICODE),
        ("kanastic", 2, {"rounds": 1}, ASCII),
        ("canastra", 2, {"rounds": 2, "idle_turns": 10}, ASCII),
    ],
)
async def test_a_match_can_be_played_by_its_lines_alone(
    game: str, players: int, options: dict[str, int], glyphs: Glyphs
) -> None:
    seat = PlainSeat.sit(game, players, partial(choose, rng=random.Random(4)), seed=6, **options)
    listener = Listener()
    written = await typed_session(seat, listener.answer, glyphs)
    assert seat.state.match.over
    assert written.isascii() or glyphs is UNICODE
    lines = written.splitlines()
    for number in range(1, options["rounds"] + 1):
        assert lines.count(f"Round {number}.") == 2, (
            "each round must be named twice: when it begins, and when it is counted"
        )
    assert sum(line.startswith("Match: ") for line in lines) == options["rounds"]
    assert not listener.unanswered
    assert not [line for line in lines if not line.strip()], "there is an empty line"
    assert not [line for line in lines if line.startswith(PROMPT)], (
        "there is a line with only a prompt"
    )
    assert not [line for line in lines if line.endswith(PROMPT) and line != lines[-1]]
    assert max(line.count(PROMPT) for line in lines) == 1

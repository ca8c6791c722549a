"""Moves of the levels in positions where a good player knows the move: files in `positions/`.

A position is written as in `spec/notation.md`. Below it, a line with `best` has the move that the
levels make, or the beginning of that move. A line with `not` has a move that they do not make. The
levels are `middle` and `strong`, unless a line with `only` names others.
"""

import random
from collections.abc import Iterator
from pathlib import Path

import pytest
from _pytest.mark import ParameterSet

from client.bots.levels import opponent
from engine.notation.moves import format_move
from engine.notation.position_reader import parse_position
from engine.notation.position_writer import game_of
from tests.client.bots.thick_piles import QUICK

FOLDER = Path(__file__).parent / "positions"


def positions() -> Iterator[ParameterSet]:
    """Return the title and the lines of each position."""
    for path in sorted(FOLDER.glob("*.txt")):
        _about, *found = path.read_text("utf-8").split("\n== ")
        for one in found:
            title, *lines = one.strip().splitlines()
            yield pytest.param(lines, id=f"{path.stem}: {title}")


@pytest.mark.parametrize("lines", [*positions()])
def test_levels_find_the_best_move_of_a_position(lines: list[str]) -> None:
    told: dict[str, list[str]] = {"only": [], "best": [], "not": []}
    for line in lines:
        word, _, rest = line.partition(" ")
        if word in told:
            told[word].append(rest)
    view = parse_position("\n".join(line for line in lines if line.split()[0] not in told))
    for level in " ".join(told["only"] or ["middle strong"]).split():
        move = opponent(level, game_of(view).name, random.Random(1), QUICK)(view)
        made = format_move(view, move).split()
        for kind in ("best", "not"):
            for wanted in told[kind]:
                word, *cards = wanted.split()
                fits = made[0] == word and (not cards or sorted(cards) == sorted(made[1:]))
                assert fits == (kind == "best"), (level, made, wanted)

"""The lines of a score sheet: their order, their counts and their clauses."""

import re
from importlib import import_module
from pathlib import Path

import pytest

from engine.games import GAMES, game_named
from engine.score_sheet import CLOSED_CARDS, Item, ScoreSheet
from engine.sentences import Marked


def names(path: Path) -> set[str]:
    """Return the texts in a source that are marked for translation."""
    return set(re.findall(r'N_\(\s*"([^"]+)"', path.read_text(encoding="utf-8")))


@pytest.mark.parametrize("game", GAMES)
def test_every_sheet_item_has_its_place_in_the_order(game: str) -> None:
    module = import_module(f"engine.{game}.score")  # where a game counts points (CONTRIBUTING.md)
    assert module.__file__ is not None
    own = Path(module.__file__)
    shared = own.parents[1] / "like_melds" / "score.py"
    assert names(own) <= set(module.LINES)
    named = set().union(*map(names, [shared, *own.parent.glob("*.py")]))
    assert set(module.LINES) <= named | {CLOSED_CARDS}
    assert len(set(module.LINES)) == len(module.LINES)
    assert game_named(game).position.sheet_lines == module.LINES


def test_sheet_lines_have_the_order_of_the_game_with_unknown_ones_last() -> None:
    def items(*whats: str) -> tuple[Item, ...]:
        return tuple(Item(Marked(what), 1, 5, "X6") for what in whats)

    sheet = ScoreSheet((items("late", "new"), items("early", "late")), None, ("early", "late"))
    assert sheet.lines == ("early", "late", "new")

"""The lines of a score sheet: their order, their counts and their clauses."""

import re
from importlib import import_module
from pathlib import Path

import pytest

from engine.games import GAMES, game_named
from engine.notation.position_reader import parse_position
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


IN_CANASTA = """canasta 2
turn 1 over out
hand 1 0
hand 2 Jo Kd 3h
meld 1 7h 7h 7d 7d 7c 7c 7s 2c
meld 1 4s 4d 4h
bonus 1 3h 3d
"""
IN_KANASTIC = """kanastic 2
turn 1 over
hand 1 9h Sw Sw Sh
hand 2 0
meld 1 7h 7h 7d 7d 7c 7c 7s
meld 1 Kh Kd Kc
bonus 1 Po Po
"""
OUT_IN_KANASTIC = """kanastic 2
turn 1 over out
pile 9c
hand 1 0
hand 2 0
meld 1 7h 7h 7d 7d 7c 7c 7s
"""
IN_CANASTRA = """canastra 2
turn 1 over out
hand 1 0
hand 2 4c 6c
meld 1 5h 6h 7h 8h 9h Th Jh
meld 1 5c 6c 7c 8c 9c Tc 2c
meld 1 As 2s 3s 4s 5s 6s 7s 8s 9s Ts Js Qs Ks As
"""


@pytest.mark.parametrize(
    ("text", "items"),
    [
        (
            IN_CANASTA,
            [
                [
                    ("dirty canastas", 1, "C91"),
                    ("cards melded", 11, "C92"),
                    ("red threes", 2, "C66"),
                    ("going out", 1, "C76"),
                ],
                [("cards in hand", 2, "C92"), ("red threes kept in hand", 1, "C67a")],
            ],
        ),
        (
            IN_KANASTIC,
            [
                [
                    ("natural canastas", 1, "K103"),
                    ("cards melded", 10, "K102"),
                    ("Treasure Pots", 2, "K20"),
                    ("cards in hand", 1, "K102"),
                    ("wild cards in hand", 2, "K110"),
                    ("Shields in hand", 1, "K108"),
                ],
                [],
            ],
        ),
        (
            OUT_IN_KANASTIC,
            [
                [
                    ("natural canastas", 1, "K103"),
                    ("cards melded", 7, "K102"),
                    ("going out", 1, "K109"),
                ],
                [],
            ],
        ),
        (
            IN_CANASTRA,
            [
                [
                    ("real canastras", 1, "B59"),
                    ("clean canastras", 1, "B57"),
                    ("dirty canastras", 1, "B57"),
                    ("cards in runs", 28, "B56"),
                    ("going out", 1, "B61"),
                ],
                [("cards in hand", 2, "B62")],
            ],
        ),
    ],
    ids=["canasta", "kanastic", "out in kanastic", "canastra"],
)
def test_an_item_has_a_count_and_a_clause(
    text: str, items: list[list[tuple[str, int, str]]]
) -> None:
    position = parse_position(text)
    sheet = position.score()
    assert [[(i.what, i.count, i.clause) for i in side] for side in sheet.sides] == items

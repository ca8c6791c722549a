"""Hands set aside that belong to nobody: each side takes up one, whichever player is first."""

import pytest
from attrs import evolve, frozen

from engine.games import GAMES
from engine.hands_set_aside import taken_up
from engine.moves import Discard, LayMelds
from engine.notation.moves import parse_move
from engine.notation.position_reader import parse_position
from engine.slots import Seat
from tests.made_up_game import FAMILIES, FamiliesPosition


@frozen(kw_only=True, slots=False)
class PotsPosition(FamiliesPosition):
    """A round of Families in which anybody may take up the hands set aside."""

    counts_set_aside = False


@pytest.fixture(autouse=True)
def registered(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let Families be the game with `PotsPosition` during a test."""
    monkeypatch.setitem(GAMES, FAMILIES.name, evolve(FAMILIES, load_position=lambda: PotsPosition))


TABLE = (  # `feet`: the number of hands set aside; `walking`: the seats that have taken one up
    "families 4\nturn 1 play drew 1\nhand 1 {hand}\nhand 3 5s 6s\nfeet {feet}\nwalking {takers}\n"
)


@pytest.mark.parametrize(("takers", "may"), [("none", [0, 1, 2, 3]), ("3", [1, 3]), ("2 3", [])])
def test_a_side_takes_up_at_most_one_hand(takers: str, may: list[int]) -> None:
    position = parse_position(TABLE.format(hand="4s 4h 4d", feet=1, takers=takers))
    assert [seat for seat in range(4) if position.gets_more(Seat(seat))] == may


@pytest.mark.parametrize("line", ["meld 4s 4h 4d", "discard 4s"])
def test_a_text_says_that_a_hand_is_taken_up(line: str) -> None:
    hand = "4s 4h 4d" if line.startswith("meld") else "4s"
    position = parse_position(TABLE.format(hand=hand, feet=2, takers="none"))
    move = parse_move(position, line)
    assert isinstance(move, LayMelds | Discard)
    after = position.apply(move)
    assert taken_up(position, after) == "takes up a hand that lay aside"
    assert taken_up(after, after) is None

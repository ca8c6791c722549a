"""Cards where a round hardly ever has them: red threes and twos where the pile begins."""

import pytest

from engine.canasta.deck import CANASTA
from engine.canasta.values import starts
from engine.moves import Answer, Ask, Pass
from engine.table_status import PileState
from engine.turn import Step
from tests.engine.canasta.tables import canasta_table, position_of


@pytest.mark.parametrize(
    ("code", "plain", "with_option"),
    [
        ("Jo", False, False),
        ("2h", False, False),
        ("3d", False, False),
        ("2s", False, True),
        ("3c", False, True),
        ("4h", True, True),
        ("Kc", True, True),
    ],
)
def test_c14_which_card_starts_the_pile(code: str, plain: bool, with_option: bool) -> None:
    card = next(card for card in CANASTA if card.code == code)
    assert starts(card, red_start=False) == plain
    assert starts(card, red_start=True) == with_option


def test_c15_a_red_three_on_top_freezes_and_is_no_black_one() -> None:
    frozen = canasta_table(hands=["9s"], pile="5c 3h").position
    assert frozen.pile_status(frozen.side).state is PileState.FROZEN
    blocked = canasta_table(hands=["9s"], pile="5c 3s").position
    assert blocked.pile_status(blocked.side).state is PileState.BLOCKED


def test_c88_without_a_pile_nothing_is_to_be_taken() -> None:
    table = canasta_table(
        hands=["Ks 4c"],
        melds=[["9s 9d 9h"]],
        stock="",
        step=Step.DRAW,
        options={"must_take": True},
    )
    assert not position_of(table).taking_is_forced
    assert table.refusal(Pass()) is None


def test_c88_without_the_option_nobody_must_take_the_pile() -> None:
    for must in (False, True):
        table = canasta_table(
            hands=["Ks 4c"],
            melds=[["9s 9d 9h"]],
            pile="5c 9c",
            stock="",
            step=Step.DRAW,
            options={"must_take": must},
        )
        assert table.refusal(Pass()) == ("C88" if must else None)


def test_c97a_an_opening_of_just_enough_points_goes_out() -> None:
    """C72 and C37: seven fours and three fives are worth fifty."""
    table = canasta_table(
        hands=["4c 4d 4h 4s 4c 4d 4h 5c 5d 5h 6c"], stock="", options={"penalties": True}
    )
    table = table.apply(Ask(), Answer(True), table.discard("6c"), Pass())
    assert "vain questions" not in table.scored()


@pytest.mark.parametrize("fresh", [False, True])
def test_c76_going_out_is_one_item_of_the_sheet(fresh: bool) -> None:
    table = canasta_table(hands=["4c"], melds=[["9s 9s 9h 9h 9d 9d 9c"]], turn={"fresh": fresh})
    sheet = table.apply(table.discard("4c")).position.sheet
    assert sheet is not None
    what = "going out at one stroke" if fresh else "going out"
    assert [item.count for item in sheet.sides[0] if item.what == what] == [1]


@pytest.mark.parametrize(
    ("hand", "pile", "melds", "may"),
    [
        ("9h 2h", "5c 9s", ["Ks Kd Kh"], True),
        ("9h 2h", "2c 9s", ["Ks Kd Kh"], False),  # C48: frozen
        ("9h 2h", "5c 9s", [], False),  # C45: not opened
        ("9h 9d", "2c 9s", ["Ks Kd Kh"], True),
        ("9h Kc", "5c 9s", ["Ks Kd Kh"], False),  # C46: no wild card
        ("Kc 2h", "5c 9s", ["Ks Kd Kh"], False),  # C46: no natural
        ("Kc 2h", "5c 9s", ["9c 9d 9h"], True),
    ],
)
def test_c45_c48_who_may_take_the_pile(hand: str, pile: str, melds: list[str], may: bool) -> None:
    table = canasta_table(hands=[hand], pile=pile, melds=[melds], step=Step.DRAW)
    assert table.position.may_take_pile() == may


def test_c61_what_freezes_the_pile_is_seen_below_its_top() -> None:
    seen = canasta_table(hands=["9h"], pile="4c 2s 5c").position.pile_seen
    assert [shown.card.code for shown in seen] == ["2s"]
    seen = canasta_table(hands=["9h"], pile="4c 2s").position.pile_seen
    assert not seen
    seen = canasta_table(hands=["9h"], pile="2s 4c").position.pile_seen
    assert [shown.card.code for shown in seen] == ["2s"]

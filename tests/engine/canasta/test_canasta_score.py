"""Counting a round and ending a match (C91-C98)."""

from typing import Any

import pytest
from attrs import evolve

from engine.dealer import PlainDealer
from engine.errors import InvalidOption
from engine.games import GAMES
from engine.match import Match
from engine.moves import Answer, Ask, DrawStock, Pass
from engine.score_sheet import Item, ScoreSheet
from engine.sentences import N_
from engine.turn import Step
from tests.engine.canasta.tables import canasta_table
from tests.engine.positions import Table

CANASTA_GAME = GAMES["canasta"]
CLEAN = "9s 9s 9h 9h 9d 9d 9c"
DIRTY = "8s 8s 8h 8h 8d 8d 2c"


def given_up(**more: Any) -> Table:
    """Return the table after seat 1 has ended the round by taking nothing without a stock."""
    table = canasta_table(stock="", pile="Ks", step=Step.DRAW, seat=1, **more)
    return table.apply(Pass())


def test_c91_canastas_are_500_and_300_beside_their_cards() -> None:
    scored = given_up(melds=[[CLEAN, DIRTY]]).scored()
    assert scored == {"clean canastas": 500, "dirty canastas": 300, "cards melded": 150}
    longer = given_up(melds=[[f"{CLEAN} 9c 2s"]]).scored()
    assert longer == {"dirty canastas": 300, "cards melded": 100}


def test_c92_all_items_of_a_side_are_summed() -> None:
    table = canasta_table(
        hands=["Ks", "As 2s", "Jo Kd", "4c"],
        melds=[[CLEAN, "4s 4d 4h"], ["5s 5d 5h"]],
        bonus=["3h", "3d 3d"],
    )
    ended = table.apply(table.discard("Ks"))
    assert ended.scored(0) == {
        "clean canastas": 500,
        "cards melded": 85,
        "red threes": 100,
        "going out": 100,
        "cards in hand": -60,
    }
    assert ended.scored(1) == {"cards melded": 15, "red threes": 200, "cards in hand": -45}
    sheet = ended.position.sheet
    assert sheet is not None
    assert sheet.totals == (725, 170)
    assert [item.count for item in sheet.sides[0]] == [1, 10, 1, 1, 2]
    assert [item.count for item in sheet.sides[1]] == [3, 2, 3]


def example(closer_holds: str, **more: Any) -> Table:
    """Return the table of the rules' example.

    The rules do not name the cards of the canastas; with these all melded cards come to 320.
    """
    melds = [
        "7s 7s 7d 7d 7h 7h 7c",
        "Ts Ts Td Td Th 2s 2s",
        "6s 6s 6d 6d 6h 2d 2d",
        "As Ad Ah Ac 2h",
        "Ks Kd Kh",
    ]
    hands = [closer_holds, "", "Qd Qh Qc Jd Jh Jc Tc 5s"]
    return canasta_table(hands=hands, melds=[melds], bonus=["3h"], **more)


def test_c93_the_worked_example_is_1445_and_1545_for_who_goes_out() -> None:
    expected = {
        "clean canastas": 500,
        "dirty canastas": 600,
        "cards melded": 320,
        "red threes": 100,
        "cards in hand": -75,
    }
    stayed = example("", stock="", pile="9s", step=Step.DRAW, seat=1).apply(Pass())
    assert stayed.scored() == expected
    assert sum(expected.values()) == 1445
    closing = example("Qs")
    closed = closing.apply(closing.discard("Qs"))
    assert closed.scored() == expected | {"going out": 100}
    assert closed.position.sheet is not None
    assert closed.position.sheet.totals == (1545, 0)


def test_c95_points_count_only_when_the_hand_is_over() -> None:
    table = canasta_table(hands=["Ks Kd"], melds=[[CLEAN]], totals=[4950, 0])
    assert table.position.sheet is None
    assert table.position.totals == (4950, 0)
    after = table.apply(table.discard("Ks"))
    assert after.position.to_move == 1


def match_with(points: tuple[int, ...], options: dict[str, int] | None = None) -> Match:
    """Return a match with one finished round that brought the sides these points."""
    start = Match.start(
        CANASTA_GAME, CANASTA_GAME.options.from_pairs((options or {}).items()), len(points)
    )
    match = PlainDealer(lambda _: None).fulfil(start)
    assert match.round is not None
    sheet = ScoreSheet(tuple((Item(N_("points"), 1, number, "C92"),) for number in points), None)
    return evolve(match, round=evolve(match.round, orders=(), sheet=sheet)).close_round()


@pytest.mark.parametrize(
    ("points", "winner"),
    [((4995, 0), None), ((5000, 0), 0), ((5000, 5005), 1), ((7000, 5000, 6995), 0)],
)
def test_c96_the_match_ends_at_5000_and_the_higher_total_wins(
    points: tuple[int, ...], winner: int | None
) -> None:
    match = match_with(points)
    assert match.totals == points
    assert match.over is (winner is not None)
    assert match.winner == winner
    assert (match.round is None) == match.over


def test_c96_equal_totals_play_another_hand() -> None:
    match = match_with((5200, 5200))
    assert not match.over
    assert match.round is not None
    assert match.round.totals == (5200, 5200)
    assert match_with((500, 0), {"target": 500}).winner == 0
    assert match_with((5200, 5200, 9000)).winner == 2


def test_c96_the_target_is_an_option_with_bounds() -> None:
    assert CANASTA_GAME.options().match_target == 5000
    for target in (499, 100_001, True):
        with pytest.raises(InvalidOption):
            CANASTA_GAME.options.from_pairs([("target", target)])


def test_c67a_a_kept_red_three_costs_100() -> None:
    scored = given_up(hands=["3h Ks", "", "3d"], melds=[["4s 4d 4h"]]).scored()
    assert scored == {"cards melded": 15, "cards in hand": -10, "red threes kept in hand": -200}


def test_c97_with_penalties_a_kept_red_three_costs_500() -> None:
    scored = given_up(hands=["3h Ks"], options={"penalties": True}).scored()
    assert scored == {"cards in hand": -10, "red threes kept in hand": -500}


@pytest.mark.parametrize("penalties", [False, True])
@pytest.mark.parametrize("answer", [False, True])
@pytest.mark.parametrize(
    ("hand", "able"),
    [
        ("Ks 4c 5c", False),
        ("Ks Kd Kh 4c", True),  # all but one
        ("Ks Kd Kh 4c 5c", False),
        ("Ks Kd 2c 4c 4d Jo", True),  # a wild card for each pair
        ("Ks Kd 2c 4c 4d", False),
        ("3s 3c 3s 4c", True),
        ("3s 3c 3s 4c 4d", False),
        ("Ks Kd Kh 3h", False),  # a red three stays, and is no card to discard
    ],
)
def test_c97a_a_question_is_vain_if_it_was_allowed_and_could_not_be_acted_on(
    penalties: bool, answer: bool, hand: str, able: bool
) -> None:
    table = canasta_table(hands=[hand], melds=[[CLEAN]], stock="", options={"penalties": penalties})
    table = table.apply(Ask(), Answer(answer))
    table = table.apply(table.discard(hand.split(maxsplit=1)[0]))
    ended = table.apply(Pass())
    expected = -100 if penalties and answer and not able else None
    assert ended.scored().get("vain questions") == expected


def test_c97a_what_is_laid_after_the_question_does_not_make_it_vain() -> None:
    """A player who could go out and spends the wild card elsewhere has chosen not to."""
    hand = "Ks Kd 2c 4c"
    options = {"penalties": True}
    table = canasta_table(hands=[hand], melds=[[CLEAN]], stock="", options=options)
    table = table.apply(Ask(), Answer(True), table.lay(table.play("2c", onto=0)))
    table = table.apply(table.discard("4c"), Pass())
    assert "vain questions" not in table.scored()


def test_c97a_an_opening_that_is_too_small_goes_out_with_nothing() -> None:
    """C72 and C37: five hundred cards would not be enough if they were worth too little."""
    hand = "4c 4d 4h 4s 4c 4d 4h 5c"
    options = {"penalties": True}
    table = canasta_table(hands=[hand], stock="", options=options)
    table = table.apply(Ask(), Answer(True), table.discard("5c"), Pass())
    assert table.scored()["vain questions"] == -100


def test_c97a_a_question_followed_by_going_out_costs_nothing() -> None:
    table = canasta_table(
        hands=["Ks Kd Kh 4c"], melds=[[CLEAN]], options={"penalties": True}
    ).apply(Ask(), Answer(True))
    table = table.apply(table.lay("Ks Kd Kh"))
    assert "vain questions" not in table.apply(table.discard("4c")).scored()


def test_c97a_who_is_stranded_with_the_last_red_three_has_asked_in_vain() -> None:
    """They end the round (C90a), which is not going out."""
    table = canasta_table(
        hands=["Ks"],
        stock="3h",
        pile="8s",
        melds=[["4s 4d 4h"]],
        step=Step.DRAW,
        options={"penalties": True},
    ).apply(DrawStock(), Ask(), Answer(True))
    table = table.apply(table.show("3h"))
    ended = table.apply(Pass())
    assert ended.position.closer is None
    assert ended.scored()["vain questions"] == -100


def test_c98_three_play_alone_with_one_canasta_to_5000() -> None:
    table = canasta_table(seats=3, hands=["Ks"], melds=[[CLEAN]], options={"two_canastas": True})
    assert table.apply(table.discard("Ks")).position.closer == 0
    assert match_with((5000, 0, 0)).winner == 0

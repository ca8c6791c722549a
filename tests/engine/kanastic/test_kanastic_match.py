"""The way from round to round, and the winner (K14, K46, K55, K101, K117, K119)."""

import random

import pytest
from attrs import evolve

from engine.dealer import PlainDealer
from engine.errors import InvalidOption
from engine.kanastic.options import KanasticOptions
from engine.kanastic.position import KanasticPosition
from engine.kanastic.values import stage_of
from engine.match import Match
from engine.moves import Cut
from engine.score_sheet import Item, ScoreSheet
from engine.sentences import N_
from tests.engine.kanastic.tables import GAME, kanastic_table


def playing(players: int, totals: tuple[int, ...]) -> Match:
    """Return a match whose first round is dealt; the sides have these totals from earlier ones."""
    dealer = PlainDealer(random.Random(1).shuffle)
    match = dealer.fulfil(Match.start(GAME, GAME.options(), players))
    return evolve(match, totals=totals)


def closing(match: Match, *points: int) -> Match:
    """Return the match after its round is counted, with these points by side."""
    assert match.round is not None
    sheet = ScoreSheet(tuple((Item(N_("cards melded"), 1, p, "K102"),) for p in points), None)
    return evolve(match, round=evolve(match.round, sheet=sheet, orders=())).close_round()


@pytest.mark.parametrize("players", GAME.players)
def test_k14_k101_the_next_player_clockwise_deals(players: int) -> None:
    match = playing(players, GAME.sides(players) * (0,))
    for _ in range(players):
        after = closing(match, *match.totals)
        assert after.dealer == (match.dealer + 1) % players
        assert after.round is not None
        assert after.round.dealer == after.dealer
        match = after


def test_k15_the_cutter_sits_to_the_right_of_the_dealer() -> None:
    match = playing(3, (0, 0, 0))
    assert match.round is not None
    assert match.round.to_move == (match.dealer - 1) % 3
    assert match.round.allows(Cut(7))


def test_k46_the_stage_follows_the_total_also_downwards() -> None:
    match = closing(playing(4, (2900, 0)), 100, 1600)
    assert isinstance(match.round, KanasticPosition)
    assert match.totals == (3000, 1600)
    assert match.round.totals == match.totals
    match = closing(match, -1700, -100)
    assert match.totals == (1300, 1500)
    stages = [kanastic_table(totals=match.totals, seat=seat).position for seat in (0, 1)]
    assert [p.stage.name for p in stages if isinstance(p, KanasticPosition)] == ["I", "II"]


def test_k117_the_first_side_at_ten_thousand_wins() -> None:
    match = closing(playing(4, (9000, 8000)), 995, 1990)
    assert not match.over
    assert match.winner is None
    match = closing(match, 5, 0)
    assert match.over
    assert match.winner == 0
    assert match.round is None


def test_k117_the_higher_total_wins_when_both_are_there() -> None:
    assert closing(playing(4, (9000, 9000)), 1500, 1600).winner == 1


def test_k117_equal_totals_play_another_round() -> None:
    match = closing(playing(4, (9000, 9000)), 1500, 1500)
    assert not match.over
    assert match.round is not None
    assert closing(match, 0, 5).winner == 1


def test_k117_the_target_is_an_option() -> None:
    options = KanasticOptions(target=3000)
    assert options.match_target == 3000
    assert KanasticOptions().match_target == 10_000
    for target in (499, 100_001):
        with pytest.raises(InvalidOption):
            KanasticOptions(target=target)


def test_k55_all_points_are_multiples_of_five() -> None:
    table = kanastic_table(hands=["4h"], melds=[["7h 7h 7d 7d 7c 7c 7s"]], bonus=["Po"])
    sheet = table.apply(table.discard("4h")).position.sheet
    assert sheet is not None
    assert all(item.points % 5 == 0 for items in sheet.sides for item in items)


def test_k55_the_stages_leave_no_gap() -> None:
    names = [stage_of(total, short_suits=False).name for total in range(-5, 5005)]
    assert names == 1505 * ["I"] + 1500 * ["II"] + 2000 * ["III"] + 5 * ["IV"]


def test_k119_a_move_leaves_the_position_before_it_as_it_was() -> None:
    table = kanastic_table(hands=["4h 5h"])
    before = table.position
    table.apply(table.discard("4h"))
    assert table.position == before
    assert len(before.hands[0]) == 2

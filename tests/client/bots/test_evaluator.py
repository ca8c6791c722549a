"""Decisions of an evaluator at the limits that its weights set: going out, asking, agreeing."""

from itertools import count
from types import SimpleNamespace
from typing import Any

import pytest
from attrs import evolve

from client.bots import evaluator_registry, identity_cache
from client.bots.evaluator import Evaluator
from client.bots.evaluator_registry import AnyGameEvaluator, evaluator_with, weights_of
from client.bots.identity_cache import IdentityCache
from client.bots.weights import LikeWeights, Tuning, between
from engine.cards import Rank
from engine.games import GAMES
from engine.slots import Seat, Side
from engine.turn import Step
from tests.client.bots.hidden_cards import having_shown, seen_by_0
from tests.client.bots.thick_piles import REST
from tests.engine.positions import Table, table_of

US, ME = Side(0), Seat(0)
CANASTA = "9s 9h 9d 9c 9s 9h 9d"


def judge(game: str = "canasta", **weights: Any) -> Evaluator:
    return evaluator_with(game, evolve(weights_of(game)[Tuning.BY_HAND], **weights))


@pytest.fixture
def table() -> Table:
    """Return a table at which only the other side, which holds 11 cards, may go out."""
    return table_of(
        "canasta",
        hands=["6s 6h Kc", "4h 5h 4d 5d 7h", "4c 5c", "4s 5s 4h 5h 7d 7s"],
        melds=[["Th Td Tc"], [CANASTA]],
        pile="4s",
        stock=REST,
        totals=(500, 200),
    )


def test_the_lead_counts_melds_other_hands_and_going_out(table: Table) -> None:
    view = seen_by_0(table)
    ours, theirs = view.table_points(US), view.table_points(Side(1))
    evaluator = judge(card=10, going_out=100)
    assert evaluator.points_now(view, ME) == [ours - 2 * 10 + 100, theirs - 11 * 10]
    assert evaluator.lead(view, ME) == (ours + 80 - theirs + 110, None)


def test_the_lead_is_over_the_best_of_the_other_sides() -> None:
    melds = [["Ks Kh Kd"], ["As Ah Ad"], ["5s 5h 5d"]]
    view = table_of("canasta", seats=3, hands=["4c", "4h", "4d"], melds=melds).position
    evaluator = judge(card=0, going_out=0)
    leads = [evaluator.lead(view, Seat(seat))[0] for seat in range(3)]
    assert leads == [30 - 60, 60 - 30, 15 - 60]


def test_a_side_goes_out_if_its_lead_is_large_enough_or_wins_the_match(table: Table) -> None:
    view = seen_by_0(table)
    lead, _won = judge().lead(view, ME)
    assert judge(out_margin=lead).wants_out(view, ME)
    assert not judge(out_margin=lead + 1).wants_out(view, ME)
    winning = evolve(view, options=evolve(view.options, rounds=1))
    assert judge(out_margin=lead + 1).wants_out(winning, ME) is (lead > 0)


def test_a_partner_with_few_cards_is_not_asked(table: Table) -> None:
    view = seen_by_0(table)
    assert judge(ask_from=2).wants_advice(view, ME)
    assert not judge(ask_from=3).wants_advice(view, ME)
    alone = table_of("canasta", seats=2, hands=["6s", "4c 5c"]).position
    assert not judge(ask_from=0).wants_advice(alone, ME)


def test_a_player_agrees_if_the_hand_costs_little_or_the_threat_is_great(table: Table) -> None:
    view = evolve(seen_by_0(table), turn=evolve(table.position.turn, step=Step.ANSWER))
    cost = judge().cost(view, view.hand_cards(ME))
    threat = judge().threat(view, ME)
    assert cost == 20
    assert threat == pytest.approx(0.15 * 2 + 0.6 * 2 / 7)
    assert judge(agree_to=cost, agree_from=1).agrees(view, ME)
    assert not judge(agree_to=cost - 1, agree_from=threat).agrees(view, ME)
    assert judge(agree_to=cost - 1, agree_from=threat - 0.01).agrees(view, ME)


@pytest.mark.parametrize(
    ("near", "threat", "told"),
    [(5, 0.15, 0.3), (6, 0.15, 0.4), (50, 0.15, 0.3 + 0.6 * 45 / 50), (50, 0.3, 1.0)],
)
def test_threat_grows_as_another_side_comes_near_the_end(
    table: Table, near: float, threat: float, told: float
) -> None:
    view = seen_by_0(table)
    assert judge(near=near, threat=threat).threat(view, ME) == pytest.approx(told)
    assert judge(near=near, threat=threat).threat(view, Seat(1)) == threat


def test_a_threat_is_worked_out_anew_for_another_seat_or_table(table: Table) -> None:
    view, evaluator = seen_by_0(table), judge()
    fewer = evolve(view, hands=(*view.hands[:3], view.hands[3][:1]))
    unlaid = evolve(view, laid=(view.laid[0], evolve(view.laid[1], melds=())))
    for one, seat in ((view, ME), (view, Seat(1)), (fewer, ME), (unlaid, ME), (view, ME)):
        assert evaluator.threat(one, seat) == judge().threat(one, seat)
    told = {judge().threat(one, ME) for one in (view, fewer, unlaid)}
    assert len(told) == 3


def test_the_chance_that_another_seat_holds_a_pair_follows_what_is_known(table: Table) -> None:
    view = seen_by_0(table)
    assert judge(counts=False, uncounted=0.4).holds(view, ME, Seat(1), Rank.KING, 2) == 0.4
    counting = judge(counts=True, left_lying=0.5)
    for seat in (1, 3):
        likely = counting.holds(view, ME, Seat(seat), Rank.KING, 2)
        assert 0 < likely < 0.3
        card = table.position.hand_cards(Seat(seat))[-1]
        shown = seen_by_0(having_shown(table, seat, card.code))
        assert counting.holds(shown, ME, Seat(seat), card.rank, 1) == 1.0
    # Seat 3 has discarded the four of the pile, so it is unlikely to hold a pair of fours.
    for seat, factor in ((3, 0.5), (2, 1.0)):
        usual, spurned = (
            judge(counts=True, left_lying=share).holds(view, ME, Seat(seat), Rank.FOUR, 2)
            for share in (1.0, 0.5)
        )
        assert spurned == pytest.approx(factor * usual)


def test_values_between_two_numbers_of_cards_are_interpolated() -> None:
    values = (0, 10, 40)
    told = [between(values, size) for size in (0, 0.5, 1, 1.5, 1.75, 2, 2.5, 9)]
    assert told == [0, 5, 10, 25, 32.5, 40, 40, 40]


def test_the_evaluator_for_any_game_counts_pairs_points_and_offers() -> None:
    hands = ["Kc Ks 9d", "+9", "+9", "+9"]
    table = table_of("canasta", hands=hands, melds=[["Th Td Tc"]], pile="4s 6d")
    view, evaluator = table.position, AnyGameEvaluator(Tuning.BY_HAND)
    assert not evaluator.weights.counts
    assert AnyGameEvaluator(Tuning.LEARNT).weights.counts
    assert evaluator.standing(view, ME) == view.table_points(US) + 10 - 30
    assert evaluator.remark(view, table.discard("9d")) is None
    assert not evaluator.exact
    assert evaluator.pile(view) == 2 * evaluator.weights.pile
    assert evaluator.danger(view, ME, view.hand_cards(ME)[0]) == 0.0
    for theirs, share in ((["Kh Kd Ks"], 1.0), (["Qh Qd Qs"], 0.3), ([], 0.3)):
        hands, melds = ["Kc 5d", "7c 7s 8h", "+9", "+9"], [["Th Td Tc"], theirs]
        given = seen_by_0(table_of("canasta", hands=hands, melds=melds, pile="4s 6d", stock="+40"))
        card = given.hand(ME)[0]
        offer = given.pile_offer(card)
        assert offer is not None
        assert evaluator.danger(given, ME, card.card) == share * offer.points > 0


@pytest.mark.parametrize(
    ("game", "weight", "hand", "most"),
    [
        ("canasta", "wild", "2s 2h 2d Jo Jo", 4),
        ("canasta", "wild", "2s Jo", 2),
        ("canasta", "cover", "3s 3c 3s", 2),
        ("kanastic", "wild", "Sw Sw Sw Sw", 3),
        ("kanastic", "artifact", "Ar Ar Ar Ar", 3),
        ("kanastic", "cover", "Sh Sh Sh Sh", 3),
        ("canastra", "wild", "2s 2h 2d 2c", 3),
    ],
)
def test_special_cards_add_value_to_a_hand_up_to_a_maximum_number(
    game: str, weight: str, hand: str, most: int
) -> None:
    view = table_of(game, seats=2, hands=[hand]).position
    plain, valued = (judge(game, **{weight: value}).standing(view, ME) for value in (0, 10))
    assert valued - plain == pytest.approx(10 * most)


@pytest.mark.parametrize("game", [game for game in GAMES if game != "canastra"])
def test_each_card_adds_flexibility_until_the_hand_has_enough_cards(game: str) -> None:
    view = table_of(game, seats=2, hands=["4c 5d 6h Kc Qd"], stock="+40").position
    for enough, counted in ((9, 5), (5, 5), (2, 2)):
        plain, flexible = (judge(game, flexible=value, enough=enough) for value in (0, 10))
        worth = flexible.standing(view, ME) - plain.standing(view, ME)
        assert worth == pytest.approx(10 * counted)


def test_a_game_without_learnt_weights_uses_those_found_by_trial(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    without_cache = weights_of.__wrapped__
    # A game without these either uses the weights set by hand.
    for tables, used in (({"by_trial": {"pile": 3}}, 3), ({}, LikeWeights().pile)):
        fake = SimpleNamespace(loads=lambda _text, tables=tables: dict(tables))
        monkeypatch.setattr(evaluator_registry, "tomllib", fake)
        assert without_cache("canasta")[Tuning.LEARNT].pile == used
    assert without_cache("canasta")[Tuning.BY_HAND] == LikeWeights()


def test_a_full_cache_is_emptied(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(identity_cache, "_MOST", 2)
    numbers = count(1)
    cache = IdentityCache[str, [], int](lambda _one: next(numbers))
    a, b, c = "a", "b", "c"
    assert [cache(one) for one in (a, b, a, b)] == [1, 2, 1, 2]
    assert [cache(one) for one in (c, c, a, a)] == [3, 3, 4, 4]
    assert len(cache._kept) == 2

"""Rounds that are played out before a decision: in how many worlds, and which choice wins."""

import random

import pytest

from client.bots import going_out_playouts
from client.bots.evaluator import Evaluator
from client.bots.evaluator_registry import evaluator_of
from client.bots.going_out_playouts import (
    FAR,
    MOST_MOVES,
    MOST_WORLDS,
    choose,
    endings,
    round_worth,
)
from client.bots.weights import Tuning
from engine.games import GAMES
from engine.moves import Ask
from engine.plain_dealer import PlainDealer
from engine.position import Position
from engine.slots import Seat, Side
from engine.turn import Step
from tests.client.bots.hidden_cards import seen_by_0
from tests.client.bots.thick_piles import EVALUATOR, duel, ready
from tests.engine.positions import canasta_table


@pytest.mark.parametrize(
    ("moves", "worlds"),
    [(1, MOST_WORLDS), (FAR, MOST_MOVES // (2 * FAR)), (FAR + 1, MOST_MOVES // (2 * FAR) - 1)],
)
@pytest.mark.parametrize("best", [0, 1])
def test_choices_are_played_in_the_same_worlds_until_the_budget_of_moves_is_spent(
    moves: int, worlds: int, best: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    view = seen_by_0(ready())
    choices = endings(view, Seat(0), EVALUATOR)
    assert len(choices) == 2
    played: list[tuple[Position, PlainDealer]] = []

    def out(
        position: Position, dealer: PlainDealer, _follow: object, most: int
    ) -> tuple[Position, int]:
        assert most == FAR
        played.append((position, dealer))
        return position, moves

    def worth(end: Position, seat: Seat) -> float:
        assert seat == 0
        return float(end == view.play(choices[best])) - 5

    monkeypatch.setattr(going_out_playouts, "played_out", out)
    monkeypatch.setattr(going_out_playouts, "round_worth", worth)
    assert choose(view, EVALUATOR, random.Random(1)) == choices[best]
    tried = [position for position, _dealer in played]
    assert tried == [view.play(one) for one in choices] * worlds
    for (_one, first), (_other, second) in zip(played[::2], played[1::2], strict=True):
        assert first.cards == second.cards
        assert first is not second


def test_a_single_choice_or_an_exact_evaluator_needs_no_worlds(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def never(*_given: object) -> None:
        raise AssertionError("a world was dealt")

    monkeypatch.setattr(going_out_playouts, "world", never)
    view = seen_by_0(ready())
    with pytest.raises(AssertionError):
        choose(view, EVALUATOR, random.Random(1))
    monkeypatch.setattr(Evaluator, "exact", True)
    assert choose(view, EVALUATOR, random.Random(1)) in view.legal_moves(Seat(0))
    monkeypatch.setattr(Evaluator, "exact", False)
    early = seen_by_0(duel("4h 9c", step=Step.DRAW, pile=""))
    assert choose(early, EVALUATOR, random.Random(1)) is not None
    assert evaluator_of(GAMES["canastra"], Tuning.BY_TRIAL).exact


def test_a_player_chooses_between_going_out_staying_and_asking_the_partner() -> None:
    for seats, asks in ((2, False), (4, True)):
        view = seen_by_0(ready(seats))
        out, staying, *others = endings(view, Seat(0), EVALUATOR)
        assert len(view.play(out).hands[0]) < len(view.play(staying).hands[0])
        assert others == ([Ask()] if asks else [])


def test_the_worth_of_a_broken_off_round_is_the_lead_on_the_table() -> None:
    melds = [["Ks Kh Kd"], ["Qs Qh Qd", "As Ah Ad"], ["5s 5h 5d"]]
    table = canasta_table(seats=3, hands=["4c", "5c", "6c"], melds=melds)
    points = [30, 90, 15]
    assert [table.position.table_points(Side(side)) for side in range(3)] == points
    leads = [round_worth(table.position, Seat(seat)) for seat in range(3)]
    assert leads == [30 - 90, 90 - 30, 15 - 90]

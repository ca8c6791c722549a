"""The review of a decision: which mistakes it names, and with which alternatives it compares."""

import random
from collections.abc import Callable
from itertools import cycle

import pytest
from attrs import evolve

from client.bots import decision_review
from client.bots.chooser import Budget
from client.bots.decision_review import (
    ALTERNATIVES,
    COST,
    SURE,
    Decision,
    Verdict,
    alternatives,
    verdict_on,
)
from client.bots.going_out_playouts import endings
from client.bots.levels import LEVELS, opponent
from client.bots.search import UNEVALUATED, GainTally, TriedMove, evaluated
from engine.games import GAMES
from engine.moves import Discard, DrawStock, Pass
from engine.notation.moves import format_move
from engine.slots import Seat
from engine.turn import Step
from tests.client.bots.hidden_cards import seen_by_0
from tests.client.bots.thick_piles import EVALUATOR, KINGS, duel, guarded, ready
from tests.engine.positions import canasta_table
from tests.measure_review import KINDS, planted, played_well

OTHERS = "4s 4d 5s 5d 6h 6d 9h 9s Th"
"""Hand of another player, without kings."""


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have the review try few worlds, which are enough for clear decisions."""
    monkeypatch.setattr(decision_review, "PICKING", 400)
    monkeypatch.setattr(decision_review, "WORLDS", 30)
    monkeypatch.setattr(decision_review, "MORE_WORLDS", 40)


@pytest.mark.usefixtures("quick")
def test_giving_the_pile_away_is_a_mistake_and_keeping_it_is_not() -> None:
    table = guarded()
    view = seen_by_0(table)
    given = verdict_on(Decision("canasta", view, table.discard("Qc"), "1"))
    assert given is not None
    assert given.is_mistake
    assert isinstance(given.better, Discard)
    assert given.better != table.discard("Qc")
    best = opponent(LEVELS[-1], "canasta", random.Random(1), Budget(600))(view)
    kept = verdict_on(Decision("canasta", view, best, "1"))
    assert kept is None or not kept.is_mistake


@pytest.mark.usefixtures("quick")
def test_the_same_decision_has_the_same_verdict(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(decision_review, "WORLDS", 6)
    monkeypatch.setattr(decision_review, "MORE_WORLDS", 6)
    table = guarded()
    decision = Decision("canasta", seen_by_0(table), table.discard("Qc"), "1")
    assert verdict_on(decision) == verdict_on(decision)
    assert verdict_on(decision) != verdict_on(evolve(decision, seed="2"))


def test_a_cheap_or_uncertain_loss_is_no_mistake() -> None:
    def verdict(cost: float, error: float) -> Verdict:
        return Verdict(DrawStock(), cost, error, 90)

    assert verdict(COST, COST / 2).sure == pytest.approx(0.977, abs=0.001)
    assert verdict(COST, COST / 2).is_mistake
    assert not verdict(COST - 1, 1.0).is_mistake, "a loss below `COST` is no mistake"
    assert not verdict(10 * COST, 10 * COST).is_mistake, "a loss that is not sure is no mistake"
    assert verdict(10 * COST, 10 * COST).sure < SURE


def test_alternatives_differ_from_the_move_and_are_of_several_kinds() -> None:
    melds, hand = ["Ks Kh Kd Ks Kh"], "Kc Kc 4h 9d 5c 6s 8s 8h 8d 7c"
    table = duel(hand, OTHERS, ours=melds, pile="8c", stock="+40")
    view, made = seen_by_0(table), table.discard("4h")
    found = alternatives(view, made, EVALUATOR)
    told = [format_move(view, one.move) for one in found]
    assert told == ["meld Kc Kc to 1", "meld Kc to 1", "discard 9d", "discard 7c", "discard 6s"]
    assert len(told) == ALTERNATIVES
    assert [one.prior for one in found] == pytest.approx([164.7165, 78.9105, 0.815, 0, 0])
    hands = ["Kc Kc 4h 9d 5c", OTHERS]
    couple = canasta_table(hands=hands, melds=[melds], pile="8c", stock="+40")
    best = opponent("patient", "canasta", random.Random(1))(seen_by_0(couple))
    assert not alternatives(seen_by_0(couple), best, EVALUATOR), (
        "at a table of couples the evaluator's own choice is compared with nothing"
    )
    found = alternatives(seen_by_0(couple), couple.discard("5c"), EVALUATOR)
    assert [format_move(seen_by_0(couple), one.move) for one in found] == told[:3]


@pytest.mark.parametrize(
    ("gains", "worlds"),
    [
        ((-200.0,), 10),
        ((-30.0,), 10),  # costs nothing: a third of the usual 30 worlds is enough
        ((20.0, 19.0), 30),  # so cheap that it is no mistake
        ((200.0,), 30),  # costly and sure
        ((330.0, -230.0), 60),  # costly, but not sure: up to 60 worlds are tried
    ],
)
def test_a_costly_move_is_measured_until_its_cost_is_sure(
    gains: tuple[float, ...], worlds: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The effort of 0.5 below halves these numbers.
    monkeypatch.setattr(decision_review, "WORLDS", 60)
    monkeypatch.setattr(decision_review, "MORE_WORLDS", 120)
    each, pair = cycle(gains), (TriedMove(DrawStock(), 0.0), TriedMove(Pass(), 0.0, 300.0))

    class OneWorld:
        """A search in one world, in which the other move gains the next of `gains`."""

        def __init__(self, *_given: object) -> None:
            self.tallies = {pair[1].move: GainTally()}

        def run(self, goes_on: Callable[[int], bool]) -> None:
            assert goes_on(0)
            assert not goes_on(1)
            self.tallies[pair[1].move].note(next(each))

    monkeypatch.setattr(decision_review, "Search", OneWorld)
    view, rng = seen_by_0(guarded()), random.Random(1)
    assert decision_review._measured(view, EVALUATOR, rng, pair, 0.5).worlds == worlds


def test_a_blunder_counts_as_the_worst_move_and_is_compared_with_all_others() -> None:
    """The blunder is a wild card discarded on a frozen pile, which the evaluator does not rate."""
    table = duel(
        "2s Qc Qd 8d", OTHERS, ours=["As Ah Ad"], theirs=[KINGS], pile="4s 2h 6d", stock="+40"
    )
    view = seen_by_0(table)
    found = {one.move: one for one in alternatives(view, table.discard("2s"), EVALUATOR)}
    worth = evaluated(view, EVALUATOR)
    discards = {table.discard(card) for card in ("Qc", "Qd", "8d")}
    assert discards < found.keys() == worth.keys()
    assert len({worth[move] for move in discards}) == 2
    for move in discards:
        one = found[move]
        assert (one.prior, one.doubt) == (worth[move] - min(worth.values()), UNEVALUATED)
    couples = canasta_table(hands=["2s Qc 9d", OTHERS], pile="4s 2h 6d", stock="+40")
    assert len(alternatives(seen_by_0(couples), couples.discard("2s"), EVALUATOR)) == 2


@pytest.mark.parametrize("seats", [2, 4])
def test_ways_to_end_a_round_are_compared_without_estimates_beforehand(seats: int) -> None:
    view = seen_by_0(ready(seats))
    out, *others = endings(view, Seat(0), EVALUATOR)
    found = alternatives(view, out, EVALUATOR)
    assert {one.move for one in found} == {*others}
    assert {(one.prior, one.doubt) for one in found} == {(0.0, UNEVALUATED)}


def test_the_only_legal_move_has_no_verdict() -> None:
    view = seen_by_0(duel("4h 5c", step=Step.DRAW, pile=""))
    (only,) = view.legal_moves(view.turn.seat)
    assert verdict_on(Decision("canasta", view, only, "1")) is None


def test_planted_blunders_are_legal_and_of_their_kind() -> None:
    cases = planted(1, 1)
    assert {case.kind for case in cases} <= set(KINDS)
    for case in cases:
        view, move = case.decision.view, case.decision.move
        assert view.allows(move)
        assert isinstance(move, Discard)
        if case.kind == "a wild card thrown":
            assert view.is_wild(move.card.card)
        if case.kind == "a pile given away":
            offer = view.pile_offer(move.card)
            assert offer is not None
            assert offer.certain
    played = played_well(len(GAMES), "easy", 1)
    assert all(case.decision.view.allows(case.decision.move) for case in played)
    assert {case.game for case in played} == set(GAMES)

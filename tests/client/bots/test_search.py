"""The search of the level `patient`: which moves it tries, which it finds, and what it knows."""

import random
from collections.abc import Sequence
from itertools import islice
from math import inf, pi, sqrt
from statistics import mean

import pytest
from attrs import evolve

from client.bots import best_moves as best_moves_module
from client.bots import one_move_ahead, runner
from client.bots.best_moves import Considered, best_moves
from client.bots.chooser import Budget, Chooser
from client.bots.evaluator_registry import AnyGameEvaluator
from client.bots.levels import LEVELS, opponent
from client.bots.one_move_ahead import melding
from client.bots.search import (
    EVALUATED,
    EVALUATED_DISCARDS,
    LAYINGS,
    MOST_CANDIDATES,
    SPREAD,
    UNEVALUATED,
    GainTally,
    Search,
    TriedMove,
    candidates,
    evaluated,
    regret,
    surest,
)
from client.bots.weights import Tuning
from engine.cards import Card
from engine.games import GAMES
from engine.moves import Answer, Ask, Discard, DrawStock, LayMelds, Move, Pass
from engine.plain_dealer import PlainDealer
from engine.position import Position
from engine.slots import Seat
from engine.turn import Step
from tests.client.bots.hidden_cards import peeking, seen_by_0
from tests.client.bots.level_rounds import at_level
from tests.client.bots.thick_piles import EVALUATOR, KINGS, QUICK, REST, THICK, duel, guarded, ready
from tests.engine.positions import Table, canasta_table, table_of
from tests.engine.simulation import views


def tally(*gains: float) -> GainTally:
    made = GainTally()
    for gain in gains:
        made.note(gain)
    return made


def searched(table: Table, yardstick: Move, budget: float, seed: int = 1) -> Search:
    view = seen_by_0(table)
    search = Search(view, EVALUATOR, random.Random(seed), candidates(view, EVALUATOR, yardstick))
    search.run(lambda played: played < budget)
    return search


# -- tallies


def test_the_believed_gain_weighs_evaluator_and_worlds_by_their_precision() -> None:
    evaluated_less = TriedMove(DrawStock(), -20)
    assert GainTally().believed(evaluated_less) == (-20, EVALUATED)
    # The four gains are equal. Then the variance of one world is 4 * SPREAD**2 / 7, and the
    # variance of the mean is a quarter of that.
    mean, doubt = tally(30, 30, 30, 30).believed(evaluated_less)
    measured, evaluated = 4 / (4 * SPREAD**2 / 7), 1 / EVALUATED**2
    assert mean == pytest.approx((30 * measured - 20 * evaluated) / (measured + evaluated))
    assert doubt == pytest.approx((measured + evaluated) ** -0.5)
    mean, doubt = tally(*300 * [20.0, 40.0]).believed(TriedMove(DrawStock(), -50))
    assert mean == pytest.approx(30, abs=1), "many worlds outweigh the evaluator"
    assert doubt < 4


def test_regret_is_the_mean_gain_of_the_better_move() -> None:
    assert regret(0, 10) == pytest.approx(10 / sqrt(2 * pi))
    assert regret(5, 0) == 0
    chance = random.Random(1)
    sampled = mean(max(0.0, chance.gauss(-15, 20)) for _ in range(40_000))
    assert regret(15, 20) == pytest.approx(sampled, rel=0.05)


def test_the_evaluator_is_surer_of_discards_than_of_melds() -> None:
    table = duel("Ac Jc Js 9d Tc 7h 8h 4d", ours=["As Ah Ad"], theirs=[KINGS])
    doubts = {True: {EVALUATED_DISCARDS}, False: {EVALUATED}}
    found: dict[bool, set[float]] = {True: set(), False: set()}
    for candidate in candidates(seen_by_0(table), EVALUATOR, table.discard("9d"))[1:]:
        found[isinstance(candidate.move, Discard)].add(candidate.doubt)
    assert found == doubts


def test_tallies_of_two_searches_add_up_to_the_tally_of_one() -> None:
    both = tally(1, 5)
    both.add(tally(2, 9))
    assert both == tally(1, 5, 2, 9)


def test_search_departs_from_the_yardstick_only_for_a_sure_gain() -> None:
    table = guarded()
    moves = list(map(table.discard, ("Qc", "9d", "Tc")))
    yardstick, lucky, sure = (TriedMove(m, -p) for m, p in zip(moves, (0, 25, 25), strict=True))
    tried = (yardstick, lucky, sure)
    doubtful = tally(300, -150)
    gains: dict[Move, GainTally] = {lucky.move: doubtful}
    assert doubtful.gain > 0
    assert surest(tried, gains) == yardstick.move
    gains[sure.move] = tally(*20 * [120.0, 80.0])
    assert surest(tried, gains) == sure.move
    assert surest(tried, {}) == yardstick.move


# -- moves that the search tries


def test_search_skips_moves_that_the_evaluator_rates_far_lower() -> None:
    view = seen_by_0(guarded())
    queen = guarded().discard("Qc")
    tried = candidates(view, EVALUATOR, queen)
    assert tried[0] == TriedMove(queen, 0.0)
    assert 2 <= len(tried) <= MOST_CANDIDATES
    assert all(candidate.prior > 0 for candidate in tried[1:]), "the evaluator must prefer them"
    safe = tried[1].move
    assert queen not in [candidate.move for candidate in candidates(view, EVALUATOR, safe)]


def test_a_meld_worse_than_the_yardstick_is_rated_lower_by_only_a_part_of_the_gap() -> None:
    melds = ["As Ah Ad", "Ts Th Td Ts Th"]
    table = duel("Ac Tc 9d 8h 4d", "5h 5d 6s 6c 7s 7d", ours=melds, theirs=[KINGS])
    view = seen_by_0(table)

    def standing(move: Move) -> float:
        return EVALUATOR.standing(view.play(move), Seat(0))

    lays = [move for move in view.legal_moves(Seat(0)) if isinstance(move, LayMelds)]
    yardstick, *others = candidates(view, EVALUATOR, max(lays, key=standing))
    layings = [other for other in others if isinstance(other.move, LayMelds)]
    assert layings
    for other in layings:
        gap = standing(other.move) - standing(yardstick.move)
        assert other.prior == pytest.approx(LAYINGS * gap)


@pytest.mark.parametrize(("seats", "several"), [(2, True), (4, False)])
def test_in_the_middle_of_a_round_partners_do_not_search(seats: int, several: bool) -> None:
    table = table_of(
        "canasta", seats=seats, hands=["Qc 9d Tc 7h 8h 4d"], pile=THICK, melds=[["As Ah Ad"]]
    )
    tried = candidates(seen_by_0(table), EVALUATOR, table.discard("9d"))
    assert (len(tried) > 1) is several


def test_worlds_are_played_to_the_end_when_going_out_is_possible() -> None:
    table = ready()
    choice = one_move_ahead.choose(seen_by_0(table), EVALUATOR, random.Random(1))
    search = searched(table, choice, 1)
    assert len(search.candidates) == 2
    assert search.to_the_end
    assert search.candidates[1].doubt == UNEVALUATED
    assert not searched(guarded(), guarded().discard("Qc"), 1).to_the_end


@pytest.mark.parametrize(("held", "answers"), [(7, {True, False}), (8, {False})])
def test_an_answer_is_tried_to_the_end_of_the_round_unless_it_is_hasty(
    held: int, answers: set[bool]
) -> None:
    asked = table_of("canasta", hands=[f"+{held}"], step=Step.ANSWER, seat=2, stock=REST)
    assert evaluated(asked.position, EVALUATOR) == {Answer(yes): 0.0 for yes in answers}
    tried = (TriedMove(Answer(True), 0.0), TriedMove(Answer(False), 0.0))
    search = Search(asked.position, EVALUATOR, random.Random(1), tried)
    assert search.to_the_end
    playing = table_of("canasta", hands=["4c 5c 6c 7c"], melds=[["As Ah Ad"]])
    for other, ends in ((Ask(), True), (playing.discard("4c"), False)):
        tried = (TriedMove(playing.discard("5c"), 0.0), TriedMove(other, 0.0))
        search = Search(playing.position, EVALUATOR, random.Random(1), tried)
        assert search.to_the_end is ends


def test_a_move_that_was_not_tried_is_not_chosen() -> None:
    yardstick, hoped = TriedMove(DrawStock(), 0.0), TriedMove(Pass(), 50.0)
    for tallies in ({}, {hoped.move: GainTally()}):
        assert surest((yardstick, hoped), tallies) == yardstick.move
    assert surest((yardstick, hoped), {hoped.move: tally(10)}) == hoped.move
    assert surest((yardstick, hoped), {hoped.move: tally(*9 * [-500])}) == yardstick.move


class Simple(AnyGameEvaluator):
    """An evaluator that values a hand at `card` for each card, plus 100 times the seat's number."""

    card = 1

    def standing_with(self, view: Position, seat: Seat, hand: Sequence[Card]) -> float:
        del view
        return 100.0 * seat + self.card * len(hand)


@pytest.mark.parametrize(("card", "laid"), [(1, False), (0, False), (-1, True)])
def test_cards_are_kept_if_laying_them_gains_nothing(card: int, laid: bool) -> None:
    table = canasta_table(hands=["Kc Kd Kh 4c"], melds=[["As Ah Ad"]])
    evaluator = type("Each", (Simple,), {"card": card})
    kings = table.lay("Kc Kd Kh")
    chosen = melding(
        table.position, Seat(0), evaluator(Tuning.BY_HAND), [kings, table.discard("4c")]
    )
    assert chosen == (kings if laid else None)


@pytest.mark.parametrize(
    ("seats", "leads"),
    [
        (2, [4 - 105, 105 - 4]),
        (3, [4 - 206, 105 - 206, 206 - 105]),
        (4, [4 + 206 - (105 + 207), 105 + 207 - (4 + 206)]),
    ],
)
def test_a_side_is_compared_with_the_best_of_the_others(seats: int, leads: list[float]) -> None:
    hands = ["+4", "+5", "+6", "+7"][:seats]
    table = table_of("canasta", seats=seats, hands=hands, stock="+20")
    dealer = PlainDealer(lambda _cards: None, dict(table.cards))
    for seat, lead in enumerate(leads):
        view = evolve(table.position, turn=evolve(table.position.turn, seat=Seat(seat)))
        tried = (TriedMove(DrawStock(), 0.0), TriedMove(Pass(), 0.0))
        search = Search(view, Simple(Tuning.BY_HAND), random.Random(1), tried)
        assert search._ahead(view, dealer) == lead


# -- moves that the search finds


def test_search_avoids_a_discard_that_gives_the_pile_away() -> None:
    table = guarded()
    search = searched(table, table.discard("Qc"), budget=300)
    found = surest(search.candidates, search.tallies)
    assert isinstance(found, Discard)
    assert found != table.discard("Qc")
    assert search.tallies[found].gain > 100 * search.tallies[found].worlds


def test_the_best_discard_has_the_value_zero_and_any_other_a_lower_one() -> None:
    values = evaluated(seen_by_0(guarded()), EVALUATOR)
    discards = sorted(value for move, value in values.items() if isinstance(move, Discard))
    assert discards[0] < discards[-1] == 0.0


def test_search_tries_a_clearly_worse_move_in_fewer_worlds() -> None:
    table = guarded()
    search = searched(table, table.discard("9d"), budget=1500)
    worlds = [other.worlds for other in search.tallies.values()]
    assert min(worlds) < max(worlds)


def test_search_ends_when_no_other_move_can_become_the_best() -> None:
    table = guarded()
    view = seen_by_0(table)
    tried = candidates(view, EVALUATOR, table.discard("Qc"))[:2]
    search = Search(view, EVALUATOR, random.Random(1), tried)
    search.run(lambda played: played < 100_000)
    assert search.played < 1000
    assert surest(tried, search.tallies) == tried[1].move


def test_a_single_candidate_is_not_searched() -> None:
    search = searched(duel("Qc 4d", step=Step.DRAW, pile="5s"), DrawStock(), budget=inf)
    assert [candidate.move for candidate in search.candidates] == [DrawStock()]
    assert not search.played


# -- hidden cards do not change the search, and the same seed repeats it


@pytest.mark.parametrize("name", GAMES)
def test_search_ignores_hidden_cards_and_is_repeatable(name: str) -> None:
    chance, rules = random.Random(3), GAMES[name]
    player = at_level("middle", name)
    moments = islice(views(rules, rules.options(rounds=1), 2, 3, player), 9, 60, 15)
    chosen = 0
    for plain, _, dealer in moments:
        hidden = peeking(plain, plain.moving_seat, dealer, chance)
        choices = {
            opponent("patient", name, random.Random(4), QUICK)(view)
            for view in (plain, plain, hidden)
        }
        assert len(choices) == 1
        assert plain.allows(choices.pop())
        chosen += 1
    assert chosen > 2


def test_the_budget_bounds_the_search() -> None:
    table = guarded()
    even = tuple(TriedMove(table.discard(card), 0.0) for card in ("9d", "Tc", "7h"))
    for budget in (1, 500):
        search = Search(seen_by_0(table), EVALUATOR, random.Random(1), even)
        search.run(budget.__gt__)
        assert budget <= search.played < budget + 200, "at most one world over the budget"


def test_a_seeded_bot_counts_moves_instead_of_seconds_and_repeats_its_choices() -> None:
    view = seen_by_0(guarded())
    budgets = []

    def noted(_level: str, _game: str, rng: random.Random, budget: Budget) -> Chooser:
        budgets.append(budget)
        return opponent("patient", "canasta", rng, Budget(moves=200))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(runner, "opponent", noted)
        first, again = (
            runner.opponent_at_table("patient", "canasta", "seed 1")(view) for _ in range(2)
        )
        runner.opponent_at_table("patient", "canasta", None)
    assert first == again
    assert [budget.seconds for budget in budgets] == [None, None, 5.0]
    assert budgets[0].moves == runner.SEEDED_MOVES


def test_a_search_without_a_time_limit_ends_when_the_player_leaves() -> None:
    class Left(Exception):
        """The error that Trio raises in a thread whose caller was cancelled."""

    def left() -> None:
        raise Left

    view = seen_by_0(guarded())
    with pytest.raises(Left):
        opponent("patient", "canasta", random.Random(1), Budget(10**9, check=left))(view)


def test_the_best_moves_are_ordered_by_their_gains_and_tell_the_number_of_worlds(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    table = guarded()
    queen, nine, ten = (table.discard(card) for card in ("Qc", "9d", "Tc"))
    tried = (TriedMove(queen, 0.0), TriedMove(nine, 5.0), TriedMove(ten, 1.0))
    # For each case: gains, the order of the moves, and the worlds that compared the first two.
    cases: list[tuple[dict[Move, GainTally], list[Move], int]] = [
        ({nine: tally(60, 60, 60), ten: tally(30, 30)}, [nine, ten, queen], 3),
        ({nine: tally(-60, -60, -60), ten: tally(90, 90)}, [ten, queen, nine], 2),
        ({nine: tally(-60, -60, -60), ten: tally(-90, -90)}, [queen, nine, ten], 3),
    ]
    for measured, first, worlds in cases:
        found = Considered(tried, measured)
        gains = {one.move: found.gain(one) for one in tried}
        assert gains[queen] == 0.0
        assert gains[nine] == measured[nine].believed(tried[1])[0]
        monkeypatch.setattr(best_moves_module, "considered", lambda *_given: found)  # noqa: B023
        best = best_moves(seen_by_0(table), GAMES["canasta"], random.Random(1), QUICK)
        assert list(best.moves[:3]) == first
        assert best.worlds == worlds
        assert best.gain == pytest.approx(gains[first[0]] - gains[first[1]])


@pytest.mark.parametrize("name", ["canasta", "canastra"])
def test_the_first_of_the_best_moves_is_the_choice_of_the_strongest_level(name: str) -> None:
    game = GAMES[name]
    ties = 0
    one_round = views(game, game.options(rounds=1), game.usual_players, 5)
    for view, _, _ in islice(one_round, 0, 130, 11):
        found = best_moves(view, game, random.Random(0), Budget())
        assert found.moves[0] == opponent(LEVELS[-1], name, random.Random(0))(view)
        assert len(set(found.moves)) == len(found.moves)
        assert set(found.moves) <= set(view.legal_moves(view.moving_seat))
        assert found.gain >= 0
        ties += len(found.moves) > 1
    assert ties > 3
    assert Budget().moves <= 150, "a hint must come within a second, even on a machine that is slow"

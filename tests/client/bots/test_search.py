"""The search of the patient level: what it tries, what it finds, and what it may not know."""

import random
from itertools import islice
from math import inf

import pytest
from attrs import evolve

from client.bots.judges import judge_of
from client.bots.level import Budget
from client.bots.levels import HINTING, LEVELS, opponent
from client.bots.play_out import round_worth
from client.bots.search import FEWEST_WORLDS, Search, Tally, surest
from engine.games import GAMES
from engine.moves import Discard, DrawStock, Move
from engine.position import Position
from engine.slots import Seat
from engine.turn import Step
from tests.client.bots.choices import QUICK, having_shown
from tests.client.bots.test_levels import peeking
from tests.engine.positions import Table, codes_of, table_of
from tests.engine.simulation import states

REST = "+200 3s 3h 3d 3c 3s 3h 3d 3c"
KINGS = "Ks Kh Kd"
THICK = "4s 6h Js 5c Qh 6d 4h Jd"


def tally(*gains: float) -> Tally:
    made = Tally()
    for gain in gains:
        made.note(gain)
    return made


def searched(table: Table, yardstick: Move, budget: int, seed: int = 1) -> Search:
    own = {shown.slot: shown.card for shown in table.position.hand(Seat(0))}
    judge = judge_of(GAMES["canasta"], tuned=True)
    search = Search(table.position.seen(own), judge, random.Random(seed), yardstick)
    search.run(lambda played: played < budget)
    return search


def guarded() -> Table:
    """A thick pile, and a next seat that has shown two queens."""
    table = table_of(
        "canasta",
        seats=2,
        hands=["Qc 9d Tc 7h 8h 4d", "Qd Qs +7"],
        melds=[["As Ah Ad"], [KINGS]],
        pile=THICK,
        stock=REST,
    )
    return having_shown(table, 1, "Qd Qs")


# -- tallies


def test_a_bound_is_the_mean_and_so_many_standard_errors() -> None:
    assert tally(10, 20, 30, 40).bound(0) == 25
    # The standard deviation of a sample is 12.909..., that of the mean half of it.
    assert tally(10, 20, 30, 40).bound(1) == pytest.approx(25 + 6.4550, abs=1e-3)
    assert tally(10, 20, 30, 40).bound(-2) == pytest.approx(25 - 12.9099, abs=1e-3)


def test_nothing_is_sure_after_few_worlds() -> None:
    few = tally(*(FEWEST_WORLDS - 1) * [1000.0])
    assert few.bound(-1) == -inf
    assert few.bound(1) == inf


def test_tallies_of_two_searches_add_up_to_that_of_one() -> None:
    both = tally(1, 5)
    both.add(tally(2, 9))
    assert both == tally(1, 5, 2, 9)


def test_the_yardstick_is_kept_unless_another_move_gains_beyond_doubt() -> None:
    table = guarded()
    yardstick, lucky, sure = map(table.discard, ("Qc", "9d", "Tc"))
    doubtful = tally(900, -300, 10, -20, 0)
    gains: dict[Move, Tally] = {yardstick: Tally(), lucky: doubtful}
    assert surest(yardstick, gains) == yardstick
    gains = {yardstick: Tally(), lucky: doubtful, sure: tally(30, 50, 40, 60)}
    assert surest(yardstick, gains) == sure
    assert surest(yardstick, {}) == yardstick


# -- what it finds


def test_it_sees_that_a_discard_gives_the_pile_away() -> None:
    table = guarded()
    search = searched(table, table.discard("Qc"), budget=300)
    found = surest(search.yardstick, search.tallies)
    assert isinstance(found, Discard)
    assert codes_of([found.card]) != "Qc"
    assert search.tallies[found].gain > 100 * search.tallies[found].worlds


def test_a_move_that_is_surely_worse_is_left_out() -> None:
    table = guarded()
    search = searched(table, table.discard("9d"), budget=1500)
    others = [search.tallies[move] for move in search.moves[1:]]
    most = max(other.worlds for other in others)
    left_out = [other for other in others if other.worlds < most]
    assert left_out
    assert all(other.worlds >= FEWEST_WORLDS for other in left_out)


def test_it_ends_when_one_move_is_left() -> None:
    table = table_of(
        "canasta", hands=["Qc 4d", "+9", "+9", "+9"], step=Step.DRAW, pile="5s", stock=REST
    )
    search = searched(table, DrawStock(), budget=10**9)
    assert search.moves == (DrawStock(),)
    assert not search.played


def test_a_round_that_is_won_with_the_match_is_worth_more() -> None:
    end = table_of("canasta", seats=2, hands=["", ""], totals=(4900, 0)).position
    won = evolve(end, sheet=GAMES["canasta"].position.score(evolve(end, closer=Seat(0))))
    less = evolve(won, totals=(0, 0))
    assert round_worth(won, Seat(0)) > round_worth(less, Seat(0)) + 1000


# -- what it may not know, and what it does the same way every time


@pytest.mark.parametrize("name", GAMES)
def test_it_is_blind_for_what_is_hidden_and_repeats_itself(name: str) -> None:
    chance = random.Random(3)

    def player(view: Position, rng: random.Random) -> Move:
        return opponent("middle", name, rng)(view)

    rules = GAMES[name]
    moments = islice(states(rules, rules.options(rounds=1), 2, 3, player), 9, 60, 15)
    chosen = 0
    for match, move, dealer in moments:
        if match.round is None or match.round.to_move is None or move is None:
            continue
        seat = match.round.to_move
        plain = dealer.view(match.round, seat)
        views = (plain, plain, peeking(plain, seat, dealer, chance))
        choices = {opponent("patient", name, random.Random(4), QUICK)(view) for view in views}
        assert len(choices) == 1
        assert plain.allows(choices.pop())
        chosen += 1
    assert chosen > 2


def test_the_budget_bounds_the_search() -> None:
    table = guarded()
    one = searched(table, table.discard("Qc"), budget=1).played
    assert 0 < one < 200, "one world"
    many = searched(table, table.discard("Qc"), budget=500).played
    assert 500 <= many < 500 + 200


def test_hints_come_from_the_strongest_level_that_is_quick() -> None:
    assert LEVELS[-1] == "patient"
    assert HINTING == "strong"
    assert Budget().seconds is None

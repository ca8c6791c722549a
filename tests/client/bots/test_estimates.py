"""What opponents reckon with is what the engine counts, whatever the options are."""

import random
from collections.abc import Iterator

import pytest
from attrs import evolve, fields

from client.bots.judges import judge_of
from engine.games import GAMES
from engine.options import Options
from engine.position import Position
from engine.slots import Seat, Side, cards_of
from tests.engine.simulation import states

NOT_OF_CARDS = {
    *("going out", "going out at one stroke", "closing", "vain questions"),
    *("doubled by the last discard", "no dead taken", "dead not taken"),
}
"""Items of a sheet that neither lie on a table nor stay in a hand."""


def tables(game: str) -> Iterator[Options]:
    """The usual options, and for each yes-or-no option the other choice."""
    usual = GAMES[game].options(rounds=1)
    yield usual
    for attribute in fields(type(usual)):
        value = getattr(usual, attribute.name)
        if isinstance(value, bool):
            yield evolve(usual, **{attribute.name: not value})


def counted(game: str, options: Options, seed: int) -> Position:
    """A round that is over and counted."""
    players = GAMES[game].usual_players
    ends = (
        match.round for match, move, _ in states(GAMES[game], options, players, seed) if not move
    )
    return next(end for end in ends if end is not None and end.sheet is not None)


@pytest.mark.parametrize("game", GAMES)
def test_tables_and_hands_count_as_in_the_sheet(game: str) -> None:
    for number, options in enumerate(tables(game)):
        for seed in range(3):
            end = counted(game, options, 10 * number + seed)
            assert end.sheet is not None
            for side, items in enumerate(end.sheet.sides):
                hands = [cards_of(end.hand(seat)) for seat in end.members(Side(side))]
                estimate = end.table_points(Side(side)) + sum(map(end.hand_points, hands))
                others = sum(item.points for item in items if item.what in NOT_OF_CARDS)
                assert estimate + others == sum(item.points for item in items), (options, seed)


@pytest.mark.parametrize("game", GAMES)
def test_what_a_hand_costs_is_what_the_sheet_takes_for_it(game: str) -> None:
    judge = judge_of(GAMES[game], tuned=True)
    for options in tables(game):
        end = counted(game, options, random.Random(game).randrange(100))
        for seat in range(end.seats):
            assert judge.cost(end, Seat(seat)) == -end.hand_points(cards_of(end.hand(Seat(seat))))

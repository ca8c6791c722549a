"""What opponents reckon with is what the sheet counts: over random rounds, under all options."""

import random

import pytest

from client.bots.judges import judge_of
from engine.games import GAMES
from engine.options import Options
from engine.slots import Seat, Side
from tests.engine.simulation import states

ENDINGS = {"C76", "C97", "K98", "K109", "B61"}
"""Clauses of items for how a round ended, which nobody sees on the table or in a hand."""


def any_options(game: str, rng: random.Random) -> Options:
    """Every option at some value that it can have."""
    chosen: list[tuple[str, bool | int]] = []
    for name, about in GAMES[game].options.describe().items():
        if isinstance(about["default"], bool):
            chosen.append((name, rng.random() < 0.5))
        elif name not in ("rounds", "target"):
            chosen.append((name, rng.randint(about["low"], min(about["high"], 120))))
    return GAMES[game].options.from_pairs([*chosen, ("rounds", 2)])


@pytest.mark.parametrize("game", GAMES)
def test_the_sheet_is_the_table_and_the_hands_and_how_the_round_ended(game: str) -> None:
    rules = GAMES[game]
    rng = random.Random(f"points {game}")
    sheets = 0
    for seed in range(6):
        players = rng.choice(rules.players)
        judge = judge_of(rules, tuned=seed % 2 == 0)
        for match, _, _ in states(rules, any_options(game, rng), players, seed):
            position = match.round
            if position is None or position.sheet is None:
                continue
            sheets += 1
            kept = game != "canastra" or position.closer is not None  # B63
            for side in map(Side, range(position.sides)):
                members = [Seat(seat) for seat in position.members(side)]
                cost = sum(judge.cost(position, seat) for seat in members if kept)
                ending = sum(
                    item.points
                    for item in position.sheet.sides[side]
                    if item.clause in ENDINGS and item.what != "red threes kept in hand"
                )
                counted = position.table_points(side) - cost + ending
                assert position.sheet.totals[side] == counted
    assert sheets == 12


def test_going_out_takes_what_the_options_say() -> None:
    """An opponent that thinks it may go out is wrong about the threat to all others."""
    for game, option in (("canasta", "two_canastas"), ("canastra", "require_canastra")):
        rules = GAMES[game]
        told = set()
        for on in (False, True):
            options = rules.options.from_pairs([("rounds", 1), (option, on)])
            for seed in range(3):
                for match, move, _ in states(rules, options, 2, seed):
                    position = match.round
                    if move is None or position is None:
                        continue
                    after = position.apply(move)
                    if after.closer is not None:
                        assert position.may_go_out(position.side) or after.may_go_out(position.side)
                    told.add((on, after.may_go_out(position.side)))
        assert told == {(False, False), (False, True), (True, False), (True, True)}

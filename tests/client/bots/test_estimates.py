"""Opponents count the points that the score sheet does, and value positions as written."""

import math
import random
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

import pytest
from attrs import evolve, fields

from client.bots.evaluator_registry import evaluator_of
from client.bots.one_move_ahead import choose
from client.bots.weights import Tuning
from engine.games import GAMES
from engine.notation.moves import format_move
from engine.options import Options
from engine.position import Position
from engine.slots import Seat, Side
from tests.client.ui.tui.golden import check_file
from tests.engine.simulation import eagerly, states


def tables(game: str) -> Iterator[Options]:
    """Return the usual options, and variants of them.

    Each yes-or-no option is changed once; in six more variants all options have random values.
    """
    usual = GAMES[game].options(rounds=1)
    yield usual
    for attribute in fields(type(usual)):
        value = getattr(usual, attribute.name)
        if isinstance(value, bool):
            yield evolve(usual, **{attribute.name: not value})
    rng = random.Random(f"points {game}")
    for _ in range(6):
        yield any_options(game, rng)


def any_options(game: str, rng: random.Random) -> Options:
    """Return options with random values that the game allows."""
    chosen: list[tuple[str, bool | int]] = []
    for name, about in GAMES[game].options.describe().items():
        if isinstance(about["default"], bool):
            chosen.append((name, rng.random() < 0.5))
        elif name not in ("rounds", "target"):
            chosen.append((name, rng.randint(about["low"], min(about["high"], 120))))
    return GAMES[game].options.from_pairs([*chosen, ("rounds", 2)])


def counted(game: str, options: Options, seed: int) -> Iterator[Position]:
    """Return the rounds of a match, each over and counted."""
    players = random.Random(seed).choice(GAMES[game].players)
    for match, _, _ in states(GAMES[game], options, players, seed):
        if match.round is not None and match.round.sheet is not None:
            yield match.round


@pytest.mark.parametrize("game", GAMES)
def test_evaluator_counts_the_items_of_the_score_sheet(game: str) -> None:
    sheets = 0
    for number, options in enumerate(tables(game)):
        evaluator = evaluator_of(GAMES[game], list(Tuning)[number % 2])
        for end in counted(game, options, number):
            assert end.sheet is not None
            sheets += 1
            for side in map(Side, range(end.sides)):
                sheet = {item.what: item for item in end.sheet.sides[side]}
                assert len(sheet) == len(end.sheet.sides[side]), "each item stands there once"
                for item in end.table_items(side):
                    assert sheet.pop(item.what) == item, (options, number)
                hands = [end.hand_cards(Seat(seat)) for seat in end.members(side)]
                for item in end.hand_items(tuple(chain(*hands))):
                    counted_item = sheet.pop(item.what, None)
                    free = end.closer is None and counted_item is None  # by B63 they cost nothing
                    assert free or counted_item == item, (options, number)
                for hand in hands:
                    assert evaluator.cost(end, hand) == -end.hand_points(hand)
                assert len(sheet) <= 2, "what is left is how the round ended"
    assert sheets >= 12 + len(list(tables(game))) - 6


def estimates(game: str) -> Iterator[str]:
    """Return the sums of all estimates in a round, and the moves that are chosen in some places.

    The evaluators of the tunings take turns. The sums are of the standing, the cost of the hand,
    the threat, the worth of the pile, the lead, and the danger of all possible discards.
    """
    for players in sorted({GAMES[game].players[0], GAMES[game].usual_players}):
        sums: dict[Tuning, list[tuple[float, ...]]] = {tuning: [] for tuning in Tuning}
        moves: dict[Tuning, list[str]] = {tuning: [] for tuning in Tuning}
        played = states(GAMES[game], GAMES[game].options(rounds=1), players, 2, eagerly)
        for number, (match, _, dealer) in enumerate(played):
            if match.round is None or match.round.to_move is None:
                continue
            seat, tuning = match.round.to_move, list(Tuning)[number % 3]
            view, judge = dealer.view(match.round, seat), evaluator_of(GAMES[game], tuning)
            hand = view.hand_cards(seat)
            dangers = [judge.danger(view, seat, card) for card in hand]
            table = judge.threat(view, seat), judge.pile(view), judge.lead(view, seat)[0]
            own = judge.standing(view, seat), judge.cost(view, hand)
            sums[tuning].append((*own, *table, math.fsum(dangers)))
            if number % 8 == 0:
                chosen = choose(view, judge, random.Random(1))
                moves[tuning].append(format_move(view, chosen))
        for tuning, figures in sums.items():
            summed = " ".join(f"{math.fsum(one):.2f}" for one in zip(*figures, strict=True))
            yield f"{players} players, {tuning.value}: {summed}"
            yield "  " + ", ".join(moves[tuning])


@pytest.mark.parametrize("game", GAMES)
def test_estimates_match_their_file(game: str) -> None:
    path = Path(__file__).parent / "estimates" / f"{game}.txt"
    check_file(path, "\n".join(estimates(game)))

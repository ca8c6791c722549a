"""Estimates of the opponents: points as on the score sheet, and values compared with files."""

import random
from collections.abc import Iterator
from itertools import chain, islice

import pytest

from client.bots.evaluator_registry import (
    AnyGameEvaluator,
    evaluator_of,
    evaluator_with,
    weights_of,
)
from client.bots.weights import Tuning
from engine.game import Game
from engine.games import GAMES
from engine.options import Options
from engine.position import Position
from engine.slots import Seat, Side
from tests.client.bots.estimates.__main__ import COMMAND, estimates, path_of, searches
from tests.client.ui.tui.golden import check_file
from tests.engine.simulation import eagerly, states, views
from tests.made_up_game import ALL_GAMES


def any_options(game: str, rng: random.Random) -> Options:
    """Return options with random values that the game allows."""
    chosen: list[tuple[str, bool | int]] = [("rounds", 2)]
    for name, about in GAMES[game].options.describe().items():
        if isinstance(about["default"], bool):
            chosen.append((name, rng.random() < 0.5))
        elif name not in ("rounds", "target"):
            chosen.append((name, rng.randint(about["low"], min(about["high"], 120))))
    return GAMES[game].options.from_pairs(chosen)


def counted(game: str, options: Options, seed: int) -> Iterator[Position]:
    """Return the rounds of a match, each over and counted."""
    players = random.Random(seed).choice(GAMES[game].players)
    for match, _, _ in states(GAMES[game], options, players, seed):
        if match.round is not None and match.round.sheet is not None:
            yield match.round


@pytest.mark.parametrize("game", GAMES)
def test_evaluator_counts_the_items_of_the_score_sheet(game: str) -> None:
    sheets, rng = 0, random.Random(f"points {game}")
    tables = [GAMES[game].options(rounds=1), *(any_options(game, rng) for _ in range(8))]
    for number, options in enumerate(tables):
        evaluator = evaluator_of(GAMES[game], list(Tuning)[number % 2])
        for end in counted(game, options, number):
            assert end.sheet is not None
            sheets += 1
            for side in map(Side, range(end.sides)):
                sheet = {item.what: item for item in end.sheet.sides[side]}
                assert len(sheet) == len(end.sheet.sides[side]), "an item is on the sheet twice"
                for item in end.table_items(side):
                    assert sheet.pop(item.what) == item, (options, number)
                hands = [end.hand_cards(Seat(seat)) for seat in end.members(side)]
                for item in end.hand_items(tuple(chain(*hands))):
                    counted_item = sheet.pop(item.what, None)
                    # B63: cards in a hand cost nothing as long as nobody has gone out.
                    free = end.closer is None and counted_item is None
                    assert free or counted_item == item, (options, number)
                for hand in hands:
                    assert evaluator.cost(end, hand) == -end.hand_points(hand)
                assert len(sheet) <= 2, "only items for the end of the round may be left"
    assert sheets == 1 + 2 * 8


@pytest.mark.parametrize("game", GAMES)
def test_estimates_match_their_file(game: str) -> None:
    check_file(path_of(game), "\n".join([*estimates(game), *searches(game)]), COMMAND)


@pytest.mark.parametrize("game", ALL_GAMES, ids=lambda game: game.name)
def test_an_evaluator_of_any_game_estimates_every_game(
    game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The author of a game may write the game's own evaluator last, or not at all."""
    monkeypatch.setitem(GAMES, game.name, game)
    assert [*estimates(game.name, lambda _game, tuning: AnyGameEvaluator(tuning))]


@pytest.mark.parametrize("game", GAMES)
def test_danger_does_not_depend_on_the_seats_asked_about_before(game: str) -> None:
    """One evaluator, asked about two seats in turn, answers as a new one for each seat does."""
    options, players = GAMES[game].options(rounds=1), GAMES[game].usual_players
    weights = weights_of(game)[Tuning.LEARNT]
    asked, different = evaluator_with(game, weights), 0
    for view, _, _ in islice(views(GAMES[game], options, players, 2, eagerly), 150):
        seat = view.moving_seat
        for card in view.hand_cards(seat)[:2]:
            two = (seat, view.left_of(seat))
            found = [asked.danger(view, each, card) for each in two]
            new = [evaluator_with(game, weights).danger(view, each, card) for each in two]
            assert found == new
            different += found[0] != found[1]
    assert different

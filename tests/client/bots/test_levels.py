"""Opponents of all levels: always legal, repeatable, and blind to hidden cards."""

import random
from itertools import islice

import pytest

from client.bots.levels import LEVELS, about_level, opponent
from engine.games import GAMES
from tests.client.bots.estimates.__main__ import COMMAND
from tests.client.bots.hidden_cards import peeking
from tests.client.bots.level_rounds import SEARCHING, at_level, path_of, summaries
from tests.client.ui.tui.golden import check_file
from tests.engine.simulation import views


def test_each_level_has_a_description() -> None:
    about = [about_level(level) for level in LEVELS]
    assert all(text.endswith(".") for text in about)
    assert len(set(about)) == len(LEVELS)
    assert about_level("no such level") == ""


@pytest.mark.parametrize("name", GAMES)
def test_rounds_of_the_levels_match_their_file(name: str) -> None:
    """All levels play to the end of a round, and repeat their moves with the same seed."""
    check_file(path_of(name), "\n".join(summaries(name)), COMMAND)


@pytest.mark.parametrize("level", [level for level in LEVELS if level not in SEARCHING])
@pytest.mark.parametrize("name", GAMES)
def test_hidden_cards_do_not_change_the_choice(name: str, level: str) -> None:
    """The choice stays the same when the hidden cards are dealt anew and lie open."""
    chance = random.Random(3)
    game = GAMES[name]
    easily = at_level("easy", name)
    seen = views(game, game.options(rounds=1), game.usual_players, 3, easily)
    chosen = 0
    for plain, _, dealer in islice(seen, 4, None, 5):
        hidden = (peeking(plain, plain.moving_seat, dealer, chance) for _ in range(2))
        choices = {opponent(level, name, random.Random(4))(view) for view in (plain, *hidden)}
        assert len(choices) == 1
        chosen += 1
    assert chosen > 5


def test_an_unknown_level_is_refused() -> None:
    with pytest.raises(ValueError, match=f"no level 'perfect'; there are {', '.join(LEVELS)}"):
        opponent("perfect", "canasta", random.Random(1))

"""The table of games, and their options."""

from typing import Any

import pytest

from engine.canasta.game import CANASTA
from engine.errors import InvalidOption
from engine.game import Game
from engine.games import GAMES, Games


def test_a_game_is_loaded_once_and_when_it_is_asked_for() -> None:
    loaded: list[str] = []

    def load() -> Game:
        loaded.append("canasta")
        return CANASTA

    games = Games(canasta=load)
    assert "canasta" in games
    assert loaded == []
    assert [games["canasta"], games["canasta"]] == [CANASTA, CANASTA]
    assert loaded == ["canasta"]


def test_four_play_where_four_can() -> None:
    assert {name: game.usual_players for name, game in GAMES.items()} == {
        "canasta": 4,
        "kanastic": 4,
        "canastra": 2,
    }


@pytest.mark.parametrize("value", [3000.0, "3000", None])
def test_a_number_that_is_no_whole_one_is_no_option(value: Any) -> None:
    with pytest.raises(InvalidOption, match="is a whole number"):
        CANASTA.options.from_pairs([("target", value)])

"""The registry of games, and their options."""

from contextlib import nullcontext
from typing import Any

import pytest
from attrs import evolve

from engine.canasta.game import CANASTA
from engine.cards import Rank
from engine.errors import IllegalMove, InvalidOption
from engine.game import Game
from engine.games import GAMES, Games
from engine.moves import Answer, Ask, Cut, Pass, ShowBonus, TakeTop
from engine.slots import Seat, Shown, Slot
from engine.turn import Step
from tests.engine.positions import table_of
from tests.made_up_game import ALL_GAMES


def test_a_game_is_loaded_once_at_first_use() -> None:
    loaded: list[str] = []

    def load() -> Game:
        loaded.append("canasta")
        return CANASTA

    games = Games(canasta=load)
    assert "canasta" in games
    assert loaded == []
    assert [games["canasta"], games["canasta"]] == [CANASTA, CANASTA]
    assert loaded == ["canasta"]


@pytest.mark.parametrize(("players", "usual"), [((2, 3, 4), 4), ((2, 3), 2), ((3, 6), 3)])
def test_usual_number_of_players_is_four_if_possible(players: tuple[int, ...], usual: int) -> None:
    assert evolve(CANASTA, players=players).usual_players == usual


@pytest.mark.parametrize(
    ("players", "many"),
    [((4,), "4"), ((2, 3, 4), "2 to 4"), ((2, 4), "2 or 4"), ((2, 3, 4, 6), "2, 3, 4 or 6")],
)
def test_the_error_for_a_wrong_number_of_players_names_the_right_ones(
    players: tuple[int, ...], many: str
) -> None:
    with pytest.raises(InvalidOption, match=f"Canasta is for {many} players, not 5."):
        evolve(CANASTA, players=players).check_players(5)


@pytest.mark.parametrize("change", [{"players": (2, 7)}, {"decks": (4 * CANASTA.deck,)}])
def test_a_game_has_at_most_360_cards_and_six_players(change: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="at most 360 cards and 6 players"):
        evolve(CANASTA, **change)


def test_title_of_a_game_has_spaces_and_capitals() -> None:
    assert CANASTA.title == "Canasta"
    assert evolve(CANASTA, name="hand_and_foot").title == "Hand and Foot"


@pytest.mark.parametrize("value", [3000.0, "3000", None])
def test_an_option_must_be_a_whole_number(value: Any) -> None:
    with pytest.raises(InvalidOption, match="is a whole number"):
        CANASTA.options.from_pairs([("target", value)])


@pytest.mark.parametrize("game", GAMES)
def test_kinds_of_moves_that_a_game_lacks_are_refused_in_every_step(game: str) -> None:
    samples = (Cut(0), ShowBonus(()), Ask(), Answer(True), TakeTop(()), Pass())
    seats = GAMES[game].players[0]
    position = table_of(game, seats=seats, hands=["7h 7d"], pile="5h").position
    lacking = [move for move in samples if isinstance(move, position.lacking)]
    assert len(lacking) == len(position.lacking)
    for step in Step:
        assert not any(map(position.turning(step=step).allows, lacking)), step


@pytest.mark.parametrize("game", ALL_GAMES, ids=lambda game: game.name)
def test_a_game_says_whether_its_melds_can_be_of_one_rank(game: Game) -> None:
    position = game.position.start(game.options(), game.players[0], Seat(0), (0, 0))
    sixes = [card for card in position.deck if card.rank is Rank.SIX][:3]
    shown = tuple(Shown(Slot(number), card) for number, card in enumerate(sixes))
    melds = nullcontext() if position.melds_like_cards else pytest.raises(IllegalMove)
    with melds:
        position.meld_of(shown)

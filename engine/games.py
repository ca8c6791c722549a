"""The games that can be played. A game is one object of its own folder, and one line here."""

from engine.canasta.game import CANASTA
from engine.canastra.game import CANASTRA
from engine.errors import InvalidOption
from engine.game import Game
from engine.kanastic.game import KANASTIC

GAMES: dict[str, Game] = {game.name: game for game in (CANASTA, KANASTIC, CANASTRA)}


def game_named(name: str) -> Game:
    """The game of that name. Raises InvalidOption."""
    if name not in GAMES:
        raise InvalidOption(
            "There is no game {name!r}; there are {games}.", name=name, games=", ".join(GAMES)
        )
    return GAMES[name]

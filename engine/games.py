"""The registry of games: each game is one object in a folder of its own."""

from collections.abc import Callable, Iterator, MutableMapping
from functools import cache, partial
from importlib import import_module
from typing import TYPE_CHECKING

from engine.errors import InvalidOption
from engine.game import Game

if TYPE_CHECKING:
    from engine.position import Position


class Games(MutableMapping[str, Game]):
    """Games by name, each imported on first access.

    A program that plays one game, or reads its rules, does not wait for the import of the others.
    """

    def __init__(self, **loads: Callable[[], Game]) -> None:
        """Register for each name a function that returns the game; the first access calls it."""
        self._loads = loads
        # A name without its game yet has the value None. So names can be listed, in their order,
        # without an import.
        self._games: dict[str, Game | None] = dict.fromkeys(loads)

    def __getitem__(self, name: str) -> Game:
        game = self._games[name]
        if game is None:
            game = self._games[name] = self._loads[name]()
        return game

    def __contains__(self, name: object) -> bool:
        return name in self._games

    def __setitem__(self, name: str, game: Game) -> None:
        self._games[name] = game

    def __delitem__(self, name: str) -> None:
        del self._games[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._games)

    def __len__(self) -> int:
        return len(self._games)


def position_in(module: str, name: str) -> Callable[[], type["Position"]]:
    """Return a function that imports a game's class of positions when it is called.

    `module` is the name of the module with the class `name`, such as "engine.canasta.position".
    """

    def load() -> type["Position"]:
        found: type[Position] = getattr(import_module(module), name)
        return found

    return cache(load)


def _in_folder(name: str) -> Game:
    """Import a game's folder and return its game: for "canasta" `engine.canasta.game.CANASTA`."""
    game: Game = getattr(import_module(f"engine.{name}.game"), name.upper())
    return game


NAMES = ("canasta", "kanastic", "canastra", "hand_and_foot", "samba")
"""Names of the games and of their folders, in the order in which people see them."""

GAMES = Games(**{name: partial(_in_folder, name) for name in NAMES})


def game_named(name: str) -> Game:
    """Return the game of that name, or raise InvalidOption."""
    if name not in GAMES:
        raise InvalidOption(
            "There is no game {name!r}; there are {games}.", name=name, games=", ".join(GAMES)
        )
    return GAMES[name]

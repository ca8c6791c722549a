"""The registry of games: each game is one object in a folder of its own."""

from collections.abc import Callable, Iterator, MutableMapping

from engine.errors import InvalidOption
from engine.game import Game


class Games(MutableMapping[str, Game]):
    """Games by name, each imported on first access.

    A program that plays one game, or reads its rules, does not wait for the import of the others.
    """

    def __init__(self, **loads: Callable[[], Game]) -> None:
        """Register a function for each name, called once on first access to return the game."""
        self._loads = loads
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


def _canasta() -> Game:
    from engine.canasta.game import CANASTA  # noqa: PLC0415 - when it is asked for

    return CANASTA


def _kanastic() -> Game:
    from engine.kanastic.game import KANASTIC  # noqa: PLC0415 - when it is asked for

    return KANASTIC


def _canastra() -> Game:
    from engine.canastra.game import CANASTRA  # noqa: PLC0415 - when it is asked for

    return CANASTRA


def _hand_and_foot() -> Game:
    from engine.hand_and_foot.game import HAND_AND_FOOT  # noqa: PLC0415 - when it is asked for

    return HAND_AND_FOOT


def _samba() -> Game:
    from engine.samba.game import SAMBA  # noqa: PLC0415 - when it is asked for

    return SAMBA


GAMES = Games(
    canasta=_canasta,
    kanastic=_kanastic,
    canastra=_canastra,
    hand_and_foot=_hand_and_foot,
    samba=_samba,
)


def game_named(name: str) -> Game:
    """Return the game of that name, or raise InvalidOption."""
    if name not in GAMES:
        raise InvalidOption(
            "There is no game {name!r}; there are {games}.", name=name, games=", ".join(GAMES)
        )
    return GAMES[name]

"""The games: how many play, who is whose partner, and where their rules are."""

from collections.abc import Mapping

from attrs import frozen

from engine.canasta.options import CanastaOptions
from engine.canasta.position import CanastaPosition
from engine.decks import Deck
from engine.errors import InvalidOption
from engine.options import Options
from engine.places import Seat
from engine.position import Position


@frozen
class Game:
    """One of the games.

    `couples` are the numbers of players that play in partnerships; `draws_seats` tells that the
    draw orders the seats (C5), otherwise players keep the seats they took and the highest card
    deals first (K13).
    """

    name: str
    position: type[Position]
    options: type[Options]
    players: tuple[int, ...]
    couples: tuple[int, ...]
    draws_seats: bool

    @property
    def deck(self) -> Deck:
        return self.position.deck

    def sides(self, players: int) -> int:
        return players // 2 if players in self.couples else players

    def seating(self, ranking: tuple[int, ...]) -> tuple[tuple[int, ...], Seat]:
        """The player at each seat, and the first dealer's seat, from the draw's ranking."""
        players = len(ranking)
        if not self.draws_seats:
            return tuple(range(players)), Seat(ranking[0])
        sides = self.sides(players)
        seats = [0] * players
        # C5: the first two of the ranking face each other, then the next two, and so on.
        order = [seat for side in range(sides) for seat in range(side, players, sides)]
        for seat, player in zip(order, ranking, strict=True):
            seats[seat] = player
        return tuple(seats), Seat(players - 1)  # C9: the hand's right neighbour deals

    def check_players(self, players: int) -> None:
        """Raises InvalidOption."""
        if players not in self.players:
            low, high = self.players[0], self.players[-1]
            many = f"{low} to {high}" if high > low else f"{low}"
            raise InvalidOption(f"{self.name.capitalize()} is for {many} players, not {players}.")


GAMES: Mapping[str, Game] = {
    game.name: game
    for game in (Game("canasta", CanastaPosition, CanastaOptions, (2, 3, 4, 5, 6), (4, 6), True),)
}


def game_named(name: str) -> Game:
    """The game of that name. Raises InvalidOption."""
    if name not in GAMES:
        raise InvalidOption(f"There is no game {name!r}; there are {', '.join(GAMES)}.")
    return GAMES[name]

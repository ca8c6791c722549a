"""What a game is to all that is not its rules: how many play, who is whose partner, and which
classes its positions and options have.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from attrs import field, frozen

from engine.decks import Deck
from engine.disputes import Answer
from engine.errors import InvalidOption
from engine.options import Options
from engine.sentences import Sentence
from engine.slots import Seat

if TYPE_CHECKING:
    from engine.position import Position


@frozen
class CardNote:
    """What is special about the cards that have one of the `codes` printed on them."""

    codes: tuple[str, ...]
    text: Sentence


@frozen
class Game:
    """One of the games.

    `couples` are the numbers of players that play in partnerships; `draws_seats` tells that the
    draw orders the seats (C5), otherwise players keep the seats they took. `highest_deals` tells
    that the player of the highest card deals first (K13), otherwise they play first (C5, B8).
    `rules_version` counts changes of the rules that make another game of the same moves
    (`spec/record.md`, 7). `numbers` gives those that its text of rules leaves open, by name.
    `answers` are those of its rules to disputes beyond moves, by topic; "draw" is one of them.
    `legend` tells of the cards that are not like others, for who plays the game the first time.
    `load_position` gives the class of its positions, most of a game's code: who reads its rules
    needs none of it.
    """

    name: str
    deck: Deck
    load_position: Callable[[], type[Position]] = field(repr=False)
    options: type[Options]
    players: tuple[int, ...]
    couples: tuple[int, ...]
    draws_seats: bool
    highest_deals: bool
    numbers: Callable[[], Mapping[str, int]] = field(repr=False)
    answers: Mapping[str, Answer] = field(repr=False)
    legend: tuple[CardNote, ...] = ()
    rules_version: int = 1

    @property
    def title(self) -> str:
        return self.name.capitalize()

    @property
    def usual_players(self) -> int:
        """Four where four can play."""
        return 4 if 4 in self.players else self.players[0]

    @property
    def position(self) -> type[Position]:
        """The class of its positions."""
        return self.load_position()

    def sides(self, players: int) -> int:
        return players // 2 if players in self.couples else players

    def seating(self, ranking: tuple[int, ...]) -> tuple[tuple[int, ...], Seat]:
        """The player at each seat, and the first dealer's seat, from the draw's ranking."""
        seats = self._drawn_seats(ranking) if self.draws_seats else tuple(range(len(ranking)))
        highest = seats.index(ranking[0])
        # C9, B8: whoever plays first sits to the left of the dealer.
        dealer = highest if self.highest_deals else (highest - 1) % len(seats)
        return seats, Seat(dealer)

    def _drawn_seats(self, ranking: tuple[int, ...]) -> tuple[int, ...]:
        # C5: the first two of the ranking face each other, then the next two, and so on.
        players = len(ranking)
        sides = self.sides(players)
        order = [seat for side in range(sides) for seat in range(side, players, sides)]
        return tuple(player for _, player in sorted(zip(order, ranking, strict=True)))

    def check_players(self, players: int) -> None:
        """Raises InvalidOption."""
        if players not in self.players:
            low, high = self.players[0], self.players[-1]
            many = f"{low} to {high}" if high > low else f"{low}"
            raise InvalidOption(
                "{game} is for {many} players, not {players}.",
                game=self.title,
                many=many,
                players=players,
            )

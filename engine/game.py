"""The description of a game: everything except the rules of play.

It states, for example, how many can play, who are partners, and the classes of positions and
options.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from attrs import field, frozen

from engine.decks import Deck, Decks
from engine.disputes import DisputeAnswer
from engine.errors import InvalidOption
from engine.options import Options
from engine.sentences import Sentence
from engine.slots import Seat

if TYPE_CHECKING:
    from engine.position import Position


@frozen
class CardNote:
    """A note on the cards with these codes, for people new to the game."""

    codes: tuple[str, ...]
    text: Sentence


LARGEST_DECK, MOST_PLAYERS = 360, 6
"""Limits of every game. The entry for a shuffle of 360 cards, with its proof, is smaller than the
largest entry allowed (`spec/format.md`, 6). Lobbies and screens have places for six players."""

_SMALL_WORDS = frozenset({"and", "of", "the"})


@frozen
class Game:
    """One of the games."""

    name: str
    decks: Decks
    load_position: Callable[[], type[Position]] = field(repr=False)
    """Function that imports and returns the class of positions (`engine.games.position_in`).

    This import loads most of a game's code. A program that only shows the rules never calls the
    function, and so starts faster.
    """
    options: type[Options]
    players: tuple[int, ...]
    """Numbers of players that can play."""
    numbers: Callable[[], Mapping[str, int]] = field(repr=False)
    """Function that returns the numbers for the placeholders in the text of the rules, by name."""
    answers: Mapping[str, DisputeAnswer] = field(repr=False)
    """Answers of the rules to disputes, by topic; there is always the topic "draw"."""
    couples: tuple[int, ...] = ()
    """Numbers of players that play as couples."""
    draws_seats: bool = False
    """True if the draw orders the seats (C5); otherwise the players keep the seats they took."""
    highest_deals: bool = False
    """True if the highest card of the draw makes its player the first dealer (K13); otherwise that
    player has the first turn (C5, B8)."""
    legend: tuple[CardNote, ...] = ()
    """Notes on the unusual cards, for somebody who plays the game for the first time."""
    example: str = ""
    """A case for the referee, for somebody who writes one for the first time; "" for none."""
    rules_version: int = 1
    """Number that grows when a change of the rules gives old moves a new meaning (`spec/record.md`,
    7)."""

    def __attrs_post_init__(self) -> None:
        """Raise ValueError for a game that is too large to be played."""
        if max(map(len, self.decks)) > LARGEST_DECK or max(self.players) > MOST_PLAYERS:
            raise ValueError(
                f"{self.name}: a game has at most {LARGEST_DECK} cards and {MOST_PLAYERS} players."
            )

    @property
    def title(self) -> str:
        """The name of the game as people write it.

        A name is one word in files and commands: "hand_and_foot" is "Hand and Foot".
        """
        words = self.name.split("_")
        return " ".join(word if word in _SMALL_WORDS else word.capitalize() for word in words)

    @property
    def deck(self) -> Deck:
        """The deck of a usual table."""
        return self.decks.usual

    @property
    def usual_players(self) -> int:
        """Four if four can play, otherwise the smallest number of players."""
        return 4 if 4 in self.players else self.players[0]

    @property
    def position(self) -> type[Position]:
        """The class of the game's positions."""
        return self.load_position()

    def sides(self, players: int) -> int:
        """Return the number of sides at a table of `players` players."""
        return players // 2 if players in self.couples else players

    def seating(self, ranking: tuple[int, ...]) -> tuple[tuple[int, ...], Seat]:
        """Return the player at each seat, and the first dealer's seat, from the draw's ranking."""
        seats = self._drawn_seats(ranking) if self.draws_seats else tuple(range(len(ranking)))
        highest = seats.index(ranking[0])
        # C9, B8: the first player sits to the left of the dealer, so the dealer sits one seat
        # before the highest card.
        dealer = highest if self.highest_deals else (highest - 1) % len(seats)
        return seats, Seat(dealer)

    def _drawn_seats(self, ranking: tuple[int, ...]) -> tuple[int, ...]:
        # C5: with couples, the first two of the ranking sit opposite each other, then the next two,
        # and so on: four players fill the seats in the order 0, 2, 1, 3. Without couples the order
        # is 0, 1, 2 and so on.
        players = len(ranking)
        sides = self.sides(players)
        order = [seat for side in range(sides) for seat in range(side, players, sides)]
        return tuple(player for _, player in sorted(zip(order, ranking, strict=True)))

    def check_players(self, players: int) -> None:
        """Raise InvalidOption if the game is not for that number of players."""
        if players not in self.players:
            raise InvalidOption(
                "{game} is for {many} players, not {players}.",
                game=self.title,
                many=self._many,
                players=players,
            )

    @property
    def _many(self) -> Sentence | str:
        """The numbers of players as text: "2 to 6", or "2 or 4" if a number is missing."""
        *others, last = self.players
        if not others:
            return str(last)
        # 2, 3, 4, 5, 6: the last number less the first is 4, and four numbers come before the last,
        # so no number is missing.
        if last - others[0] == len(others):
            return Sentence("{low} to {high}", low=others[0], high=last)
        return Sentence("{numbers} or {last}", numbers=", ".join(map(str, others)), last=last)

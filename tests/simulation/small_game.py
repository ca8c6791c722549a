"""The smallest game that can be dealt, for explorations: each player has one card.

There is one move in a round. All cards have different points, so two rounds rarely give the same
points.
"""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Self

from attrs import frozen

from engine.cards import Card, Rank, Suit
from engine.decks import Decks, deck_of
from engine.disputes import ours, said
from engine.game import Game
from engine.games import GAMES
from engine.moves import DrawStock, Move
from engine.options import Options, number
from engine.orders import Order, Shuffle
from engine.position import Position
from engine.score_sheet import Item
from engine.sentences import N_
from engine.slots import Shown, Side
from tests.made_up_game import FamiliesPosition


@frozen(kw_only=True)
class OneCardOptions(Options):
    """The options of the game."""

    rounds: int = number(9, 1, 9, clause="F1", doc=N_("Rounds to play."))


@frozen(kw_only=True, slots=False)
class OneCardPosition(FamiliesPosition):
    """The position in a round of the game."""

    decks = Decks(deck_of([(rank, suit, False) for suit in Suit for rank in list(Rank)[3:6]]))
    options: OneCardOptions  # type: ignore[assignment]

    @classmethod
    def card_points(cls, card: Card) -> int:
        return 1 << card.number

    def table_items(self, side: Side) -> Iterator[Item]:
        del side
        yield from ()

    def hand_items(self, cards: tuple[Card, ...]) -> Iterator[Item]:
        yield Item(N_("cards in hand"), len(cards), -sum(map(self.card_points, cards)), "F9")

    def candidates(self) -> Iterator[Move]:
        yield DrawStock()

    def play(self, move: Move) -> Self:
        del move
        return self.finishing(None)

    def delivered(self, order: Order, shown: Iterable[Shown]) -> Self:
        del shown
        return Position.dealing(self, 1) if isinstance(order, Shuffle) else self


ONE_CARD = Game(
    name="one_card",
    decks=OneCardPosition.decks,
    load_position=lambda: OneCardPosition,
    options=OneCardOptions,
    players=(2, 3, 4, 5, 6),
    couples=(),
    draws_seats=False,
    highest_deals=False,
    numbers=dict,
    answers={
        "draw": ours("F1", N_("Whoever draws the higher card begins.")),
        "talk": said("F2", N_("One may talk.")),
    },
)


@contextmanager
def registered() -> Iterator[None]:
    """Register the game during the block."""
    GAMES[ONE_CARD.name] = ONE_CARD
    try:
        yield
    finally:
        del GAMES[ONE_CARD.name]

"""The draw for seats: everybody turns up a card of the shuffled deck, and cards are compared.

Clauses C3-C4; the same draw names the first dealer of Kanastic and the starter of Canastra (X21).
"""

from collections.abc import Mapping

from attrs import evolve, frozen

from engine.cards import Card, Suit
from engine.decks import Deck
from engine.orders import Deal, Give, Order, Shuffle
from engine.slots import Shown, Slot, slot_range

_SUIT_ORDER = (Suit.CLUBS, Suit.DIAMONDS, Suit.HEARTS, Suit.SPADES)


def _height(card: Card) -> tuple[int, int, int]:
    # C4: equal ranks go by suit, spades highest. Of two equal cards the one with the lower number
    # wins, which is as good as a coin: the shuffle decides who gets which copy.
    assert card.suit is not None
    return card.rank, _SUIT_ORDER.index(card.suit), -card.number


def ranked(cards: Mapping[int, Card]) -> tuple[int, ...]:
    """Return the players sorted by their cards, highest first; each card has a suit (C3, C4).

    >>> from engine.cards import Rank
    >>> king, ace = Card(3, Rank.KING, Suit.SPADES), Card(9, Rank.ACE, Suit.CLUBS)
    >>> ranked({0: king, 1: ace})
    (1, 0)
    """
    return tuple(sorted(cards, key=lambda player: _height(cards[player]), reverse=True))


@frozen
class SeatDraw:
    """The draw in progress, as a value."""

    players: int
    stock: tuple[Slot, ...] = ()
    drawn: tuple[Shown | None, ...] = ()
    """The last card that each player turned up; a card without a suit is void (C3)."""
    orders: tuple[Order, ...] = ()

    @classmethod
    def start(cls, deck: Deck, players: int) -> "SeatDraw":
        """Return a draw about to shuffle the deck."""
        return cls(players, drawn=players * (None,), orders=(Shuffle(deck),))

    @property
    def pending(self) -> tuple[int, ...]:
        """Players who have no valid card yet."""
        return tuple(
            player
            for player, shown in enumerate(self.drawn)
            if shown is None or shown.card.suit is None
        )

    @property
    def ranking(self) -> tuple[int, ...]:
        """Players by the card they drew, highest first; () while somebody has none."""
        if self.pending:
            return ()
        cards = {player: shown.card for player, shown in enumerate(self.drawn) if shown}
        return ranked(cards)

    def deliver(self, shown: tuple[Shown, ...]) -> "SeatDraw":
        """Return the draw after its order is fulfilled.

        In a deal, `shown` has a card for each pending player.
        """
        match self.orders[0]:
            case Shuffle() as order:
                dealt = evolve(self, stock=slot_range(order.first, len(order.cards)), orders=())
            case _:
                # A key that is there already keeps its place, so the values stay in the order of
                # players: after 4h Jo 9c only player 1 draws again, and the new card replaces the
                # joker.
                drawn = dict(enumerate(self.drawn)) | dict(zip(self.pending, shown, strict=True))
                stock = self.stock[len(shown) :]
                dealt = evolve(self, stock=stock, drawn=tuple(drawn.values()), orders=())
        turned = tuple(Give(slot, None) for slot in dealt.stock[: len(dealt.pending)])
        return evolve(dealt, orders=(Deal(turned),)) if turned else dealt

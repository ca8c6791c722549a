"""Positions of Kanastic from card codes; see `tests.engine.positions`."""

from typing import Any

from attrs import evolve

from engine.dealer import PlainDealer
from engine.games import game_named
from engine.kanastic.deck import KANASTIC
from engine.kanastic.melds import new_meld
from engine.kanastic.pile import is_blocked
from engine.kanastic.position import KanasticPosition
from engine.melds import Meld
from engine.moves import Cut
from engine.slots import Seat, Shown, cards_of
from tests.engine.positions import Table, table_of

GAME = game_named("kanastic")
SEVENS = "7h 7h 7d 7d 7c 7c 7s"  # a natural canasta


def kanastic_table(*, discards: str | None = None, **given: Any) -> Table:
    """Return a table of Kanastic, whose melds may be golden suits.

    `discards` are all of the round, oldest first; by default they are the cards in the pile.
    """
    table = table_of("kanastic", meld_of=_meld, **given)
    known = cards_of(table.position.pile)
    if discards is not None:
        known = tuple(next(c for c in KANASTIC if c.code == code) for code in discards.split())
    return evolve(table, position=evolve(kanastic(table), discards=known))


def kanastic(table: Table) -> KanasticPosition:
    assert isinstance(table.position, KanasticPosition)
    return table.position


def stopped(position: KanasticPosition) -> bool:
    """Return True if a stop card keeps the seat to move from the pile."""
    return is_blocked(position.discards, position.seats)


def dealt(seats: int, first: str = "", *, cut: int = 0) -> Table:
    """Return a round just dealt: `first` are the codes on top of the cut stock.

    No other Pots are near. Seat 0 has fifteen cards: one in each turn of the deal, and one more.
    """
    left = list(KANASTIC)
    named = []
    for code in first.split():
        named.append(next(card for card in left if card.code == code))
        left.remove(named[-1])
    stacked = named + left
    shuffled = stacked[len(stacked) - cut :] + stacked[: len(stacked) - cut]

    def stack(cards: list[Any]) -> None:
        cards[:] = shuffled

    dealer = PlainDealer(stack)
    totals = GAME.sides(seats) * (0,)
    start = GAME.position.start(GAME.options(), seats, Seat(seats - 1), totals)
    position = dealer.fulfil(dealer.fulfil(start).apply(Cut(cut)))
    hands = [dealer.cards[slot] for hand in position.hands for slot in hand]
    return Table(position.seen(hands), dealer.cards)


def _meld(cards: tuple[Shown, ...]) -> Meld:
    return new_meld(cards, distinct_suits=False)

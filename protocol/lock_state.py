"""The cards of a round under their locks: the unlock key of each player, and each card's point.

Each shuffle order of the round is a *deal* with points, locks and keys of its own (Kanastic's
rebuilt stock is a second deal in the same round). A slot belongs to one deal for ever.
"""

from collections.abc import Iterable, Mapping, Sequence

from attrs import Factory, evolve, field, frozen

from engine.orders import Shuffle
from engine.slots import Shown, Slot
from protocol.cards_as_points import DeckPoints
from protocol.group import Point


@frozen
class LockedDeal:
    """One deal of cards under locks."""

    number: int
    """The number of the deal among the deals of the match."""
    first: Slot
    deck: DeckPoints = field(repr=False)
    outputs: tuple[Point, ...] = field(repr=False)
    """The deck after the last shuffle so far; before the first shuffle, the fresh points of the
    cards.
    """
    keys: Mapping[int, Point] = Factory(dict)
    """The unlock keys U by player."""

    def __contains__(self, slot: Slot) -> bool:
        return self.first <= slot < self.first + len(self.outputs)


@frozen
class LockState:
    """The deals of the round, and the point in each slot, with the locks that are still on it."""

    deals: tuple[LockedDeal, ...] = ()
    points: Mapping[Slot, Point] = field(factory=dict, repr=False)

    def dealing(
        self, order: Shuffle, table_id: bytes, round_number: int, number: int
    ) -> "LockState":
        """Return the locks as the deal of `order` begins: nobody has locked its cards yet.

        An order that begins a round (its first slot is 0) drops the cards of the round before.
        """
        cards = [card.number for card in order.cards]
        deck = DeckPoints.fresh(table_id, round_number, number, cards)
        deal = LockedDeal(number, order.first, deck, deck.points)
        # The slots get their points with the first shuffle: until then no card is in them.
        return LockState((deal,)) if order.first == 0 else evolve(self, deals=(*self.deals, deal))

    @property
    def last(self) -> LockedDeal:
        """The newest deal: it is being shuffled, or was shuffled last."""
        return self.deals[-1]

    def shuffled(self, player: int, key: Point, outputs: tuple[Point, ...]) -> "LockState":
        """Return the locks after the shuffle of `player` in the last deal."""
        deal = evolve(self.last, keys={**self.last.keys, player: key}, outputs=outputs)
        slots = range(deal.first, deal.first + len(outputs))
        points = dict(zip(map(Slot, slots), outputs, strict=True))
        return LockState((*self.deals[:-1], deal), {**self.points, **points})

    def unlocked(self, slots: Sequence[Slot], shares: Sequence[Point]) -> "LockState":
        """Return the locks after an unlocking, which leaves these shares in the slots."""
        return evolve(self, points={**self.points, **dict(zip(slots, shares, strict=True))})

    def by_deal(self, slots: Iterable[Slot]) -> tuple[tuple[LockedDeal, tuple[Slot, ...]], ...]:
        """Return the slots grouped by deal: the deals in the round's order, the slots as given."""
        wanted = tuple(slots)
        groups = ((deal, tuple(s for s in wanted if s in deal)) for deal in self.deals)
        return tuple((deal, group) for deal, group in groups if group)

    def locked(self, slots: Iterable[Slot]) -> tuple[Point, ...]:
        return tuple(self.points[slot] for slot in slots)

    def deal_of(self, slot: Slot) -> LockedDeal:
        """Return the deal that a slot of this round belongs to."""
        return next(deal for deal in self.deals if slot in deal)

    def point_of(self, shown: Shown) -> Point | None:
        """Return the point that the slot must have without locks, if the `shown` card is there.

        It is None if the deal of the slot has no such card.
        """
        return self.deal_of(shown.slot).deck.point(shown.card.number)

    def face(self, slot: Slot) -> int | None:
        """Return the number of the card in a slot if it lies open; None while a lock is on it.

        A card in a hand also lies open once everybody has seen its face.
        """
        return self.deal_of(slot).deck.card_number(self.points[slot])

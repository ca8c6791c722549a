"""The cards as points.

The card with number m, in one deal of one round of one table, is the point

    P_m = HashToGroup("card", table, round, deal, m)

Everybody derives these points, so nobody sends them. All points are distinct, because even equal
cards have different numbers. Nobody knows a relation between two points. Each deal has fresh
points, so that a lock of one deal tells nothing about another deal.
"""

from __future__ import annotations

from collections.abc import Sequence

from attrs import field, frozen

from protocol.errors import Refused
from protocol.group import Point, hash_to_point
from protocol.hashing import number


def card_points(
    table_id: bytes, round_number: int, deal_number: int, card_numbers: Sequence[int]
) -> tuple[Point, ...]:
    """Return the points of the cards of one deal, in the order of `card_numbers`."""
    place = (table_id, number(round_number), number(deal_number))
    return tuple(hash_to_point("card", *place, number(card)) for card in card_numbers)


@frozen
class DeckPoints:
    """The cards of one deal and their points: a card can be looked up by its point, and vice versa.

    The points are the inputs of the first shuffle. Raises Refused if a card is there twice, or if
    there is no card.
    """

    card_numbers: tuple[int, ...]
    points: tuple[Point, ...]
    _card_of: dict[Point, int] = field(init=False, repr=False, eq=False)
    _point_of: dict[int, Point] = field(init=False, repr=False, eq=False)

    def __attrs_post_init__(self) -> None:
        card_of = dict(zip(self.points, self.card_numbers, strict=True))
        point_of = dict(zip(self.card_numbers, self.points, strict=True))
        if not card_of or not len(card_of) == len(point_of) == len(self.points):
            raise Refused("The deck has no card, or a card twice.")
        object.__setattr__(self, "_card_of", card_of)
        object.__setattr__(self, "_point_of", point_of)

    @classmethod
    def fresh(
        cls, table_id: bytes, round_number: int, deal_number: int, card_numbers: Sequence[int]
    ) -> DeckPoints:
        """Return the deck of one deal."""
        return cls(
            tuple(card_numbers), card_points(table_id, round_number, deal_number, card_numbers)
        )

    def card_number(self, point: Point) -> int | None:
        """Return the number of the card with that point; None if a lock is still on it."""
        return self._card_of.get(point)

    def point(self, card_number: int) -> Point | None:
        """Return the point of a card; None for a card that is not in this deck."""
        return self._point_of.get(card_number)

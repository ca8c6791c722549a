"""Seats and sides of a round: who sits beside whom, and who plays together."""

from collections.abc import Iterator

from attrs import frozen

from engine.copy_with_changes import CopyWithChanges
from engine.slots import Seat, Side


@frozen(kw_only=True, slots=False)
class Seating(CopyWithChanges):
    """Seats around a table, and the sides that they belong to."""

    seats: int
    dealer: Seat
    totals: tuple[int, ...]
    """Match points by side before the round."""

    @property
    def sides(self) -> int:
        """Number of sides."""
        return len(self.totals)

    def side_of(self, seat: Seat) -> Side:
        """Return the side of a seat. Partners sit opposite: seats i and i + sides play together."""
        return Side(seat % len(self.totals))

    def members(self, side: Side) -> tuple[Seat, ...]:
        """Return the seats of a side."""
        return tuple([Seat(seat) for seat in range(side, self.seats, self.sides)])

    def partner_of(self, seat: Seat) -> Seat | None:
        """Return the partner's seat; None in a game without partners."""
        first = seat % self.sides
        other = Seat(first if first != seat else first + self.sides)
        return other if other < self.seats else None

    def left_of(self, seat: Seat) -> Seat:
        """Return the next seat clockwise."""
        return Seat((seat + 1) % self.seats)

    def clockwise(self, first: Seat) -> Iterator[Seat]:
        """Return an iterator over all seats, each once, from `first` on."""
        return (Seat((first + i) % self.seats) for i in range(self.seats))

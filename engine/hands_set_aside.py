"""Hands set aside: cards that lie face down beside the stock, until a player takes them up.

There are two kinds.

- In Canastra such a hand has no owner: a player whose own hand is empty takes up the first one.
  Each side gets at most one. A hand that nobody has taken up does not count.
- In Hand and Foot each hand set aside has an owner. If it still lies there at the end, it is turned
  up and counts as a part of the owner's hand (`RoundState.counts_set_aside`).
"""

from typing import ClassVar, Self

from attrs import frozen

from engine.errors import NotationError
from engine.orders import Deal, Give, Order
from engine.position import Position
from engine.sentences import N_, Marked, Sentence
from engine.slots import Seat, Shown, Slot
from engine.turn import Step


@frozen(kw_only=True, slots=False)
class SetAside(Position):
    """A round in which hands are set aside after the deal."""

    takes_up: ClassVar[Marked] = N_("takes up a hand that lay aside")
    """The game's words for taking up such a hand."""

    aside: tuple[tuple[Slot, ...], ...] = ()
    """Slots of the hands that nobody has taken up; if hands have owners, in the order of seats."""
    took_aside: frozenset[Seat] = frozenset()
    """Seats that have taken up a hand."""

    @property
    def set_aside(self) -> tuple[tuple[Slot, ...], ...]:
        return self.aside

    @property
    def aside_text(self) -> Sentence | None:
        return Sentence.counted("{n} hand aside", "{n} hands aside", len(self.aside))

    @property
    def set_aside_of(self) -> tuple[tuple[Seat, tuple[Slot, ...]], ...]:
        if not self.counts_set_aside:
            return ()
        owners = (Seat(seat) for seat in range(self.seats) if seat not in self.took_aside)
        # There may be fewer hands aside than owners: a position may be stated so (`feet 2`). There
        # is one more while a player takes up theirs, which then still lies in `aside`.
        return tuple(zip(owners, self.aside, strict=False))

    def inferred(self) -> Self:
        if self.counts_set_aside and self.aside and len(self.set_aside_of) < len(self.aside):
            raise NotationError("There are more hands aside than seats that have not taken theirs.")
        return super().inferred()

    def has_aside(self, seat: Seat) -> bool:
        """Return True if `seat` takes up a hand when its own is empty.

        If hands have owners, each seat takes up its own; otherwise each side gets one.
        """
        takers = (seat,) if self.counts_set_aside else self.members(self.side_of(seat))
        return bool(self.aside) and self.took_aside.isdisjoint(takers)

    def gets_more(self, seat: Seat) -> bool:
        return self.has_aside(seat)

    def setting_aside(self, hands: int, size: int, *, after: int) -> Self:
        """Return the position with `hands` hands of `size` cards each taken out of the stock.

        They are taken from the place after the first `after` cards for each seat, which stay in
        the stock: with `after` 11 and two seats, the first hand begins with the 23rd card.
        """
        first = after * self.seats
        end = first + hands * size
        aside = tuple(self.stock[place : place + size] for place in range(first, end, size))
        return self.changed(stock=self.stock[:first] + self.stock[end:], aside=aside)

    def taking_up(self) -> Self:
        """Return the position with the order to give the mover a hand that lies aside."""
        seat = self.turn.seat
        # If hands have no owners, `set_aside_of` is empty, and the first hand is taken.
        taken = dict(self.set_aside_of).get(seat, self.aside[0])
        dealing = Deal(tuple([Give(slot, seat) for slot in taken]))
        return self.changed(took_aside=self.took_aside | {seat}, orders=(dealing,))

    def discarding(self, card: Shown) -> Self:
        """Return the position after a discard: the turn ends, or the round.

        A mover who discards the last card takes up a hand that lies aside. The step is DEAL until
        the cards of that hand have come, and then the turn ends.
        """
        seat = self.turn.seat
        if len(self.hands[seat]) > 1 or not self.has_aside(seat):
            return super().discarding(card)
        after = self.losing(seat, (card,), pile=(*self.pile, card))
        return after.taking_up().turning(step=Step.DEAL)

    def emptying(self) -> Self:
        """Return the position after cards were laid.

        If the hand is empty, a hand that lies aside is taken up, or the round is over.
        """
        seat = self.turn.seat
        if self.hands[seat] or not self.has_aside(seat):
            return super().emptying()
        return self.taking_up()

    def delivered(self, order: Order, shown: tuple[Shown, ...]) -> Self:
        # At the deal of the round itself the step is DRAW (see `dealing`). So at the step DEAL a
        # hand has come after the mover's last discard (`discarding` above), and the turn ends.
        if isinstance(order, Deal) and self.turn.step is Step.DEAL:
            return self.ending_turn()
        return super().delivered(order, shown)

    def _dealt(self, order: Deal, rest: tuple[Order, ...]) -> Self:
        given = {give.slot for give in order.gives}
        dealt = super()._dealt(order, rest)
        # Most deals are single draws: the position is copied again only if a hand set aside was
        # dealt.
        if all(map(given.isdisjoint, self.aside)):
            return dealt
        return dealt.changed(aside=tuple([a for a in self.aside if given.isdisjoint(a)]))


def taken_up(before: Position, after: Position) -> Marked | None:
    """Return the game's words for taking up a hand; None if the move takes up no hand."""
    if not isinstance(before, SetAside) or not isinstance(after, SetAside):
        return None
    return after.takes_up if before.took_aside < after.took_aside else None

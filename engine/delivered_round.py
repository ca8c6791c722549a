"""The delivery of cards that a round has ordered, and the end of a round.

`deliver` returns the next position and leaves this one as it was. A game overrides `delivered` to
say what comes next, and the methods of `engine.counted_round` to say how the round is counted.
"""

from collections.abc import Iterable
from typing import Self

from attrs import frozen

from engine.counted_round import CountedRound
from engine.orders import Deal, Give, OpenHand, Order, Shuffle
from engine.score_sheet import ScoreSheet
from engine.slots import Seat, Shown, Side, Slot, slot_range, slots_of
from engine.turn import Step


@frozen(kw_only=True, slots=False)
class DeliveredRound(CountedRound):
    """A round that orders cards and gets them, until its last hand has been opened."""

    @property
    def moving_seat(self) -> Seat:
        """The seat that moves next. Raises ValueError if nobody is to move."""
        if self.to_move is None:
            raise ValueError("nobody is to move")
        return self.to_move

    def dealing(self, size: int, *, turned_up: int = 0) -> Self:
        """Return the position with the deal ordered, and the first turn begun.

        Each seat gets `size` cards, one by one; then `turned_up` cards are laid face up.
        """
        first = self.left_of(self.dealer)
        receivers = size * tuple(self.clockwise(first))
        dealt = len(receivers)
        # With 4 seats and 11 cards each, the first 44 cards of the stock go to hands, and the 45th
        # is turned up.
        starts = [Give(slot, None) for slot in self.stock[dealt : dealt + turned_up]]
        deal = Deal((*map(Give, self.stock, receivers), *starts))
        return self.changed(orders=(deal,)).passing_to(first)

    def deliver(self, shown: Iterable[Shown] = ()) -> Self:
        """Return the position after the first order is fulfilled.

        `shown` are the cards that were turned up: cards dealt face up, or an opened hand.
        """
        order, rest = self.orders[0], self.orders[1:]
        cards = tuple(shown)
        match order:  # the most frequent kind of order first
            case Deal():
                expected = order.turned_up
                after = self._dealt(order, rest)
            case Shuffle():
                expected = ()
                stock = self.stock + slot_range(order.first, len(order.cards))
                after = self.changed(orders=rest, stock=stock)
            case OpenHand():
                expected = order.slots
                known = {**self.known, **{shown.slot: shown for shown in cards}}
                after = self.changed(orders=rest, known=known)
        if slots_of(cards) != expected:
            raise ValueError(f"the order {order} shows slots {expected}, not {cards}")
        if self.turn.step is not Step.OVER:
            return after.delivered(order, cards)
        if isinstance(order, OpenHand):
            return after._opened()
        # The owners come from `self`: in `after` the hands lie no longer aside, because `_dealt`
        # has removed them.
        return after._gaining_set_aside(self.set_aside_of, cards)._opening_hands()

    def _gaining_set_aside(
        self, owned: Iterable[tuple[Seat, tuple[Slot, ...]]], cards: tuple[Shown, ...]
    ) -> Self:
        """Return the position after hands set aside were turned up: each joins its owner's hand."""
        hands = list(self.hands)
        for seat, slots in owned:
            hands[seat] += slots
        known = {**self.known, **{shown.slot: shown for shown in cards}}
        return self.changed(hands=tuple(hands), known=known)

    def finishing(self, closer: Seat | None) -> Self:
        """Return the position with the round over: hands must be opened, then the round is counted.

        Hands set aside that count are turned up first. If no hand has cards, the round is counted
        at once. A game calls this when it finds the round over: Canasta does so after a discard of
        the last card. `closer` is the seat that went out, or None. An override may change the
        position first: Canasta drops the question "May I go out?" of the player who goes out,
        because only a question after which the player does not go out can be vain (C97a).
        """
        over = self.turning(step=Step.OVER).changed(closer=closer)
        aside = [Give(slot, None) for _, slots in self.set_aside_of for slot in slots]
        return over.changed(orders=(Deal(tuple(aside)),)) if aside else over._opening_hands()

    def _opening_hands(self) -> Self:
        """Return the position with the orders to open all hands that have cards (X5)."""
        seats = self.clockwise(self.left_of(self.dealer))
        opening = tuple(OpenHand(seat, self.hands[seat]) for seat in seats if self.hands[seat])
        return self.changed(orders=opening)._opened()

    def leaving_closed(self, seats: Iterable[Seat]) -> Self:
        """Return the position in which these seats' hands stay closed, if they are not open yet.

        The players at these seats are absent (clause X24). Hands set aside that were about to be
        turned up stay closed, too, because the absent players' locks are on all of these cards.
        """
        absent = frozenset(seats)
        if self.turn.step is Step.OVER and any(isinstance(each, Deal) for each in self.orders):
            # `closed` is set first, because `_opening_hands` counts the round at once if no hand
            # has cards.
            opening = self.changed(closed=absent)._opening_hands()
            return opening.leaving_closed(absent)
        gone = {order.seat for order in self.orders if isinstance(order, OpenHand)} & absent
        orders = tuple(
            order
            for order in self.orders
            if not isinstance(order, OpenHand) or order.seat not in gone
        )
        return self.changed(orders=orders, closed=self.closed | gone)._opened()

    @property
    def has_hands(self) -> bool:
        """True if players have been given cards, or are being given them."""
        return any(self._given().hands)

    def interrupted_sheet(self, missing: Iterable[Seat]) -> ScoreSheet:
        """Return the sheet of a round interrupted because these players are missing for good (X25).

        Every replica must get the same sheet, so cards that only this replica has seen count as
        hidden. A card that is still being dealt counts in the hand that gets it, because the
        missing player may have seen it. For example, when players 1 and 2 of three have taken their
        locks off a joker for player 3, player 3 can see it, and nobody else can.
        """
        # `_given` comes before the count, so that cards on their way to a hand are counted in it.
        lying = self.seen(())._given().changed(closed=frozenset(missing))
        items = (tuple(lying.interrupted_items(Side(side))) for side in range(self.sides))
        return ScoreSheet(tuple(items), None, self.sheet_lines)

    def _given(self) -> Self:
        """Return the position with the first order carried out, if it is a deal."""
        match self.orders:
            case (Deal() as order, *rest):
                return self._dealt(order, tuple(rest))
        return self

    def _opened(self) -> Self:
        """Return the position with its sheet, if no hand is left to be opened (clause X5).

        Every replica must get the same sheet, so cards that only this replica has seen are left
        out.
        """
        return self if self.orders else self.changed(sheet=self.seen(()).score())

    def _dealt(self, order: Deal, rest: tuple[Order, ...]) -> Self:
        """Return the position with the cards of the order dealt, and the `rest` of the orders."""
        given = {give.slot for give in order.gives}
        hands = list(self.hands)
        for give in order.gives:
            if give.seat is not None:
                hands[give.seat] += (give.slot,)
        # Cards are dealt from the front of the stock, so it is enough to count those in front.
        # (Slots of hands set aside are dealt, too, but are no part of the stock.)
        stock, first = self.stock, 0
        while first < len(stock) and stock[first] in given:
            first += 1
        return self.changed(orders=rest, stock=stock[first:], hands=tuple(hands))

    def delivered(self, order: Order, shown: tuple[Shown, ...]) -> Self:
        """Return the position after an order was fulfilled: decide what comes next.

        `deliver` calls this after a shuffle or a deal, when the cards already lie in their new
        places. Once the round is over, it does not call this. For example, after the first shuffle
        Canasta gives the turn to the player who cuts. After the deal it turns up another start card
        if the first one may not stay.
        """
        del order, shown
        return self

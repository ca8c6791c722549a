"""A round of Canastra, step by step (clauses B1-B65 of `spec/rules-canastra.md`)."""

from collections.abc import Iterable
from typing import Self

from attrs import frozen

from engine.canastra.candidates import hand_in_order, layings
from engine.canastra.constants import DEAD_SIZE, DEADS, HAND_SIZE
from engine.canastra.runs import has_canastra
from engine.canastra.score import CanastraScore
from engine.errors import IllegalMove
from engine.moves import LayMelds, Move, Play, TakePile
from engine.orders import Order, Shuffle
from engine.slots import Shown, Slot, one_of_each
from engine.turn import Step


@frozen(kw_only=True, slots=False)
class CanastraPosition(CanastraScore):
    """A round of Canastra: when its moves are legal, and what they change.

    The fields are in `CanastraState`, and `CanastraScore` counts the round.
    """

    # -- moves

    def layings(self) -> Iterable[tuple[Play, ...]]:
        return layings(self)

    def takings(self) -> Iterable[Move]:
        return (TakePile(),) if self.may_take_pile() else ()

    def discards_tried(self) -> Iterable[Shown]:
        free = [shown for shown in hand_in_order(self) if shown.slot != self.barred]
        return one_of_each(free).values()

    def check_taking(self, plays: tuple[Play, ...]) -> None:
        if plays:
            raise IllegalMove("B10", "Take the pile first, and meld afterwards.")
        if not self.pile:
            raise IllegalMove("B16", "The pile is empty: draw from the stock.")
        if not self.may_take_pile():
            raise IllegalMove(
                "B15",
                "A player with a single card in hand cannot take the pile: draw from the stock.",
            )

    def check_laying(self, plays: tuple[Play, ...]) -> None:
        seat = self.turn.seat
        self.melds_after(self.side, plays)
        left = len(self.hands[seat]) - sum(len(play.cards) for play in plays)
        if left > 1:
            return
        after = self.with_plays(plays)
        if left == 1:
            # The check runs on the position after the plays, so that a canastra that the plays
            # complete counts.
            after._check_last(after.hands[seat][0])
        elif not self.has_aside(seat):
            after._check_going_out()

    def check_discard(self, card: Shown) -> None:
        seat = self.turn.seat
        if card.slot == self.barred:
            raise IllegalMove(
                "B12",
                "The {card} was the only card of the pile: discard another one.",
                card=card.card,
            )
        if len(self.hands[seat]) == 1 and not self.has_aside(seat):
            self._check_going_out()

    def drawing_stock(self) -> Self:
        drawn = super().drawing_stock()
        # Every copy takes time in a search, and mostly there is nothing to reset.
        return drawn.changed(idle_turns=0) if self.idle_turns else drawn

    def taking_pile(self, plays: tuple[Play, ...]) -> Self:
        del plays
        return self.gaining(
            self.turn.seat,
            self.pile,
            pile=(),
            barred=self.pile[0].slot if len(self.pile) == 1 else None,
            idle_turns=self.idle_turns + 1,
            turn=self.turn.changed(step=Step.PLAY, took=True),
        )

    def with_plays(self, plays: tuple[Play, ...], bonus: tuple[Shown, ...] = ()) -> Self:
        return super().with_plays(plays, bonus).changed(idle_turns=0)

    def _check_last(self, last: Slot) -> None:
        """Raise IllegalMove unless the mover can get rid of the only card left (B13, B45).

        The card may be discarded, unless it is barred. If all players have seen the card, it may
        also be laid on a run that it fits.
        """
        # The barred card may not be discarded, but it may be laid. So laying is tested first.
        if last in self.known and self._can_lay(self.known[last]):
            return
        if last == self.barred:
            raise IllegalMove("B13", "The only card left would be one that may not be discarded.")
        if not self.has_aside(self.turn.seat):
            self._check_going_out()

    def _can_lay(self, last: Shown) -> bool:
        """Return True if the mover may lay the last card on one of their runs."""
        plays = (Play((last,), onto=number) for number in range(len(self.laid[self.side].melds)))
        return any(self.allows(LayMelds((play,))) for play in plays)

    def _check_going_out(self) -> None:
        """Raise IllegalMove unless the mover may go out for good (B45)."""
        if self.options.require_canastra and not has_canastra(self.laid[self.side].melds):
            raise IllegalMove(
                "B45", "Without a canastra one cannot go out, so a card must stay in the hand."
            )

    def ending_turn(self) -> Self:
        # When the stock is used up, a dead (a hand set aside) that nobody has taken replaces it.
        stock, deads = self.stock, self.aside
        if not stock:
            if not deads:  # B51
                return self.changed(barred=None).finishing(None)
            stock, deads = deads[0], deads[1:]  # B49
        after = self.changed(barred=None, stock=stock, aside=deads)
        if after.idle_turns >= after.options.idle_turns:  # B55
            return after.finishing(None)
        return after.passing_to(after.left_of(after.turn.seat))

    # -- deliveries

    def delivered(self, order: Order, shown: tuple[Shown, ...]) -> Self:
        if isinstance(order, Shuffle):  # B4-B8
            return self.setting_aside(DEADS, DEAD_SIZE, after=HAND_SIZE).dealing(HAND_SIZE)
        return super().delivered(order, shown)  # B43

"""Rounds in which red threes are laid in one's own turn, as in Hand and Foot and in Samba.

In a turn the player draws some cards, or takes the pile with two more cards of the rank of its top.
A player who may not go out has to keep two cards when melding, and may not discard their last card
as long as there is a stock.

`layings` and `takings` find moves with `engine.like_melds.find_layings`. Of moves that differ only
in copies of equal cards they list one. For a side with melds they list moves that lay one meld, or
add to one meld.

A game defines the clauses that refusals name, the melds that going out requires (`check_books`),
and its other differences.
"""

from abc import abstractmethod
from collections.abc import Iterable
from typing import ClassVar, Self

from attrs import frozen

from engine.errors import IllegalMove
from engine.like_melds import find_layings
from engine.like_melds.cards import is_natural, is_red_three
from engine.like_melds.state import LikeMeldsState
from engine.melds import Meld
from engine.moves import Cut, Move, Pass, Play, TakePile, TakeTop
from engine.orders import Deal, Give, Order
from engine.slots import Seat, Shown
from engine.turn import Step


@frozen(kw_only=True, slots=False)
class ThreesInTurn(LikeMeldsState):
    """A round in which red threes are laid in one's own turn, and melds have a largest size."""

    opening_clause: ClassVar[str]
    """The clause for the points that first melds need."""
    asking_clause: ClassVar[str]
    """The clause for the question to one's partner, and for the answer that binds."""
    asking_early_clause: ClassVar[str]
    """The clause by which the question must come before the mover melds down to the last card."""
    lacking = (Cut, TakeTop, Pass)
    steps = (Step.ANSWER, Step.DRAW, Step.PLAY, Step.OVER)

    @property
    def may_hold_bonus(self) -> bool:
        return True

    @property
    def growing(self) -> tuple[int, Meld] | None:
        """The side's meld of like cards that the pile's top may join, with its number; or None."""
        melds = self.laid[self.side].melds
        number = find_layings.open_melds(self.limits, melds).get(self.pile[-1].card.rank)
        return None if number is None else (number, melds[number])

    @property
    def pile_bound(self) -> bool:
        """True if the top needs two cards of its rank from the hand, even if it joins a meld."""
        return True

    def may_take_pile(self) -> bool:
        if not self.pile or not is_natural(self.pile[-1].card):
            return False
        rank, grown = self.pile[-1].card.rank, self.growing
        # The top and two cards of the hand join the meld, so there must be room for three.
        if grown is not None and len(grown[1].cards) + 3 > self.limits.largest:
            return False
        return self.may_hold(self.turn.seat, lambda card: card.rank is rank) >= 2

    @property
    def goes_out(self) -> Seat | None:
        # An empty hand is not always going out here: when the stock is empty, a player may discard
        # the last card even if the side lacks the books.
        may = self.may_go_out(self.side) and self.turn.answer is not False
        return self.turn.seat if may else None

    # -- checks

    @abstractmethod
    def check_pile(self, plays: tuple[Play, ...]) -> None:
        """Raise IllegalMove unless these plays justify taking the pile.

        The melds themselves, and the points of first melds, are checked elsewhere.
        """

    @abstractmethod
    def check_books(self, melds: tuple[Meld, ...]) -> None:
        """Raise IllegalMove unless these melds are enough for going out."""

    def check_asking(self) -> None:
        self.check_question(self.asking_clause, self.asking_clause, self.asking_early_clause)

    def check_showing(self, cards: tuple[Shown, ...]) -> None:
        self.check_red_threes(cards)
        if not cards:
            raise IllegalMove(self.bonus_duty, "There is no red three to lay.")

    def check_taking(self, plays: tuple[Play, ...]) -> None:
        self.check_pile(plays)
        self._check_melds(plays, len(self.received))

    def check_laying(self, plays: tuple[Play, ...]) -> None:
        self._check_melds(plays, 0)

    def _check_melds(self, plays: tuple[Play, ...], received: int) -> None:
        """Raise IllegalMove unless the plays are legal; the pile brings `received` more cards."""
        melds = self.melds_after(self.side, plays)
        self.check_opening(plays, self.opening_clause)
        left = len(self.hands[self.turn.seat]) + received
        left -= sum([len(play.cards) for play in plays])
        self.check_black_threes(melds, left)
        if left < 2:
            self._check_going_out(melds)

    def check_discard(self, card: Shown) -> None:
        if is_red_three(card.card):
            raise IllegalMove(
                self.bonus_duty, "A red three is never discarded: lay it on the table."
            )
        # Without a stock the round ends with this discard in any case, so nobody is kept from it.
        if len(self.hands[self.turn.seat]) == 1 and self.stock:
            self._check_going_out(self.laid[self.side].melds)

    def _check_going_out(self, melds: tuple[Meld, ...]) -> None:
        """Raise IllegalMove unless the mover may go out with these melds, or gets more cards."""
        if self.gets_more(self.turn.seat):
            return
        if self.turn.answer is False:
            raise IllegalMove(
                self.asking_clause, "The partner said No: one does not go out in this turn."
            )
        self.check_books(melds)

    def delivered(self, order: Order, shown: tuple[Shown, ...]) -> Self:
        # Only start cards are turned up; a draw shows nothing.
        if not shown:
            return super().delivered(order, shown)
        # Start cards are turned up until one is a natural.
        after = self.changed(pile=self.pile + shown)
        if is_natural(shown[-1].card):
            return after
        return after.changed(orders=(Deal((Give(after.stock[0], None),)),))

    # -- moves worth trying

    def layings(self) -> Iterable[find_layings.Plays]:
        hand, size = self.hand(self.turn.seat), len(self.hands[self.turn.seat])
        return find_layings.distinct(*self.plays_found(hand, self._most(size)))

    def takings(self) -> Iterable[Move]:
        return map(TakePile, self.plays_with_top())

    def _most(self, size: int) -> int:
        """Return how many of `size` cards may be laid by a player who does not go out."""
        return size if self.gets_more(self.turn.seat) else size - 2

    def plays_found(
        self, hand: tuple[Shown, ...], most: int
    ) -> tuple[tuple[find_layings.Plays, ...], list[Play]]:
        """Return openings of at most `most` cards, and single plays, from the cards of the hand."""
        melds, size = self.laid[self.side].melds, len(self.hands[self.turn.seat])
        ranks = find_layings.meldable(self.limits, hand)
        return find_layings.layings(self.limits, melds, ranks, size, self.minimum, most)

    def plays_with_top(self) -> Iterable[find_layings.Plays]:
        """Return the plays with which the pile may be taken."""
        # This comes before `growing`, which needs a pile.
        if not self.may_take_pile():
            return ()
        top, hand, onto = self.pile[-1], self.hand(self.turn.seat), self.growing
        bound = onto is None or self.pile_bound
        if bound and sum([shown.card.rank is top.card.rank for shown in hand]) < 2:
            return ()
        ranks, need = find_layings.meldable(self.limits, (top, *hand)), self.minimum
        most = self._most(len(self.hands[self.turn.seat]) + len(self.received))
        found = find_layings.layings_with_top(
            self.limits, onto, ranks, top, bound=bound, minimum=need, most=most
        )
        return find_layings.distinct(*found)

"""A round of Hand and Foot, step by step (clauses H5-H65 of `spec/rules-hand-and-foot.md`)."""

from typing import Self

from attrs import frozen

from engine.errors import IllegalMove
from engine.hand_and_foot.constants import FOOT_SIZE, HAND_SIZE
from engine.hand_and_foot.score import HandAndFootScore
from engine.melds import Meld
from engine.moves import Play
from engine.orders import Order, Shuffle
from engine.slots import Shown


@frozen(kw_only=True, slots=False)
class HandAndFootPosition(HandAndFootScore):
    """A round of Hand and Foot: the deal, and the conditions for taking the pile and going out.

    The rules that the game shares with Samba are in `ThreesInTurn`, the fields in
    `HandAndFootState`. `HandAndFootScore` counts the round.
    """

    def check_pile(self, plays: tuple[Play, ...]) -> None:
        self.check_pair(plays, blocked="H23", pair="H21")

    def check_asking(self) -> None:
        if self.has_aside(self.turn.seat):
            raise IllegalMove("H55", "One can ask only after taking up the foot.")
        super().check_asking()

    def check_books(self, melds: tuple[Meld, ...]) -> None:
        if not self.has_books(melds):
            raise IllegalMove(
                "H54",
                "Going out takes {clean} clean and {dirty} dirty books, so two cards must be kept.",
                clean=self.options.clean_books,
                dirty=self.options.dirty_books,
            )

    def delivered(self, order: Order, shown: tuple[Shown, ...]) -> Self:
        if isinstance(order, Shuffle):  # H5-H7
            return self.setting_aside(self.seats, FOOT_SIZE, after=HAND_SIZE).dealing(
                HAND_SIZE, turned_up=1
            )
        return super().delivered(order, shown)  # H8, H51

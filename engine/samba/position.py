"""A round of Samba, step by step (clauses S5-S65 of `spec/rules-samba.md`)."""

from collections.abc import Iterable
from typing import Self

from attrs import frozen

from engine.errors import IllegalMove
from engine.like_melds.cards import is_natural
from engine.like_melds.find_layings import Plays
from engine.melds import Meld
from engine.moves import Play
from engine.orders import Order, Shuffle
from engine.samba.constants import HAND_SIZE
from engine.samba.score import SambaScore
from engine.sequence_melds.beside_like import (
    Cards,
    mixed_openings,
    plays_on_sequences,
    sequence_plays,
)
from engine.slots import Shown


@frozen(kw_only=True, slots=False)
class SambaPosition(SambaScore):
    """A round of Samba: the deal, and the conditions for taking the pile and going out.

    The rules that Samba shares with Hand and Foot are in `ThreesInTurn`, the fields in
    `SambaState`. `SambaScore` counts the round.
    """

    def check_pile(self, plays: tuple[Play, ...]) -> None:
        # Without a pile `top` is None, which no play contains. So `check_pair` is called, and says
        # that there is no pile.
        top = self.pile[-1] if self.pile else None
        play = next((play for play in plays if top in play.cards), None)
        onto = None if play is None else play.onto
        if play is None or onto is None or self.pile_bound or not is_natural(self.pile[-1].card):
            self.check_pair(plays, blocked="S23", pair="S24" if self.pile_bound else "S20")
            return
        # The top joins a meld of the side, so no pair is needed (S21).
        melds = self.laid[self.side].melds
        if 0 <= onto < len(melds) and melds[onto].rank is None and len(play.cards) > 1:
            raise IllegalMove("S22", "The top card must be laid on a sequence without other cards.")

    def check_books(self, melds: tuple[Meld, ...]) -> None:
        if not self.has_canastas(melds):
            raise IllegalMove(
                "S52",
                "Going out takes {canastas} canastas or sambas, so two cards must be kept.",
                canastas=self.options.canastas,
            )

    def delivered(self, order: Order, shown: tuple[Shown, ...]) -> Self:
        if isinstance(order, Shuffle):  # S5, S6
            return self.dealing(HAND_SIZE[self.seats], turned_up=1)
        return super().delivered(order, shown)  # S7

    # -- moves worth trying

    def plays_found(self, hand: Cards, most: int) -> tuple[tuple[Plays, ...], list[Play]]:
        first, single = super().plays_found(hand, most)
        # `super()` has found openings of like cards alone. Here the openings with sequences join
        # them.
        if self.minimum:
            first += tuple(mixed_openings(self.limits, hand, self.minimum, most))
        melds, need = self.laid[self.side].melds, self.minimum
        return first, [*single, *sequence_plays(self.limits.sequences, melds, hand, need)]

    def plays_with_top(self) -> Iterable[Plays]:
        plays = super().plays_with_top()
        if not self.pile or self.pile_bound:
            return plays
        melds = self.laid[self.side].melds
        return [*plays_on_sequences(self.limits.sequences, melds, self.pile[-1]), *plays]

"""The state of a round of Samba, and what displays and opponents learn from it."""

from attrs import frozen

from engine.like_melds.cards import is_natural, is_red_three, is_wild
from engine.like_melds.melds import is_clean, is_complete
from engine.like_melds.state import LikeMeldsState
from engine.melds import Meld
from engine.moves import Cut, Pass, Play, TakeTop
from engine.samba.deck import SAMBA
from engine.samba.melds import CLOSED, OPEN, SambaMelds, is_samba
from engine.samba.options import SambaOptions
from engine.samba.values import opening_minimum
from engine.sentences import N_
from engine.slots import Shown, Side
from engine.table_status import Duty, MeldClass, PileState, PileStatus
from engine.turn import Step

_MELD_WORDS = {  # S40, S37
    MeldClass.CLEAN: N_("natural"),
    MeldClass.DIRTY: N_("mixed"),
    MeldClass.ROYAL: N_("samba"),
}
_COMPLETIONS = {
    MeldClass.CLEAN: N_("completes a natural canasta"),
    MeldClass.DIRTY: N_("completes a mixed canasta"),
    MeldClass.ROYAL: N_("completes a samba"),
}


@frozen(kw_only=True, slots=False)
class SambaState(LikeMeldsState):
    """A round of Samba, which has no fields of its own, but sequences among the melds."""

    deck = SAMBA
    melds = CLOSED
    bonus_duty = "S13"
    lacking = (Cut, TakeTop, Pass)
    letter = "S"
    meld_words = _MELD_WORDS
    completions = _COMPLETIONS
    steps = (Step.ANSWER, Step.DRAW, Step.PLAY, Step.OVER)
    options: SambaOptions

    @property
    def limits(self) -> SambaMelds:
        """Limits of the melds at this table."""
        return CLOSED if self.options.closed_sequences else OPEN

    @property
    def draws(self) -> int:
        return self.options.draw

    def opening_need(self, side: Side) -> int:
        return opening_minimum(self.totals[side])

    @property
    def duty(self) -> Duty | None:
        if self.turn.step is not Step.PLAY:
            return None
        hand = self.hand(self.turn.seat)
        threes = tuple([shown for shown in hand if self.is_bonus(shown.card)])
        return Duty(threes, self.bonus_duty) if threes else None

    @property
    def may_hold_bonus(self) -> bool:
        return True  # S13: they are laid in one's own turn

    # -- melds

    def meld_of(self, cards: tuple[Shown, ...]) -> Meld:
        return self.limits.new_meld(cards)

    def melds_after(self, side: Side, plays: tuple[Play, ...]) -> tuple[Meld, ...]:
        return self.limits.melds_after(self.laid[side].melds, plays)

    def meld_class(self, meld: Meld) -> MeldClass | None:
        if not is_complete(meld):
            return None
        if is_samba(meld):
            return MeldClass.ROYAL
        return MeldClass.CLEAN if is_clean(meld) else MeldClass.DIRTY

    def in_order(self, meld: Meld) -> tuple[Shown, ...]:
        if meld.rank is not None:
            return meld.cards
        return tuple(sorted(meld.cards, key=lambda shown: shown.card.rank))

    # -- the pile

    @property
    def pile_frozen(self) -> bool:
        """True if a wild card or a red three lies in the pile (S24)."""
        return any(is_wild(shown.card) or is_red_three(shown.card) for shown in self.pile)

    def pile_status(self, side: Side) -> PileStatus:
        if self.pile and not is_natural(self.pile[-1].card):
            return PileStatus(PileState.BLOCKED, self.turn.seat)  # S23
        if self.pile_frozen:
            return PileStatus(PileState.FROZEN)
        return PileStatus(PileState.FREE if self.laid[side].melds else PileState.UNOPENED)

    @property
    def pile_bound(self) -> bool:
        """True if the mover needs two cards of the hand for the pile (S24)."""
        return self.pile_frozen or not self.opened

    def may_take_pile(self) -> bool:
        if not self.pile or not is_natural(self.pile[-1].card):
            return False
        top, melds = self.pile[-1].card, self.laid[self.side].melds
        if not self.pile_bound and any(self.limits.takes(meld, top) for meld in melds):
            return True
        lying = [len(meld.cards) for meld in melds if meld.rank is top.rank]
        if any(size + 3 > CLOSED.largest for size in lying if size < CLOSED.largest):
            return False  # S27
        return self.may_hold(self.turn.seat, lambda card: card.rank is top.rank) >= 2

    # -- going out

    def may_go_out(self, side: Side) -> bool:
        return self.has_canastas(self.laid[side].melds)

    def has_canastas(self, melds: tuple[Meld, ...]) -> bool:
        """Return True if the melds have the canastas and sambas that going out takes (S51)."""
        return sum(map(is_complete, melds)) >= self.options.canastas

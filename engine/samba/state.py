"""The state of a round of Samba, and the answers that displays and opponents get from it."""

from attrs import frozen

from engine.like_melds.cards import freezes, is_natural, opening_minimum
from engine.like_melds.melds import is_clean, is_complete
from engine.like_melds.samba_family_round import ThreesInTurn
from engine.melds import Meld
from engine.position_facts import MeldClass, MeldWords, PileState, PileStatus
from engine.samba.constants import NEGATIVE_OPENING, OPENINGS
from engine.samba.deck import DECKS
from engine.samba.melds import CLOSED, OPEN, is_samba
from engine.samba.options import SambaOptions
from engine.sentences import N_
from engine.sequence_melds.beside_like import LikeOrInSequence
from engine.slots import Shown, Side

_MELD_WORDS = {  # S40, S37
    MeldClass.CLEAN: MeldWords(N_("natural"), N_("completes a natural canasta")),
    MeldClass.DIRTY: MeldWords(N_("mixed"), N_("completes a mixed canasta")),
    MeldClass.SPECIAL: MeldWords(N_("samba"), N_("completes a samba")),
}


@frozen(kw_only=True, slots=False)
class SambaState(ThreesInTurn):
    """The state of a round of Samba, which has sequences among its melds."""

    decks = DECKS
    turn_clause = "S10"
    bonus_duty = "S13"
    opening_clause = "S45"
    asking_clause = "S53"
    asking_early_clause = "S54"
    letter = "S"
    meld_words = _MELD_WORDS
    options: SambaOptions

    @property
    def limits(self) -> LikeOrInSequence:
        return CLOSED if self.options.closed_sequences else OPEN

    @property
    def draws(self) -> int:
        return self.options.draw

    def opening_need(self, side: Side) -> int:
        return opening_minimum(OPENINGS, NEGATIVE_OPENING, self.totals[side])

    # -- melds

    def meld_class(self, meld: Meld) -> MeldClass | None:
        if not is_complete(meld):
            return None
        if is_samba(meld):
            return MeldClass.SPECIAL
        return MeldClass.CLEAN if is_clean(meld) else MeldClass.DIRTY

    def in_order(self, meld: Meld) -> tuple[Shown, ...]:
        if meld.rank is not None:
            return meld.cards
        return tuple(sorted(meld.cards, key=lambda shown: shown.card.rank))

    # -- the pile

    @property
    def pile_frozen(self) -> bool:
        """True if a wild card or a red three lies in the pile (S24)."""
        return any(freezes(shown.card) for shown in self.pile)

    def pile_status(self, side: Side) -> PileStatus:
        if self.pile and not is_natural(self.pile[-1].card):
            return PileStatus(PileState.BLOCKED, self.turn.seat)  # S23
        if self.pile_frozen:
            return PileStatus(PileState.FROZEN)
        return PileStatus(PileState.FREE if self.laid[side].melds else PileState.UNOPENED)

    @property
    def pile_bound(self) -> bool:
        return self.pile_frozen or not self.opened  # S24

    def may_take_pile(self) -> bool:
        if self.pile and not self.pile_bound:
            top, melds = self.pile[-1].card, self.laid[self.side].melds
            if any(self.limits.takes(meld, top) for meld in melds):  # S21
                return True
        return super().may_take_pile()  # S27

    # -- going out

    def may_go_out(self, side: Side) -> bool:
        return self.has_canastas(self.laid[side].melds)

    def has_canastas(self, melds: tuple[Meld, ...]) -> bool:
        """Return True if the melds have the canastas and sambas needed to go out (S51)."""
        return not self.canastas_lacking(melds)

    def canastas_lacking(self, melds: tuple[Meld, ...]) -> int:
        """Return how many canastas and sambas these melds lack for going out (S51)."""
        return max(0, self.options.canastas - sum(map(is_complete, melds)))

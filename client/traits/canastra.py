"""Canastra as a table shows it."""

from client.traits.base import Mark, PileState, PileStatus, Traits
from engine.canastra.melding import melds_after, run_of
from engine.canastra.position import CanastraPosition
from engine.canastra.runs import Canastra
from engine.canastra.values import is_two
from engine.cards import Card
from engine.melds import Meld
from engine.moves import Play
from engine.slots import Shown, Side

_MARKS = {
    None: None,
    Canastra.CLEAN: Mark.CLEAN,
    Canastra.DIRTY: Mark.DIRTY,
    Canastra.REAL: Mark.ROYAL,
}


class CanastraTraits(Traits[CanastraPosition]):
    pile_is_open = True
    takes_pile_bare = True

    def is_wild(self, card: Card) -> bool:
        return is_two(card)

    def melds_after(
        self, position: CanastraPosition, side: Side, plays: tuple[Play, ...]
    ) -> tuple[Meld, ...]:
        return melds_after(position.laid[side].melds, plays)

    def mark(self, meld: Meld) -> Mark | None:
        return _MARKS[run_of(meld).canastra]

    def pile_status(self, position: CanastraPosition, side: Side) -> PileStatus:
        del position, side
        return PileStatus(PileState.FREE)

    def pile_seen(self, position: CanastraPosition) -> tuple[Shown, ...]:
        return position.pile[:-1]  # B14

    def deads(self, position: CanastraPosition) -> int:
        return len(position.deads)

    def in_order(self, meld: Meld) -> tuple[Shown, ...]:
        places = {card.number: place for place, card in enumerate(run_of(meld).cards)}
        return tuple(sorted(meld.cards, key=lambda shown: places[shown.card.number]))

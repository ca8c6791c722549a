"""Kanastic as a table shows it."""

from client.traits.base import Mark, Opening, PileState, PileStatus, Taking, Traits
from engine.cards import Card
from engine.kanastic.golden_suits import is_complete_suit
from engine.kanastic.melding import melds_after
from engine.kanastic.melds import is_complete, is_mixed
from engine.kanastic.position import KanasticPosition
from engine.kanastic.values import is_pot, is_stop, is_wild, points_of, stage_of
from engine.melds import Meld
from engine.moves import Play
from engine.slots import Seat, Side, cards_of


class KanasticTraits(Traits[KanasticPosition]):
    def is_wild(self, card: Card) -> bool:
        return is_wild(card)

    def is_bonus(self, card: Card) -> bool:
        return is_pot(card)

    def melds_after(
        self, position: KanasticPosition, side: Side, plays: tuple[Play, ...]
    ) -> tuple[Meld, ...]:
        melds = position.laid[side].melds
        return melds_after(melds, plays, distinct_suits=position.options.distinct_suits)

    def mark(self, meld: Meld) -> Mark | None:
        if not is_complete(meld):
            return None
        if is_mixed(meld):
            return Mark.DIRTY
        return Mark.ROYAL if is_complete_suit(meld) else Mark.CLEAN

    def pile_status(self, position: KanasticPosition, side: Side) -> PileStatus:
        del side
        if len(position.discards) == 1:  # K23: nobody takes the first one
            return PileStatus(PileState.BLOCKED, position.turn.seat)
        # K75: the newest stop card that still counts was discarded `back` seats ago.
        recent = position.discards[: -position.seats : -1]
        for back, card in enumerate(recent, start=1):
            if is_stop(card):
                until = Seat((position.turn.seat - back) % position.seats)
                return PileStatus(PileState.BLOCKED, until)
        return PileStatus(PileState.FREE)

    def opening(
        self, position: KanasticPosition, side: Side, plays: tuple[Play, ...]
    ) -> Opening | None:
        if position.laid[side].melds:
            return None
        stage = stage_of(position.totals[side])
        cards = cards_of(shown for play in plays for shown in play.cards)
        return Opening(points_of(cards), stage.points, sum(map(is_wild, cards)), stage.wilds)

    def taking(self, position: KanasticPosition) -> Taking:
        return Taking.PILE if position.opened else Taking.TOP

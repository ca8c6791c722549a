"""Whose turn it is, what the round waits for, and which moves belong there."""

from collections.abc import Mapping
from enum import Enum

from attrs import frozen

from engine.moves import (
    Answer,
    Ask,
    Cut,
    Discard,
    DrawStock,
    LayMelds,
    Move,
    Pass,
    ShowBonus,
    TakePile,
    TakeTop,
)
from engine.slots import Seat, Slot


class Step(Enum):
    """What the round waits for; the value completes the sentence "It is the moment to ..."."""

    DEAL = "shuffle and deal"
    CUT = "cut the deck"
    SHOW = "lay dealt bonus cards on the table"
    OPEN = "make the round's first discard"
    DRAW = "draw"
    PLAY = "meld or discard"
    ANSWER = "answer one's partner"
    OVER = "open the hands and count"


MOVES_OF_STEP: Mapping[Step, tuple[type[Move], ...]] = {
    Step.DEAL: (),
    Step.CUT: (Cut,),
    Step.SHOW: (ShowBonus,),
    Step.OPEN: (Discard,),
    Step.DRAW: (DrawStock, TakePile, TakeTop, Pass),
    Step.PLAY: (ShowBonus, LayMelds, Ask, Discard, Pass),
    Step.ANSWER: (Answer,),
    Step.OVER: (),
}


@frozen
class Turn:
    """Whose turn it is and what has happened in it.

    `drawn` are the slots that came from the stock in this turn; `took` tells that the whole
    pile was taken; `fresh` that the side had no meld when the turn began; `asked` that the partner
    was asked, and `answer` what he said.
    """

    seat: Seat
    step: Step
    drawn: tuple[Slot, ...] = ()
    took: bool = False
    fresh: bool = True
    asked: bool = False
    answer: bool | None = None

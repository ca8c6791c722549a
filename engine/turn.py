"""Whose turn it is, what the round waits for, and which moves belong there."""

from collections.abc import Mapping
from enum import Enum

from attrs import frozen

from engine.copy_with_changes import CopyWithChanges
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
from engine.sentences import N_
from engine.slots import Seat, Slot


class Step(Enum):
    """What the round waits for; the value completes the sentence "It is the moment to ..."."""

    DEAL = N_("shuffle and deal")
    CUT = N_("cut the deck")
    SHOW = N_("lay dealt bonus cards on the table")
    OPEN = N_("make the round's first discard")
    DRAW = N_("draw")
    PLAY = N_("meld or discard")
    ANSWER = N_("answer one's partner")
    OVER = N_("open the hands and count")


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


@frozen(slots=False)
class Turn(CopyWithChanges):
    """Whose turn it is and what has happened in it.

    `drawn` are the slots that came from the stock in this turn; `took` tells that the whole
    pile was taken; `fresh` that the side had no meld when the turn began; `asked` that the partner
    was asked, and `answer` what they said.
    """

    seat: Seat
    step: Step
    drawn: tuple[Slot, ...] = ()
    took: bool = False
    fresh: bool = True
    asked: bool = False
    answer: bool | None = None


@frozen
class AskedHand:
    """What `seat` held when its partner let it go out, and how many cards each meld of its side
    had.
    """

    seat: Seat
    held: tuple[Slot, ...]
    laid: tuple[int, ...]

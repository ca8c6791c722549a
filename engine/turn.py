"""The turn: the seat, the step that the round waits for, and the moves that belong to each step."""

from collections.abc import Mapping
from enum import Enum

from attrs import frozen

from engine import moves
from engine.copy_with_changes import CopyWithChanges
from engine.sentences import N_
from engine.slots import Seat, Slot


class Step(Enum):
    """A step that the round waits for.

    The value completes the sentence "It is the moment to ...".
    """

    DEAL = N_("shuffle and deal")
    CUT = N_("cut the deck")
    SHOW = N_("lay dealt bonus cards on the table")
    OPEN = N_("make the round's first discard")
    DRAW = N_("draw")
    PLAY = N_("meld or discard")
    ANSWER = N_("answer one's partner")
    OVER = N_("open the hands and count")


MOVES_OF_STEP: Mapping[Step, tuple[type[moves.Move], ...]] = {
    Step.DEAL: (),
    Step.CUT: (moves.Cut,),
    Step.SHOW: (moves.ShowBonus,),
    Step.OPEN: (moves.Discard,),
    # A pass belongs to two steps: without a stock a player need not take the pile (C89), and after
    # a red three that nothing replaces a player may have no legal discard (C90a).
    Step.DRAW: (moves.DrawStock, moves.TakePile, moves.TakeTop, moves.Pass),
    Step.PLAY: (moves.ShowBonus, moves.LayMelds, moves.Ask, moves.Discard, moves.Pass),
    Step.ANSWER: (moves.Answer,),
    Step.OVER: (),
}


@frozen(slots=False)
class Turn(CopyWithChanges):
    """The seat whose turn it is, and what has happened in the turn."""

    seat: Seat
    step: Step
    drawn: tuple[Slot, ...] = ()
    """Slots that came from the stock in this turn."""
    took: bool = False
    """True if the seat took the whole pile in this turn."""
    fresh: bool = True
    """True if the side had no meld when the turn began."""
    asked: bool = False
    """True if the seat asked its partner "May I go out?"."""
    answer: bool | None = None
    """The partner's answer; None if there is none yet."""


@frozen
class AskedHand:
    """The hand of `seat` at the moment when its partner answered its question with yes."""

    seat: Seat
    held: tuple[Slot, ...]
    """Slots of the hand."""
    laid: tuple[int, ...]
    """Number of cards in each meld of the side."""

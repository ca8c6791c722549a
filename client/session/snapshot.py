"""What passes between a place at a table and what shows it: snapshots one way, decisions the other.

All of these are values, which may be handed to another thread.
"""

from enum import Enum

from attrs import frozen

from client.session.absence import Absence, Proposal
from engine.moves import Move
from engine.position import Position
from engine.score_sheet import ScoreSheet
from engine.sentences import Sentence
from protocol.errors import Exposed
from protocol.state import State


class Saving(Enum):
    """The wish to have a file."""

    RECORD = "record"


Decision = tuple[Move, ...] | Proposal | Saving
"""What a person decides: moves to be made one after the other, what becomes of an absence, or that
the record so far goes into a file.
"""


@frozen
class Fairness:
    """What was checked and held in a round."""

    shuffles: int
    unlockings: int
    faces: int
    signatures: int


@frozen
class Ended:
    """A counted round: its sheet, the match points with it, and how all hands were opened."""

    number: int
    sheet: ScoreSheet
    totals: tuple[int, ...]
    position: Position
    fairness: Fairness


@frozen
class Snapshot:
    """What one's own place knew at one moment. `log` ends with the newest of `said` lines."""

    state: State
    view: Position | None
    me: int
    chooses: bool
    log: tuple[str, ...] = ()
    said: int = 0
    ended: Ended | None = None
    exposed: Exposed | None = None
    absence: Absence | None = None
    dismissed: bool = False
    trouble: Sentence | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """By player."""
        return tuple(member.name for member in self.state.charter.members)

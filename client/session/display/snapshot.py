"""Values between a seat's node and its display: snapshots one way, decisions the other.

All are immutable, and may be passed to another thread.
"""

from enum import Enum, auto

from attrs import frozen

from client.session.display.absence import Absence
from client.session.display.pile_events import NOTHING_SEEN, PileEvents
from engine.moves import Move
from engine.position import Position
from engine.score_sheet import ScoreSheet
from engine.sentences import Sentence
from engine.slots import Seat
from p2p.table.asides import AsideCode
from p2p.transport.spectator_messages import Spectator
from protocol.deal_of_the_day import day_of
from protocol.errors import Exposed
from protocol.match.messages import Wish
from protocol.state import State


class AfterMatch(Enum):
    """A choice after a match; LEAVE can be chosen during the match, too."""

    LEAVE = auto()
    AGAIN = auto()
    OTHER_SEATS = auto()


@frozen
class LogLine:
    """A line of the log: a sentence about an action, or the heading of a round."""

    text: str
    who: str = ""
    """The player who acts; "" for none."""
    heading: bool = False
    """True for the heading of a round."""
    aside: bool = False
    """True if the line is about something beside the game, such as a phrase that another player
    said, or a spectator who came.
    """

    @property
    def sentence(self) -> str:
        """Return the line as one sentence, with the player's name."""
        return f"{self.who} {self.text}" if self.who else self.text


class Saving(Enum):
    """The request to write the record so far to a file."""

    RECORD = "record"


class Resolve(Enum):
    """A decision about a missing player that is not a `Wish`."""

    JOIN = "join"
    """Join the proposal of another player."""
    GIVE_UP = "give up"
    """Give up a match that rests, for good."""


@frozen
class BarSpectator:
    """The request to bar the spectator with this key from watching."""

    key: bytes


TableDecision = tuple[Move, ...] | Wish | Resolve | Saving | AsideCode | BarSpectator
"""A decision of a person.

It is one of these:

- moves, to be made one after the other;
- a way to go on without a missing player;
- a request to write the record to a file;
- something to say to the others;
- a request to bar a spectator.
"""


@frozen
class Fairness:
    """Numbers of checks in a round, by kind; all checks have passed."""

    shuffles: int
    unlockings: int
    faces: int
    signatures: int


@frozen
class CountedRound:
    """A counted round: its score sheet, the match points by side, the position, and the checks.

    The position is the last one, with all hands open. If the round was `interrupted`, it is the
    position in which it stopped.
    """

    number: int
    sheet: ScoreSheet
    totals: tuple[int, ...]
    position: Position
    fairness: Fairness
    interrupted: bool = False


@frozen
class LessonNote:
    """The learner's current step in a lesson."""

    number: int
    steps: int
    """The number of all steps."""
    idea: Sentence
    """A sentence that explains the step."""
    clause: str
    """The number of the clause that the step teaches."""
    move: Move | None = None
    """The move to make; None while others play, and at the end."""


@frozen
class Snapshot:
    """The table as a seat's node knew it at one moment."""

    state: State
    view: Position | None
    me: int
    """The player in the seat; for a spectator, the player from whose side they see the table."""
    chooses: bool
    log: tuple[LogLine, ...] = ()
    """The newest lines of the log, the newest last."""
    said: int = 0
    """The number of all lines of the log so far."""
    rounds: tuple[CountedRound, ...] = ()
    events: PileEvents = NOTHING_SEEN
    """The public events of the current round."""
    exposed: Exposed | None = None
    absence: Absence | None = None
    left_out: bool = False
    """True if the others have gone on without this player."""
    given_up: bool = False
    """True if this player has given up the match."""
    trouble: Sentence | None = None
    watching: bool = False
    """True if the snapshot is for a spectator."""
    spectators: tuple[Spectator, ...] = ()
    """All people who watch."""
    lesson: LessonNote | None = None
    """The current step of a lesson, if the player is a learner."""

    @property
    def last_counted(self) -> CountedRound | None:
        """Return the round that was counted last; None if no round has been counted."""
        return self.rounds[-1] if self.rounds else None

    @property
    def names(self) -> tuple[str, ...]:
        """Return the players' names, by player number."""
        return tuple(member.name for member in self.state.charter.members)

    @property
    def has_day(self) -> bool:
        """Return True if the match plays the deal of a day."""
        return bool(day_of(self.state.charter))

    @property
    def seat_names(self) -> tuple[str, ...]:
        """Return the players' names, by seat; () before seats are known."""
        match = self.state.match
        if match.round is None:
            return ()
        return tuple(self.names[match.player_at(Seat(seat))] for seat in range(match.round.seats))

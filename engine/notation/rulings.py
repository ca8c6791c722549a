"""Rulings of the referee: on a line, and on a case."""

from enum import Enum

from attrs import frozen

from engine.errors import NotationError
from engine.score_sheet import ScoreSheet
from engine.sentences import Sentence


class RulingVerdict(Enum):
    """The verdict on a line; each value is the word that the notation has for it."""

    LEGAL = "legal"
    ILLEGAL = "illegal"
    UNDECIDED = "undecided"
    """The verdict depends on facts that the position does not state."""
    ANSWERED = "answered"
    """The published rules of the game answer the dispute."""
    SILENT = "silent"
    """The published rules of the game do not answer the dispute; our own rules do."""


@frozen
class Expectation:
    """An expected ruling, and the actual one."""

    text: str
    met: bool | None
    """True if the ruling is as expected; None if the ruling is undecided."""
    found: str = ""
    """The actual ruling."""


@frozen
class Ruling:
    """The verdict of the rules on one line, with its reasons and the position after it."""

    case: str
    line: int
    text: str
    verdict: RulingVerdict
    clause: str = ""
    """The clause that makes a line illegal, or that answers a dispute."""
    why: Sentence | None = None
    """The reason why a line is illegal."""
    after: Sentence | None = None
    """The state after a legal line, or the answer to a dispute."""
    say: tuple[Sentence, ...] = ()
    """For an undecided line, the lines to add to the position so that it is decided."""
    hint: Sentence | None = None
    """A move to make instead."""
    sheet: ScoreSheet | None = None
    """The score, if the line ends the round."""
    position: str = ""
    """The position afterwards as text; "" while cards are being dealt."""
    expectations: tuple[Expectation, ...] = ()

    @property
    def legal(self) -> bool:
        """True if the line is legal."""
        return self.verdict is RulingVerdict.LEGAL


@frozen
class CaseReport:
    """The rulings of one case up to its first bad line."""

    name: str
    line: int
    rulings: tuple[Ruling, ...]
    problem: NotationError | None = None
    """The error in the first bad line."""
    position: str = ""
    """The position at the end as text."""

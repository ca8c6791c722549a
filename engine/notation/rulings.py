"""What the referee says: of a line, and of a case."""

from enum import Enum

from attrs import frozen

from engine.errors import NotationError
from engine.score_sheet import ScoreSheet
from engine.sentences import Sentence


class Verdict(Enum):
    """What a line comes to; the value is the word for it."""

    LEGAL = "legal"
    ILLEGAL = "illegal"
    UNDECIDED = "undecided"
    ANSWERED = "answered"
    SILENT = "silent"


@frozen
class Expectation:
    """What a file expects of a ruling, whether it has come (None: that is undecided), and what has
    come instead.
    """

    text: str
    met: bool | None
    found: str = ""


@frozen
class Ruling:
    """What the rules say of one line.

    A legal line has the state `after` it, an illegal one the `clause` and `why`, an undecided one
    in `say` the lines that would decide it, and a dispute its answer in `after`. `hint` tells what
    to do instead, `sheet` has the score where the line ends the round, and `position` is what lies
    where afterwards, as text; "" while cards are being dealt.
    """

    case: str
    line: int
    text: str
    verdict: Verdict
    clause: str = ""
    why: Sentence | None = None
    after: Sentence | None = None
    say: tuple[Sentence, ...] = ()
    hint: Sentence | None = None
    sheet: ScoreSheet | None = None
    position: str = ""
    expectations: tuple[Expectation, ...] = ()

    @property
    def legal(self) -> bool:
        return self.verdict is Verdict.LEGAL


@frozen
class CaseReport:
    """The rulings of one case up to its first bad line, what is wrong with that line, and the
    position at the end as text.
    """

    name: str
    line: int
    rulings: tuple[Ruling, ...]
    problem: NotationError | None = None
    position: str = ""

"""Files of cases for the referee, divided into cases.

A bad line spoils only the case it stands in. `Case.problem` is the first bad line that can be found
without judging a move.
"""

from collections.abc import Iterator

from attrs import define, field, frozen

from engine.errors import NotationError
from engine.games import GAMES
from engine.notation.similar_words import unknown_word
from engine.sentences import Sentence

MOST_LINES = 100_000

JUDGED = ("try", "play", "deal", "count", "drawn", "dispute", "expect")
"""First words of lines that the referee judges."""

NumberedLines = tuple[tuple[int, str], ...]
"""Lines without their comments, each with its number in the file."""


@frozen
class Case:
    """One case of a file."""

    name: str
    line: int
    """Number of the case's first line."""
    stated: NumberedLines
    """Lines that state the position."""
    judged: NumberedLines
    """Lines for the referee to judge."""
    problem: tuple[int, NotationError] | None = None
    """The number and the error of the first bad line that was found; None if there is none."""


@define
class _Draft:
    """A case, as far as it has been read."""

    name: str
    line: int
    stated: list[tuple[int, str]] = field(factory=list)
    judged: list[tuple[int, str]] = field(factory=list)
    problem: tuple[int, NotationError] | None = None

    def spoil(self, number: int, error: NotationError) -> None:
        """Note a problem, unless there is an earlier one: only the first is shown."""
        self.problem = self.problem or (number, at_line(number, error))

    def done(self, count: int) -> Case | None:
        """Return the case, the `count`-th of its file; None if nothing is stated."""
        if not (self.stated or self.problem):
            return None
        name = self.name or f"case {count}"
        return Case(name, self.line, tuple(self.stated), tuple(self.judged), self.problem)


def read_cases(text: str) -> tuple[Case, ...]:
    """Return the cases of a file.

    A case begins with a line `case NAME`, or, after lines to judge, with the name of a game. Lines
    `note ...` are for people and are skipped. Raises NotationError for a file that has no case or
    is too long.
    """
    cases: list[Case] = []
    draft = _Draft("", 1)
    # A case is over when the next one begins, so one more line `case` is added after the last one.
    for number, line, problem in (*_lines(text), (0, "case", None)):
        word, _, rest = line.partition(" ")
        word = word.lower()
        # A note with a bad character is a bad line like any other, and is not skipped.
        if word == "note" and problem is None:
            continue
        if word == "case" or (draft.judged and word in GAMES):
            if case := draft.done(1 + len(cases)):
                cases.append(case)
            draft = _Draft(rest.strip() if word == "case" else "", number)
        if problem is not None:
            draft.spoil(number, problem)
        elif word in JUDGED:
            if not draft.stated:
                draft.spoil(
                    number,
                    NotationError(
                        "a case begins with a position, and a position begins with a game "
                        "and the number of players: canasta 4."
                    ),
                )
            draft.judged.append((number, line))
        elif draft.judged:
            draft.spoil(number, _misplaced(word))
        elif word != "case":
            draft.stated.append((number, line))
    if not cases:
        raise NotationError("There is no case in this file: state a position, and moves to try.")
    return tuple(cases)


def at_line(number: int, error: Exception) -> NotationError:
    """Return the error with the number of its line."""
    why = error.sentence if isinstance(error, NotationError) else str(error)
    return NotationError("Line {line}: {error}", line=number, error=why)


def numbered_lines(text: str) -> Iterator[tuple[int, str]]:
    r"""Return an iterator over the lines that have content, without comments and outer blanks.

    Notes keep a #, because they may hold names of people. Raises NotationError.

    >>> list(numbered_lines("canasta 4  # ours\n\ntry draw"))
    [(1, 'canasta 4'), (3, 'try draw')]
    """
    for number, line, problem in _lines(text):
        if problem is not None:
            raise at_line(number, problem)
        yield number, line


def _lines(text: str) -> Iterator[tuple[int, str, NotationError | None]]:
    """Return the lines as `numbered_lines` does, each with its error if it has one."""
    lines = text.replace("\r\n", "\n").split("\n")
    if len(lines) > MOST_LINES:
        raise NotationError("A file of cases has at most {most} lines.", most=MOST_LINES)
    for number, raw in enumerate(lines, 1):
        line = raw.replace("\t", " ")
        problem = None
        if not line.isprintable():
            problem = NotationError("there is a character that cannot be printed.")
            line = "".join(letter for letter in line if letter.isprintable())
        note = line.lower().startswith("note ")
        if said := (line if note else line.partition("#")[0]).strip():
            yield number, said, problem
        elif problem is not None:
            # Nothing of the line is left, but its problem must be told. As no line begins with `?`,
            # the reader can only refuse it.
            yield number, "?", problem


def _misplaced(word: str) -> NotationError:
    """Return the error for a line that follows a judged line and is not to be judged itself."""
    why = Sentence(
        "A line after moves must begin with one of the words {words}. For another "
        "position, begin a new case with the line “case”, or with the name of a game.",
        words=", ".join(JUDGED),
    )
    return unknown_word(why, word, (*JUDGED, "case", *GAMES))

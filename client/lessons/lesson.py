"""A lesson as data: a position, and the moves of a round, some of them with an explanation.

A lesson is a text in the notation of the referee's cases (`spec/notation.md`, "Positions"). After
the position it has lines of these kinds:

    step C17                      begins a step, in which the learner moves; it teaches this clause
    say Every turn begins ...     the idea of the step; several lines make one text
    else Not yet: ...             the answer to any other legal move
    else take The pile ...        the answer to a legal move that begins with this word
    do draw                       the move that the step asks for
    play 2 discard 5h             a move that the script makes for seat 2
    deal 9c                       the cards that are dealt or drawn after the move above
    end C92                       begins the end, after the count of the round; only `say` follows

`decode` refuses lines of any other kind.

The learner has seat 1. The script makes a move for seat 1 only where there is nothing to choose:
`play 1 show 3h`.

In the texts `{Kh}` is a card, and `{seat2}` the name of the player in seat 2. Texts are English,
and the catalogs translate them.
"""

import os
import re
from collections.abc import Mapping
from string import Formatter

from attrs import define, evolve, field, frozen

from engine.game import Game
from engine.games import GAMES
from engine.notation.case_files import numbered_lines
from engine.notation.position_reader import read_with_words
from engine.notation.position_writer import game_of
from engine.position import Position
from engine.sentences import Sentence, Value

_CLAUSE = re.compile(r"[A-Z]\d{1,3}[a-z]?")


@frozen
class Text:
    """A text of a lesson, in English. `cards` are the cards that it names, by their codes."""

    english: str
    cards: Mapping[str, Value]

    def sentence(self, names: tuple[str, ...]) -> Sentence:
        """Return the text with these names of players, which are in the order of the seats."""
        seats = {f"seat{number}": name for number, name in enumerate(names, start=1)}
        return Sentence(self.english, **seats, **self.cards)


@frozen
class Step:
    """A step that the learner takes."""

    clause: str
    """Number of the clause that the step teaches."""
    idea: Text
    """The text that the learner reads before the move."""
    instead: Mapping[str, Text]
    """Answers to other legal moves, by the first word of the move; "" is for all other words."""

    def answer(self, word: str) -> Text:
        """Return the answer to a legal move other than the one that the step asks for."""
        return self.instead.get(word, self.instead[""])


@frozen
class ScriptedMove:
    """A move of the round: one with a `step` is made by the learner, any other by the script."""

    text: str
    dealt: tuple[tuple[str, ...], ...] = ()
    """Cards that are dealt or drawn after the move: a tuple of codes for each `deal` line."""
    step: Step | None = None


@frozen
class Lesson:
    """A whole lesson. The learner sits at seat 1."""

    position: Position
    moves: tuple[ScriptedMove, ...]
    end: Step
    """The last step, after the count of the round: it has a text, and no move."""

    @property
    def game(self) -> Game:
        """The game that is taught."""
        return game_of(self.position)

    @property
    def steps(self) -> tuple[Step, ...]:
        """All steps; the last one is the end."""
        return (*(move.step for move in self.moves if move.step is not None), self.end)


def taught() -> tuple[Game, ...]:
    """Return the games that have a lesson."""
    return tuple(game for game in GAMES.values() if os.path.exists(_path(game)))


def read_lesson(game: Game) -> Lesson:
    """Return the lesson of a game that has one."""
    with open(_path(game), encoding="utf-8") as file:
        return decode(file.read())


def _path(game: Game) -> str:
    return os.path.join(os.path.dirname(__file__), "data", f"{game.name}.txt")


def decode(text: str) -> Lesson:
    """Return the lesson that a text describes.

    Raises NotationError for a bad position, and ValueError with the number of any other bad line.
    """
    lines = list(numbered_lines(text))
    begins = next(
        (at for at, (_, line) in enumerate(lines) if line.startswith("step ")), len(lines)
    )
    position, _words = read_with_words(lines[:begins])
    reader = _Reader(position)
    for number, line in lines[begins:]:
        try:
            reader.take(*line.partition(" ")[::2])
        except ValueError as error:
            raise ValueError(f"line {number}: {error}") from error
    return reader.lesson()


@define
class _Reader:
    """A reader of the lines after the position."""

    position: Position
    moves: list[ScriptedMove] = field(factory=list)
    step: Step | None = None
    """The step, as far as it has been read; None between steps."""
    is_end: bool = False
    """True if `step` is the end of the lesson."""

    def take(self, word: str, rest: str) -> None:
        """Take the next line, or raise ValueError."""
        step, rest = self.step, rest.strip()
        match word:
            case "step" | "end" if step is None and _CLAUSE.fullmatch(rest):
                self.step, self.is_end = Step(rest, _NO_TEXT, {}), word == "end"
            case "say" if step is not None and rest and not step.instead:
                self.step = evolve(step, idea=self._longer(step.idea, rest))
            case "else" if step is not None and step.idea.english and rest and not self.is_end:
                first, _, others = rest.partition(" ")
                kind, said = (first, others) if first in _KINDS else ("", rest)
                answer = self._longer(step.instead.get(kind, _NO_TEXT), said)
                self.step = evolve(step, instead={**step.instead, kind: answer})
            case "do" if step is not None and "" in step.instead and rest:
                self.moves.append(ScriptedMove(rest, step=step))
                self.step = None
            case "play" if step is None and rest:
                self.moves.append(ScriptedMove(rest))
            case "deal" if step is None and rest:
                last = self.moves[-1]
                dealt = (*last.dealt, tuple(rest.split()))
                self.moves[-1] = evolve(last, dealt=dealt)
            case _:
                raise ValueError(f"{word!r} is not expected here")

    def lesson(self) -> Lesson:
        """Return the lesson that was read. Raises ValueError if its end is missing."""
        if self.step is None or not self.is_end or not self.step.idea.english:
            raise ValueError("a lesson must end with an `end` line and a `say` line")
        return Lesson(self.position, tuple(self.moves), self.step)

    def _longer(self, text: Text, more: str) -> Text:
        """Return `text` with the line `more` added, and with all cards that the longer text names.

        Raises ValueError for a field that is neither a card nor a seat.
        """
        english = f"{text.english} {more}".strip()
        fields = {name for _, name, _, _ in Formatter().parse(english) if name is not None}
        faces = {card.code: card for card in self.position.deck}
        seats = {f"seat{number}" for number in range(1, self.position.seats + 1)}
        if unknown := sorted(fields - faces.keys() - seats):
            raise ValueError(f"there is no card and no seat {unknown[0]!r}")
        return Text(english, {name: faces[name] for name in fields - seats})


_NO_TEXT = Text("", {})
_KINDS = frozenset(("draw", "take", "top", "meld", "discard", "ask", "yes", "no", "pass"))
"""Words with which the notation of a move begins."""

"""All histories that a stated position may have, if its lines leave that open.

Most facts that no line states have a default that `spec/notation.md` names, or follow from the
rest. The others are questions (`engine.own_lines`): each choice of answers gives a
position of its own. The referee tries a move in all of these positions, and asks for the missing
line if the move is legal only in some of them.
"""

from itertools import product

from attrs import evolve, frozen

from engine.position import Position
from engine.sentences import Sentence

Answers = tuple[int, ...]
"""For each question the number of an answer; 0 is the default of the notation."""


@frozen
class PossibleHistories:
    """A position for each choice of answers."""

    positions: dict[Answers, Position]
    questions: tuple[Sentence, ...] = ()
    """For each question the line to write in order to settle it."""


def possible_histories(position: Position, stated: frozenset[str]) -> PossibleHistories:
    """Return the positions for all choices of answers to the questions that are open.

    `stated` are the words of the lines that the position has, and with "turn " before them the
    words of the line `turn`.
    """
    questions = () if position.orders else tuple(position.unstated_facts(stated))
    positions = {}
    for answers in product(*(range(len(question.answers)) for question in questions)):
        answered = position
        for question, number in zip(questions, answers, strict=True):
            answered = evolve(answered, **question.answers[number])
        positions[answers] = answered
    return PossibleHistories(positions, tuple(question.say for question in questions))

"""All that may have happened before a stated position, where its lines leave that open.

Most of what no line tells has a default that `spec/notation.md` names, or follows from the rest.
What is left are questions (`engine.notation.unstated_facts`): each choice of answers is a position
of its own. The referee tries a move in all of them, and asks where it is legal in some only.
"""

from itertools import product

from attrs import evolve, frozen

from engine.position import Position
from engine.sentences import Sentence

Answers = tuple[int, ...]
"""For each question the number of an answer; 0 is that of the notation's default."""


@frozen
class PossibleHistories:
    """A position for each choice of answers, and what to say for each question to settle it."""

    positions: dict[Answers, Position]
    questions: tuple[Sentence, ...] = ()


def possible_histories(position: Position, stated: frozenset[str]) -> PossibleHistories:
    """All that may have happened; `stated` are the words of the lines that the position has, and
    with "turn " before them the words of the line `turn`.
    """
    questions = () if position.orders else tuple(position.unstated_facts(stated))
    positions = {}
    for answers in product(*(range(len(question.answers)) for question in questions)):
        answered = position
        for question, number in zip(questions, answers, strict=True):
            answered = evolve(answered, **question.answers[number])
        positions[answers] = answered
    return PossibleHistories(positions, tuple(question.say for question in questions))

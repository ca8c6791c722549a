"""All histories that a stated position may have, if its lines leave some facts open.

If no line states a fact, it usually follows from the other lines, or has a default in
`spec/notation.md`. Otherwise the fact becomes a question (`engine.own_lines`). Each choice of
answers to all questions gives one position. The referee tries a move in all of these positions, and
asks for the missing line if the move is legal only in some of them.
"""

from itertools import product

from attrs import evolve, frozen

from engine.position import Position
from engine.sentences import Sentence

Answers = tuple[int, ...]
"""The number of the chosen answer to each question; 0 is the default of the notation."""


@frozen
class PossibleHistories:
    """The possible positions, one for each choice of answers."""

    positions: dict[Answers, Position]
    questions: tuple[Sentence, ...] = ()
    """For each question, the line that would settle it."""


def possible_histories(position: Position, stated: frozenset[str]) -> PossibleHistories:
    """Return the positions for all choices of answers to the questions that are open.

    `stated` has the first word of each line. For the line `turn` it also has each further word, in
    the form "turn drew".
    """
    questions = () if position.orders else tuple(position.unstated_facts(stated))
    positions = {}
    for answers in product(*(range(len(question.answers)) for question in questions)):
        answered = position
        for question, number in zip(questions, answers, strict=True):
            answered = evolve(answered, **question.answers[number])
        positions[answers] = answered
    return PossibleHistories(positions, tuple(question.say for question in questions))

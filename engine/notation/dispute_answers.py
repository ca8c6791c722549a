"""Disputes about something that is not a move, put to the referee.

The answer is a rule from the text of the game, or says that the text has no such rule.
"""

from engine.notation.position_writer import game_of
from engine.notation.rulings import RulingVerdict
from engine.notation.similar_words import unknown_word
from engine.position import Position
from engine.sentences import Sentence


def answer(position: Position, topic: str) -> tuple[RulingVerdict, str, Sentence]:
    """Return the verdict on a dispute, the clause of our rules, and the answer in short.

    Raises NotationError for an unknown topic.
    """
    answers = game_of(position).answers
    word = topic.strip().lower()
    if word not in answers:
        why = Sentence("One can ask about: {topics}.", topics=", ".join(answers))
        raise unknown_word(why, word, answers)
    found = answers[word]
    return RulingVerdict.ANSWERED if found.says else RulingVerdict.SILENT, found.clause, found.short

"""What the lines of a position may leave open: questions about what happened before it.

Each question has several answers; the first one changes nothing, for it is the notation's default.
A game names its own questions (`RoundState.unstated_facts`).
"""

from collections.abc import Mapping
from typing import Any

from attrs import frozen

from engine.sentences import Sentence

Changes = Mapping[str, Any]
"""Fields of a position with the values that an answer gives them."""


@frozen
class UnstatedFact:
    """`say` is the line, with words on what to write in it, that answers the question."""

    say: Sentence
    answers: tuple[Changes, ...]

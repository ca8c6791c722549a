"""Questions about the past of a position that its lines may leave open.

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
    """A question about the past of a position."""

    say: Sentence
    """The line that answers the question, with words on what to write in it."""
    answers: tuple[Changes, ...]
    """The changes that each answer makes."""

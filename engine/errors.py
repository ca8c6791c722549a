"""Errors that the rules and the notation raise."""

from engine.sentences import Sentence, SentenceError, Value


class EngineError(SentenceError):
    """Base of all refusals of the engine."""


class IllegalMove(EngineError):
    """A move that the rules forbid in this position.

    `clause` is the number of the broken clause in `spec/` ("C26"), `sentence` gives the reason.
    """

    def __init__(self, clause: str, text: str | Sentence, /, **values: Value) -> None:
        super().__init__(text, **values)
        self.clause = clause

    def __str__(self) -> str:
        return f"{self.sentence} [{self.clause}]"


class InvalidOption(EngineError):
    """A table option that does not exist, or a value that the option cannot have."""


class NotationError(EngineError):
    """A text that is not written as the notation asks."""


class CardNotThere(NotationError):
    """A text in correct notation that takes a card from a place where it does not lie."""

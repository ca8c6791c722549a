"""What the rules say when they say no."""

from engine.sentences import Sentence, SentenceError, Value


class EngineError(SentenceError):
    """Any refusal of the engine."""


class IllegalMove(EngineError):
    """A move that the rules forbid in this position.

    `clause` is the number of the broken clause in `spec/` ("C26"), `sentence` says why.
    """

    def __init__(self, clause: str, text: str | Sentence, /, **values: Value) -> None:
        super().__init__(text, **values)
        self.clause = clause

    def __str__(self) -> str:
        return f"{self.sentence} [{self.clause}]"


class InvalidOption(EngineError):
    """A table option that does not exist, or a value that it cannot have."""


class NotationError(EngineError):
    """A text that is no move in the notation of moves."""


class CardNotThere(NotationError):
    """A text that names a card which is not where it would have to be: no fault of notation."""

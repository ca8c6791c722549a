"""What the rules say when they say no."""


class EngineError(Exception):
    """Any refusal of the engine; `str()` of it is a sentence for people."""


class IllegalMove(EngineError):
    """A move that the rules forbid in this position.

    `clause` is the number of the broken clause in `spec/` ("C26"), `why` one sentence.
    """

    def __init__(self, clause: str, why: str) -> None:
        super().__init__(f"{why} [{clause}]")
        self.clause = clause
        self.why = why


class InvalidOption(EngineError):
    """A table option that does not exist, or a value that it cannot have."""


class NotationError(EngineError):
    """A text that is no move in the notation of moves."""

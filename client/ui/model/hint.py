"""What a hint is: `client.ui.model.suggested_move` finds one."""

from attrs import frozen

from engine.moves import Move


@frozen
class Hint:
    """A legal move, its line, and one sentence that tells why, without naming hidden cards."""

    move: Move
    line: str
    reason: str

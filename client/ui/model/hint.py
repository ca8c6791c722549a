"""Hints as values: `client.ui.model.suggested_move` finds them, settings say when they come."""

from collections.abc import Callable
from enum import Enum

from attrs import frozen

from engine.moves import Move


class Hints(Enum):
    """The times at which hints appear; the value is that of the setting."""

    NEVER = "never"
    ON_REQUEST = "on request"
    BEFORE_BLUNDERS = "before a blunder"


@frozen
class Hint:
    """A legal move with the reason for it, which names no hidden card."""

    move: Move
    line: str
    """The move as it is typed."""
    reason: str
    """One or two sentences."""
    second: str = ""
    """The second-best move as it is typed; "" if there is no other."""


Think = Callable[[Callable[[], Hint], Callable[[Hint], None]], None]
"""Finds a hint in the background, by the first argument, and gives it to the second one in the
display's thread.
"""


def think_here(find: Callable[[], Hint], on_found: Callable[[Hint], None]) -> None:
    """Find a hint while the caller waits, as tests and scripts do."""
    on_found(find())

"""A hint as a value, and the search for one; `client.ui.model.suggested_move` finds it."""

from collections.abc import Callable

from attrs import frozen

from engine.moves import Move


@frozen
class Hint:
    """A legal move, its line, and one sentence that tells why, without naming hidden cards."""

    move: Move
    line: str
    reason: str


Think = Callable[[Callable[[], Hint], Callable[[Hint], None]], None]
"""Finds a hint in the background, by the first argument, and gives it to the second one in the
display's thread.
"""


def think_here(find: Callable[[], Hint], on_found: Callable[[Hint], None]) -> None:
    """Find a hint while the caller waits, as tests and scripts do."""
    on_found(find())

"""Hints as values. `client.ui.model.hint_reasons` finds them; a setting says when they appear."""

from collections.abc import Callable
from enum import Enum
from typing import Protocol, TypeVar

from attrs import frozen

from engine.moves import Move

T = TypeVar("T")


class Hints(Enum):
    """A choice of when hints appear; the value is the text in the settings file."""

    NEVER = "never"
    ON_REQUEST = "on request"
    BEFORE_BLUNDERS = "before a blunder"


@frozen
class Hint:
    """A legal move and the reason for it; the reason names no hidden card."""

    move: Move
    line: str
    """The move as it is typed."""
    reason: str
    """One or two sentences."""
    second: str = ""
    """The second-best move as it is typed; "" if there is no other."""


class Think(Protocol):
    """Function that calls `find` in the background, then `on_found` in the display's thread."""

    def __call__(self, find: Callable[[], T], on_found: Callable[[T], None], /) -> None: ...


def think_here(find: Callable[[], T], on_found: Callable[[T], None]) -> None:
    """Call `find` and `on_found` while the caller waits, for tests and scripts."""
    on_found(find())

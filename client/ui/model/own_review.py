"""The review of the own game at the table where it was played, begun by a key."""

from collections.abc import Callable
from typing import Any

from attrs import define, frozen

OnText = Callable[[str], None]
"""Callback with the progress in one line."""


@frozen
class WrittenReview:
    """A review as a display shows it."""

    lines: Callable[[int], Any]
    """Function that returns it as drawn lines of at most so many columns."""
    sentences: tuple[str, ...]


Reviewer = Callable[[OnText], WrittenReview]
"""Function that judges the own decisions of the match so far. Blocks for seconds."""


class GivenUp(Exception):
    """Raised in the callback for progress when the person has left the table."""


@define
class OwnReview:
    """The state of the review."""

    reviewer: Reviewer
    redraw: Callable[[], None] = lambda: None
    """Function that draws the display anew, from any thread."""
    begun: bool = False
    progress: str = ""
    wanted: bool = True
    """False when the person has left."""
    found: WrittenReview | None = None
    failed: str = ""
    """The reason why there is no review, in a sentence."""

    def tell(self, progress: str) -> None:
        """Take the progress, from the thread that works. Raises GivenUp."""
        if not self.wanted:
            raise GivenUp
        self.progress = progress
        self.redraw()

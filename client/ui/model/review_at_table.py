"""A person's review of their own game, begun by a key at the table where it was played."""

from collections.abc import Callable
from typing import Any

from attrs import define, frozen

from client.i18n.language import _
from client.i18n.sentences import said
from protocol.errors import LocalError

OnText = Callable[[str], None]
"""Callback with the progress in one line."""


@frozen
class WrittenReview:
    """A review as a display shows it."""

    lines: Callable[[int], Any]
    """Function that returns the review as drawn lines; it takes their width in columns."""
    sentences: tuple[str, ...]


Reviewer = Callable[[OnText], WrittenReview]
"""Function that judges the person's decisions in the match so far. Blocks for seconds."""


class GivenUp(Exception):
    """The error that ends a review, raised in its callback after the person has left the table."""


@define
class OwnReview:
    """The state of a person's review of their own game."""

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
        """Show the progress that the worker thread reports. Raises GivenUp if nobody wants it."""
        if not self.wanted:
            raise GivenUp
        self.progress = progress
        self.redraw()

    def judge(self) -> bool:
        """Judge the game, in a worker thread; return True if there is a review."""
        try:
            self.found = self.reviewer(self.tell)
        except GivenUp:
            self.failed = _("The review was not finished.")
        except LocalError as error:
            self.failed = said(error)
        except OSError as error:
            self.failed = f"{error}"
        return self.found is not None

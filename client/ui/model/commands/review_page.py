"""The command that judges one's own game, on the last sheet of a match."""

from client.i18n.language import _
from client.ui.model.controls import Controls
from client.ui.model.own_review import GivenUp, OwnReview
from client.ui.model.pages import Page


def may_review(controls: Controls) -> bool:
    """Return True when the match is over, and its player was not a mere spectator."""
    return controls.own_review is not None and controls.over


def open_review(controls: Controls, _text: str = "") -> None:
    """Open the page; the review is begun in the background when it is asked for first."""
    review = controls.own_review
    if review is not None and controls.over and not review.begun:
        review.begun = True
        review.progress = _("Your decisions are being judged; that takes some seconds.")
        controls.think(lambda: _judged(review), lambda _done: controls.open_page(Page.REVIEW))
        if review.found is not None:  # found while one waited: the page is open
            return
    controls.open_page(Page.REVIEW)


def _judged(review: OwnReview) -> bool:
    """Find the review, in a thread; return True if there is one."""
    from client.i18n.sentences import said  # noqa: PLC0415 - as the review, which few ask for
    from protocol.errors import LocalError  # noqa: PLC0415

    try:
        review.found = review.reviewer(review.tell)
    except GivenUp:
        review.failed = _("The review was not finished.")
    except LocalError as error:
        review.failed = said(error)
    except OSError as error:
        review.failed = f"{error}"
    return review.found is not None

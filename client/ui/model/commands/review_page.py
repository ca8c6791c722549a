"""The command that judges one's own game, on the last sheet of a match."""

from client.i18n.language import _
from client.i18n.sentences import said
from client.ui.model.controls import Controls
from client.ui.model.own_review import GivenUp, OwnReview
from client.ui.model.pages import Page
from protocol.errors import LocalError


def may_review(controls: Controls) -> bool:
    """Return True when the match is over, and this person played in it."""
    return controls.own_review is not None and controls.over


def open_review(controls: Controls, _text: str = "") -> None:
    """Open the page of the review; the first time, begin the review in the background."""
    review = controls.own_review
    if review is not None and controls.over and not review.begun:
        review.begun = True
        review.progress = _("Your decisions are being judged; that takes some seconds.")
        controls.think(lambda: _judged(review), lambda _done: controls.open_page(Page.REVIEW))
        if review.found is not None:  # `think` has waited for it, and has opened the page
            return
    controls.open_page(Page.REVIEW)


def _judged(review: OwnReview) -> bool:
    """Find the review, in a thread; return True if there is one."""
    try:
        review.found = review.reviewer(review.tell)
    except GivenUp:
        review.failed = _("The review was not finished.")
    except LocalError as error:
        review.failed = said(error)
    except OSError as error:
        review.failed = f"{error}"
    return review.found is not None

"""The command `review` at a table: when it is offered, and what its page shows."""

from collections.abc import Callable

import pytest
from attrs import evolve

from client.session.display.snapshot import Snapshot
from client.ui.model.commands.find_commands import run_line
from client.ui.model.commands.table_commands import COMMAND_NAMED
from client.ui.model.controls import Controls
from client.ui.model.pages import Page
from client.ui.model.review_at_table import GivenUp, OnText, OwnReview, WrittenReview
from client.ui.tui.table.pages import page_lines
from client.ui.tui.toolkit.glyphs import UNICODE
from client.ui.tui.toolkit.spans import folded, text_of
from protocol.errors import LocalError
from tests.client.plain_seat import snapshot_at
from tests.client.ui.model.controls_at import controls_at
from tests.engine.positions import table_of

PLAYING = snapshot_at("canasta", table_of("canasta"))
OVER = evolve(PLAYING, left_out=True)


def found(_on_text: OnText) -> WrittenReview:
    return WrittenReview(lambda width: folded("All is well.", width), ("All is well.",))


def seated(
    reviewer: Callable[[OnText], WrittenReview], snapshot: Snapshot = OVER
) -> tuple[Controls, OwnReview, list[Callable[[], None]]]:
    """Return controls, the review, and a list of the reviews that wait for their worker."""
    waiting: list[Callable[[], None]] = []
    controls = controls_at(snapshot)
    controls.think = lambda find, tell: waiting.append(lambda: tell(find()))
    controls.own_review = OwnReview(reviewer)
    return controls, controls.own_review, waiting


def shown(controls: Controls) -> str:
    return " ".join(map(text_of, page_lines(Page.REVIEW, controls, UNICODE, 70)))


def test_review_command_judges_the_match_once() -> None:
    controls, own, waiting = seated(found)
    opened: list[Page] = []
    controls.open_page = opened.append
    assert COMMAND_NAMED["review"].offered(controls)
    run_line(controls, "review")
    assert "takes some seconds" in shown(controls)
    own.tell("12 of 40")
    assert shown(controls) == "12 of 40"
    waiting.pop()()
    assert shown(controls) == "All is well."
    run_line(controls, "review")
    assert not waiting, "the match was judged a second time"
    assert opened == [Page.REVIEW] * 3


def test_review_is_offered_only_to_players_after_the_match() -> None:
    for snapshot, reviewer in ((PLAYING, OwnReview(found)), (OVER, None)):
        controls, _, waiting = seated(found, snapshot)
        controls.own_review = reviewer
        assert not COMMAND_NAMED["review"].offered(controls)
        run_line(controls, "review")
        assert not waiting
        assert shown(controls) == "Only your own match can be reviewed, and only after its end."


@pytest.mark.parametrize("error", [LocalError("No room."), OSError("No room.")])
def test_a_failed_review_shows_its_error_on_the_page(error: Exception) -> None:
    def failing(_on_text: OnText) -> WrittenReview:
        raise error

    controls, _own, waiting = seated(failing)
    run_line(controls, "review")
    waiting.pop()()
    assert shown(controls) == "No room."


def test_leaving_the_table_ends_the_review() -> None:
    def slow(on_text: OnText) -> WrittenReview:
        on_text("1 of 40")
        raise AssertionError("the review has gone on")

    controls, own, waiting = seated(slow)
    run_line(controls, "review")
    own.wanted = False
    with pytest.raises(GivenUp):
        own.tell("2 of 40")
    waiting.pop()()
    assert own.found is None
    assert shown(controls) == "The review was not finished."

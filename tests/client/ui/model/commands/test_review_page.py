"""The command `review` at a table: when it is offered, and what its page shows."""

from collections.abc import Callable

import pytest
from attrs import define, evolve

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
from tests.engine.positions import table_of


@define
class Later:
    """A stand-in for the background task of a review: it runs when the test calls `finish`."""

    find: Callable[[], object] = lambda: None
    tell: Callable[[object], None] = lambda _found: None

    def __call__(self, find: Callable[[], object], on_found: Callable[[object], None]) -> None:
        self.find, self.tell = find, on_found

    def finish(self) -> None:
        self.tell(self.find())


def over() -> Snapshot:
    return evolve(snapshot_at("canasta", table_of("canasta")), left_out=True)


def found(_on_text: OnText) -> WrittenReview:
    return WrittenReview(lambda width: folded("All is well.", width), ("All is well.",))


def seated(reviewer: Callable[[OnText], WrittenReview]) -> tuple[Controls, OwnReview, Later]:
    later = Later()
    controls = Controls(lambda *_moves: None, think=later)  # type: ignore[arg-type]
    controls.own_review = OwnReview(reviewer)
    controls.show(over())
    return controls, controls.own_review, later


def shown(controls: Controls) -> str:
    return " ".join(map(text_of, page_lines(Page.REVIEW, controls, UNICODE, 70)))


def test_review_command_judges_the_match_once() -> None:
    controls, own, later = seated(found)
    opened: list[Page] = []
    controls.open_page = opened.append
    assert COMMAND_NAMED["review"].offered(controls)
    run_line(controls, "review")
    assert "takes some seconds" in shown(controls)
    own.tell("12 of 40")
    assert shown(controls) == "12 of 40"
    later.finish()
    assert shown(controls) == "All is well."
    begun = later.find
    run_line(controls, "review")
    assert later.find is begun, "the match is judged a second time"
    assert opened == [Page.REVIEW] * 3


def test_review_is_offered_only_to_players_after_the_match() -> None:
    controls, own, _later = seated(found)
    controls.show(snapshot_at("canasta", table_of("canasta")))
    assert not COMMAND_NAMED["review"].offered(controls)
    run_line(controls, "review")
    assert not own.begun
    assert shown(controls) == "The match is not over yet."
    controls.show(over())
    controls.own_review = None
    assert not COMMAND_NAMED["review"].offered(controls)
    run_line(controls, "review")
    assert shown(controls) == "The match is not over yet."


@pytest.mark.parametrize(
    ("error", "told"), [(LocalError("No room."), "No room."), (OSError("No disk"), "No disk")]
)
def test_a_failed_review_shows_its_error_on_the_page(error: Exception, told: str) -> None:
    def failing(_on_text: OnText) -> WrittenReview:
        raise error

    controls, _own, later = seated(failing)
    run_line(controls, "review")
    later.finish()
    assert shown(controls) == told


def test_leaving_the_table_ends_the_review() -> None:
    def slow(on_text: OnText) -> WrittenReview:
        on_text("1 of 40")
        raise AssertionError("the review should have ended")

    controls, own, later = seated(slow)
    run_line(controls, "review")
    own.wanted = False
    with pytest.raises(GivenUp):
        own.tell("2 of 40")
    later.finish()
    assert own.found is None
    assert shown(controls) == "The review was not finished."

"""The conditions under which keys work and parts of the screen are there."""

from collections.abc import Callable

from prompt_toolkit.filters import Condition

from client.session.snapshot import AfterMatch
from client.ui.tui.table.overlay import TableWindow
from client.ui.tui.table.pages import Page
from engine.turn import Step

LEAST_COLUMNS, LEAST_ROWS = 60, 18
"""A table does not fit on less."""

Size = Callable[[], tuple[int, int]]


def page_is_open(window: TableWindow) -> Condition:
    return Condition(lambda: window.page is not None)


def absence_options_are_open(window: TableWindow) -> Condition:
    """The page about a player who stays away is open: numbers choose from it."""
    return Condition(lambda: window.page is Page.AWAY)


def command_is_open(window: TableWindow) -> Condition:
    return Condition(lambda: window.command_open)


def table_has_keys(window: TableWindow) -> Condition:
    """Keys go to the table: neither a page nor the command line is open."""
    return Condition(lambda: window.page is None and not window.command_open)


def turn_is_at(window: TableWindow, *steps: Step) -> Condition:
    """The person is to move, and it is the moment for one of these."""
    return Condition(lambda: window.controls.may(*steps))


def melds_are_staged(window: TableWindow) -> Condition:
    hand = window.controls
    return Condition(lambda: hand.hand is not None and hand.hand.staging.move is not None)


def choice_is_open(window: TableWindow, choice: AfterMatch) -> Condition:
    """The match is over, and the person may choose that."""
    return Condition(lambda: window.may_choose(choice))


def size_suffices(size: Size) -> Condition:
    """The terminal has room for a table."""
    return Condition(lambda: size()[0] >= LEAST_COLUMNS and size()[1] >= LEAST_ROWS)

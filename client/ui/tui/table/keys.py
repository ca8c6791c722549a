"""The keys of the table."""

from collections.abc import Callable
from typing import Any

from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent

from client.session.snapshot import AfterMatch
from client.ui.model.controls import Controls
from client.ui.tui.table.conditions import (
    absence_options_are_open,
    choice_is_open,
    command_is_open,
    page_is_open,
    table_has_keys,
    turn_is_at,
)
from client.ui.tui.table.layout import TableLayout
from client.ui.tui.table.overlay import TableWindow
from client.ui.tui.table.pages import Page
from engine.turn import Step

_PAGE_STEP = 10


def table_keys(window: TableWindow, layout: TableLayout) -> KeyBindings:
    """All bindings of the table's screen."""
    keys = KeyBindings()
    _bind_command(keys, window, layout)
    _bind_cards(keys, window)
    _bind_moves(keys, window)
    _bind_pages(keys, window)
    _bind_end(keys, window)
    _bind_always(keys, window)
    return keys


def _does(action: Callable[..., None], *arguments: Any) -> Callable[[KeyPressEvent], None]:
    return lambda _event: action(*arguments)


def _bind_cards(keys: KeyBindings, window: TableWindow) -> None:
    """The hand: going along it, selecting, arranging."""
    controls = window.controls
    here = table_has_keys(window)
    for key, by in (("left", -1), ("right", 1), ("home", -999), ("end", 999)):
        keys.add(key, filter=here)(_does(controls.move_cursor, by))
    for key, by in (("<", -1), (">", 1), ("s-left", -1), ("s-right", 1)):
        keys.add(key, filter=here)(_does(controls.shift, by))
    for key in ("space", "up", "down"):
        keys.add(key, filter=here)(_does(controls.toggle))
    keys.add("s", filter=here)(_does(controls.sort))
    keys.add("escape", filter=here, eager=True)(_does(controls.unselect))


def _bind_moves(keys: KeyBindings, window: TableWindow) -> None:
    """One key a move; in which step it is made is the rules' business, who say so."""
    controls: Controls = window.controls
    here = table_has_keys(window)
    for key, action in (
        ("c", controls.cut),
        ("d", controls.draw),
        ("t", controls.take),
        ("m", controls.meld),
        ("x", controls.discard),
        ("g", controls.ask),
        ("p", controls.give_up),
        ("h", controls.ask_hint),
        ("u", controls.undo),
        ("backspace", controls.undo),
        ("U", controls.undo_all),
        ("a", controls.agree),
    ):
        keys.add(key, filter=here)(_does(action))
    keys.add("y", filter=here & turn_is_at(window, Step.ANSWER))(_does(controls.answer, True))
    keys.add("n", filter=here & turn_is_at(window, Step.ANSWER))(_does(controls.answer, False))
    keys.add("enter", filter=here & turn_is_at(window, Step.CUT))(_does(controls.cut))
    keys.add("enter", filter=here & ~turn_is_at(window, Step.CUT))(_does(controls.send_staged))
    for number in range(1, 10):
        keys.add(str(number), filter=here)(_does(controls.add, number))
        keys.add(str(number), filter=absence_options_are_open(window))(
            _does(window.choose_absence_option, number)
        )


def _bind_pages(keys: KeyBindings, window: TableWindow) -> None:
    here = ~command_is_open(window)
    for key, page in (
        ("?", Page.KEYS),
        ("v", Page.SHEET),
        ("o", Page.HANDS),
        ("f", Page.FAIRNESS),
        ("l", Page.LOG),
        ("f1", Page.RULE),
        ("w", Page.AWAY),
        ("i", Page.WORDS),
    ):
        keys.add(key, filter=here)(_does(window.open_page, page))
    keys.add("r", filter=here)(lambda _event: window.controls.save())
    reading = page_is_open(window)
    for key, by in (("up", -1), ("down", 1), ("pageup", -_PAGE_STEP), ("pagedown", _PAGE_STEP)):
        keys.add(key, filter=reading)(_does(window.scroll_by, by))
    for key in ("escape", "enter", "q", "space"):
        keys.add(key, filter=reading, eager=True)(_does(window.close_page))


def _bind_end(keys: KeyBindings, window: TableWindow) -> None:
    """What can be wished for when the match is over, also while its sheet is read."""
    here = ~command_is_open(window)
    for key, choice in (("a", AfterMatch.AGAIN), ("n", AfterMatch.OTHER_SEATS)):
        keys.add(key, filter=here & choice_is_open(window, choice))(_does(window.part, choice))
    over = table_has_keys(window) & choice_is_open(window, AfterMatch.LEAVE)
    keys.add("q", filter=over)(_does(window.part, AfterMatch.LEAVE))


def _bind_command(keys: KeyBindings, window: TableWindow, layout: TableLayout) -> None:
    writing = command_is_open(window)
    keys.add(":", filter=table_has_keys(window))(_does(layout.open_command))
    keys.add("escape", filter=writing, eager=True)(_does(layout.close_command))


def _bind_always(keys: KeyBindings, window: TableWindow) -> None:
    writing = command_is_open(window)

    def suspend(event: KeyPressEvent) -> None:
        event.app.suspend_to_background()

    def drop(_event: KeyPressEvent) -> None:
        """Whatever is pasted where no text is asked for does nothing."""

    keys.add("c-c")(_does(window.ask_to_leave))
    keys.add("c-z")(suspend)
    keys.add("<bracketed-paste>", filter=~writing)(drop)

"""The keys at a table: for commands, the hand, pages, and the command line."""

from collections.abc import Callable
from typing import Any

from prompt_toolkit.filters import Condition
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent

from client.ui.model.command_words import own_key
from client.ui.model.commands.hand_keys import HAND_KEYS
from client.ui.model.commands.table_commands import COMMANDS
from client.ui.model.pages import Page
from client.ui.model.ways_on import WAY_KEYS, way_key
from client.ui.tui.table.layout import TableLayout
from client.ui.tui.table.table_window import TableWindow

_PAGE_STEP = 10
_SPECIAL = ("Enter", "F1")  # keys that the toolkit knows in lower case


def table_keys(window: TableWindow, layout: TableLayout) -> KeyBindings:
    """Return all bindings of the table's screen."""
    keys = KeyBindings()
    writing = Condition(lambda: window.command_open)
    reading = Condition(lambda: window.page is not None)
    paused = Condition(lambda: window.paused)
    _bind_commands(keys, window, ~writing)
    _bind_cards(keys, window, ~writing & ~reading & ~paused)
    _bind_page(keys, window, layout, reading)
    deciding = Condition(lambda: window.page is Page.AWAY)
    for key in WAY_KEYS:
        keys.add(way_key(key), filter=deciding & ~writing, eager=True)(_does(window.go_on_by, key))
    _bind_command_line(keys, layout, writing, paused)
    keys.add("c-c")(_does(window.ask_to_leave))
    return keys


def _does(action: Callable[..., None], *arguments: Any) -> Callable[[KeyPressEvent], None]:
    return lambda _event: action(*arguments)


def _bind_commands(keys: KeyBindings, window: TableWindow, here: Any) -> None:
    bound = {key for command in COMMANDS for key in command.keys if key not in ("1…9", ":")}
    for key in sorted(bound):
        name = key.lower() if key in _SPECIAL else own_key(key)
        keys.add(name, filter=here)(_does(window.pressed, key))
    for digit in range(10):
        keys.add(f"{digit}", filter=here)(_does(window.digit, digit or 10))


def _bind_cards(keys: KeyBindings, window: TableWindow, here: Any) -> None:
    """Bind keys for the hand: moving along it, selecting, sorting."""
    for _shown, _meaning, actions in HAND_KEYS:
        for key, action in actions.items():
            at_once = key == "escape"
            keys.add(key, filter=here, eager=at_once)(_does(action, window.controls))


def _bind_page(keys: KeyBindings, window: TableWindow, layout: TableLayout, reading: Any) -> None:
    for key, by in (("up", -1), ("down", 1), ("pageup", -_PAGE_STEP), ("pagedown", _PAGE_STEP)):
        keys.add(key, filter=reading)(_does(window.scroll_by, by))
    for key, by in (("left", -1), ("right", 1)):
        keys.add(key, filter=reading)(_does(window.turn_page, by))
    keys.add("/", filter=reading)(_does(layout.search_rules))
    for key in ("escape", "space"):
        keys.add(key, filter=reading, eager=True)(_does(window.close_page))
    keys.add("enter", filter=reading, eager=True)(_does(window.go_on))
    keys.add("q", filter=reading, eager=True)(_does(window.leave_page))


def _bind_command_line(keys: KeyBindings, layout: TableLayout, writing: Any, paused: Any) -> None:
    keys.add(":", filter=~writing & ~paused)(_does(layout.open_command))
    keys.add("escape", filter=writing, eager=True)(_does(layout.close_command))

"""The keys at a table: for commands, the hand, pages, and the command line."""

from collections.abc import Callable, Mapping
from functools import partial

from prompt_toolkit.filters import Condition, FilterOrBool
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent

from client.ui.model.command_words import own_key
from client.ui.model.commands.people import go_on_by
from client.ui.model.commands.table_commands import COMMANDS, HAND_KEYS
from client.ui.model.pages import Page
from client.ui.model.ways_on import WAY_KEYS, way_key
from client.ui.tui.table.layout import TableLayout
from client.ui.tui.table.screen_state import ScreenState

_PAGE_STEP = 10
_SPECIAL = ("Enter", "F1")  # keys that prompt_toolkit knows in lower case
_NO_KEYS = ("1…9", ":")  # names for the page of keys only: digits and ":" are bound below


def table_keys(window: ScreenState, layout: TableLayout) -> KeyBindings:
    """Return all bindings of the table's screen."""
    keys = KeyBindings()

    def bind(
        actions: Mapping[str, Callable[[], object]],
        here: FilterOrBool = True,
        *,
        eager: bool = True,
    ) -> None:
        for key, action in actions.items():
            keys.add(key, filter=here, eager=eager)(partial(_do, action))

    writing = Condition(lambda: window.command_open)
    reading = Condition(lambda: window.page is not None)
    paused = Condition(lambda: window.paused)
    deciding = Condition(lambda: window.page is Page.AWAY)
    # Keys of commands are not eager: where a page has the same key, the page comes first.
    bound = {key for command in COMMANDS for key in command.keys if key not in _NO_KEYS}
    bind({_name(key): partial(window.pressed, key) for key in bound}, ~writing, eager=False)
    digits = {f"{digit}": partial(window.digit, digit or 10) for digit in range(10)}
    bind(digits, ~writing)
    for _shown, _meaning, actions in HAND_KEYS:
        acting = {key: partial(action, window.controls) for key, action in actions.items()}
        bind(acting, ~writing & ~reading & ~paused)
    # The page about a missing player stays open when a way to go on is chosen.
    ways = {way_key(key): partial(go_on_by, window.controls, key) for key in WAY_KEYS}
    bind(ways, deciding & ~writing)
    bind(
        {
            "up": partial(window.scroll_by, -1),
            "down": partial(window.scroll_by, 1),
            "pageup": partial(window.scroll_by, -_PAGE_STEP),
            "pagedown": partial(window.scroll_by, _PAGE_STEP),
            "left": partial(window.turn_page, -1),
            "right": partial(window.turn_page, 1),
            "/": layout.search_rules,
            "escape": window.close_page,
            "space": window.close_page,
            "enter": window.go_on,
            "q": window.leave_page,
        },
        reading,
    )
    bind({":": layout.open_command}, ~writing & ~paused)
    bind({"escape": layout.close_command}, writing)
    bind({"c-c": window.ask_to_leave}, eager=False)
    return keys


def _do(action: Callable[[], object], _event: KeyPressEvent) -> None:
    action()


def _name(key: str) -> str:
    """Return the name of a command's key in prompt_toolkit."""
    return key.lower() if key in _SPECIAL else own_key(key)

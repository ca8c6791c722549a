"""The keys of a lobby, and the hints for those that do something now."""

from collections.abc import Callable

from attrs import frozen
from prompt_toolkit.filters import Condition
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent

from client.i18n.language import _
from client.session.display.lobby_interface import Decision
from client.ui.model.lobby_view import LOBBY_COMMANDS, SEAT_KEYS, LobbyView, decision_of

View = Callable[[], LobbyView | None]


@frozen
class KeyHint:
    """A key that does something now, and its label."""

    key: str
    label: str


def key_hints(view: LobbyView) -> tuple[KeyHint, ...]:
    """Return the keys that do something now."""
    commands = (command for command in LOBBY_COMMANDS if command.decision(view) is not None)
    leave = KeyHint("q", _("close the table") if view.hosting else _("leave"))
    hints = [KeyHint(command.own_key, command.label(view)) for command in commands]
    if view.hosting and len(view.knocking) > 1:
        hints.append(KeyHint("n", _("mark another")))
    guests = [sitter for sitter in view.sitters if sitter.seat]
    if len(guests) == 1:
        hints.append(KeyHint(f"{guests[0].seat}", _send_away(guests[0].name)))
    elif guests:
        hints.append(KeyHint(f"{guests[0].seat}-{guests[-1].seat}", _("send a guest away")))
    return (*hints, leave)


def _send_away(name: str) -> str:
    return _("send {name} away").format(name=name)


def lobby_keys(
    view_now: View, decide: Callable[[Decision], None], mark: Callable[[int], None]
) -> KeyBindings:
    """Return all bindings; leaving exits the application.

    `mark` moves the mark among those who knock.
    """
    keys = KeyBindings()
    seen = Condition(lambda: view_now() is not None)

    def bind(typed: str, key: str) -> None:
        @keys.add(typed, filter=seen)
        def _decide(_event: KeyPressEvent) -> None:
            view = view_now()
            decision = None if view is None else decision_of(key, view)
            if decision is not None:
                decide(decision)

    for command in LOBBY_COMMANDS:
        bind(command.own_key, command.key)
    for number in SEAT_KEYS:
        bind(number, number)

    @keys.add("up", filter=seen)
    def _up(_event: KeyPressEvent) -> None:
        mark(-1)

    @keys.add("n", filter=seen)
    @keys.add("down", filter=seen)
    def _down(_event: KeyPressEvent) -> None:
        mark(1)

    @keys.add("q")
    @keys.add("escape", eager=True)
    @keys.add("c-c")
    def _leave(event: KeyPressEvent) -> None:
        event.app.exit()

    return keys

"""The lobby on the whole screen: a `LobbyDisplay`, its keys, and the hints for them."""

from collections.abc import Iterator

import trio
from prompt_toolkit.application import Application
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.key_binding.key_processor import KeyPress
from prompt_toolkit.layout import Dimension, HSplit, Layout

from client.i18n.language import _
from client.session.display.lobby_interface import LobbyDecision, LobbySnapshot
from client.ui.model.commands.lobby_commands import (
    LOBBY_COMMANDS,
    SEAT_KEYS,
    decision_of,
    marked_after,
)
from client.ui.model.lobby_view import LobbyView, lobby_view
from client.ui.tui.lobby import panels as text
from client.ui.tui.terminal.run_beside_trio import Screen
from client.ui.tui.terminal.whole_screen import Press, key_bindings
from client.ui.tui.toolkit.lines import LinesWindow
from client.ui.tui.toolkit.spans import Click, Line, Span, wrapped
from client.ui.tui.toolkit.terminal_look import TerminalLook


class LobbyScreen:
    """A lobby display that shows snapshots and passes on decisions.

    `run` ends when the person leaves.
    """

    def __init__(self, look: TerminalLook) -> None:
        self._glyphs = look.glyphs
        self._view: LobbyView | None = None
        self._snapshot: LobbySnapshot | None = None
        self._marked = b""
        self._to_trio, self._decisions = trio.open_memory_channel[LobbyDecision](100)
        self._token = trio.lowlevel.current_trio_token()
        body = LinesWindow(self._body)
        status = LinesWindow(self._status, height=Dimension.exact(2))
        hints = LinesWindow(self._hints, self._clicked, dont_extend_height=True)
        layout = Layout(HSplit([body, status, hints]), focused_element=body)
        self.app: Application[None] = look.application(layout, self._keys(), mouse=True)
        self._screen: Screen[None] = Screen(self.app)

    async def run(self) -> None:
        """Run until the person leaves. Raises Interrupted when the terminal is gone."""
        await self._screen.run()

    # -- for the lobby, in Trio's thread

    def show(self, snapshot: LobbySnapshot) -> None:
        self._screen.call(self.look_at, snapshot)

    async def decided(self) -> LobbyDecision:
        return await self._decisions.receive()

    # -- in the screen's thread

    def look_at(self, snapshot: LobbySnapshot) -> None:
        """Draw a newer snapshot."""
        self._snapshot = snapshot
        self._view = lobby_view(snapshot, self._marked)

    def _move_mark(self, step: int) -> None:
        if (snapshot := self._snapshot) is not None:
            self._marked = marked_after(lobby_view(snapshot, self._marked), step)
            self.look_at(snapshot)

    def _keys(self) -> KeyBindings:
        decisions = {command.own_key: self._does(command.key) for command in LOBBY_COMMANDS}
        return key_bindings(
            {
                **decisions,
                **{number: self._does(number) for number in SEAT_KEYS},
                "up": lambda _event: self._move_mark(-1),
                "down n": lambda _event: self._move_mark(1),
                "q escape c-c": lambda event: event.app.exit(),
            }
        )

    def _does(self, key: str) -> Press:
        """Return the action of a key: sending the decision that the key stands for now, if any."""

        def press(_event: KeyPressEvent) -> None:
            decision = None if self._view is None else decision_of(key, self._view)
            if decision is not None:
                self._token.run_sync_soon(self._to_trio.send_nowait, decision)

        return press

    def _clicked(self, click: Click) -> None:
        # prompt_toolkit handles the fed key right after the click that is being handled now.
        self.app.key_processor.feed(KeyPress(click.key))

    def _body(self, width: int, rows: int) -> list[Line]:
        return [] if self._view is None else text.body(self._view, self._glyphs, width, rows)

    def _status(self, width: int, _rows: int) -> list[Line]:
        return [] if self._view is None else text.status(self._view, self._glyphs, width)

    def _hints(self, width: int, _rows: int) -> list[Line]:
        """Return the hints for all keys, in as many lines as they need."""
        words: list[Line] = []
        for key, label in key_hints(self._view) if self._view else ():
            click = Click("key", key=key) if len(key) == 1 else None
            words.append((Span(f" {key}", "class:key", click), Span(f" {label} ", "", click)))
        return wrapped(words, width, between="")


def key_hints(view: LobbyView) -> Iterator[tuple[str, str]]:
    """Return the keys that do something now, each with a label."""
    for command in LOBBY_COMMANDS:
        if command.decision(view) is not None:
            yield command.own_key, command.label(view)
    if view.hosting and len(view.knocking) > 1:
        yield "n", _("mark another")
    guests = [sitter for sitter in view.sitters if sitter.seat]
    if len(guests) == 1:
        yield f"{guests[0].seat}", _("send {name} away").format(name=guests[0].name)
    elif guests:
        yield f"{guests[0].seat}-{guests[-1].seat}", _("send a guest away")
    yield "q", _("close the table") if view.hosting else _("leave")

"""The lobby on the whole screen: a `LobbyDisplay`."""

import trio
from prompt_toolkit.application import Application
from prompt_toolkit.key_binding.key_processor import KeyPress
from prompt_toolkit.layout import Dimension, HSplit, Layout
from prompt_toolkit.output import ColorDepth
from prompt_toolkit.styles import BaseStyle

from client.session.display.lobby_interface import Decision, LobbySnapshot
from client.ui.model.lobby_view import LobbyView, lobby_view, marked_after
from client.ui.tui.lobby import panels as text
from client.ui.tui.lobby.keys import key_hints, lobby_keys
from client.ui.tui.terminal.run_beside_trio import Screen
from client.ui.tui.terminal.whole_screen import whole_screen
from client.ui.tui.toolkit.glyphs import Glyphs
from client.ui.tui.toolkit.lines import Lines, LinesWindow
from client.ui.tui.toolkit.spans import Click, Line, Span, wrapped


class LobbyScreen:
    """A lobby display that shows snapshots and passes on decisions.

    `run` ends when the person leaves.
    """

    def __init__(
        self, glyphs: Glyphs, style: BaseStyle, *, colours: ColorDepth | None = None
    ) -> None:
        self._glyphs = glyphs
        self._view: LobbyView | None = None
        self._snapshot: LobbySnapshot | None = None
        self._marked = b""
        self._to_trio, self._decisions = trio.open_memory_channel[Decision](100)
        self._token = trio.lowlevel.current_trio_token()
        body = LinesWindow(Lines(self._body, self._clicked, focusable=True))
        status = LinesWindow(Lines(self._status, self._clicked), height=Dimension.exact(2))
        hints = LinesWindow(Lines(self._hints, self._clicked), dont_extend_height=True)
        layout = Layout(HSplit([body, status, hints]), focused_element=body)
        keys = lobby_keys(lambda: self._view, self._decide, self._move_mark)
        self.app: Application[None] = whole_screen(layout, keys, style, colours, mouse=True)
        self._screen: Screen[None] = Screen(self.app)

    async def run(self) -> None:
        """Run until the person leaves. Raises Interrupted when the terminal is gone."""
        await self._screen.run()

    # -- for the lobby, in Trio's thread

    def show(self, snapshot: LobbySnapshot) -> None:
        self._screen.call(self.look_at, snapshot)

    async def decided(self) -> Decision:
        return await self._decisions.receive()

    # -- in the screen's thread

    def look_at(self, snapshot: LobbySnapshot) -> None:
        """Draw a newer snapshot."""
        self._snapshot = snapshot
        self._view = lobby_view(snapshot, self._marked)

    def _move_mark(self, step: int) -> None:
        if self._view is not None and self._snapshot is not None:
            self._marked = marked_after(self._view, step)
            self.look_at(self._snapshot)

    def _decide(self, decision: Decision) -> None:
        self._token.run_sync_soon(self._to_trio.send_nowait, decision)

    def _clicked(self, click: Click) -> None:
        # The click is being processed; what is fed now comes right after it.
        self.app.key_processor.feed(KeyPress(click.key))

    def _body(self, width: int, rows: int) -> list[Line]:
        """Return all parts one under the other; the news take the rows that are left."""
        view = self._view
        if view is None:
            return []
        parts = (text.people, text.knocking, text.rules, text.joining)
        lines = text.header(view, self._glyphs, width)
        for part in parts:
            written = part(view, self._glyphs, width)
            lines += [(), *written] if written else []
        return [*lines, (), *text.news(view, self._glyphs, width, rows - len(lines) - 1)]

    def _status(self, width: int, _rows: int) -> list[Line]:
        return [] if self._view is None else text.status(self._view, self._glyphs, width)

    def _hints(self, width: int, _rows: int) -> list[Line]:
        """Return as many lines as are needed: no key is left out."""
        words: list[Line] = []
        for hint in key_hints(self._view) if self._view else ():
            click = Click("key", key=hint.key) if len(hint.key) == 1 else None
            words.append(
                (Span(f" {hint.key}", "class:key", click), Span(f" {hint.label} ", "", click))
            )
        return wrapped(words, width, between="")

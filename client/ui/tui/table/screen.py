"""The table on the whole screen: a `TableDisplay`."""

import asyncio
import threading
from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

import trio
from prompt_toolkit.application import Application
from prompt_toolkit.key_binding.key_processor import KeyPress
from prompt_toolkit.keys import Keys

from client.session.display.snapshot import AfterMatch, Snapshot, TableDecision
from client.ui.model.command_words import own_key
from client.ui.model.controls import Controls
from client.ui.model.pages import Page
from client.ui.tui.table.keys import table_keys
from client.ui.tui.table.layout import TableLayout
from client.ui.tui.table.screen_state import ScreenState
from client.ui.tui.terminal.run_beside_trio import Screen
from client.ui.tui.toolkit.terminal_look import TerminalLook
from engine.errors import IllegalMove
from engine.moves import Move
from protocol.errors import Refused

T = TypeVar("T")

_KEYS: Mapping[str, Keys | str] = {"Enter": Keys.Enter, "Escape": Keys.Escape, "F1": Keys.F1}

_ANSWER_SECONDS = 0.05
"""The maximum time that the screen waits for the effect of a move before it draws.

Without this wait the footer would flicker: its keys vanish with the move, and come back with the
drawn card.
"""


class TableScreen:
    """A table display that shows snapshots and passes on decisions.

    `run` ends when the person leaves.
    """

    def __init__(
        self,
        look: TerminalLook,
        choices: Sequence[AfterMatch] = (),
        opening: Page | None = None,
        *,
        speaks: bool = False,
    ) -> None:
        self._to_trio, self._decisions = trio.open_memory_channel[TableDecision](100)
        self._token = trio.lowlevel.current_trio_token()
        controls = Controls(
            self._send,
            think=self._think,
            decide=self._decide,
            leave=self._leave,
            choices=choices,
            speaks=speaks,
        )
        self.controls = controls
        self.window = ScreenState(controls, look.glyphs, self._press, opening)
        self._answered = threading.Event()
        self._begun = trio.Event()
        self._choice = AfterMatch.LEAVE
        layout = TableLayout(self.window)
        keys = table_keys(self.window, layout)
        self.app: Application[None] = look.application(layout.build(), keys, mouse=True)
        self.app.key_processor.before_key_press += lambda _: self.window.key_pressed()
        if look.bell:
            controls.on_turn = self.app.output.bell
        self._screen: Screen[None] = Screen(self.app)

    async def run(self) -> AfterMatch:
        """Run from the first snapshot until the person leaves.

        Raises Interrupted when the terminal is gone.
        """
        await self._begun.wait()
        await self._screen.run()
        return self._choice

    # -- for the presenter, in Trio's thread

    def show(self, snapshot: Snapshot) -> None:
        self._call(self.window.show, snapshot)
        self._begun.set()

    def refuse(self, error: IllegalMove | Refused) -> None:
        self._call(self.window.controls.refuse, error)

    def tell(self, sentence: str) -> None:
        self._call(self.window.controls.say, sentence)

    def _call(self, function: Callable[..., None], *arguments: object) -> None:
        self._screen.call(function, *arguments)
        self._answered.set()

    async def decided(self) -> TableDecision:
        return await self._decisions.receive()

    # -- in the screen's thread

    def _send(self, *moves: Move) -> None:
        self._answered.clear()
        self._decide(moves)
        self._answered.wait(_ANSWER_SECONDS)

    def _decide(self, decision: TableDecision) -> None:
        self._token.run_sync_soon(self._to_trio.send_nowait, decision)

    def redraw(self) -> None:
        """Draw the table anew; this may be called in any thread."""
        self._screen.call(lambda: None)

    def _think(self, find: Callable[[], T], tell: Callable[[T], None]) -> None:
        """Call `find` in a thread, as it may take long, and then `tell` with its result."""
        future = asyncio.get_running_loop().run_in_executor(None, find)
        future.add_done_callback(lambda done: self._screen.call(tell, done.result()))

    def _press(self, key: str) -> None:
        # prompt_toolkit handles the fed key right after the click that is being handled now.
        self.app.key_processor.feed(KeyPress(_KEYS.get(key, own_key(key))))

    def _leave(self, choice: AfterMatch) -> None:
        self._choice = choice
        self._screen.stop()

"""The table on the whole screen, as a display for an attendant."""

import trio
from prompt_toolkit.application import Application
from prompt_toolkit.output import ColorDepth
from prompt_toolkit.styles import BaseStyle

from client.attend import Snapshot
from client.controls import Controls
from client.table.glyphs import Glyphs
from client.table.keys import table_keys
from client.table.layout import TableLayout
from client.table.window import TableWindow
from client.terminal import Screen
from engine.errors import IllegalMove
from engine.moves import Move
from protocol.errors import Refused


class TableScreen:
    """Shows snapshots and passes on what the person decides; `run` ends when she leaves."""

    def __init__(
        self,
        glyphs: Glyphs,
        style: BaseStyle,
        *,
        colours: ColorDepth | None = None,
        bell: bool = False,
    ) -> None:
        self._to_trio, self._decisions = trio.open_memory_channel[tuple[Move, ...]](100)
        self._token = trio.lowlevel.current_trio_token()
        controls = Controls(self._send)
        self.window = TableWindow(controls, glyphs, self._leave)
        layout = TableLayout(self.window)
        self.app: Application[None] = Application(
            layout=layout.build(),
            key_bindings=table_keys(self.window, layout),
            style=style,
            color_depth=colours,
            full_screen=True,
            mouse_support=True,
        )
        if bell:
            controls.on_turn = self.app.output.bell
        self._screen: Screen[None] = Screen(self.app)

    async def run(self) -> None:
        """Until the person leaves. Raises Interrupted when the terminal is gone."""
        await self._screen.run()

    # -- for the attendant, in Trio's thread

    def show(self, snapshot: Snapshot) -> None:
        self._screen.call(self.window.show, snapshot)

    def refuse(self, error: IllegalMove | Refused) -> None:
        self._screen.call(self.window.controls.refuse, error)

    async def decided(self) -> tuple[Move, ...]:
        return await self._decisions.receive()

    # -- in the screen's thread

    def _send(self, *moves: Move) -> None:
        self._token.run_sync_soon(self._to_trio.send_nowait, moves)

    def _leave(self) -> None:
        self._screen.stop()

"""Situations in lobbies, for tests of screens."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from client.session.display.lobby_interface import LobbySnapshot
from client.ui.tui.lobby.screen import LobbyScreen
from client.ui.tui.toolkit.glyphs import UNICODE, Glyphs
from client.ui.tui.toolkit.style import style_of
from client.ui.tui.toolkit.terminal_look import TerminalLook
from tests.client.lobby_snapshots import key_of, lobby_at
from tests.client.terminals import Hands, emulated, hands_on

SITUATIONS: Mapping[str, LobbySnapshot] = {
    "lobby-host": lobby_at(False, True, opponents=(1,)),
    "lobby-guest": lobby_at(True, False, True, me=1, seats=3, game="kanastic"),
    "lobby-rules": lobby_at(
        True, True, seats=2, target=3000, two_canastas=True, grace=30, news=("!! No, Eva.",)
    ),
    "lobby-full": lobby_at(True, True, True, True, True, False, seats=6),
    "lobby-couples": lobby_at(True, True, True, me=2, seats=4, game="kanastic"),
    "lobby-looking": LobbySnapshot(key_of(1), hosting=False),
    "lobby-again": LobbySnapshot(key_of(1), hosting=False, host="Ana"),
}


@contextmanager
def lobby_on(
    snapshot: LobbySnapshot, columns: int = 80, rows: int = 24, glyphs: Glyphs = UNICODE
) -> Iterator[tuple[Hands, LobbyScreen]]:
    """Return the screen of a lobby that shows the snapshot."""
    with emulated(columns, rows) as (keyboard, emulator):
        screen = LobbyScreen(TerminalLook(glyphs, style_of("dark")))
        screen.look_at(snapshot)
        with hands_on(screen.app, keyboard, emulator) as hands:
            yield hands, screen

"""Shows a lobby to the person who sits there, however her terminal looks."""

from client.session.lobby import LobbyDisplay, Room, sit_in_lobby
from client.ui.appearance import Look, write_out
from client.ui.linear.lobby import LobbyLines
from client.ui.tui.lobby.screen import LobbyScreen
from p2p.storage.memberships import Membership


async def show_lobby(room: Room, look: Look) -> Membership | None:
    """What the lobby comes to; None when the person leaves. Raises as `Room.run`, and Interrupted
    when her terminal is gone.
    """

    def write(line: str) -> None:
        write_out(look.glyphs.plain(line) + "\n")

    display: LobbyDisplay = (
        LobbyScreen(look.glyphs, look.style, colours=look.colours)
        if look.lines is None
        else LobbyLines(write, look.lines)
    )
    return await sit_in_lobby(room, display)

"""Shows a lobby to the person who sits there, however her terminal looks."""

from client.lobby.linear import LobbyLines
from client.lobby.screen import LobbyScreen
from client.screens.look import Look, write_out
from client.seating.room import LobbyDisplay, Room, sit_in_lobby
from p2p.agreement import Agreement


async def show_lobby(room: Room, look: Look) -> Agreement | None:
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

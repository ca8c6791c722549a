"""Shows a place at a table to the person who sits there, however her terminal looks."""

from collections.abc import Sequence

import trio

from client.session.absence import House
from client.session.next_step import Wish
from client.session.presenter import Attendant
from client.session.seat import OwnSeat
from client.settings import Settings
from client.ui.appearance import Look, write_out
from client.ui.linear.table import LinearTable
from client.ui.tui.table.pages import Page
from client.ui.tui.table.screen import TableScreen


async def attend(seat: OwnSeat, settings: Settings) -> None:
    """As `show_table`, with the look that the settings give."""
    await show_table(seat, Look.of(settings))


async def show_table(
    seat: OwnSeat,
    look: Look,
    house: House | None = None,
    wishes: Sequence[Wish] = (),
    opening: Page | None = None,
) -> Wish:
    """Until the person leaves, with one of the wishes when the match is over. `house` is for a
    table with other people, who may stay away; a screen begins with the page `opening`.

    Raises Interrupted when her terminal is gone.
    """
    display = (
        TableScreen(
            look.glyphs,
            look.style,
            colours=look.colours,
            bell=look.bell,
            wishes=wishes,
            opening=opening,
        )
        if look.lines is None
        else LinearTable(look.glyphs, look.lines, write_out, wishes)
    )
    async with trio.open_nursery() as nursery:
        nursery.start_soon(Attendant(seat, display, look.glyphs.has_symbols, house).run)
        wish = await display.run()
        nursery.cancel_scope.cancel()
    return wish

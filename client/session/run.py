"""An evening with other people: from a lobby to a table, and for a rematch to a lobby again.

While the next lobby is open, the node of the last table stays for those who lack the end of it.
"""

from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from pathlib import Path

import trio

from client.i18n.language import _
from client.session.bot_pool import Household, open_household
from client.session.display import Front
from client.session.hosting import Admission, HostedRoom, usual_title
from client.session.joining import Target, VisitedRoom
from client.session.lobby import Room
from client.session.local_node import Home, at_home
from client.session.next_step import Wish
from client.session.table import Manner, Table
from p2p.storage.memberships import Membership
from p2p.table.node import Node
from p2p.transport.lobby_messages import Terms

Begin = Callable[[Home, Household], Awaitable[Room | Membership]]
"""How the evening begins: in a lobby, or at a table that is taken up again."""

PATIENCE_SECONDS = 1.0
"""How long the end of an evening may take before it is worth a word."""

_HOST = 0  # the player who has opened a table


async def evening(
    folder: Path, port: int | None, front: Front, manner: Manner, begin: Begin
) -> int:
    """The exit code: 0, or 1 if somebody was exposed. Raises as `at_home`, `begin` and
    `Room.run`.
    """
    tables: list[Table] = []
    async with (
        at_home(folder, port) as home,
        open_household(home) as household,
        trio.open_nursery() as nursery,
    ):
        with front.stage():
            place: Room | Membership | None = await begin(home, household)
            title = ""
            while place is not None:
                membership = place if isinstance(place, Membership) else await _meet(place, front)
                if membership is None:
                    break
                title = title if isinstance(place, Membership) else place.title
                table = Table(home, household, membership, front, manner)
                tables.append(table)
                wish: Wish = await nursery.start(table.run)
                place = None if wish is Wish.LEAVE else lobby_again(table, wish, title)
        with trio.move_on_after(PATIENCE_SECONDS) as patience:
            for table in tables:
                await table.done.wait()
        if patience.cancelled_caught:
            front.tell(_("One moment: somebody may still lack the end of the record."))
    return max((table.code for table in tables), default=0)


async def _meet(room: Room, front: Front) -> Membership | None:
    """What comes of a lobby."""
    membership = await front.lobby(room)
    if membership is None:
        front.tell(_("You have left the lobby."))
    return membership


def lobby_again(table: Table, wish: Wish, title: str) -> Room:
    """Where those who have played at a table meet for another match: whoever opened it opens it
    again, for them alone, and they go back there. `title` is "" where it is not known any more.
    """
    home, node = table.home, table.node
    charter = node.charter
    name, host = charter.name_of(node.me), charter.members[_HOST]
    if node.me != _HOST:
        return VisitedRoom(home, name, partial(_find_host, home, node), ready=True, host=host.name)
    keys = tuple(member.key for member in charter.members)
    admission = Admission(
        opponents=len(table.household.keys & set(keys)),
        only=frozenset(keys),
        order=other_seats(keys) if wish is Wish.OTHER_SEATS else keys,
    )
    title = title or usual_title(name, charter.game)
    terms = Terms(title, charter.game, charter.options, len(keys), charter.grace)
    return HostedRoom(home, table.household, name, terms, admission, ready=True)


def other_seats(keys: Sequence[bytes]) -> tuple[bytes, ...]:
    """The players in another order: whoever opens the table stays, the others move up by one, so
    that each of four gets another partner.
    """
    host, *others = keys
    return (host, *others[1:], *others[:1])


async def _find_host(home: Home, node: Node) -> list[Target]:
    """Where the one who opened the table was found, and where his beacon says that he is."""
    key = node.charter.members[_HOST].key
    beacons = home.beacons.of([key]) if home.beacons is not None else ()
    announced = ((address.host, address.port) for address in beacons)
    places = dict.fromkeys((*node.places_of(_HOST), *announced))
    return [Target((host,), port, key) for host, port in places]

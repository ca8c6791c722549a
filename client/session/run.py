"""A session with other people: from a lobby to a table, and for a rematch to a lobby again.

While the next lobby is open, the node of the last table still runs, for players who lack the end of
that table's record.
"""

from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from pathlib import Path

import trio
from attrs import frozen

from client.i18n.language import _
from client.session.display.display_interface import SessionDisplay
from client.session.display.lobby_interface import Lobby
from client.session.display.snapshot import AfterMatch
from client.session.hosted_lobby import Admission, HostedLobby, usual_title
from client.session.joined_lobby import JoinedLobby, Target
from client.session.network_node import NetworkNode, open_network_node
from client.session.seated_bots import SeatedBots, open_seated_bots
from client.session.table import TablePolicy, TableSession, names_of_lacking
from p2p.discovery.beacon import mark_of
from p2p.match.match_node import MatchNode
from p2p.storage.memberships import Membership
from p2p.transport.lobby_messages import Terms

Begin = Callable[[NetworkNode, SeatedBots], Awaitable[Lobby | Membership]]
"""Function that returns where a session begins: a lobby, or the membership of a resumed table."""

_PATIENCE_SECONDS = 1.0
"""Seconds that the end of a session may take before the person is told for whom it waits."""

_HOST = 0  # the player who has opened a table


@frozen
class ListenAt:
    """The port at which this machine listens; with `anywhere`, for machines elsewhere too."""

    port: int | None = None
    anywhere: bool = False


async def run_session(
    folder: Path, at: ListenAt, display: SessionDisplay, policy: TablePolicy, begin: Begin
) -> int:
    """Run a session, and return its exit code.

    The code is 1 if somebody was exposed, 2 if a record could not be written, and 0 otherwise.
    Raises the errors of `open_network_node`, `begin` and `Lobby.run`.
    """
    tables: list[TableSession] = []
    async with (
        open_network_node(folder, at.port, anywhere=at.anywhere) as local,
        open_seated_bots(local) as seated_bots,
        trio.open_nursery() as nursery,
    ):
        if local.mended is not None:
            display.tell(local.mended)
        with display.hold_screen():
            place: Lobby | Membership | None = await begin(local, seated_bots)
            title = ""
            while place is not None:
                membership = place if isinstance(place, Membership) else await _meet(place, display)
                if membership is None:
                    break
                # A lobby knows the title of its table. A resumed match has none, so a rematch gets
                # the usual title.
                title = title if isinstance(place, Membership) else place.title
                table = TableSession(local, seated_bots, membership, display, policy)
                tables.append(table)
                # `start` returns when the person leaves the table; the task runs on for players who
                # lack the end of the record.
                choice: AfterMatch = await nursery.start(table.run)
                place = None if choice is AfterMatch.LEAVE else _lobby_again(table, choice, title)
        with trio.move_on_after(_PATIENCE_SECONDS) as patience:
            for table in tables:
                await table.done.wait()
        if patience.cancelled_caught:
            template = _("One moment: {names} may still lack the end of the record.")
            display.tell(template.format(names=names_of_lacking(tables[-1].node)))
    return max((table.code for table in tables), default=0)


async def _meet(lobby: Lobby, display: SessionDisplay) -> Membership | None:
    """Return the membership from a lobby, with the signed charter; None if the person leaves it."""
    membership = await display.lobby(lobby)
    if membership is None:
        display.tell(_("You have left the lobby."))
    return membership


def _lobby_again(table: TableSession, choice: AfterMatch, title: str) -> Lobby:
    """Return the lobby for a rematch.

    The host opens the table again for the same players, and they join it. `title` is the title of
    the last table, or "" if it is not known, for example after a resumed match.
    """
    local, node = table.local, table.node
    charter = node.charter
    name, host = charter.name_of(node.me), charter.members[_HOST]
    if node.me != _HOST:
        return JoinedLobby(
            local, name, partial(_find_host, local, node), ready=True, host=host.name
        )
    keys = tuple(member.key for member in charter.members)
    admission = Admission(
        opponents=len(table.seated_bots.keys & set(keys)),
        only=frozenset(keys),
        former=node.match_id,
        order=other_seats(keys) if choice is AfterMatch.OTHER_SEATS else keys,
    )
    title = title or usual_title(charter.game, mark_of(node.match_id).encode())
    terms = Terms(
        title, charter.game, charter.options, len(keys), charter.grace, charter.spectators
    )
    return HostedLobby(local, table.seated_bots, name, terms, admission, ready=True)


def other_seats(keys: Sequence[bytes]) -> tuple[bytes, ...]:
    """Return the keys in another order, so that each of four gets another partner.

    The host stays first, the others move up by one.
    """
    host, *others = keys
    return (host, *others[1:], *others[:1])


async def _find_host(local: NetworkNode, node: MatchNode) -> list[Target]:
    """Return the addresses at which the host was last found, and those in the host's beacons."""
    key = node.charter.members[_HOST].key
    beacons = local.beacons.of(node.match_id, [key]) if local.beacons is not None else ()
    announced = ((address.host, address.port) for address in beacons)
    places = dict.fromkeys((*node.places_of(_HOST), *announced))
    return [Target((host,), port, key) for host, port in places]

"""Announces the node at a table: to its members where it is, and, while a seat there is vacant, to
everybody that it can be taken over.
"""

from contextlib import suppress

import trio
from attrs import evolve

from client.session.local_node import Home
from p2p.discovery.beacon import Beacon, NoBeacon, mark_of
from p2p.table.node import Node
from protocol.names import MAX_WIDTH, clean_name

_LOOK_SECONDS = 1.0


async def announce_table(home: Home, node: Node) -> None:
    """Until cancelled."""
    announced: Beacon | None = None
    while True:
        beacon = home.beacon() if node.vacant is None else vacancy(home, node)
        if beacon != announced:  # also when this machine has another address
            with suppress(NoBeacon):  # the network may be away for a while
                await home.announce(beacon)
                announced = beacon
        await trio.sleep(_LOOK_SECONDS)


def vacancy(home: Home, node: Node) -> Beacon:
    """The beacon of a table at which a seat is vacant: all its nodes give it the same name."""
    charter = node.charter
    table = clean_name(f"{charter.members[0].name}: {charter.game.title}"[:MAX_WIDTH])
    return evolve(
        home.beacon(),
        table=table,
        game=charter.game.name,
        seats=len(charter.members),
        free=1,
        begun=mark_of(node.table_id),
    )

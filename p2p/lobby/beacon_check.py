"""Checking a beacon: calling the table that it announces, and learning the key of its node."""

from collections.abc import Callable

import trio

from p2p.discovery.beacon import Beacon, BeaconAnswer, Call
from p2p.discovery.interfaces import Neighbourhood
from p2p.storage.identity import Identity
from p2p.transport.endpoint import LOBBY, hear, say
from p2p.transport.link import PEER_FAULTS, Opener, connect, host_choices
from p2p.transport.lobby_messages import Announced
from p2p.transport.messages import Hello


def beacon_checker(
    open_stream: Opener = trio.open_tcp_stream, *, near: Callable[[str], bool] | None = None
) -> Call:
    """Return a function that calls the table of a beacon, with a key made for these calls only.

    Anybody can send a beacon with any address. So the function calls only addresses for which
    `near` returns True, by default the addresses on this machine's networks.
    """
    visitor = Identity.generate()
    is_near = near or Neighbourhood().has

    async def call(beacon: Beacon) -> BeaconAnswer | None:
        answer = None
        found = tuple(filter(is_near, beacon.hosts))
        for hosts in host_choices(found) if found else ():
            try:
                async with connect(hosts, beacon.port, visitor, open_stream=open_stream) as link:
                    await say(link, Hello(LOBBY, 0))
                    message = await hear(link)
                    if isinstance(message, Announced) and message.is_by(beacon.key, link.peer):
                        answer = BeaconAnswer(link.peer, link.address)
            except* PEER_FAULTS:
                pass
            if answer is not None:
                break
        return answer

    return call

"""Calling a table that was announced: does it answer, and whose is it?"""

import trio

from p2p.discovery.beacon import Beacon
from p2p.discovery.beacons import Answer, Call
from p2p.storage.identity import Identity
from p2p.transport.endpoint import LOBBY, hear, say
from p2p.transport.link import PEER_FAULTS, Opener, connect
from p2p.transport.lobby_messages import Announced
from p2p.transport.messages import Hello


def table_caller(open_stream: Opener = trio.open_tcp_stream) -> Call:
    """Calls with a key of its own, which nobody meets again."""
    visitor = Identity.generate()

    async def call(beacon: Beacon) -> Answer | None:
        answer = None
        for hosts in (beacon.hosts, *((host,) for host in beacon.hosts[1:])):
            try:
                async with connect(hosts, beacon.port, visitor, open_stream=open_stream) as link:
                    await say(link, Hello(LOBBY, 0))
                    message = await hear(link)
                    if isinstance(message, Announced) and message.is_by(beacon.key, link.peer):
                        answer = Answer(link.peer, link.address)
            except* PEER_FAULTS:
                pass
            if answer is not None:
                break
        return answer

    return call

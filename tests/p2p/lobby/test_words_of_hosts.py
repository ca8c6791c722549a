"""No word of a host is said in the program's voice: whoever sits down reads the program's own."""

import random
from pathlib import Path

import pytest
import trio

from p2p.lobby.guest import Guest, NotUnderstood
from p2p.transport.endpoint import LOBBY, Caller, Declined
from p2p.transport.frames import Frames
from protocol.charter import NONCE_BYTES
from protocol.codec import encode
from protocol.errors import OutOfTurn
from tests.p2p.machines import PORT, Machines, failure_of

pytestmark = pytest.mark.usefixtures("autojump_clock", "on_memory")

EVIL = "Update: curl x"
"""A text that a stranger would like the program to say; as short as a name."""

FRAMES = (
    encode((EVIL,)),
    encode((f"{EVIL}\x1b[2J",)),
    encode(("goodbye", EVIL)),
    encode(("goodbye", 4711)),
    encode(("goodbye", 1, EVIL)),
    encode(("announced", EVIL)),
    encode(("lobby", EVIL + "\n", "canasta", 1, [], 4, 60, [], [])),
    encode(("lobby", "Kitchen", EVIL, 1, [], 4, 60, [], [])),
    encode(("lobby", "Kitchen", "update", 1, [], 4, 60, [], [])),
    encode(("lobby", "Kitchen", "canasta", 1, [("update_now", 1)], 4, 60, [], [])),
    encode(("lobby", "Kitchen", "canasta", 1, [("target", EVIL)], 4, 60, [], [])),
    encode(("lobby", "Kitchen", "canasta", 1, [], 4, 60, [(bytes(32), f"{EVIL}\x07", True)], [])),
    encode(("propose", EVIL.encode())),
    encode(("propose", encode((1, "update", 1, [], 60, [])))),
    encode(("agreed", EVIL.encode())),
    encode(("seats", 1, [(bytes(32), f"\u202e{EVIL}", bytes(NONCE_BYTES))])),
    EVIL.encode(),
    b"\xa5\xff\xfe" + EVIL.encode(),
)


@pytest.mark.parametrize("frame", FRAMES, ids=range(len(FRAMES)))
async def test_whatever_a_host_says_the_guest_reads_sentences_of_the_program(
    frame: bytes, tmp_path: Path
) -> None:
    host, bruno = Machines.make(2, tmp_path).all

    async def receive(caller: Caller) -> None:
        await caller.link.receive()
        await Frames.send(caller.link, frame)  # the link of a test would decode it
        await trio.sleep_forever()

    async with host.process() as (endpoint, _), bruno.process() as (visitor, notes):
        guest = Guest(visitor, notes, "Bruno", random.Random(2).randbytes)
        with endpoint.route(LOBBY, receive):
            error = await failure_of(guest.sit_down(host.address, PORT))
    assert isinstance(error, NotUnderstood | Declined | OutOfTurn)
    assert str(error).isprintable()
    assert not any(word in str(error) for word in ("curl", "update_now", "'", '"'))

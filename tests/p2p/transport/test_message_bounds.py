"""The longest message of each kind fits into a frame (`spec/wire.md`, 6 and 8)."""

import pytest

from engine.games import game_named
from p2p.discovery.address_book import MOST_TOLD, Address
from p2p.refusals import HIGHEST_REASON
from p2p.transport.frames import FRAME_LIMIT
from p2p.transport.lobby_messages import (
    MOST_KNOCKING,
    Announced,
    LobbyPlayer,
    LobbyState,
    Propose,
    Ready,
    Reveal,
    Seat,
    Seats,
    Sign,
    Sit,
    Terms,
)
from p2p.transport.messages import (
    _MESSAGES,
    MOST_CANDIDATES,
    Acknowledgement,
    Agreed,
    Aside,
    Candidates,
    Carry,
    Goodbye,
    Hello,
    Invite,
    Message,
    Noted,
    Present,
    Probe,
    Status,
    Vote,
    Whereabouts,
    pack,
    unpack,
)
from p2p.transport.spectator_messages import (
    HIGHEST_ASIDE,
    MOST_BARRED,
    MOST_SPECTATORS_TOLD,
    Overheard,
    Spectator,
    Watch,
    Watching,
)
from protocol.charter import CHARTER_LIMIT, MOST_GRACE, MOST_MEMBERS
from protocol.entries import ENTRY_LIMIT, HEIGHT_LIMIT, VOTE_LIMIT
from protocol.signing import KEY_BYTES, SIGNATURE_BYTES
from tests.protocol.test_bounds import largest_member

DIGEST, SIGNATURE, PORT, NUMBER = bytes(32), bytes(SIGNATURE_BYTES), 65_535, 1 << 32
NAME = largest_member().name
LAST = MOST_MEMBERS - 1
SEAT = Seat(bytes(KEY_BYTES), NAME, DIGEST)
PRESENT = LobbyPlayer(bytes(KEY_BYTES), NAME, ready=True)
FURTHEST = Acknowledgement(HEIGHT_LIMIT, DIGEST, SIGNATURE)
ADDRESS = Address(bytes(KEY_BYTES), "2001:db8:1111:2222:3333:4444:5555:6666", PORT)
CANASTA = game_named("canasta")
TERMS = Terms(NAME, CANASTA, CANASTA.options.from_pairs(()), MOST_MEMBERS, MOST_GRACE)

LONGEST: tuple[Message, ...] = (
    Hello(DIGEST, PORT),
    Goodbye(HIGHEST_REASON),
    Announced(SIGNATURE),
    Sit(NAME, DIGEST),
    LobbyState(TERMS, MOST_MEMBERS * (PRESENT,), MOST_KNOCKING * (PRESENT,)),
    Ready(yes=True),
    Seats(NUMBER, MOST_MEMBERS * (SEAT,)),
    Reveal(NUMBER, DIGEST, DIGEST),
    Propose(bytes(CHARTER_LIMIT)),
    Sign(SIGNATURE),
    Agreed(bytes(CHARTER_LIMIT + 1024)),
    Whereabouts(MOST_TOLD * (ADDRESS,)),
    Status(FURTHEST, MOST_MEMBERS * ((LAST, FURTHEST),)),
    Probe(LAST, DIGEST),
    Present(LAST, DIGEST, SIGNATURE),
    Carry(HEIGHT_LIMIT, bytes(ENTRY_LIMIT)),
    Vote(bytes(VOTE_LIMIT), bytes(KEY_BYTES), SIGNATURE),
    Aside(HIGHEST_ASIDE),
    Noted(),
    Candidates(MOST_CANDIDATES * (largest_member(),)),
    Invite(bytes(VOTE_LIMIT)),
    Watch(NAME, DIGEST, HEIGHT_LIMIT),
    Watching(
        MOST_SPECTATORS_TOLD * (Spectator(bytes(KEY_BYTES), NAME),),
        MOST_BARRED * (bytes(KEY_BYTES),),
    ),
    Overheard(LAST, HIGHEST_ASIDE),
)


def test_each_kind_of_message_is_here() -> None:
    assert [message.kind for message in LONGEST] == list(_MESSAGES)


@pytest.mark.parametrize("message", LONGEST, ids=lambda message: message.kind)
def test_the_longest_message_of_each_kind_fits_into_a_frame(message: Message) -> None:
    frame = pack(message)
    assert len(frame) <= FRAME_LIMIT
    assert unpack(frame) == message


def test_a_frame_is_an_entry_and_the_words_around_it() -> None:
    assert max(len(pack(message)) for message in LONGEST) == ENTRY_LIMIT + 21

"""The bounds of each kind of message (`spec/messages.md`, 6)."""

from typing import Any

import pytest
from attrs import evolve

from engine.errors import InvalidOption
from engine.games import game_named
from p2p.discovery.address_book import MOST_TOLD, Address
from p2p.refusals import HIGHEST_REASON
from p2p.transport.frames import FRAME_LIMIT
from p2p.transport.lobby_messages import (
    MOST_KNOCKING,
    PRICE_BYTES,
    WORK_BYTES,
    Announced,
    CommittedSeat,
    LobbyPlayer,
    LobbyState,
    Price,
    Propose,
    Ready,
    Reveal,
    Seats,
    Sign,
    Sit,
    Terms,
)
from p2p.transport.messages import (
    _MESSAGES,
    Agreed,
    Aside,
    Goodbye,
    Hello,
    Message,
    Noted,
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
from protocol.charter import CHARTER_LIMIT, LEAST_GRACE, MOST_GRACE, MOST_MEMBERS, SIGNED_LIMIT
from protocol.codec import Encodable, encode
from protocol.entries import ENTRY_LIMIT
from protocol.errors import Malformed
from protocol.match.messages import (
    MOST_CANDIDATES,
    NO_WISH,
    Candidates,
    Continued,
    Proposal,
    ShownEvidence,
    Signed,
    Stance,
    Wish,
    WishKind,
)
from protocol.place import HEIGHT_LIMIT
from protocol.signatures import KEY_BYTES, SIGNATURE_BYTES
from protocol.table.messages import Acknowledgement, Carry, Present, Probe, Status
from tests.protocol.largest_member import largest_member

DIGEST, SIGNATURE, PORT, NUMBER = bytes(32), bytes(SIGNATURE_BYTES), 65_535, 1 << 32
NAME = largest_member().name
LAST = MOST_MEMBERS - 1
SEAT = CommittedSeat(bytes(KEY_BYTES), NAME, DIGEST)
PRESENT = LobbyPlayer(bytes(KEY_BYTES), NAME, ready=True)
FURTHEST = Acknowledgement(HEIGHT_LIMIT, DIGEST, SIGNATURE)
ADDRESS = Address(bytes(KEY_BYTES), "2001:db8:1111:2222:3333:4444:5555:6666", PORT)
CANASTA = game_named("canasta")
TERMS = Terms(NAME, CANASTA, CANASTA.options.from_pairs(()), MOST_MEMBERS, MOST_GRACE)

PERSON = Wish(WishKind.PERSON, bytes(KEY_BYTES))
STANCE = Stance(bytes(KEY_BYTES), HEIGHT_LIMIT, PERSON, DIGEST, SIGNATURE)

LONGEST: tuple[Message, ...] = (
    Hello(DIGEST, PORT),
    Goodbye(HIGHEST_REASON),
    Announced(SIGNATURE),
    Price(bytes(PRICE_BYTES)),
    Sit(NAME, DIGEST, bytes(WORK_BYTES)),
    LobbyState(TERMS, MOST_MEMBERS * (PRESENT,), MOST_KNOCKING * (PRESENT,)),
    Ready(yes=True),
    Seats(NUMBER, MOST_MEMBERS * (SEAT,)),
    Reveal(NUMBER, DIGEST, DIGEST),
    Propose(bytes(CHARTER_LIMIT)),
    Sign(SIGNATURE),
    Agreed(bytes(SIGNED_LIMIT)),
    Whereabouts(MOST_TOLD * (ADDRESS,)),
    Status(FURTHEST, MOST_MEMBERS * ((LAST, FURTHEST),)),
    Probe(LAST, DIGEST),
    Present(LAST, DIGEST, SIGNATURE),
    Carry(HEIGHT_LIMIT, bytes(ENTRY_LIMIT)),
    Aside(HIGHEST_ASIDE),
    Noted(),
    Candidates(MOST_CANDIDATES * (largest_member(),)),
    STANCE,
    Proposal(bytes(KEY_BYTES), HEIGHT_LIMIT, bytes(CHARTER_LIMIT), SIGNATURE),
    Signed(bytes(ENTRY_LIMIT)),
    Continued(bytes(SIGNED_LIMIT)),
    ShownEvidence(bytes(ENTRY_LIMIT)),
    Watch(NAME, DIGEST, HEIGHT_LIMIT),
    Watching(
        MOST_SPECTATORS_TOLD * (Spectator(bytes(KEY_BYTES), NAME),),
        MOST_BARRED * (bytes(KEY_BYTES),),
    ),
    Overheard(LAST, HIGHEST_ASIDE),
)


FIRST = Acknowledgement(0, DIGEST, SIGNATURE)

LEAST: tuple[Message, ...] = (
    Hello(b"", 0, 0),
    Hello(b"", 0, NUMBER),
    Goodbye(1),
    LobbyState(Terms(NAME, CANASTA, CANASTA.options(), 2, LEAST_GRACE), ()),
    Seats(1, ()),
    Reveal(1, DIGEST, DIGEST),
    Whereabouts((Address(bytes(KEY_BYTES), "192.0.2.1", 1),)),
    Status(FIRST, ((0, FIRST),), (0, LAST)),
    Probe(0, DIGEST),
    Present(0, DIGEST, SIGNATURE),
    Carry(1, b""),
    Aside(1),
    Stance(bytes(KEY_BYTES), 0, NO_WISH, b"", SIGNATURE),
    Watch(NAME),
    Watching(()),
    Overheard(0, 1),
)

BEYOND: tuple[Message, ...] = (
    *(Hello(DIGEST, port) for port in (-1, PORT + 1)),
    *(Hello(DIGEST, PORT, version) for version in (-1, NUMBER + 1)),
    Hello(bytes(33), PORT),
    *(Goodbye(reason) for reason in (0, HIGHEST_REASON + 1)),
    Announced(bytes(SIGNATURE_BYTES + 1)),
    *(Price(bytes(size)) for size in (PRICE_BYTES - 1, PRICE_BYTES + 1)),
    Sit(NAME, bytes(31)),
    Sit(NAME, DIGEST, bytes(WORK_BYTES + 1)),
    LobbyState(TERMS, (), (MOST_KNOCKING + 1) * (PRESENT,)),
    *(Seats(number, ()) for number in (0, NUMBER + 1)),
    Seats(NUMBER, (MOST_MEMBERS + 1) * (SEAT,)),
    *(Reveal(number, DIGEST, DIGEST) for number in (0, NUMBER + 1)),
    *(Reveal(1, *nonces) for nonces in ((DIGEST, b""), (b"", DIGEST))),
    Propose(bytes(CHARTER_LIMIT + 1)),
    Sign(bytes(SIGNATURE_BYTES - 1)),
    Agreed(bytes(SIGNED_LIMIT + 1)),
    Whereabouts((MOST_TOLD + 1) * (ADDRESS,)),
    *(Status(evolve(FIRST, height=height)) for height in (-1, HEIGHT_LIMIT + 1)),
    *(Status(FIRST, ((player, FIRST),)) for player in (-1, LAST + 1)),
    Status(FIRST, (MOST_MEMBERS + 1) * ((0, FIRST),)),
    *(Status(FIRST, (), (player,)) for player in (-1, LAST + 1)),
    Status(FIRST, (), (MOST_MEMBERS + 1) * (0,)),
    *(Probe(player, DIGEST) for player in (-1, LAST + 1)),
    *(Present(player, DIGEST, SIGNATURE) for player in (-1, LAST + 1)),
    *(Carry(height, b"") for height in (0, HEIGHT_LIMIT + 1)),
    Carry(1, bytes(ENTRY_LIMIT + 1)),
    *(Aside(code) for code in (0, HIGHEST_ASIDE + 1)),
    Candidates((MOST_CANDIDATES + 1) * (largest_member(),)),
    *(evolve(STANCE, number=number) for number in (-1, HEIGHT_LIMIT + 1)),
    evolve(STANCE, key=bytes(KEY_BYTES - 1)),
    evolve(STANCE, accepts=bytes(33)),
    *(evolve(STANCE, wish=Wish(kind, DIGEST)) for kind in WishKind if kind != WishKind.PERSON),
    evolve(STANCE, wish=Wish(WishKind.PERSON)),
    Proposal(bytes(KEY_BYTES), 0, bytes(CHARTER_LIMIT + 1), SIGNATURE),
    *(Proposal(bytes(KEY_BYTES), n, b"charter", SIGNATURE) for n in (-1, HEIGHT_LIMIT + 1)),
    Signed(bytes(ENTRY_LIMIT + 1)),
    Continued(bytes(SIGNED_LIMIT + 1)),
    ShownEvidence(bytes(ENTRY_LIMIT + 1)),
    Watch(NAME, bytes(33)),
    *(Watch(NAME, DIGEST, height) for height in (-1, HEIGHT_LIMIT + 1)),
    Watching((MOST_SPECTATORS_TOLD + 1) * (Spectator(bytes(KEY_BYTES), NAME),)),
    Watching((), (MOST_BARRED + 1) * (bytes(KEY_BYTES),)),
    *(Overheard(player, 1) for player in (-1, LAST + 1)),
    *(Overheard(0, code) for code in (0, HIGHEST_ASIDE + 1)),
)

MORE: tuple[Encodable, ...] = (
    ("seats", 1, [(bytes(KEY_BYTES), NAME, DIGEST, 1)]),
    ("status", *FIRST.fields(), [(0, *FIRST.fields(), 1)], []),
    ("watching", [(bytes(KEY_BYTES), NAME, 1)], []),
)
"""Messages with a list item that has one field too many."""


def test_the_table_of_messages_is_complete() -> None:
    assert sorted(message.kind for message in LONGEST) == sorted(_MESSAGES)


@pytest.mark.parametrize("message", LONGEST, ids=lambda message: message.kind)
def test_the_longest_message_of_each_kind_fits_into_a_frame(message: Message) -> None:
    frame = pack(message)
    assert len(frame) <= FRAME_LIMIT
    assert unpack(frame) == message


def test_a_frame_has_room_for_the_largest_entry_and_its_message() -> None:
    assert max(len(pack(message)) for message in LONGEST) == ENTRY_LIMIT + 21


@pytest.mark.parametrize("message", LEAST, ids=lambda message: message.kind)
def test_the_lowest_allowed_numbers_of_a_message_are_accepted(message: Message) -> None:
    assert unpack(pack(message)) == message


@pytest.mark.parametrize("message", BEYOND, ids=lambda message: message.kind)
def test_a_value_beyond_its_bound_is_malformed(message: Message) -> None:
    with pytest.raises(Malformed):
        unpack(pack(message))


@pytest.mark.parametrize("message", LONGEST, ids=lambda message: message.kind)
def test_a_message_with_a_field_too_many_is_malformed(message: Message) -> None:
    with pytest.raises(Malformed):
        unpack(encode((message.kind, *message.fields(), 1)))


@pytest.mark.parametrize("message", MORE, ids=["seats", "status", "watching"])
def test_an_item_with_a_field_too_many_is_malformed(message: Encodable) -> None:
    with pytest.raises(Malformed):
        unpack(encode(message))


@pytest.mark.parametrize(("length", "sentence"), [(16, "no message"), (17, "the field “kind”")])
def test_an_unknown_kind_is_quoted_if_it_is_short(length: int, sentence: str) -> None:
    """Quote only a short kind, to keep a stranger's long texts out of the log."""
    with pytest.raises(Malformed, match=sentence):
        unpack(encode((length * "x",)))


# -- A host's messages about the lobby

TABLE = Terms("Kitchen", CANASTA, CANASTA.options(rounds=3), 4, 60)
SITTERS = (LobbyPlayer(b"\x01" * 32, "Ana", True), LobbyPlayer(b"\x02" * 32, "Bruno", False))
LOBBY_STATE = LobbyState(TABLE, SITTERS)
FIELDS = ("kind", "title", "game", "rules", "options", "seats", "grace", "spectators", "present")


def test_a_lobby_tells_who_is_there_and_what_is_missing() -> None:
    assert unpack(pack(LOBBY_STATE)) == LOBBY_STATE
    assert LOBBY_STATE.names == ("Ana", "Bruno")
    assert LOBBY_STATE.keys == frozenset({b"\x01" * 32, b"\x02" * 32})
    assert LOBBY_STATE.free == 2
    full = evolve(LOBBY_STATE, terms=evolve(TABLE, seats=2))
    assert not full.is_ready
    ready = tuple(evolve(sitter, ready=True) for sitter in SITTERS)
    assert evolve(full, present=ready).is_ready
    assert not evolve(LOBBY_STATE, present=ready).is_ready


@pytest.mark.parametrize(
    ("field", "values"),
    [
        ("title", ["\x1b[31mKitchen", "K\u202eitchen", "", "x" * 5000]),
        ("game", ["whist"]),
        ("options", [[["target", 1]], [["target", "a lot"]], [["trumps", True]]]),
        ("options", [[["target", 3000]] * 2, [["target", 3000]] * 70]),
        ("seats", [1, 7]),
        ("grace", [9, 10**6]),
        ("spectators", [1]),
        ("present", [[[b"\x01" * 32, "Ana", True]] * 5, [[b"\x01" * 31, "Ana", True]]]),
        ("present", [[[b"\x01" * 32, "A\x1bna", True]], [[b"\x01" * 32, "Ana", 1]]]),
        ("present", [[[b"\x01" * 32, "Ana", True, 1]]]),
    ],
)
def test_a_message_that_no_host_sends_is_malformed(field: str, values: list[Any]) -> None:
    for value in values:
        fields: list[Any] = [LOBBY_STATE.kind, *LOBBY_STATE.fields()]
        fields[FIELDS.index(field)] = value
        with pytest.raises(Malformed):
            unpack(encode(tuple(fields)))


@pytest.mark.parametrize(("seats", "grace"), [(5, 60), (4, 9)])
def test_a_table_at_which_nobody_can_play_is_not_opened(seats: int, grace: int) -> None:
    """Refuse Kanastic for more than four (`spec/format.md`, 2), or a grace of nine seconds."""
    kanastic = game_named("kanastic")
    Terms("Kitchen", kanastic, kanastic.options(), 4, 60).check()
    terms = Terms("Kitchen", kanastic, kanastic.options(), seats, grace)
    with pytest.raises(InvalidOption):
        terms.check()
    with pytest.raises(Malformed):
        unpack(pack(LobbyState(terms, ())))

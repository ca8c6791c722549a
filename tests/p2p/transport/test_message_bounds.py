"""The bounds of each kind of message (`spec/messages.md`, 6)."""

from typing import Any

import pytest
from attrs import evolve

from engine.errors import InvalidOption
from engine.games import game_named
from p2p.discovery.address_book import MOST_TOLD, Address
from p2p.refusals import HIGHEST_REASON
from p2p.transport import lobby_messages as lobby
from p2p.transport import messages
from p2p.transport import spectator_messages as watching
from p2p.transport.frames import FRAME_LIMIT
from p2p.transport.messages import Message, pack, unpack
from protocol.charter import CHARTER_LIMIT, LEAST_GRACE, MOST_GRACE, MOST_MEMBERS, SIGNED_LIMIT
from protocol.codec import Encodable, encode
from protocol.entries import ENTRY_LIMIT
from protocol.errors import Malformed
from protocol.match import messages as match
from protocol.place import HEIGHT_LIMIT
from protocol.signatures import KEY_BYTES, SIGNATURE_BYTES
from protocol.table import messages as table
from tests.protocol.largest_member import largest_member

DIGEST, SIGNATURE, PORT, NUMBER = bytes(32), bytes(SIGNATURE_BYTES), 65_535, 1 << 32
KEY = bytes(KEY_BYTES)
NAME = largest_member().name
LAST = MOST_MEMBERS - 1
SEAT = lobby.CommittedSeat(KEY, NAME, DIGEST)
PRESENT = lobby.LobbyPlayer(KEY, NAME, ready=True)
FURTHEST = table.Acknowledgement(HEIGHT_LIMIT, DIGEST, SIGNATURE)
ADDRESS = Address(KEY, "2001:db8:1111:2222:3333:4444:5555:6666", PORT)
CANASTA = game_named("canasta")
TERMS = lobby.Terms(NAME, CANASTA, CANASTA.options.from_pairs(()), MOST_MEMBERS, MOST_GRACE)

PERSON = match.Wish(match.WishKind.PERSON, KEY)
NOT_A_PERSON = [kind for kind in match.WishKind if kind != PERSON.kind]
STANCE = match.Stance(KEY, HEIGHT_LIMIT, PERSON, DIGEST, SIGNATURE)

# The longest message of each kind.
LONGEST: tuple[Message, ...] = (
    messages.Hello(DIGEST, PORT),
    messages.Goodbye(HIGHEST_REASON),
    lobby.Announced(SIGNATURE),
    lobby.Price(bytes(lobby.PRICE_BYTES)),
    lobby.Sit(NAME, DIGEST, bytes(lobby.WORK_BYTES)),
    lobby.LobbyState(TERMS, MOST_MEMBERS * (PRESENT,), lobby.MOST_KNOCKING * (PRESENT,)),
    lobby.Ready(yes=True),
    lobby.Seats(NUMBER, MOST_MEMBERS * (SEAT,)),
    lobby.Reveal(NUMBER, DIGEST, DIGEST),
    lobby.Propose(bytes(CHARTER_LIMIT)),
    lobby.Sign(SIGNATURE),
    messages.Agreed(bytes(SIGNED_LIMIT)),
    messages.Whereabouts(MOST_TOLD * (ADDRESS,)),
    table.Status(FURTHEST, MOST_MEMBERS * ((LAST, FURTHEST),)),
    table.Probe(LAST, DIGEST),
    table.Present(LAST, DIGEST, SIGNATURE),
    table.Carry(HEIGHT_LIMIT, bytes(ENTRY_LIMIT)),
    messages.Aside(watching.HIGHEST_ASIDE),
    messages.Noted(),
    match.Candidates(match.MOST_CANDIDATES * (largest_member(),)),
    STANCE,
    match.Proposal(KEY, HEIGHT_LIMIT, bytes(CHARTER_LIMIT), SIGNATURE),
    match.Signed(bytes(ENTRY_LIMIT)),
    match.Continued(bytes(SIGNED_LIMIT)),
    match.ShownEvidence(bytes(ENTRY_LIMIT)),
    watching.Watch(NAME, DIGEST, HEIGHT_LIMIT),
    watching.Watching(
        watching.MOST_SPECTATORS_TOLD * (watching.Spectator(KEY, NAME),),
        watching.MOST_BARRED * (KEY,),
    ),
    watching.Overheard(LAST, watching.HIGHEST_ASIDE),
)


FIRST = table.Acknowledgement(0, DIGEST, SIGNATURE)

# Messages with the lowest numbers that are allowed.
LEAST: tuple[Message, ...] = (
    messages.Hello(b"", 0, 0),
    messages.Hello(b"", 0, NUMBER),
    messages.Goodbye(1),
    lobby.LobbyState(lobby.Terms(NAME, CANASTA, CANASTA.options(), 2, LEAST_GRACE), ()),
    lobby.Seats(1, ()),
    lobby.Reveal(1, DIGEST, DIGEST),
    messages.Whereabouts((Address(KEY, "192.0.2.1", 1),)),
    table.Status(FIRST, ((0, FIRST),), (0, LAST)),
    table.Probe(0, DIGEST),
    table.Present(0, DIGEST, SIGNATURE),
    table.Carry(1, b""),
    messages.Aside(1),
    match.Stance(KEY, 0, match.NO_WISH, b"", SIGNATURE),
    watching.Watch(NAME),
    watching.Watching(()),
    watching.Overheard(0, 1),
)

# Messages in which one value is just beyond its bound.
BEYOND: tuple[Message, ...] = (
    *(messages.Hello(DIGEST, port) for port in (-1, PORT + 1)),
    *(messages.Hello(DIGEST, PORT, version) for version in (-1, NUMBER + 1)),
    messages.Hello(bytes(33), PORT),
    *(messages.Goodbye(reason) for reason in (0, HIGHEST_REASON + 1)),
    lobby.Announced(bytes(SIGNATURE_BYTES + 1)),
    *(lobby.Price(bytes(size)) for size in (lobby.PRICE_BYTES - 1, lobby.PRICE_BYTES + 1)),
    lobby.Sit(NAME, bytes(31)),
    lobby.Sit(NAME, DIGEST, bytes(lobby.WORK_BYTES + 1)),
    lobby.LobbyState(TERMS, (), (lobby.MOST_KNOCKING + 1) * (PRESENT,)),
    *(lobby.Seats(number, ()) for number in (0, NUMBER + 1)),
    lobby.Seats(NUMBER, (MOST_MEMBERS + 1) * (SEAT,)),
    *(lobby.Reveal(number, DIGEST, DIGEST) for number in (0, NUMBER + 1)),
    *(lobby.Reveal(1, *nonces) for nonces in ((DIGEST, b""), (b"", DIGEST))),
    lobby.Propose(bytes(CHARTER_LIMIT + 1)),
    lobby.Sign(bytes(SIGNATURE_BYTES - 1)),
    messages.Agreed(bytes(SIGNED_LIMIT + 1)),
    messages.Whereabouts((MOST_TOLD + 1) * (ADDRESS,)),
    *(table.Status(evolve(FIRST, height=height)) for height in (-1, HEIGHT_LIMIT + 1)),
    *(table.Status(FIRST, ((player, FIRST),)) for player in (-1, LAST + 1)),
    table.Status(FIRST, (MOST_MEMBERS + 1) * ((0, FIRST),)),
    *(table.Status(FIRST, (), (player,)) for player in (-1, LAST + 1)),
    table.Status(FIRST, (), (MOST_MEMBERS + 1) * (0,)),
    *(table.Probe(player, DIGEST) for player in (-1, LAST + 1)),
    *(table.Present(player, DIGEST, SIGNATURE) for player in (-1, LAST + 1)),
    *(table.Carry(height, b"") for height in (0, HEIGHT_LIMIT + 1)),
    table.Carry(1, bytes(ENTRY_LIMIT + 1)),
    *(messages.Aside(code) for code in (0, watching.HIGHEST_ASIDE + 1)),
    match.Candidates((match.MOST_CANDIDATES + 1) * (largest_member(),)),
    *(evolve(STANCE, number=number) for number in (-1, HEIGHT_LIMIT + 1)),
    evolve(STANCE, key=bytes(KEY_BYTES - 1)),
    evolve(STANCE, accepts=bytes(33)),
    *(evolve(STANCE, wish=match.Wish(kind, DIGEST)) for kind in NOT_A_PERSON),
    evolve(STANCE, wish=match.Wish(match.WishKind.PERSON)),
    match.Proposal(KEY, 0, bytes(CHARTER_LIMIT + 1), SIGNATURE),
    *(match.Proposal(KEY, n, b"charter", SIGNATURE) for n in (-1, HEIGHT_LIMIT + 1)),
    match.Signed(bytes(ENTRY_LIMIT + 1)),
    match.Continued(bytes(SIGNED_LIMIT + 1)),
    match.ShownEvidence(bytes(ENTRY_LIMIT + 1)),
    watching.Watch(NAME, bytes(33)),
    *(watching.Watch(NAME, DIGEST, height) for height in (-1, HEIGHT_LIMIT + 1)),
    watching.Watching((watching.MOST_SPECTATORS_TOLD + 1) * (watching.Spectator(KEY, NAME),)),
    watching.Watching((), (watching.MOST_BARRED + 1) * (KEY,)),
    *(watching.Overheard(player, 1) for player in (-1, LAST + 1)),
    *(watching.Overheard(0, code) for code in (0, watching.HIGHEST_ASIDE + 1)),
)

MORE: tuple[Encodable, ...] = (
    ("seats", 1, [(KEY, NAME, DIGEST, 1)]),
    ("status", *FIRST.fields(), [(0, *FIRST.fields(), 1)], []),
    ("watching", [(KEY, NAME, 1)], []),
)
"""Messages with a list item that has one field too many."""


def test_the_table_of_messages_is_complete() -> None:
    assert sorted(message.kind for message in LONGEST) == sorted(messages._MESSAGES)


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
    """A stranger's long texts are kept out of the log."""
    with pytest.raises(Malformed, match=sentence):
        unpack(encode((length * "x",)))


# -- A host's messages about the lobby

TABLE = lobby.Terms("Kitchen", CANASTA, CANASTA.options(rounds=3), 4, 60)
SITTERS = (
    lobby.LobbyPlayer(b"\x01" * 32, "Ana", True),
    lobby.LobbyPlayer(b"\x02" * 32, "Bruno", False),
)
LOBBY_STATE = lobby.LobbyState(TABLE, SITTERS)
FIELDS = ("kind", "title", "game", "rules", "options", "seats", "grace", "spectators", "present")


def test_a_lobby_tells_who_is_there_and_what_is_missing() -> None:
    assert unpack(pack(LOBBY_STATE)) == LOBBY_STATE
    assert LOBBY_STATE.names == ("Ana", "Bruno")
    assert LOBBY_STATE.keys == {b"\x01" * 32, b"\x02" * 32}
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
    """Kanastic is for at most four (`spec/format.md`, 2), and nine seconds of grace are too few."""
    kanastic = game_named("kanastic")
    lobby.Terms("Kitchen", kanastic, kanastic.options(), 4, 60).check()
    terms = lobby.Terms("Kitchen", kanastic, kanastic.options(), seats, grace)
    with pytest.raises(InvalidOption):
        terms.check()
    with pytest.raises(Malformed):
        unpack(pack(lobby.LobbyState(terms, ())))

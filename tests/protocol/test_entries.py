"""Entries as bytes: the bytes that are signed, and the only form that a body can have."""

from collections.abc import Callable
from typing import get_args

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from engine import moves
from engine.canasta.deck import CANASTA
from engine.slots import Shown, Slot
from protocol.codec import Encodable, Fields, Value, decode, encode
from protocol.entries import BODY_LIMIT, CONTENTS, ENTRY_LIMIT, Body, Entry, place_of
from protocol.errors import Malformed
from protocol.move_codec import move_fields, take_move
from tests.protocol.every_move import CARD, EVERY_MOVE, NO_MOVES, PLAY
from tests.protocol.played import Moment, played

KINDS = tuple(CONTENTS)


def fields_of(moment: Moment) -> tuple[Value, ...]:
    """Return the decoded body of the entry that comes next."""
    body = decode(Entry.decode(moment.entry).body, limit=BODY_LIMIT)
    assert isinstance(body, tuple)
    return body


def test_a_round_has_entries_of_every_kind() -> None:
    assert {moment.body.content.kind for moment in played().moments} == set(KINDS)


@pytest.mark.parametrize("game", [("canasta", 2), ("kanastic", 2), ("canastra", 2)])
def test_every_entry_of_a_round_survives_encoding_and_decoding(game: tuple[str, int]) -> None:
    for moment in played(*game).moments:
        entry = Entry.decode(moment.entry)
        assert entry.encode() == moment.entry
        assert moment.body.encode() == entry.body
        assert place_of(entry.body) == moment.body.place == moment.state.next_place


@pytest.mark.parametrize("kind", KINDS)
def test_the_head_hashes_only_the_body(kind: str) -> None:
    entry = Entry.decode(played().when(kind).entry)
    assert evolve(entry, signature=bytes(64)).head == entry.head
    assert evolve(entry, body=entry.body + b"\0").head != entry.head


def test_the_signature_is_valid_only_for_its_label() -> None:
    moment = played().at(1)
    entry = Entry.decode(moment.entry)
    keys = [member.key for member in moment.state.charter.members]
    sign = moment.table.signers[moment.writer]
    assert entry.is_signed_by(keys[moment.writer])
    assert not entry.is_signed_by(keys[moment.other])
    for label in (b"", b"entry", b"sobremesa/1/charter", b"sobremesa/2/entry"):
        signed = evolve(entry, signature=sign(label, entry.body))
        assert not signed.is_signed_by(keys[moment.writer])


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\xc0",
        encode((b"", bytes(64), 1)),
        encode((b"",)),
        encode((b"", b"")),
        encode((b"", bytes(63))),
        encode((b"", bytes(65))),
        encode(("", bytes(64))),
        encode((b"", bytes(64))) + b"\0",
        encode((bytes(BODY_LIMIT + 1), bytes(64))),
        bytes(ENTRY_LIMIT + 1),
        b"\xdc\x00\x02" + encode((b"", bytes(64)))[1:],  # a longer list header than necessary
    ],
    ids=lambda data: f"{len(data)} bytes, {data[:4].hex()}",
)
def test_malformed_entries_are_refused(data: bytes) -> None:
    with pytest.raises(Malformed):
        Entry.decode(data)


Change = Callable[[list[Encodable]], None]


def put(index: int, value: Encodable) -> Change:
    def change(fields: list[Encodable]) -> None:
        fields[index : index + 1] = [value]

    return change


def drop(index: int) -> Change:
    def change(fields: list[Encodable]) -> None:
        del fields[index]

    return change


# the fields of a body: table, height, head before, writer, kind, content
BAD_BODIES: list[Change] = [
    put(0, bytes(31)),
    put(0, "table"),
    put(1, 0),
    put(1, -1),
    put(1, True),
    put(1, 2**48 + 1),
    put(1, 2**64 - 1),
    put(2, bytes(33)),
    put(2, None),
    put(3, -1),
    put(3, 256),
    put(3, None),
    put(4, "gossip"),
    put(4, b"move"),
    put(4, 17 * "m"),
    put(5, None),
    put(5, b""),
    put(5, ()),
    put(6, 0),
    drop(0),
    drop(5),
]


@pytest.mark.parametrize("change", BAD_BODIES)
def test_a_body_with_a_field_out_of_bounds_is_refused(change: Change) -> None:
    fields: list[Encodable] = list(fields_of(played().when("close")))
    change(fields)
    with pytest.raises(Malformed):
        Body.decode(encode(fields), CANASTA)


def test_the_error_for_an_unknown_entry_kind_is_short() -> None:
    fields: list[Encodable] = list(fields_of(played().when("close")))
    for kind, why in ((16 * "m", "no entry of kind"), (17 * "m", "at most 16")):
        put(4, kind)(fields)
        with pytest.raises(Malformed, match=why):
            Body.decode(encode(fields), CANASTA)


BAD_CONTENTS: list[tuple[str, Change]] = [
    ("shuffle", put(0, -1)),
    ("shuffle", put(0, 2**32)),
    ("shuffle", put(1, 109 * (0,))),
    ("shuffle", put(1, (108,))),
    ("shuffle", put(1, (-1,))),
    ("shuffle", put(1, (None,))),
    ("shuffle", put(2, bytes(109 * 32))),
    ("shuffle", put(3, bytes(31))),
    ("shuffle", put(4, None)),
    ("unlock", put(0, [(0, 256)])),
    ("unlock", put(0, [(0, -1)])),
    ("unlock", put(0, [(0, False)])),
    ("unlock", put(0, [(0,)])),
    ("unlock", put(0, [(0, 1, 2)])),
    ("unlock", put(0, 109 * [(0, 1)])),
    ("unlock", put(1, 109 * (bytes(32),))),
    ("unlock", put(1, (bytes(31),))),
    ("unlock", put(2, 109 * (bytes(64),))),
    ("unlock", put(2, (bytes(63),))),
    ("move", put(0, "draw")),
    ("move", put(1, bytes(64))),
    ("open", put(0, [(0, 108)])),
    ("open", put(0, [0])),
    ("open", put(1, None)),
    ("close", put(0, 0)),
    ("close", put(0, 2**54)),
    ("close", put(1, (2**31, 0))),
    ("close", put(1, 256 * (0,))),
    ("close", put(1, (True, False))),
    ("close", put(2, 1)),
    *((kind, drop(0)) for kind in KINDS),
    *((kind, put(9, 0)) for kind in KINDS),
]


@pytest.mark.parametrize(("kind", "change"), BAD_CONTENTS)
def test_a_content_with_a_field_out_of_bounds_is_refused(kind: str, change: Change) -> None:
    *rest, content = fields_of(played().when(kind))
    assert isinstance(content, tuple)
    fields: list[Encodable] = list(content)
    change(fields)
    with pytest.raises(Malformed):
        Body.decode(encode([*rest, fields]), CANASTA)


def test_a_place_is_read_with_any_content() -> None:
    place = played().at(9).state.next_place
    assert place_of(encode((*place.fields(), "of another game", 7))) == place


def test_a_shuffle_needs_less_than_a_quarter_of_the_entry_limit() -> None:
    assert len(played().at(1).entry) < ENTRY_LIMIT // 4


# -- Moves as bytes: each decodes to itself, and other values are refused


def taken(value: Encodable) -> moves.Move:
    return take_move(Fields(decode(encode(value), limit=100_000), "move"), CANASTA)


CARDS = st.builds(Shown, st.integers(0, 1 << 16).map(Slot), st.sampled_from(CANASTA))
SHOWN = st.lists(CARDS, max_size=8).map(tuple)
PLAYS = st.lists(
    st.builds(moves.Play, SHOWN, st.none() | st.integers(0, 64), st.booleans()), max_size=5
).map(tuple)
MOVES = st.one_of(
    st.builds(moves.Cut, st.integers(0, 1 << 16)),
    st.builds(moves.ShowBonus, SHOWN),
    st.just(moves.DrawStock()),
    st.builds(moves.TakePile, PLAYS),
    st.builds(moves.TakeTop, PLAYS),
    st.builds(moves.LayMelds, PLAYS),
    st.builds(moves.Discard, CARDS),
    st.just(moves.Ask()),
    st.builds(moves.Answer, st.booleans()),
    st.just(moves.Pass()),
)


def test_every_kind_of_move_is_tested() -> None:
    assert {type(move) for move in EVERY_MOVE} == set(get_args(moves.Move))
    for move in EVERY_MOVE:
        assert taken(move_fields(move)) == move


@given(MOVES)
def test_every_move_survives_encoding_and_decoding(move: moves.Move) -> None:
    assert taken(move_fields(move)) == move


def test_the_examples_of_a_card_and_a_play_make_moves() -> None:
    assert taken(("discard", CARD)) == moves.Discard(Shown(Slot(3), CANASTA[7]))
    assert taken(("meld", [PLAY])) == moves.LayMelds((moves.Play((Shown(Slot(3), CANASTA[7]),)),))


def test_the_error_for_an_unknown_move_kind_is_short() -> None:
    for kind, why in ((16 * "s", "no move"), (17 * "s", "at most 16")):
        with pytest.raises(Malformed, match=why):
            taken((kind,))


@pytest.mark.parametrize("value", NO_MOVES, ids=repr)
def test_malformed_move_fields_are_refused(value: Encodable) -> None:
    with pytest.raises(Malformed):
        taken(value)

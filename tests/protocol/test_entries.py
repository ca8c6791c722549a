"""Entries as bytes: the bytes that are signed, and the only form that a body can have."""

from collections.abc import Mapping, Sequence
from typing import get_args

import pytest
from attrs import evolve

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


Wrong = Mapping[int, Sequence[Encodable]]
"""Values out of bounds, by the index of their field."""

# the fields of a body: table, height, head before, writer, kind, content; index 6 is one too many
BAD_BODY: Wrong = {
    0: (bytes(31), "table"),
    1: (0, -1, True, 2**48 + 1, 2**64 - 1),
    2: (bytes(33), None),
    3: (-1, 256, None),
    4: ("gossip", b"move", 17 * "m"),
    5: (None, b"", ()),
    6: (0,),
}


def refused(kind: str, at: int, *values: Encodable, in_content: bool) -> str:
    """Return the refusal of a body, or of a content, with these values in the place of a field."""
    *head, content = fields_of(played().when(kind))
    assert isinstance(content, tuple)
    fields: list[Encodable] = list(content) if in_content else [*head, content]
    fields[at : at + 1] = values
    with pytest.raises(Malformed) as raised:
        Body.decode(encode([*head, fields] if in_content else fields), CANASTA)
    return str(raised.value)


@pytest.mark.parametrize(("at", "value"), [(at, one) for at in BAD_BODY for one in BAD_BODY[at]])
def test_a_body_with_a_field_out_of_bounds_is_refused(at: int, value: Encodable) -> None:
    assert refused("close", at, value, in_content=False)


@pytest.mark.parametrize("at", [0, 5])
def test_a_body_without_a_field_is_refused(at: int) -> None:
    assert refused("close", at, in_content=False)


def test_the_error_for_an_unknown_kind_is_short() -> None:
    assert "no entry of kind" in refused("close", 4, 16 * "m", in_content=False)
    assert "at most 16" in refused("close", 4, 17 * "m", in_content=False)
    for kind, why in ((16 * "s", "no move"), (17 * "s", "at most 16")):
        with pytest.raises(Malformed, match=why):
            taken((kind,))


BAD_CONTENTS: dict[str, Wrong] = {
    "shuffle": {
        0: (-1, 2**32),
        1: (109 * (0,), (108,), (-1,), (None,)),
        2: (bytes(109 * 32),),
        3: (bytes(31),),
        4: (None,),
    },
    "unlock": {
        0: ([(0, 256)], [(0, -1)], [(0, False)], [(0,)], [(0, 1, 2)], 109 * [(0, 1)]),
        1: (109 * (bytes(32),), (bytes(31),)),
        2: (109 * (bytes(64),), (bytes(63),)),
    },
    "move": {0: ("draw",), 1: (bytes(64),)},
    "open": {0: ([(0, 108)], [0]), 1: (None,)},
    "close": {0: (0, 2**54), 1: ((2**31, 0), 256 * (0,), (True, False)), 2: (1,)},
}


@pytest.mark.parametrize("kind", KINDS)
def test_a_content_with_a_field_out_of_bounds_is_refused(kind: str) -> None:
    for at, values in BAD_CONTENTS[kind].items():
        for value in values:
            assert refused(kind, at, value, in_content=True), (at, value)
    assert refused(kind, 0, in_content=True)
    assert refused(kind, 9, 0, in_content=True)


def test_a_place_is_read_with_any_content() -> None:
    place = played().at(9).state.next_place
    assert place_of(encode((*place.fields(), "of another game", 7))) == place


# -- Moves as bytes: each decodes to itself, and other values are refused


def taken(value: Encodable) -> moves.Move:
    return take_move(Fields(decode(encode(value), limit=100_000), "move"), CANASTA)


def test_every_kind_of_move_survives_encoding_and_decoding() -> None:
    assert {type(move) for move in EVERY_MOVE} == set(get_args(moves.Move))
    for move in EVERY_MOVE:
        assert taken(move_fields(move)) == move


def test_the_examples_of_a_card_and_a_play_make_moves() -> None:
    card = Shown(Slot(3), CANASTA[7])
    assert taken(("discard", CARD)) == moves.Discard(card)
    assert taken(("meld", [PLAY])) == moves.LayMelds((moves.Play((card,)),))


@pytest.mark.parametrize("value", NO_MOVES, ids=repr)
def test_malformed_move_fields_are_refused(value: Encodable) -> None:
    with pytest.raises(Malformed):
        taken(value)

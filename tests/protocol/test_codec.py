"""The codec: one encoding for each value, and errors for all other bytes."""

import math

import msgpack
import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.codec import INT_MAX, INT_MIN, MAX_DEPTH, MAX_ITEMS, Fields, Value, decode, encode
from protocol.errors import Malformed

LIMIT = 65_536

scalars = (
    st.none()
    | st.booleans()
    | st.integers(INT_MIN, INT_MAX)
    | st.binary(max_size=300)
    | st.text(max_size=80)
)
values: st.SearchStrategy[Value] = st.recursive(
    scalars, lambda inner: st.lists(inner, max_size=20).map(tuple), max_leaves=30
).filter(lambda value: depth(value) <= MAX_DEPTH)


def depth(value: Value) -> int:
    return 1 + max(map(depth, value), default=0) if isinstance(value, tuple) else 0


def nested(levels: int) -> Value:
    value: Value = 7
    for _ in range(levels):
        value = (value,)
    return value


@given(values)
def test_every_value_survives_encoding_and_decoding(value: Value) -> None:
    again = decode(encode(value), limit=LIMIT)
    assert again == value
    assert encode(again) == encode(value)


@given(values, st.data())
def test_changed_bytes_are_refused_or_decode_to_another_value(
    value: Value, data: st.DataObject
) -> None:
    original = encode(value)
    changed = bytearray(original)
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, len(changed) - 1))
        changed[at] ^= data.draw(st.integers(1, 255))
    try:
        other = decode(bytes(changed), limit=LIMIT)
    except Malformed:
        return
    assert encode(other) == changed
    assert bytes(changed) == original or encode(other) != original


@given(st.binary(max_size=200))
def test_any_bytes_are_refused_or_canonical(data: bytes) -> None:
    try:
        value = decode(data, limit=LIMIT)
    except Malformed:
        return
    assert encode(value) == data


def test_true_and_one_differ_on_the_wire() -> None:
    assert encode(True) != encode(1)
    assert decode(encode(True), limit=9) is True
    assert decode(encode(1), limit=9) is not True


def test_lists_and_tuples_have_the_same_encoding() -> None:
    assert encode([1, ["a", b"b"]]) == encode((1, ("a", b"b")))


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(b"", id="nothing"),
        pytest.param(b"\xc1", id="the byte that is never used"),
        pytest.param(b"\x01\x01", id="trailing bytes"),
        pytest.param(b"\x92\x01", id="a list cut short"),
        pytest.param(b"\xcc\x01", id="an integer in two bytes that fits one"),
        pytest.param(b"\xcd\x00\xff", id="an integer in three bytes that fits two"),
        pytest.param(b"\xd3" + bytes(7) + b"\x01", id="an integer in nine bytes"),
        pytest.param(b"\xd0\x05", id="a positive integer written as signed"),
        pytest.param(b"\xdc\x00\x01\x01", id="a list header too wide"),
        pytest.param(b"\xd9\x01a", id="a text header too wide"),
        pytest.param(b"\xc5\x00\x01a", id="a bytes header too wide"),
        pytest.param(b"\x80", id="an empty map"),
        pytest.param(b"\x81\xa1a\x01", id="a map"),
        pytest.param(b"\x82\xa1a\x01\xa1a\x02", id="a map with a key twice"),
        pytest.param(b"\xd4\x01\x00", id="an extension type"),
        pytest.param(b"\xc7\x00\x05", id="an empty extension type"),
        pytest.param(b"\xd6\xff\x00\x00\x00\x01", id="a timestamp"),
        pytest.param(b"\xa1\xff", id="text that is no UTF-8"),
        pytest.param(b"\xa3\xed\xa0\x80", id="a surrogate in UTF-8"),
        pytest.param(b"\xa2\xc0\x80", id="an overlong zero in UTF-8"),
        pytest.param(b"\xdd\x7f\xff\xff\xff", id="two thousand million items claimed"),
        pytest.param(b"\xdf\x7f\xff\xff\xff", id="two thousand million pairs claimed"),
        pytest.param(b"\xc6\xff\xff\xff\xff", id="four gigabytes claimed"),
        pytest.param(b"\xdc\xff\xff" * 1000, id="lists that claim 65535 items, nested"),
        pytest.param(b"\x91" * (MAX_DEPTH + 1) + b"\x01", id="nested one too deep"),
        pytest.param(b"\x91" * 60_000 + b"\x01", id="nested far too deep"),
    ]
    + [
        pytest.param(msgpack.packb(number), id=f"the float {number}")
        for number in (0.0, 1.5, math.nan, math.inf)
    ]
    + [pytest.param(msgpack.packb([1, (2, 0.5)]), id="a float inside")],
)
def test_hostile_bytes_are_malformed(data: bytes) -> None:
    with pytest.raises(Malformed):
        decode(data, limit=LIMIT)


def test_one_byte_over_the_limit_is_refused() -> None:
    data = encode(bytes(100))
    assert decode(data, limit=len(data)) == bytes(100)
    with pytest.raises(Malformed, match="too long"):
        decode(data, limit=len(data) - 1)


def test_values_at_the_bounds_are_allowed() -> None:
    for value in (nested(MAX_DEPTH), (0,) * MAX_ITEMS, INT_MIN, INT_MAX):
        assert decode(encode(value), limit=LIMIT) == value


@pytest.mark.parametrize(
    "value",
    [
        INT_MIN - 1,
        INT_MAX + 1,
        "\ud800",
        1.0,
        {"a": 1},
        {1},
        (0,) * (MAX_ITEMS + 1),
        nested(MAX_DEPTH + 1),
        object(),
        msgpack.ExtType(5, b""),
        (1, [b"", 2.5]),
    ],
)
def test_encoding_an_unsupported_value_is_a_programming_error(value: Value) -> None:
    with pytest.raises((TypeError, ValueError)):
        encode(value)


def fields(*items: Value) -> Fields:
    return Fields.decode(encode(items), "cut", limit=LIMIT)


def test_fields_are_taken_in_order() -> None:
    taken = fields(3, b"ab", b"abc", "año", False, (1, 2), (b"x", b"y"), ("in", 1), None)
    assert taken.take_int("seat", 0, 3) == 3
    assert taken.take_bytes("key", exact=2) == b"ab"
    assert taken.take_bytes("proof", most=3) == b"abc"
    assert taken.take_text("name", 3) == "año"
    assert taken.take_bool("asked") is False
    assert taken.take_ints("places", 2, 1, 2) == (1, 2)
    assert taken.take_all_bytes("points", 2, exact=1) == (b"x", b"y")
    inner = taken.take_fields("inner")
    assert (inner.take_text("word", 2), inner.take_int("n", 1, 1)) == ("in", 1)
    inner.end()
    assert len(taken) == 1
    assert taken.take("nothing") is None
    taken.end()


@pytest.mark.parametrize(
    ("items", "take"),
    [
        ((), lambda f: f.take_int("seat", 0, 3)),
        ((4,), lambda f: f.take_int("seat", 0, 3)),
        ((-1,), lambda f: f.take_int("seat", 0, 3)),
        ((True,), lambda f: f.take_int("seat", 0, 3)),
        (("1",), lambda f: f.take_int("seat", 0, 3)),
        ((1,), lambda f: f.take_bool("seat")),
        (("ab",), lambda f: f.take_bytes("seat", exact=2)),
        ((b"abc",), lambda f: f.take_bytes("seat", exact=2)),
        ((b"a",), lambda f: f.take_bytes("seat", exact=2)),
        ((b"abc",), lambda f: f.take_bytes("seat", most=2)),
        ((b"ab",), lambda f: f.take_text("seat", 9)),
        (("abc",), lambda f: f.take_text("seat", 2)),
        ((b"ab",), lambda f: f.take_list("seat", 9)),
        (((1, 2, 3),), lambda f: f.take_list("seat", 2)),
        ((1,), lambda f: f.take_fields("seat")),
        (((1, True),), lambda f: f.take_ints("seat", 9, 0, 9)),
        (((b"a", b"bb"),), lambda f: f.take_all_bytes("seat", 9, exact=1)),
    ],
)
def test_a_wrong_field_is_named(items: tuple[Value, ...], take: object) -> None:
    assert callable(take)
    with pytest.raises(Malformed, match=r"^cut.*seat"):
        take(fields(*items))


def test_taking_bytes_needs_exactly_one_bound() -> None:
    """Without a bound, a peer could send any number of bytes."""
    taken = fields(b"ab")
    with pytest.raises(TypeError, match="either exact or most"):
        taken.take_bytes("key")
    with pytest.raises(TypeError, match="either exact or most"):
        taken.take_bytes("key", exact=2, most=2)
    assert taken.take_bytes("key", most=2) == b"ab"


def test_left_over_values_are_refused() -> None:
    taken = fields(1, 2)
    taken.take_int("seat", 0, 3)
    with pytest.raises(Malformed, match="1 value too many"):
        taken.end()


def test_a_message_that_is_no_list_is_refused() -> None:
    with pytest.raises(Malformed, match="cut"):
        Fields.decode(encode(5), "cut", limit=LIMIT)
    with pytest.raises(Malformed, match="cut"):
        Fields.decode(b"\xc1", "cut", limit=LIMIT)

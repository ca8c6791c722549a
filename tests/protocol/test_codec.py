"""The codec: one encoding for each value, and errors for all other bytes."""

import math
from collections.abc import Callable

import msgpack
import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.codec import INT_MAX, INT_MIN, MAX_DEPTH, MAX_ITEMS, Fields, Value, decode, encode
from protocol.errors import Malformed
from tests.spec.run_verifier import vectors

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


@given(values, st.data())
def test_values_survive_encoding_and_changed_bytes_are_refused_or_decode_to_another_value(
    value: Value, data: st.DataObject
) -> None:
    original = encode(value)
    again = decode(original, limit=LIMIT)
    assert again == value
    assert encode(again) == original
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


HOSTILE = {
    **{name: bytes.fromhex(bad) for name, bad in vectors("values.json")["refused"].items()},
    "the byte that is never used": b"\xc1",
    "an integer in nine bytes": b"\xd3" + bytes(7) + b"\x01",
    "a map with a key": b"\x81\xa1a\x01",
    "a map with a key twice": b"\x82\xa1a\x01\xa1a\x02",
    "an empty extension type": b"\xc7\x00\x05",
    "a timestamp": b"\xd6\xff\x00\x00\x00\x01",
    "two thousand million items claimed": b"\xdd\x7f\xff\xff\xff",
    "two thousand million pairs claimed": b"\xdf\x7f\xff\xff\xff",
    "four gigabytes claimed": b"\xc6\xff\xff\xff\xff",
    "lists that claim 65535 items, nested": b"\xdc\xff\xff" * 1000,
    "nested far too deep": b"\x91" * 60_000 + b"\x01",
    **{f"the float {number}": msgpack.packb(number) for number in (1.5, math.nan, math.inf)},
    "a float inside": msgpack.packb([1, (2, 0.5)]),
}


@pytest.mark.parametrize("data", HOSTILE.values(), ids=HOSTILE)
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
    ("take", "wrong"),
    [
        (lambda f: f.take_int("seat", 0, 3), [(), (4,), (-1,), (True,), ("1",)]),
        (lambda f: f.take_bool("seat"), [(1,)]),
        (lambda f: f.take_bytes("seat", exact=2), [("ab",), (b"abc",), (b"a",)]),
        (lambda f: f.take_bytes("seat", most=2), [(b"abc",)]),
        (lambda f: f.take_text("seat", 2), [(b"ab",), ("abc",)]),
        (lambda f: f.take_list("seat", 2), [(b"ab",), ((1, 2, 3),)]),
        (lambda f: f.take_fields("seat"), [(1,)]),
        (lambda f: f.take_ints("seat", 9, 0, 9), [((1, True),)]),
        (lambda f: f.take_all_bytes("seat", 9, exact=1), [((b"a", b"bb"),)]),
    ],
)
def test_a_wrong_field_is_named(
    take: Callable[[Fields], object], wrong: list[tuple[Value, ...]]
) -> None:
    for items in wrong:
        with pytest.raises(Malformed, match=r"^cut.*seat"):
            take(fields(*items))


def test_taking_bytes_needs_exactly_one_bound() -> None:
    """Without a bound, a peer could send any number of bytes."""
    taken = fields(b"ab")
    for bounds in ({}, {"exact": 2, "most": 2}):
        with pytest.raises(TypeError, match="either exact or most"):
            taken.take_bytes("key", **bounds)
    assert taken.take_bytes("key", most=2) == b"ab"


def test_left_over_values_and_messages_that_are_no_lists_are_refused() -> None:
    taken = fields(1, 2)
    taken.take_int("seat", 0, 3)
    with pytest.raises(Malformed, match="1 value too many"):
        taken.end()
    for data in (encode(5), b"\xc1"):
        with pytest.raises(Malformed, match="cut"):
            Fields.decode(data, "cut", limit=LIMIT)

"""The one encoding of every value: a strict, canonical subset of MessagePack.

A value is None, a bool, a 64-bit integer, bytes, text, or a list of values. There are no maps
(so no key order and no duplicate keys), no floats, no extension types. Each value has exactly
one encoding, and `decode` accepts no other. So all nodes sign and hash the same bytes for the same
value. See `spec/format.md`, 1, and https://github.com/msgpack/msgpack/blob/master/spec.md for
MessagePack.
"""

from collections.abc import Iterator, Sequence
from typing import Any, TypeAlias

import msgpack

from engine.sentences import Sentence
from protocol.errors import Malformed

Value: TypeAlias = "bool | int | bytes | str | tuple[Value, ...] | None"
"""Values as `decode` gives them: lists come out as tuples."""

Encodable: TypeAlias = "bool | int | bytes | str | Sequence[Encodable] | None"
"""Values as `encode` takes them: tuples and lists are the same."""

MAX_DEPTH = 12
"""Maximum depth of lists inside lists. The deepest real message has half as many levels."""

MAX_ITEMS = 4096
"""Maximum number of items in one list. Without a limit, a five-byte header that claims 2**32 items
would make the decoder allocate memory for all of them.
"""

INT_MIN, INT_MAX = -(2**63), 2**64 - 1

_ALWAYS_ENCODABLE = frozenset({bytes, str, bool, type(None)})
"""Types whose values all have an encoding. `_check` skips such items, and most items are such."""

_OPTIONS: dict[str, Any] = {
    "raw": False,
    "use_list": False,
    "max_array_len": MAX_ITEMS,
    "max_map_len": 0,
    "max_ext_len": 0,
}
"""The options of msgpack. Empty maps and extensions are decoded, but `encode` refuses them."""


def encode(value: Encodable) -> bytes:
    """Return the one encoding of `value`.

    Raises TypeError or ValueError for a value that has no encoding. That is a mistake of the
    caller, never of a peer.

    >>> encode((1, "Ana", True)).hex()
    '9301a3416e61c3'
    """
    _check(value, MAX_DEPTH)
    packed: bytes = msgpack.packb(value, use_bin_type=True)
    return packed


def decode(data: bytes, *, limit: int) -> Value:
    """Return the value whose one encoding is `data`, of at most `limit` bytes.

    Raises Malformed if there is no such value. The function is safe on hostile bytes: memory and
    nesting are bounded.

    >>> decode(bytes.fromhex("9301a3416e61c3"), limit=100)
    (1, 'Ana', True)
    """
    if len(data) > limit:
        raise Malformed(
            "A message of {size} bytes is too long: at most {limit} are allowed.",
            size=len(data),
            limit=limit,
        )
    try:
        value: Value = msgpack.unpackb(data, **_OPTIONS)
        # msgpack also reads longer encodings, such as the number 5 in nine bytes. They do not come
        # out again as they came in.
        again = encode(value)
    except (ValueError, TypeError, OverflowError) as error:
        raise Malformed(
            "These bytes are not an encoded value: {error}", error=str(error)
        ) from error
    if again != data:
        raise Malformed("These bytes are a second encoding of a value that has a shorter one.")
    return value


def front_of(data: bytes, *, limit: int) -> tuple[int, Value]:
    """Return the number of items of the list in `data`, and the first item.

    The other items are not read, because a newer version may have given them another form. Raises
    Malformed.
    """
    unpacker = msgpack.Unpacker(**_OPTIONS)
    unpacker.feed(data[:limit])
    try:
        items: int = unpacker.read_array_header()
        first: Value = unpacker.unpack()
        # `front` is the one encoding of the list's header and of the first item.
        front = msgpack.Packer().pack_array_header(items) + encode(first)
    except (ValueError, TypeError, OverflowError, msgpack.OutOfData) as error:
        raise Malformed("These bytes do not begin a list.") from error
    if len(data) > limit or not 0 < items <= MAX_ITEMS or not data.startswith(front):
        raise Malformed("These bytes do not begin a list.")
    return items, first


def _check(value: Encodable, depth: int) -> None:
    match value:
        case None | bool() | bytes() | str():
            pass
        case int():
            if not INT_MIN <= value <= INT_MAX:
                raise ValueError(f"the integer {value:#x} does not fit into 64 bits")
        case list() | tuple() if type(value) in {list, tuple}:  # an extension type is a tuple too
            if depth == 0:
                raise ValueError(f"lists are nested more than {MAX_DEPTH} deep")
            if len(value) > MAX_ITEMS:
                raise ValueError(f"a list of {len(value)} items is longer than {MAX_ITEMS}")
            for item in value:
                if type(item) not in _ALWAYS_ENCODABLE:
                    _check(item, depth - 1)
        case _:
            raise TypeError(f"a value of type {type(value).__name__} has no encoding")


class Fields:
    """A reader that takes the fields of a decoded list one by one, in order, each with its bounds.

    `what` names the message in errors. Every method that takes a field raises Malformed, with the
    name of the field, if the next value is missing, has another type or is out of bounds. `end`
    raises Malformed if values are left over.
    """

    def __init__(self, value: Value, what: str) -> None:
        if not isinstance(value, tuple):
            raise Malformed("{what}: a list of fields is expected.", what=what)
        self._values = value
        self._next = 0
        self._what = what

    @classmethod
    def decode(cls, data: bytes, what: str, *, limit: int) -> "Fields":
        """Return a reader of the encoded list in `data`."""
        try:
            return cls(decode(data, limit=limit), what)
        except Malformed as error:
            raise Malformed("{what}: {error}", what=what, error=error) from error

    def take(self, name: str) -> Value:
        """Take the next value, whatever it is."""
        if self._next == len(self._values):
            raise self._wrong(name, Sentence("is missing"))
        value = self._values[self._next]
        self._next += 1
        return value

    def take_bool(self, name: str) -> bool:
        """Take the next value, true or false."""
        value = self.take(name)
        if not isinstance(value, bool):
            raise self._wrong(name, Sentence("must be true or false"))
        return value

    def take_int(self, name: str, lo: int, hi: int) -> int:
        """Take the next value, an integer from `lo` to `hi`, both included."""
        value = self.take(name)
        # In Python, True is an integer, too.
        if isinstance(value, bool) or not isinstance(value, int) or not lo <= value <= hi:
            raise self._wrong(name, Sentence("must be an integer from {lo} to {hi}", lo=lo, hi=hi))
        return value

    def take_bytes(self, name: str, *, exact: int | None = None, most: int | None = None) -> bytes:
        """Take the next value, bytes: `exact` many, or at most `most` (give one of the two)."""
        if (exact is None) == (most is None):
            raise TypeError("take_bytes wants either exact or most")
        value = self.take(name)
        if not isinstance(value, bytes):
            raise self._wrong(name, Sentence("must be bytes"))
        if exact is not None and len(value) != exact:
            raise self._wrong(
                name, Sentence("must be {exact} bytes, not {size}", exact=exact, size=len(value))
            )
        if most is not None and len(value) > most:
            raise self._wrong(
                name,
                Sentence("must be at most {most} bytes, not {size}", most=most, size=len(value)),
            )
        return value

    def take_text(self, name: str, most: int) -> str:
        """Take the next value, text of at most `most` characters, as it is."""
        value = self.take(name)
        if not isinstance(value, str):
            raise self._wrong(name, Sentence("must be text"))
        if len(value) > most:
            raise self._wrong(
                name,
                Sentence(
                    "must be at most {most} characters, not {size}", most=most, size=len(value)
                ),
            )
        return value

    def take_list(self, name: str, most: int) -> tuple[Value, ...]:
        """Take the next value, a list of at most `most` values."""
        value = self.take(name)
        if not isinstance(value, tuple):
            raise self._wrong(name, Sentence("must be a list"))
        if len(value) > most:
            raise self._wrong(
                name,
                Sentence("must have at most {most} items, not {size}", most=most, size=len(value)),
            )
        return value

    def take_fields(self, name: str) -> "Fields":
        """Take the next value, a list; return a reader of its fields."""
        return Fields(self.take(name), f"{self._what}, {name}")

    def take_optional_fields(self, name: str) -> "Fields | None":
        """Take the next value: nothing, or a list; return a reader of its fields."""
        if self._takes_nothing():
            return None
        return self.take_fields(name)

    def take_each(self, name: str, most: int) -> Iterator["Fields"]:
        """Take the next value, a list of at most `most` lists; yield a reader of each."""
        items = self.take_list(name, most)
        return (Fields(item, f"{self._what}, {name}") for item in items)

    def take_optional_int(self, name: str, lo: int, hi: int) -> int | None:
        """Take the next value: nothing, or an integer from `lo` to `hi`."""
        if self._takes_nothing():
            return None
        return self.take_int(name, lo, hi)

    def take_ints(self, name: str, most: int, lo: int, hi: int) -> tuple[int, ...]:
        """Take the next value, a list of at most `most` integers from `lo` to `hi`."""
        items = Fields(self.take_list(name, most), f"{self._what}, {name}")
        return tuple(items.take_int(f"item {i}", lo, hi) for i in range(len(items)))

    def take_all_bytes(self, name: str, most: int, *, exact: int) -> tuple[bytes, ...]:
        """Take the next value, a list of at most `most` byte strings of `exact` bytes each."""
        items = Fields(self.take_list(name, most), f"{self._what}, {name}")
        return tuple(items.take_bytes(f"item {i}", exact=exact) for i in range(len(items)))

    def __len__(self) -> int:
        """Return the number of values that are left."""
        return len(self._values) - self._next

    def end(self) -> None:
        """Check that every field was taken. Raises Malformed."""
        if len(self):
            raise Malformed(
                Sentence.counted(
                    "{what}: there is {n} value too many.",
                    "{what}: there are {n} values too many.",
                    len(self),
                    what=self._what,
                )
            )

    def _takes_nothing(self) -> bool:
        """Take the next value if it is nothing. Return True if it was."""
        nothing = len(self) > 0 and self._values[self._next] is None
        self._next += nothing
        return nothing

    def _wrong(self, name: str, why: Sentence) -> Malformed:
        return Malformed("{what}: the field “{name}” {why}.", what=self._what, name=name, why=why)

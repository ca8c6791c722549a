"""Values that are lists of fields in messages. The metadata of each field tell how to decode it.

For example, a message with one number behind its kind:

    @frozen
    class Goodbye(Wire):
        kind: ClassVar[str] = "goodbye"
        reason: int = field(metadata=an_int("reason", 1, HIGHEST_REASON))
"""

from collections.abc import Callable, Iterable
from typing import Any, Self, TypeVar, cast

from protocol.codec import Encodable, Fields

Metadata = dict[str, Callable[[Fields], object]]
W = TypeVar("W", bound="Wire")


class Wire:
    """A value whose attributes are the fields of a list, in their order."""

    __slots__ = ()

    def fields(self) -> tuple[Encodable, ...]:
        """Return the list: the inverse of `from_fields`."""
        return tuple(_encodable(getattr(self, one.name)) for one in _attributes(type(self)))

    @classmethod
    def from_fields(cls, fields: Fields) -> Self:
        """Take all fields. Raises Malformed."""
        return cls(*(one.metadata["take"](fields) for one in _attributes(cls)))


def _attributes(wire: type[Wire]) -> Iterable[Any]:
    return cast(Iterable[Any], cast(Any, wire).__attrs_attrs__)  # what `attrs.fields` looks for


def _encodable(value: Any) -> Encodable:
    if isinstance(value, Wire):
        return value.fields()
    if isinstance(value, tuple):
        return tuple(map(_encodable, value))
    return cast(Encodable, value)


def take(take_it: Callable[[Fields], object]) -> Metadata:
    """Return the metadata of a field that `take_it` decodes."""
    return {"take": take_it}


def a_bool(name: str) -> Metadata:
    """Return the metadata of a field that is true or false."""
    return take(lambda fields: fields.take_bool(name))


def text(name: str, most: int) -> Metadata:
    """Return the metadata of a field that is text of at most `most` characters."""
    return take(lambda fields: fields.take_text(name, most))


def an_int(name: str, lo: int, hi: int) -> Metadata:
    """Return the metadata of a field that is an integer from `lo` to `hi`."""
    return take(lambda fields: fields.take_int(name, lo, hi))


def exactly(name: str, size: int) -> Metadata:
    """Return the metadata of a field of exactly `size` bytes."""
    return take(lambda fields: fields.take_bytes(name, exact=size))


def at_most(name: str, size: int) -> Metadata:
    """Return the metadata of a field of at most `size` bytes."""
    return take(lambda fields: fields.take_bytes(name, most=size))


def each(name: str, wire: type[Wire], most: int) -> Metadata:
    """Return the metadata of a field that is a list of at most `most` values of that class."""
    return take(lambda fields: take_all(fields, name, wire, most))


def take_all(fields: Fields, name: str, wire: type[W], most: int) -> tuple[W, ...]:
    """Take a list of at most `most` values of that class. Raises Malformed."""
    return tuple(inner(wire, one) for one in fields.take_each(name, most))


def inner(wire: type[W], fields: Fields) -> W:
    """Return the value that takes all of these fields. Raises Malformed, also if some are left."""
    value = wire.from_fields(fields)
    fields.end()
    return value

"""Values that are lists of fields in messages. The metadata of a field tells how to decode it.

For example, a message with one number after its kind:

    @frozen
    class Goodbye(Wire):
        kind: ClassVar[str] = "goodbye"
        reason: int = field(metadata=an_int("reason", 1, HIGHEST_REASON))
"""

from collections.abc import Callable
from functools import cache
from typing import Any, Self, TypeVar

from protocol.codec import Encodable, Fields

Taker = Callable[[Fields], object]
Metadata = dict[str, Taker]
W = TypeVar("W", bound="Wire")


class Wire:
    """A value whose attributes are the fields of a list, in their order."""

    __slots__ = ()

    def fields(self) -> tuple[Encodable, ...]:
        """Return the list: the inverse of `from_fields`."""
        own: Any = type(self)  # mypy mistakes the hash of instances for that of the class
        return tuple([_encodable(getattr(self, name)) for name, _ in _attributes(own)])

    @classmethod
    def from_fields(cls, fields: Fields) -> Self:
        """Take all fields. Raises Malformed."""
        own: Any = cls
        return cls(*[take_it(fields) for _, take_it in _attributes(own)])


@cache
def _attributes(wire: Any) -> tuple[tuple[str, Taker], ...]:
    """Return the name of each attribute, and the function that takes it."""
    attributes = wire.__attrs_attrs__  # as `attrs.fields` reads it, but that refuses a `Wire`
    return tuple((one.name, one.metadata["take"]) for one in attributes)


def _encodable(value: Any) -> Encodable:
    if not isinstance(value, _LISTS):
        plain: Encodable = value
        return plain
    return value.fields() if isinstance(value, Wire) else tuple(map(_encodable, value))


_LISTS = (tuple, Wire)
"""Classes of values that are encoded as lists."""


def take(take_it: Taker) -> Metadata:
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
    """Return the value that `fields` hold. Raises Malformed, also if some fields are left over."""
    value = wire.from_fields(fields)
    fields.end()
    return value

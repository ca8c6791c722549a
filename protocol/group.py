"""The group: ristretto255 (RFC 9496), written additively, computed by libsodium.

Only this module and `protocol.libsodium`, which loads the library, know the library. A `Point` is a
group element that is always canonical, always valid and never the identity; a `Scalar` is an
integer modulo the group order l. Both are immutable values. An operation on points raises Refused
if its result would be the identity. To ask if a sum is the identity, use `vanishes`.

libsodium computes on points and scalars in constant time. It accepts the identity (32 zero bytes)
as a point, and it accepts unreduced scalars; this module refuses both.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterable

from attrs import Attribute, field, frozen

from protocol.errors import Malformed, Refused
from protocol.hashing import labelled_hash
from protocol.parallel import ParallelMap, by_slices

ORDER = 2**252 + 27742317777372353535851937790883648493
SIZE = 32  # bytes of an encoded point, and of an encoded scalar
WIDE = 64  # bytes that are hashed or reduced to a uniform point or scalar

Entropy = Callable[[int], bytes]
"""A source of randomness: a function from a number to that many fresh, unpredictable bytes."""

_IDENTITY = bytes(SIZE)
_Buffer = ctypes.c_char * SIZE


def library() -> ctypes.CDLL:
    """Return libsodium, which is loaded lazily: that takes several hundredths of a second.

    Raises Refused when the library cannot be loaded.
    """
    from protocol.libsodium import LIBRARY  # noqa: PLC0415 - lazy: rules are read without it

    return LIBRARY


class _Ristretto:
    """The functions of libsodium, by names without prefix. Each is looked up at its first use.

    They take pointers to 32 (or 64) bytes and return 0, or -1 if they fail.
    """

    def __getattr__(self, name: str) -> Callable[..., int]:
        family = "scalarmult" if name in {"ristretto255", "ristretto255_base"} else "core"
        function: Callable[..., int] = getattr(library(), f"crypto_{family}_{name}")
        setattr(self, name, function)  # so `__getattr__` is not called for it again
        return function


_sodium = _Ristretto()


def _canonical_scalar(_: object, __: Attribute[bytes], data: bytes) -> None:
    if len(data) != SIZE or int.from_bytes(data, "little") >= ORDER:
        raise Malformed("A scalar is 32 bytes, little-endian, and smaller than the group order.")


def _canonical_point(_: object, __: Attribute[bytes], data: bytes) -> None:
    if len(data) != SIZE or _sodium.ristretto255_is_valid_point(data) != 1:
        raise Malformed("These bytes are not the canonical encoding of a ristretto255 point.")
    if data == _IDENTITY:
        raise Malformed("The identity of the group hides nothing; it is no point here.")


@frozen(repr=False)
class Scalar:
    """An integer modulo l. Its repr does not show the value, since most scalars are secret."""

    _encoding: bytes = field(validator=_canonical_scalar)

    @classmethod
    def decode(cls, data: bytes) -> Scalar:
        """Read 32 bytes. Raises Malformed unless they are canonical; zero is allowed."""
        return cls(data)

    @classmethod
    def of(cls, value: int) -> Scalar:
        """Return `value` modulo l. It must be public: Python's integers are not constant-time."""
        return _scalar((value % ORDER).to_bytes(SIZE, "little"))

    @classmethod
    def reduce(cls, data: bytes) -> Scalar:
        """Return 64 bytes, little-endian, modulo l: uniform if the bytes are.  Raises Malformed."""
        if len(data) != WIDE:
            raise Malformed("A scalar is reduced from exactly 64 bytes.")
        result = _Buffer()
        _sodium.ristretto255_scalar_reduce(result, data)
        return _scalar(result.raw)

    def encode(self) -> bytes:
        """Return the canonical 32 bytes, little-endian."""
        return self._encoding

    def __int__(self) -> int:
        return int.from_bytes(self._encoding, "little")

    def __bool__(self) -> bool:
        return self._encoding != _IDENTITY

    def __repr__(self) -> str:
        return "Scalar(hidden)"

    def __add__(self, other: Scalar) -> Scalar:
        result = _Buffer()
        _sodium.ristretto255_scalar_add(result, self._encoding, other._encoding)
        return _scalar(result.raw)

    def __sub__(self, other: Scalar) -> Scalar:
        result = _Buffer()
        _sodium.ristretto255_scalar_sub(result, self._encoding, other._encoding)
        return _scalar(result.raw)

    def __mul__(self, other: Scalar) -> Scalar:
        if not isinstance(other, Scalar):
            return NotImplemented  # for a Point, Python then calls `Point.__rmul__`
        result = _Buffer()
        _sodium.ristretto255_scalar_mul(result, self._encoding, other._encoding)
        return _scalar(result.raw)

    def invert(self) -> Scalar:
        """Return 1 / self.  Raises Refused for zero."""
        result = _Buffer()
        if _sodium.ristretto255_scalar_invert(result, self._encoding) != 0:
            raise Refused("Zero has no inverse.")
        return _scalar(result.raw)


@frozen
class Point:
    """A group element other than the identity.

    Operators raise Refused when the result would be the identity.
    """

    _encoding: bytes = field(validator=_canonical_point, repr=bytes.hex)

    @classmethod
    def decode(cls, data: bytes) -> Point:
        """Read 32 bytes. Raises Malformed unless they are canonical and not the identity."""
        return cls(data)

    def encode(self) -> bytes:
        """Return the canonical 32 bytes."""
        return self._encoding

    def __add__(self, other: Point) -> Point:
        result = _Buffer()
        _sodium.ristretto255_add(result, self._encoding, other._encoding)
        return _point(result.raw)

    def __sub__(self, other: Point) -> Point:
        result = _Buffer()
        _sodium.ristretto255_sub(result, self._encoding, other._encoding)
        return _point(result.raw)

    def __rmul__(self, scalar: Scalar) -> Point:
        result = _Buffer()
        # If the product is the identity, the library returns -1 and writes the identity, which
        # `_point` refuses.
        _sodium.ristretto255(result, scalar._encoding, self._encoding)
        return _point(result.raw)


def _scalar(encoding: bytes) -> Scalar:
    """Return a scalar from the library's output, which is canonical and not checked again."""
    scalar = object.__new__(Scalar)
    object.__setattr__(scalar, "_encoding", encoding)
    return scalar


def _point(encoding: bytes) -> Point:
    """Return a point from the library's output, which is valid: only the identity is refused."""
    if encoding == _IDENTITY:
        raise Refused("This computation ends in the identity of the group, which is no point here.")
    point = object.__new__(Point)
    object.__setattr__(point, "_encoding", encoding)
    return point


ZERO, ONE = Scalar.of(0), Scalar.of(1)
BASE = _point(bytes.fromhex("e2f2ae0a6abc4e71a884a961c500515f58e30b6aa582dd8db6a65945e08d2d76"))
"""The generator B of RFC 9496."""


def times_base(scalar: Scalar) -> Point:
    """Return `scalar * BASE`, three times as fast as `*`, by libsodium's precomputed table.

    Raises Refused for zero.
    """
    result = _Buffer()
    _sodium.ristretto255_base(result, scalar._encoding)
    return _point(result.raw)


def hash_to_scalar(label: str, *parts: bytes) -> Scalar:
    """Return a uniform scalar: the labelled hash's 64 bytes, reduced."""
    return Scalar.reduce(labelled_hash(label, *parts))


def hash_to_point(label: str, *parts: bytes) -> Point:
    """Return a uniform point of unknown logarithm: RFC 9496, 4.3.4, over the labelled hash."""
    return point_from_hash(labelled_hash(label, *parts))


def point_from_hash(data: bytes) -> Point:
    """Return a uniform point from 64 uniform bytes (RFC 9496 section 4.3.4)."""
    if len(data) != WIDE:
        raise Malformed("A point is derived from exactly 64 bytes.")
    result = _Buffer()
    _sodium.ristretto255_from_hash(result, data)
    return _point(result.raw)


def dot(xs: Iterable[Scalar], ys: Iterable[Scalar]) -> Scalar:
    """Return the sum of x_i * y_i."""
    multiply, add = _sodium.ristretto255_scalar_mul, _sodium.ristretto255_scalar_add
    # A new buffer has 32 zero bytes: the scalar 0.
    total, product = _Buffer(), _Buffer()
    for x, y in zip(xs, ys, strict=True):
        multiply(product, x._encoding, y._encoding)
        add(total, total, product)
    return _scalar(total.raw)


def random_scalar(entropy: Entropy) -> Scalar:
    """Return a uniform scalar from 64 bytes of `entropy`."""
    return Scalar.reduce(entropy(WIDE))


Term = tuple[Scalar, Point]


def sum_of_products(terms: Iterable[Term], parallel_map: ParallelMap = map) -> Point:
    """Return the sum of `scalar * point` over `terms`. Raises Refused when it is the identity."""
    return _point(_sum(terms, parallel_map))


def vanishes(terms: Iterable[Term], parallel_map: ParallelMap = map) -> bool:
    """Return True if the sum of `scalar * point` over `terms` is the identity."""
    return _sum(terms, parallel_map) == _IDENTITY


def _sum(terms: Iterable[Term], parallel_map: ParallelMap) -> bytes:
    first, *others = by_slices(parallel_map, _sum_slice, terms)
    # The sum is added up in a copy: the bytes of `first` must not change.
    total = ctypes.create_string_buffer(first, SIZE)
    for part in others:
        _sodium.ristretto255_add(total, total, part)
    return total.raw


def _sum_slice(terms: list[Term]) -> bytes:
    """Return the sum of a slice. This is the hot loop of all proofs.

    It takes one multiplication for each term (by the precomputed table for `BASE`), and one
    addition for each term after the first. It writes into the same two buffers all the time.
    """
    multiply, multiply_base = _sodium.ristretto255, _sodium.ristretto255_base
    add = _sodium.ristretto255_add
    total, product = _Buffer(), _Buffer()
    for number, (scalar, point) in enumerate(terms):
        into = product if number else total
        if point._encoding == BASE._encoding:
            multiply_base(into, scalar._encoding)  # for zero it fails, but writes the identity
        else:
            multiply(into, scalar._encoding, point._encoding)
        if number:
            add(total, total, product)
    return total.raw

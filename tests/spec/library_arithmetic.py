"""The second verifier with the arithmetic and the signatures of libraries, which are faster."""

import operator
from collections.abc import Iterable
from contextlib import AbstractContextManager
from typing import Any
from unittest.mock import patch

from protocol.errors import Malformed, Refused
from protocol.group import BASE, Point, Scalar, hash_to_point, sum_of_products
from spec import verifier
from tests.protocol.computed_once import is_signed

_generators: list[Point] = []


def by_the_library() -> AbstractContextManager[object]:
    """Let the library compute the verifier's points and verify its signatures, during the block.

    A table that was followed with the library's points must be continued with them.
    """
    return patch.multiple(
        verifier,
        BASE=BASE,
        GENERATORS=_generators,
        is_signed=signed,
        total=total,
        total_of=lambda points: total((1, point) for point in points),
        same=operator.eq,
        encode_point=Point.encode,
        decode_point=decode_point,
        hash_to_point=hash_to_point,
    )


def believing_proofs() -> AbstractContextManager[object]:
    """Let the verifier accept all proofs during the block: the test is about something else."""

    def believed(*arguments: Any) -> list[verifier.Point]:
        outputs = arguments[3]
        encoded = (outputs[at : at + 32] for at in range(0, len(outputs), 32))
        return [verifier.decode_point(point) for point in encoded]

    return patch.multiple(verifier, verify_shuffle=believed, verify_unlock=lambda *_: None)


def signed(key: bytes, label: str, message: bytes, signature: bytes) -> bool:
    """Return True if the library accepts a signature; replaces the verifier's function."""
    return is_signed(key, label.encode(), message, signature)


def total(terms: Iterable[tuple[int, Any]]) -> Any:
    """Return the sum of scalar * point, or the verifier's own zero, which the library lacks."""
    known = [(Scalar.of(scalar), point) for scalar, point in terms if point != verifier.ZERO]
    try:
        return sum_of_products(known)
    except Refused:
        return verifier.ZERO


def decode_point(data: bytes) -> Point:
    """Return the library's point for these bytes; raise the verifier's error if there is none."""
    try:
        return Point.decode(data)
    except Malformed:
        raise verifier.Misfit("R9") from None

"""What the second verifier makes of the vectors, once for all tests."""

import json
import operator
from collections.abc import Iterable
from contextlib import AbstractContextManager, nullcontext
from functools import cache
from typing import Any
from unittest.mock import patch

from protocol.errors import Malformed, Refused
from protocol.group import BASE, Point, Scalar, hash_to_point, sum_of_products
from protocol.record import framed
from protocol.signing import is_signed
from spec import verifier
from tests.vectors.recorded import RECORDS
from tests.vectors.shape import FOLDER


@cache
def vectors(name: str) -> Any:
    """The content of a file of vectors, one for all tests: whoever changes it copies it first."""
    return json.loads((FOLDER / name).read_text(encoding="utf-8"))


@cache
def tables(name: str, *, by_itself: bool = False) -> list[verifier.Table]:
    """The table of a recorded match after each of its entries, to go on from as it was computed:
    by the library, or by the verifier itself.
    """
    about = vectors(name)
    with nullcontext() if by_itself else by_the_library():
        found = [verifier.open_table(bytes.fromhex(about["signed_charter"]))]
        for entry in about["entries"]:
            found.append(found[-1].advance(bytes.fromhex(entry)))
    return found


def verified(file: str, name: str) -> verifier.Finding:
    """What the second verifier finds in the record of that name. In RECORDS is all that it computes
    itself; for other files the library computes, which is quicker.
    """
    by_itself = file == RECORDS
    record = next(one for one in vectors(file)["records"] if one["name"] == name)
    rest = b"".join(framed(bytes.fromhex(entry)) for entry in record["added"])
    rest += bytes.fromhex(record["tail"])
    table = tables(file, by_itself=by_itself)[record["keep"]]
    with nullcontext() if by_itself else by_the_library():
        return verifier.verify_record([rest], table)


# -- the library's arithmetic in the verifier's place


def by_the_library() -> AbstractContextManager[object]:
    """Within it the library has the verifier's points, and verifies its signatures. A table that
    was followed so is gone on with so.
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


_generators: list[Point] = []


def signed(key: bytes, label: str, message: bytes, signature: bytes) -> bool:
    """What the verifier says of a signature, as the library says it."""
    return is_signed(key, label.encode(), message, signature)


def total(terms: Iterable[tuple[int, Any]]) -> Any:
    """The verifier's sum of scalar * point; its own zero, of which the library has no point."""
    known = [(Scalar.of(scalar), point) for scalar, point in terms if point != verifier.ZERO]
    try:
        return sum_of_products(known)
    except Refused:
        return verifier.ZERO


def decode_point(data: bytes) -> Point:
    """The verifier's point of these bytes."""
    try:
        return Point.decode(data)
    except Malformed:
        raise verifier.Misfit("R9") from None

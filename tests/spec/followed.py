"""What the second verifier makes of the vectors, once for all tests."""

import json
from collections.abc import Iterable
from contextlib import AbstractContextManager, nullcontext
from functools import cache
from typing import Any
from unittest.mock import patch

from protocol.errors import Refused
from protocol.group import Point, Scalar, sum_of_products
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
def tables(name: str) -> list[verifier.Table]:
    """The table of a recorded match after each of its entries."""
    about = vectors(name)
    found = [verifier.open_table(bytes.fromhex(about["signed_charter"]))]
    with computing(name):
        for entry in about["entries"]:
            found.append(found[-1].advance(bytes.fromhex(entry)))
    return found


@cache
def verified(file: str, name: str) -> verifier.Finding:
    """What the second verifier finds in the record of that name."""
    record = next(one for one in vectors(file)["records"] if one["name"] == name)
    rest = b"".join(framed(bytes.fromhex(entry)) for entry in record["added"])
    rest += bytes.fromhex(record["tail"])
    table = tables(file)[record["keep"]]
    with computing(file):
        return verifier.verify_record([rest], table)


# -- the library's arithmetic in the verifier's place


def computing(name: str) -> AbstractContextManager[object]:
    """RECORDS has all that the second verifier computes itself; for other files the library
    computes, which is quicker.
    """
    return nullcontext() if name == RECORDS else by_the_library()


def by_the_library() -> AbstractContextManager[object]:
    """Within it the verifier's signatures, sums and points are computed by the library, or have
    been computed before.
    """
    return patch.multiple(
        verifier,
        is_signed=signed,
        total=total,
        encode_point=encode_point,
        decode_point=decode_point,
        hash_to_point=hash_to_point,
    )


def signed(key: bytes, label: str, message: bytes, signature: bytes) -> bool:
    """What the verifier says of a signature, as the library says it."""
    return is_signed(key, label.encode(), message, signature)


def total(terms: Iterable[tuple[int, verifier.Point]]) -> verifier.Point:
    """The verifier's sum of scalar * point."""
    known = [
        (Scalar.of(scalar % verifier.ORDER), Point.decode(encode_point(point)))
        for scalar, point in terms
        if not verifier.same(point, verifier.ZERO)
    ]
    try:
        return verifier.decode_point(sum_of_products(known).encode())
    except Refused:
        return verifier.ZERO


encode_point = cache(verifier.encode_point)
decode_point = cache(verifier.decode_point)
hash_to_point = cache(verifier.hash_to_point)

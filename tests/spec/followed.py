"""What the second verifier makes of the vectors, once for all tests."""

import json
from collections.abc import Iterable
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
    """The content of a file of vectors."""
    return json.loads((FOLDER / name).read_text(encoding="utf-8"))


@cache
def tables(name: str) -> list[verifier.Table]:
    """The table of a recorded match after each of its entries. The longer matches are computed by
    the library, which is quicker: RECORDS has all that the second verifier computes itself.
    """
    about = vectors(name)
    found = [verifier.open_table(bytes.fromhex(about["signed_charter"]))]
    own = name == RECORDS
    with patch.multiple(
        verifier,
        is_signed=verifier.is_signed if own else signed,
        total=verifier.total if own else total,
    ):
        for entry in about["entries"]:
            found.append(found[-1].advance(bytes.fromhex(entry)))
    return found


def signed(key: bytes, label: str, message: bytes, signature: bytes) -> bool:
    """What the verifier says of a signature, as the library says it, which is quicker."""
    return is_signed(key, label.encode(), message, signature)


def total(terms: Iterable[tuple[int, verifier.Point]]) -> verifier.Point:
    """The verifier's sum of scalar * point, as the library computes it."""
    known = [
        (Scalar.of(scalar % verifier.ORDER), Point.decode(verifier.encode_point(point)))
        for scalar, point in terms
        if not verifier.same(point, verifier.ZERO)
    ]
    try:
        return verifier.decode_point(sum_of_products(known).encode())
    except Refused:
        return verifier.ZERO


@cache
def verified(file: str, name: str) -> verifier.Finding:
    """What the second verifier finds in the record of that name."""
    record = next(one for one in vectors(file)["records"] if one["name"] == name)
    rest = b"".join(framed(bytes.fromhex(entry)) for entry in record["added"])
    rest += bytes.fromhex(record["tail"])
    return verifier.verify_record([rest], tables(file)[record["keep"]])

"""Results of the second verifier for the vectors, cached for all tests."""

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
from tests.spec_texts import verifier_python
from tests.vectors.recorded import RECORDS
from tests.vectors.shape import FOLDER


@cache
def vectors(name: str) -> Any:
    """Return the content of a file of vectors. The result is cached: copy it before a change."""
    return json.loads((FOLDER / name).read_text(encoding="utf-8"))


def generated_games() -> dict[str, verifier.Game]:
    """Return the second verifier's table of games, generated from the present games."""
    table = verifier_python().split("\nGAMES: dict[str, Game] = ")[1].split("\n}\n")[0]
    games: dict[str, verifier.Game] = eval(
        table + "}", {"Game": verifier.Game, "Deck": verifier.Deck}
    )
    return games


@cache
def tables(name: str, *, by_itself: bool = False) -> list[verifier.Table]:
    """Return the second verifier's tables of a recorded match: after the charter and each entry.

    The points of the curve are computed by the library; with `by_itself`, by the verifier. A table
    must be continued with the same arithmetic.
    """
    about = vectors(name)
    with nullcontext() if by_itself else by_the_library():
        entries = map(bytes.fromhex, about["entries"])
        return followed(bytes.fromhex(about["signed_charter"]), entries)


def followed(charter: bytes, entries: Iterable[bytes]) -> list[verifier.Table]:
    """Return the second verifier's tables of a match: after the charter and each entry."""
    found = [verifier.open_table(charter)]
    for entry in entries:
        found.append(found[-1].advance(entry))
    return found


def verified(file: str, name: str) -> verifier.Finding:
    """Return the second verifier's finding on the record with this name.

    For the file RECORDS the verifier computes everything itself. For other files the library does,
    which is quicker.
    """
    by_itself = file == RECORDS
    record = next(one for one in vectors(file)["records"] if one["name"] == name)
    rest = b"".join(framed(bytes.fromhex(entry)) for entry in record["added"])
    rest += bytes.fromhex(record["tail"])
    table = tables(file, by_itself=by_itself)[record["keep"]]
    with nullcontext() if by_itself else by_the_library():
        return verifier.verify_record([rest], table, record["keep"])


# -- the library's arithmetic instead of the verifier's


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


_generators: list[Point] = []


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

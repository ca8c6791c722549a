"""Results of the second verifier for the vectors, cached for all tests."""

import json
from collections.abc import Iterable
from contextlib import nullcontext
from functools import cache
from typing import Any

from protocol.record_file import framed
from spec import verifier
from tests.spec.library_arithmetic import by_the_library
from tests.spec_texts import verifier_python
from tests.vectors.json_encoding import FOLDER
from tests.vectors.recorded import RECORDS


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

    For the file RECORDS the verifier computes all points itself. For false shuffles and for all
    other files the library does, which is quicker. (The tests with `shuffle.json` show that the
    verifier's own arithmetic finds false shuffles.)
    """
    record = next(one for one in vectors(file)["records"] if one["name"] == name)
    by_itself = file == RECORDS and not record["cause"].startswith("shuffle:")
    rest = b"".join(framed(bytes.fromhex(entry)) for entry in record["added"])
    rest += bytes.fromhex(record["tail"])
    table = tables(file, by_itself=by_itself)[record["keep"]]
    with nullcontext() if by_itself else by_the_library():
        return verifier.verify_record([rest], table, record["keep"])

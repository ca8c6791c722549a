"""The files of `spec/vectors/`, and the functions that compute them."""

import json
from collections.abc import Callable, Iterable
from functools import partial

from tests.vectors import cheats, continuations, evidence, match_of_four, other_games
from tests.vectors.charters import charters
from tests.vectors.json_encoding import Json
from tests.vectors.primitives import group, shuffle, unlocking, values
from tests.vectors.recorded import Record, file_of, recorded_as

RECORDS_OF: dict[str, Callable[[], Iterable[Record]]] = {
    "records": cheats.all_records,
    "continuations": lambda: [*continuations.all_records(), *evidence.all_records()],
    "void": continuations.void_records,
    "kanastic": other_games.kanastic,
    "canastra": other_games.canastra,
    "redealt": other_games.redealt,
    "rounds": match_of_four.all_records,
    "spectators": other_games.spectators,
}
"""The functions that make the records of each recorded match."""


def _records(name: str) -> Json:
    return file_of(recorded_as(name), RECORDS_OF[name]())


FILES: dict[str, Callable[[], Json]] = {
    "values.json": values,
    "group.json": group,
    "shuffle.json": shuffle,
    "unlock.json": unlocking,
    "charter.json": charters,
    **{f"{name}.json": partial(_records, name) for name in RECORDS_OF},
}


def text_of(name: str) -> str:
    """Return the content that a file of vectors must have, in ASCII, as some names are hostile."""
    return json.dumps(FILES[name](), indent=1) + "\n"

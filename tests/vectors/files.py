"""The files of `spec/vectors/`, and the functions that compute them."""

import json
from collections.abc import Callable

from tests.vectors import cheats, continuations, evidence, match_of_four, other_games
from tests.vectors.charters import charters
from tests.vectors.json_encoding import Json
from tests.vectors.primitives import group, shuffle, unlocking, values
from tests.vectors.recorded import (
    CANASTRA,
    CONTINUATIONS,
    KANASTIC,
    RECORDS,
    REDEALT,
    ROUNDS,
    SPECTATORS,
    VOID,
    file_of,
    recorded,
    recorded_canastra,
    recorded_kanastic,
    recorded_rounds,
    recorded_until_rebuilt,
    recorded_void,
    recorded_with_spectators,
    recorded_with_substitute,
)

FILES: dict[str, Callable[[], Json]] = {
    "values.json": values,
    "group.json": group,
    "shuffle.json": shuffle,
    "unlock.json": unlocking,
    "charter.json": charters,
    RECORDS: lambda: file_of(recorded(), cheats.all_records()),
    CONTINUATIONS: lambda: file_of(
        recorded_with_substitute(), [*continuations.all_records(), *evidence.all_records()]
    ),
    VOID: lambda: file_of(recorded_void(), continuations.void_records()),
    KANASTIC: lambda: file_of(recorded_kanastic(), other_games.kanastic()),
    CANASTRA: lambda: file_of(recorded_canastra(), other_games.canastra()),
    REDEALT: lambda: file_of(recorded_until_rebuilt(), other_games.redealt()),
    ROUNDS: lambda: file_of(recorded_rounds(), match_of_four.all_records()),
    SPECTATORS: lambda: file_of(recorded_with_spectators(), other_games.spectators()),
}


def text_of(name: str) -> str:
    """Return the content that a file of vectors must have, in ASCII, as some names are hostile."""
    return json.dumps(FILES[name](), indent=1) + "\n"

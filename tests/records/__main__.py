"""Records of the first format, kept for ever: `python -m tests.records` writes missing ones.

There is a file for each recorded match of the vectors, and a file with a round of each other game.
An existing file is never written again: a program that does not find it sound any more violates
`spec/record.md`, 7. (Before the first release the format may still change: then delete the files
and write them anew.)
"""

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path

from engine.games import GAMES
from tests.protocol.played import Played, played
from tests.vectors.recorded import recorded_as

FOLDER = Path(__file__).parent
_OF_VECTORS: Mapping[str, Callable[[], Played]] = {
    "format-1-canasta": partial(recorded_as, "records"),
    "format-1-canasta-substitute": partial(recorded_as, "continuations"),
    "format-1-kanastic-rebuilt": partial(recorded_as, "kanastic"),
    "format-1-canastra": partial(recorded_as, "canastra"),
}
_OTHERS = {
    f"format-1-{game}": partial(played, game)
    for game in GAMES
    if not any(name.startswith(f"format-1-{game}") for name in _OF_VECTORS)
}
KEPT: Mapping[str, Callable[[], Played]] = {**_OF_VECTORS, **_OTHERS}
"""Functions that play the kept records, by the names of the files."""


def path_of(name: str) -> Path:
    """Return the path of a kept record."""
    return FOLDER / f"{name}.sobremesa"


def main() -> None:
    for name, match in KEPT.items():
        path = path_of(name)
        if path.exists():
            print(f"{path.name} is there already, and stays.")
            continue
        path.write_bytes(match().record())
        print(f"{path.name} is written.")


if __name__ == "__main__":
    main()

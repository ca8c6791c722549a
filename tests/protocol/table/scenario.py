"""Scenarios: text files of events, and of what the code makes of them, which are documentation too.

A line without an indent is an event; the indented lines below it are what comes of it, as the
program has written them: `python -m tests.protocol.table.scenario` does, for all files. A line with
# is a comment.
"""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Protocol

from tests.protocol.proofless import without_proofs

HERE = Path(__file__).parent


class World(Protocol):
    """A world in which the events of a scenario happen."""

    def happens(self, event: str) -> Iterator[str]:
        """Return what comes of an event, in lines."""


def written(text: str, world: World) -> str:
    """Return the scenario with what comes of its events in that world."""
    lines = []
    for line in text.splitlines():
        if line.startswith(" "):
            continue
        lines.append(line)
        if line and not line.startswith("#"):
            lines += [f"    {said}" for said in world.happens(line)]
    return "\n".join(lines) + "\n"


def scenarios(folder: str) -> list[Path]:
    """Return the files of a folder beside this one."""
    return sorted((HERE / folder).glob("*.txt"))


def rewrite(worlds: dict[str, Callable[[], World]]) -> None:
    """Write all scenarios anew."""
    for folder, world in worlds.items():
        for path in scenarios(folder):
            print(path.relative_to(HERE))
            path.write_text(written(path.read_text("utf-8"), world()), "utf-8")


if __name__ == "__main__":
    from tests.protocol.table.worlds import WORLDS

    with without_proofs():
        rewrite(WORLDS)

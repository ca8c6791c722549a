"""Scenarios: text files of events and their effects, which also serve as documentation.

A line without an indent is an event. The indented lines below it are its effects, and are
generated: `python -m tests.protocol.table.scenario` rewrites them in all files. A line with # is a
comment.
"""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Protocol

from tests.protocol.proofless import without_proofs

HERE = Path(__file__).parent


class World(Protocol):
    """Simulated nodes, to which the events of a scenario happen."""

    def happens(self, event: str) -> Iterator[str]:
        """Carry out an event and return its effects, as lines of text."""


def written(text: str, world: World) -> str:
    """Return the scenario with the present effects of its events in `world`."""
    lines = []
    for line in text.splitlines():
        if line.startswith(" "):
            continue
        lines.append(line)
        if line and not line.startswith("#"):
            lines += [f"    {said}" for said in world.happens(line)]
    return "\n".join(lines) + "\n"


def scenarios(folder: str) -> list[Path]:
    """Return the scenario files of a folder next to this module."""
    return sorted((HERE / folder).glob("*.txt"))


def rewrite(worlds: dict[str, Callable[[], World]]) -> None:
    """Rewrite the effects in all scenarios."""
    for folder, world in worlds.items():
        for path in scenarios(folder):
            print(path.relative_to(HERE))
            path.write_text(written(path.read_text("utf-8"), world()), "utf-8")


if __name__ == "__main__":
    from tests.protocol.table.worlds import WORLDS

    with without_proofs():
        rewrite(WORLDS)

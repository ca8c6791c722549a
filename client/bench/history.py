"""The history of benches: a file with a JSON object in each line, which only grows.

A line has the version, the date, the machine, the bench, all figures, and by themselves the ratios,
which mean the same on another machine.
"""

import json
import os
import platform
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any

from client.bench.figures import rounded
from client.errors import BadRequest
from client.version import VERSION

_KEYS = ("version", "date", "what", "machine", "ratios", "figures")
_MOST_BYTES = 1 << 20
"""Most bytes of a line."""


def check_history(path: Path) -> None:
    """Raise BadRequest if the file exists and is no history."""
    if not path.exists():
        if not path.parent.is_dir():
            raise BadRequest("There is no folder {folder}.", folder=str(path.parent))
        return
    if not path.is_file() or not _is_history(path):
        raise BadRequest("{path} is no history of benches: name another file.", path=str(path))


def _is_history(path: Path) -> bool:
    with path.open("rb") as file:
        first = file.readline(_MOST_BYTES)
    try:
        line = json.loads(first) if first else dict.fromkeys(_KEYS)
    except ValueError:
        return False
    return isinstance(line, dict) and tuple(line) == _KEYS


def append_history(path: Path, what: str, figures: Any) -> None:
    """Add a line about `figures`, as JSON has them. Raises BadRequest as above, and OSError."""
    check_history(path)
    line = {
        "version": VERSION,
        "date": date.today().isoformat(),
        "what": what,
        "machine": {
            "python": platform.python_version(),
            "system": platform.system(),
            "processor": platform.machine(),
            "cores": os.cpu_count(),
        },
        "ratios": dict(ratios(figures)),
        "figures": figures,
    }
    with path.open("a", encoding="utf-8") as file:
        file.write(json.dumps(line) + "\n")


def ratios(figures: Any, prefix: str = "") -> Iterator[tuple[str, float]]:
    """Return all ratios by their names.

    With several games, a name begins with that of the game and the number of players.
    """
    if isinstance(figures, list):
        for place, one in enumerate(figures, start=1):
            table = f" of {one['players']}" if "players" in one else ""
            yield from ratios(one, f"{prefix}{one.get('game', place)}{table} ")
        return
    for name, value in figures.items():
        if isinstance(value, list) and value and isinstance(value[0], dict):
            yield from ratios(value, prefix)
        elif name.endswith("_ratio"):
            yield f"{prefix}{name}", value
    if "yardstick" in figures:  # of the same run, so that machines compare
        ratio = figures["positions_per_second"] / figures["yardstick"]
        yield f"{prefix}yardstick_ratio", rounded(ratio)

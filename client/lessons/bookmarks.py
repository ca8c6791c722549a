"""Where a person has left each lesson: a small file in the data folder, by the name of the game."""

from pathlib import Path

from p2p.storage.folders import FolderError, make_private, read_own, replace_private

_MOST_BYTES = 16


def steps_done(folder: Path, game: str) -> int:
    """Return how many steps of the lesson are done; 0 if none are, or if the file is not ours."""
    try:
        text = read_own(folder / "lessons" / game, _MOST_BYTES).decode("ascii", "replace").strip()
    except (OSError, FolderError):
        return 0
    return int(text) if text.isascii() and text.isdecimal() else 0


def keep_steps(folder: Path, game: str, steps: int) -> None:
    """Keep how many steps of the lesson are done. Raises FolderError and OSError."""
    replace_private(make_private(folder / "lessons") / game, f"{steps}\n".encode())

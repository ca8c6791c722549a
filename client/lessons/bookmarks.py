"""Bookmarks of lessons: for each game a small file in the data folder."""

from pathlib import Path

from p2p.storage.private_files import FolderError, make_private, read_own, replace_private

_MOST_BYTES = 16


def steps_done(folder: Path, game: str) -> int:
    """Return the number of steps done of a lesson; 0 if there is no usable file."""
    try:
        text = read_own(folder / "lessons" / game, _MOST_BYTES).decode("ascii", "replace").strip()
    except (OSError, FolderError):
        return 0
    return int(text) if text.isascii() and text.isdecimal() else 0


def keep_steps(folder: Path, game: str, steps: int) -> None:
    """Write the number of steps done of a lesson. Raises FolderError and OSError."""
    replace_private(make_private(folder / "lessons") / game, f"{steps}\n".encode())

"""The folder with the unfinished tables of a person and bots."""

from pathlib import Path

from p2p.storage.private_files import data_folder, make_private


def solo_folder() -> Path:
    """Return the folder in which the tables lie. Raises FolderError."""
    return make_private(data_folder() / "solo")


def unfinished() -> tuple[Path, ...]:
    """Return the folders of unfinished tables, the most recently played first."""
    folders = [path for path in solo_folder().iterdir() if path.name.isdecimal()]
    return tuple(sorted(folders, key=left_at, reverse=True))


def left_at(folder: Path) -> float:
    """Return the time of the newest file in a table's folder, in seconds since the epoch."""
    files = [path for path in folder.rglob("*") if path.is_file()]
    return max((path.stat().st_mtime for path in files), default=0.0)

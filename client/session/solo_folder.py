"""The folder in which tables against opponents lie until their match is over."""

from pathlib import Path

from p2p.storage.folders import data_folder, make_private


def solo_folder() -> Path:
    """Return the folder in which the tables lie. Raises FolderError."""
    return make_private(data_folder() / "solo")


def unfinished() -> tuple[Path, ...]:
    """Return the folders of tables that can be continued, the one that was left last first."""
    folders = [path for path in solo_folder().iterdir() if path.name.isdecimal()]
    return tuple(sorted(folders, key=left_at, reverse=True))


def left_at(folder: Path) -> float:
    """Return the time of the last writing at a table, in seconds of the system's clock."""
    files = [path for path in folder.rglob("*") if path.is_file()]
    return max((path.stat().st_mtime for path in files), default=0.0)

"""Record files: where they lie, and writing one so that nothing is ever lost."""

import os
import secrets
from collections.abc import Iterable
from datetime import date
from pathlib import Path

from p2p.storage.folders import data_folder, make_private
from p2p.system_errors import reason_of
from protocol.errors import LocalError

SUFFIX = ".sobremesa"


class RecordError(LocalError):
    """A record file cannot be written or read."""


def record_folder(home: Path | None = None) -> Path:
    """Where records are put that have no other name: in the data folder, which is `home` unless it
    is the usual one. Raises FolderError.
    """
    return (home or data_folder()) / "records"


def kept_records() -> list[Path]:
    """The records in the folder of records, the newest first. Raises FolderError."""
    files = record_folder().glob(f"*{SUFFIX}")
    return sorted(files, key=lambda path: path.stat().st_mtime, reverse=True)


def new_record_path(wanted: Path | None, game: str, home: Path | None = None) -> Path:
    """A path where no file is yet: `wanted`, or a new one in the folder of records of the data
    folder, which is `home` unless it is the usual one.

    Raises RecordError if `wanted` exists, or its folder does not or takes no files; FolderError.
    """
    if wanted is None:
        folder = make_private(record_folder(home))
        stem = f"{date.today().isoformat()}-{game}"
        paths = (folder / f"{stem}-{number}{SUFFIX}" for number in range(1, 100_000))
        return next(path for path in paths if not path.exists())
    if wanted.exists():
        raise RecordError(
            "There is a file {path} already; it stays. Name another one.", path=str(wanted)
        )
    if not wanted.parent.is_dir():
        raise RecordError(
            "There is no folder {folder} to put the record in.", folder=str(wanted.parent)
        )
    if not os.access(wanted.parent, os.W_OK):
        raise RecordError(
            "The folder {folder} takes no new files. Name another one.", folder=str(wanted.parent)
        )
    return wanted


def write_record(path: Path, parts: Iterable[bytes]) -> None:
    """Write a new record file, whole or not at all. Raises RecordError."""
    # A name of its own: no file of the person's, and none that a crash has left, is in the way.
    part = path.with_name(f"{path.name}.{secrets.token_hex(8)}.part")
    try:
        with part.open("xb") as file:
            for data in parts:
                file.write(data)
            file.flush()
            os.fsync(file.fileno())
        if path.exists():
            raise FileExistsError(17, "the file exists", str(path))
        part.rename(path)
    except OSError as error:
        raise RecordError(
            "The record cannot be written to {path}: {why}.", path=str(path), why=reason_of(error)
        ) from error
    finally:
        part.unlink(missing_ok=True)


def save_record(parts: Iterable[bytes], game: str) -> Path:
    """Write a record to a new file in the folder of records; its path.

    Raises RecordError, FolderError.
    """
    path = new_record_path(None, game)
    write_record(path, parts)
    return path

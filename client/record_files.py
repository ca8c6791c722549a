"""Record files: where they lie, and writing one so that nothing is ever lost."""

import os
import secrets
from collections.abc import Iterable
from datetime import date
from pathlib import Path

from p2p.storage.folders import data_folder, make_private
from p2p.system_errors import DENIED, FULL, reason_of
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
    files = (path for path in record_folder().glob(f"*{SUFFIX}") if path.is_file())
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
    check_new(wanted)
    return wanted


def check_new(path: Path) -> None:
    """Before something takes long that is written there at its end. Raises RecordError if there is
    a file already, or if its folder does not exist or takes no files.
    """
    if path.exists():
        raise _taken(path)
    if not path.parent.is_dir():
        raise RecordError("There is no folder {folder}. Name another one.", folder=str(path.parent))
    if not os.access(path.parent, os.W_OK):
        raise RecordError(
            "The folder {folder} takes no new files. Name another one.", folder=str(path.parent)
        )


def write_new(path: Path, parts: Iterable[bytes]) -> None:
    """Write a new file, whole or not at all. Raises RecordError."""
    # A name of its own: no file of the person's, and none that a crash has left, is in the way.
    part = path.with_name(f"{path.name}.{secrets.token_hex(8)}.part")
    try:
        with part.open("xb") as file:
            for data in parts:
                file.write(data)
            file.flush()
            os.fsync(file.fileno())
        if path.exists():
            raise _taken(path)
        part.rename(path)
    except OSError as error:
        raise _unwritten(path, error) from error
    finally:
        part.unlink(missing_ok=True)


def _taken(path: Path) -> RecordError:
    return RecordError(
        "There is a file {path} already; it stays. Name another one.", path=str(path)
    )


def _unwritten(path: Path, error: OSError) -> RecordError:
    why = reason_of(error)
    if error.errno in FULL:
        return RecordError(
            "The file {path} cannot be written: {why}. Make room there.", path=str(path), why=why
        )
    if error.errno in DENIED:
        return RecordError(
            "The file {path} cannot be written: {why}. Let this program write there.",
            path=str(path),
            why=why,
        )
    return RecordError(
        "The file {path} cannot be written: {why}. Another disk may take it.",
        path=str(path),
        why=why,
    )


def written_later(error: LocalError, command: str) -> RecordError:
    """Where the record of a match that is over cannot be written, for that `error`, and the journal
    has it: which command writes it later.
    """
    return RecordError(
        "{error} Nothing of the match is lost; once that is put right, this writes its record: "
        "{command}",
        error=error,
        command=command,
    )


def save_record(parts: Iterable[bytes], game: str) -> Path:
    """Write a record to a new file in the folder of records; its path.

    Raises RecordError, FolderError.
    """
    path = new_record_path(None, game)
    write_new(path, parts)
    return path

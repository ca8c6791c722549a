"""Record files: their paths, and functions that write a record without replacing another file."""

import os
import secrets
from collections.abc import Iterable
from datetime import date
from pathlib import Path

from engine.sentences import N_
from p2p.error_reasons import DENIED, FULL, reason_of
from p2p.storage.private_files import data_folder, make_private
from protocol.errors import LocalError

SUFFIX = ".sobremesa"


class RecordError(LocalError):
    """A record file that cannot be written or read."""


class NoRecord(RecordError):
    """A file that is no record at all."""


def record_folder(home: Path | None = None) -> Path:
    """Return the folder for records that the person gives no path for.

    The folder is in the data folder, which is `home` if given. Raises FolderError.
    """
    return (home or data_folder()) / "records"


def kept_records() -> list[Path]:
    """Return the records in the folder of records, the newest first. Raises FolderError."""
    files = (path for path in record_folder().glob(f"*{SUFFIX}") if path.is_file())
    return sorted(files, key=lambda path: path.stat().st_mtime, reverse=True)


def new_record_path(wanted: Path | None, game: str, home: Path | None = None) -> Path:
    """Return a path at which there is no file yet: `wanted`, or one in the folder of records.

    The folder of records is in the data folder, which is `home` if given. Raises FolderError.
    Raises RecordError if a file cannot be written at `wanted` (`check_new`).
    """
    if wanted is None:
        folder = make_private(record_folder(home))
        stem = f"{date.today().isoformat()}-{game}"
        paths = (folder / f"{stem}-{number}{SUFFIX}" for number in range(1, 100_000))
        return next(path for path in paths if not path.exists())
    check_new(wanted)
    return wanted


def check_new(path: Path) -> None:
    """Check that a new file can be written at a path.

    Commands call this before they begin the long work that makes the file's content. Raises
    RecordError if the file exists, if its folder does not exist, or if the folder is not writable.
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
    # The temporary name is random: no file of the person, or of an earlier crash, has it already.
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
        "There is a file {path} already, and it is not replaced. Name another one.", path=str(path)
    )


def _unwritten(path: Path, error: OSError) -> RecordError:
    text = N_("The file {path} cannot be written: {why}. Another disk may take it.")
    if error.errno in FULL:
        text = N_("The file {path} cannot be written: {why}. Make room there.")
    elif error.errno in DENIED:
        text = N_("The file {path} cannot be written: {why}. Let this program write there.")
    return RecordError(text, path=str(path), why=reason_of(error))


def written_later(error: LocalError, command: str) -> RecordError:
    """Return an error about a record that could not be written because of `error`.

    The journal still has the match; `command` writes its record later.
    """
    return RecordError(
        "{error} Nothing of the match is lost. Once the cause is removed, this command writes the "
        "record: {command}",
        error=error,
        command=command,
    )


def save_record(parts: Iterable[bytes], game: str, home: Path | None = None) -> Path:
    """Write a record to a new file in the folder of records, and return its path.

    That folder is in the data folder, which is `home` if given. Raises RecordError, FolderError.
    """
    path = new_record_path(None, game, home)
    write_new(path, parts)
    return path

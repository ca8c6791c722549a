"""The files of a node: private, never half written, and used by one process at a time."""

import errno
import os
import secrets
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from p2p.error_reasons import FULL, reason_of
from p2p.storage.data_path import HOME_VARIABLE, find_data_path
from protocol.errors import LocalError

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

BINARY = getattr(os, "O_BINARY", 0)
"""Flag for `os.open` so that bytes stay as they are, also on Windows."""

_LOCK_NAME = "lock"
_HELD = {errno.EWOULDBLOCK, errno.EAGAIN, errno.EACCES, errno.EDEADLK}
"""Numbers of errors by which a system says that another process has the lock."""


class FolderError(LocalError):
    """An error: a file or folder of ours cannot be used. The message is a sentence for people."""


class IdentityInUse(FolderError):
    """An error: another process uses this folder, and so this identity."""


def data_folder() -> Path:
    """Return the folder of this person's identity and tables; make it private if it is missing.

    It is $SOBREMESA_HOME, or if that is not set, the system's folder for application data. Raises
    FolderError if the folder cannot be made, or if others may enter it.
    """
    return make_private(data_path())


def data_path() -> Path:
    """Return the path of the data folder, which need not exist.

    Raises FolderError if the account has no home folder.
    """
    try:
        return Path(find_data_path())
    except RuntimeError as error:
        raise FolderError(
            "This account has no home folder to keep games in. Set {variable} to a folder of "
            "your own.",
            variable=HOME_VARIABLE,
        ) from error


def make_private(folder: Path) -> Path:
    """Return `folder`, made with mode 0700 if it is missing.

    Raises FolderError if it cannot be made, or if others may enter it.
    """
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        if error.errno in FULL:
            raise FolderError(
                "The folder {folder} cannot be made ({reason}). Make room there.",
                folder=str(folder),
                reason=reason_of(error),
            ) from error
        if os.path.exists(folder):  # `Path.exists` would raise if the name is too long
            raise FolderError(
                "{path} is in the place of a folder. Move it away.", path=str(folder)
            ) from error
        raise FolderError(
            "The folder {folder} cannot be made ({reason}). Set {variable} to a folder of "
            "your own.",
            folder=str(folder),
            reason=reason_of(error),
            variable=HOME_VARIABLE,
        ) from error
    check_private(folder)
    return folder


def check_private(path: Path) -> None:
    """Check that other users of the machine have no access to `path` (POSIX only).

    Raises FolderError if they have access.
    """
    if os.name != "posix":
        return
    mode = stat.S_IMODE(path.stat().st_mode)
    if mode & 0o077:
        right = 0o700 if path.is_dir() else 0o600
        raise FolderError(
            "Other users of this machine have access to {path} (mode {mode}), which holds your "
            "secrets. Close it with: chmod {right} {path}",
            path=str(path),
            mode=f"{mode:04o}",
            right=f"{right:o}",
        )


def check_is_file(path: Path) -> None:
    """Check that `path` is a file, or that nothing is there.

    Raises FolderError for a folder, a device, a link that leads nowhere, or a pipe. Reading a pipe
    would block for ever.
    """
    if os.path.lexists(path) and not path.is_file():
        raise FolderError(
            "There is something else in the place of the file {path}. Move it away, and start "
            "again.",
            path=str(path),
        )


def read_own(path: Path, most: int) -> bytes:
    """Return at most the first `most` + 1 bytes of a file of ours.

    If there is one byte more than `most`, the file is too long. Raises OSError, and FolderError if
    `path` is no file.
    """
    check_is_file(path)
    with path.open("rb") as file:
        return file.read(most + 1)


def create_private(path: Path, data: bytes = b"") -> None:
    """Make the new file `path` with mode 0600 and the content `data`, synced to the disk.

    Raises FileExistsError if there is a file already, and does not change that file.
    """
    # The mode is set at creation: if it were set by a later chmod, others could open the file
    # before.
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | BINARY, 0o600)
    with os.fdopen(descriptor, "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    sync_folder(path.parent)


def replace_private(path: Path, data: bytes) -> None:
    """Replace the file `path`; after a crash it has either its old or its new content."""
    part = path.with_name(f"{path.name}.{secrets.token_hex(8)}.part")
    try:
        create_private(part, data)
        os.replace(part, path)
    finally:
        part.unlink(missing_ok=True)
    sync_folder(path.parent)


def sync_folder(folder: Path) -> None:
    """Sync `folder`, so that the names of new files in it survive a power cut (POSIX only)."""
    if os.name != "posix":
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Lock `folder` for this process; the system releases the lock when the process dies.

    Two processes with one identity would contradict each other, which looks like cheating. Raises
    IdentityInUse if another process has the lock, and FolderError if nothing can be locked there.
    """
    # The lock file is never removed: the next process may already have locked it.
    check_is_file(folder / _LOCK_NAME)
    descriptor = os.open(folder / _LOCK_NAME, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        try:
            if sys.platform == "win32":
                msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
            else:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            if error.errno not in _HELD:
                raise FolderError(
                    "Nothing can be locked in the folder {folder} ({reason}). Without a lock two "
                    "programs could play as you at once. Set {variable} to a folder on a disk of "
                    "this machine.",
                    folder=str(folder),
                    reason=reason_of(error),
                    variable=HOME_VARIABLE,
                ) from error
            raise IdentityInUse(
                "Sobremesa is already running with the identity in {folder}. Close that program "
                "first, or set {variable} to another folder to play as somebody else.",
                folder=str(folder),
                variable=HOME_VARIABLE,
            ) from error
        yield
    finally:
        os.close(descriptor)

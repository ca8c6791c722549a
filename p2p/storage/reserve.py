"""The reserve: a file of a fixed size beside the journal, which is removed when the disk is full.

In the room that becomes free, the node can finish the entry that it is writing, and leave its table
in order. The file is made again at the next start, if the disk has room by then. Calls block.
"""

import logging
import secrets
import shutil
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from attrs import frozen

from p2p.storage.journal_file import JournalFull
from p2p.storage.private_files import create_private

RESERVE_FILE = "reserve"
RESERVE_BYTES = 256 * 1024

_ROOM = 8 * RESERVE_BYTES
"""Bytes that must be free before the reserve is made: the node needs room for other files, too."""

_log = logging.getLogger(__name__)


@frozen
class Reserve:
    """The reserve in the file `path`, which need not exist yet."""

    path: Path

    def fill(self) -> None:
        """Make the file if there is enough room. If that fails, go on without a reserve."""
        with suppress(OSError):
            if self.path.exists() and self.path.stat().st_size >= RESERVE_BYTES:
                return
            if shutil.disk_usage(self.path.parent).free >= _ROOM:
                self.path.unlink(missing_ok=True)
                # Random bytes, since some file systems do not allocate room for zeros.
                create_private(self.path, secrets.token_bytes(RESERVE_BYTES))

    def give_up(self) -> bool:
        """Remove the file; return True if there was one."""
        try:
            self.path.unlink()
        except OSError:
            return False
        return True

    def finish(self, write: Callable[[], None]) -> None:
        """Call `write`. If the disk is full, give up the reserve and call `write` once more.

        `write` writes to the journal. If it fails, it must have written nothing. Raises the errors
        of `write`.
        """
        try:
            write()
        except JournalFull:
            if not self.give_up():
                raise
            _log.warning("the disk is full: the reserve %s is given up", self.path)
            write()

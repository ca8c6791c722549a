"""The reserve: a file of a fixed size beside the journal, given up when a disk is full.

So a node can finish the entry that it is writing, and let go of its table in order. It is filled
again at a start at which there is room enough. Calls block.
"""

import logging
import secrets
import shutil
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from attrs import frozen

from p2p.storage.folders import create_private
from p2p.storage.journal_file import JournalFull

RESERVE_FILE = "reserve"
RESERVE_BYTES = 256 * 1024

_ROOM = 8 * RESERVE_BYTES
"""Bytes that must be free for the reserve to be filled: a start needs some for itself."""

_log = logging.getLogger(__name__)


@frozen
class Reserve:
    """The reserve in the file `path`, which need not exist yet."""

    path: Path

    def fill(self) -> None:
        """Take the room, where there is plenty. A reserve that cannot be made is none."""
        with suppress(OSError):
            if self.path.exists() and self.path.stat().st_size >= RESERVE_BYTES:
                return
            if shutil.disk_usage(self.path.parent).free >= _ROOM:
                self.path.unlink(missing_ok=True)
                # No zeros: some file systems give them no room.
                create_private(self.path, secrets.token_bytes(RESERVE_BYTES))

    def give_up(self) -> bool:
        """Free the room; return True if there was any."""
        try:
            self.path.unlink()
        except OSError:
            return False
        return True

    def finish(self, write: Callable[[], None]) -> None:
        """Do what writes to the journal, all or nothing; without room, with that of the reserve.

        Raises as `write`.
        """
        try:
            write()
        except JournalFull:
            if not self.give_up():
                raise
            _log.warning("the disk is full: the reserve %s is given up", self.path)
            write()

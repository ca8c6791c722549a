"""The rollback guard: a small file beside the journal that changes with every signature of ours.

The journal remembers the guard as it was at the last signature: the random bytes in it, and when
the system says that the file last changed. Whoever puts back an older journal meets a guard with
other bytes; whoever puts back an older guard has changed the file at another time, which on POSIX
no program can choose. On Windows a program can set both times, as the image of a whole disk does
anywhere: that cannot be told (`spec/threats.md`). So a journal that does not know this guard may be
older than what this node has signed.
"""

import os
import secrets
from pathlib import Path

from attrs import define, field

from p2p.storage.folders import BINARY, create_private

GUARD_FILE = "rollback_guard"

_TOKEN_BYTES = 16
_TIME_BYTES = 16


@define(eq=False)
class RollbackGuard:
    """The guard in the file `path`, which need not exist yet. To be closed.

    On POSIX the file stays open, so that a signature needs nothing that the system may have run out
    of. On Windows it is opened each time: its times are final when it is closed.
    """

    path: Path
    _descriptor: int | None = field(default=None, init=False)

    def change(self, *, synced: bool = True) -> bytes:
        """Changes the guard, `synced` to the disk; its new fingerprint. Blocks. Raises OSError.

        This is a wait of its own, before the journal's. Without it a power cut would leave an older
        guard beside the journal that was synced: the two differ, which is only doubt, and a wait
        for the others. But a journal that is then lost, and put back as it was at that older
        guard's signature, would agree with it: the node would sign again what it has signed, and
        be exposed for it. So the guard on the disk is never older than what was sent. Only
        unlockings leave both unsynced: the next start of the system doubts them by the journal's
        mark.
        """
        if not self.path.exists():
            self.close()
            create_private(self.path)
        descriptor = self._opened()
        os.lseek(descriptor, 0, os.SEEK_SET)
        os.write(descriptor, secrets.token_bytes(_TOKEN_BYTES))
        # With its time of change: that is part of what the journal will remember.
        if synced:
            os.fsync(descriptor)
        self._close_on_windows()
        return self.seen()

    def seen(self) -> bytes:
        """The guard's fingerprint, 48 bytes: its token and its times, in nanoseconds; zeros without
        a guard. Raises OSError.

        On POSIX the second time is that of any change, on Windows that of the file's creation; a
        copy that was put back differs in one or the other.
        """
        try:
            descriptor = self._opened()
        except FileNotFoundError:
            return bytes(_TOKEN_BYTES + 2 * _TIME_BYTES)
        os.lseek(descriptor, 0, os.SEEK_SET)
        token = os.read(descriptor, _TOKEN_BYTES).ljust(_TOKEN_BYTES, b"\0")
        status = os.fstat(descriptor)
        self._close_on_windows()
        times = (status.st_mtime_ns, status.st_ctime_ns)
        return token + b"".join(time.to_bytes(_TIME_BYTES, "big", signed=True) for time in times)

    def close(self) -> None:
        """Lets go of the file."""
        descriptor, self._descriptor = self._descriptor, None
        if descriptor is not None:
            os.close(descriptor)

    def _opened(self) -> int:
        """The file that is at the path now: it may have been taken away, or another put there."""
        if self._descriptor is not None:
            if os.path.samestat(os.fstat(self._descriptor), self.path.stat()):
                return self._descriptor
            self.close()
        self._descriptor = os.open(self.path, os.O_RDWR | BINARY)
        return self._descriptor

    def _close_on_windows(self) -> None:
        if os.name == "nt":
            self.close()

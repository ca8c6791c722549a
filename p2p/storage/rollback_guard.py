"""The rollback guard: a small file beside the journal that changes with almost every signature.

Only signatures of unlockings do not change it: after a loss they are made again in the same bytes.

The journal remembers the guard as it was at the last signature: its random bytes, and the times
that the system keeps of the file. If the guard differs from that, the journal may be older than
what this node has signed:

- If an older journal is put back, it remembers other random bytes than the guard has.
- If the older guard is put back with it, the file has another time of change. No program on POSIX
  can choose that time.

Two cases cannot be detected: a program on Windows that sets both times of the file, and an image of
the whole disk on any system (`spec/threats.md`).
"""

import os
import secrets
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

from attrs import define, field

from p2p.storage.private_files import BINARY, create_private

GUARD_FILE = "rollback_guard"

_TOKEN_BYTES = 16
_TIME_BYTES = 16


@define(eq=False)
class RollbackGuard:
    """The guard in the file `path`, which need not exist yet. The owner must call `close`.

    On POSIX the file stays open, so that a signature does not fail when the system has run out of
    file descriptors. On Windows the file is opened each time, because its times are final only when
    it is closed. The thread that syncs the file is kept, too: starting a thread for each signature
    would double the time of `changed`.
    """

    path: Path
    _descriptor: int | None = field(default=None, init=False)
    _syncer: ThreadPoolExecutor | None = field(default=None, init=False)

    @contextmanager
    def changed(self) -> Iterator[bytes]:
        """Change the guard, and yield its new fingerprint. Blocks. Raises OSError.

        The guard is synced to the disk during the block, and the end of the block waits for that.
        The caller syncs the journal in the block, so both syncs run at the same time.

        A signature is sent only after both syncs, so the guard on the disk is never older than the
        newest signature that was sent. Suppose that it could be older: the newest signature is
        sent, the power fails, and the guard on the disk is still the earlier one. If the player
        then puts back a copy of the journal from the time of that earlier guard, journal and guard
        agree. So the node signs another entry in place of the one that it has sent, and is exposed
        for it.

        Unlockings change neither the guard nor what the journal remembers of it. So after a power
        cut there are two cases:

        - Journal and guard agree. The journal has all that was sent. It may lack unlockings and
          entries of others since the guard's last change, but these come again in the same bytes.
        - Journal and guard differ, because only one of them was synced. The newest signature was
          not sent yet. The node is in doubt, and waits until it has heard what the others have.
        """
        if not self.path.exists():
            create_private(self.path)
        descriptor = self._opened()
        os.lseek(descriptor, 0, os.SEEK_SET)
        os.write(descriptor, secrets.token_bytes(_TOKEN_BYTES))
        if os.name == "nt":
            os.fsync(descriptor)  # not in the other thread, because `seen` closes the file
            self._close_on_windows()
            yield self.seen()
            return
        with self._syncing(descriptor):
            yield self.seen()

    @contextmanager
    def _syncing(self, descriptor: int) -> Iterator[None]:
        """Sync the file to the disk during the block; the end of the block waits for the sync.

        The file's time of change, which the journal remembers, is synced, too. If no thread can be
        started, the file is synced before the block.
        """
        self._syncer = self._syncer or ThreadPoolExecutor(1)
        try:
            synced = self._syncer.submit(os.fsync, descriptor)
        except RuntimeError:  # the system gives no thread
            self._syncer = None
            os.fsync(descriptor)
            yield
            return
        try:
            yield
        finally:
            failure = synced.exception()
        if failure is not None:
            raise failure

    def seen(self) -> bytes:
        """Return the guard's fingerprint, 48 bytes: its token and its times, in nanoseconds.

        Without a guard all bytes are zero. The first time is the time of the last change of the
        contents. The second is, on POSIX, the time of the last change of contents or metadata, and
        on Windows the time at which the file was created. In a copy that was put back, at least one
        of the two times differs. Raises OSError.
        """
        try:
            descriptor = self._opened()
        except FileNotFoundError:
            return bytes(_TOKEN_BYTES + 2 * _TIME_BYTES)
        os.lseek(descriptor, 0, os.SEEK_SET)
        # If the node died right after making the file, the file is empty.
        token = os.read(descriptor, _TOKEN_BYTES).ljust(_TOKEN_BYTES, b"\0")
        self._close_on_windows()
        status = self.path.stat()
        times = (status.st_mtime_ns, status.st_ctime_ns)
        return token + b"".join(time.to_bytes(_TIME_BYTES, "big", signed=True) for time in times)

    def close(self) -> None:
        """Close the file, and end the thread."""
        self._let_go()
        if self._syncer is not None:
            self._syncer.shutdown()
            self._syncer = None

    def _let_go(self) -> None:
        descriptor, self._descriptor = self._descriptor, None
        if descriptor is not None:
            os.close(descriptor)

    def _opened(self) -> int:
        """Return a descriptor of the file that is at the path now.

        The file may have been removed or replaced since the last call.
        """
        if self._descriptor is not None:
            if os.path.samestat(os.fstat(self._descriptor), self.path.stat()):
                return self._descriptor
            self._let_go()
        self._descriptor = os.open(self.path, os.O_RDWR | BINARY)
        return self._descriptor

    def _close_on_windows(self) -> None:
        if os.name == "nt":
            self._let_go()

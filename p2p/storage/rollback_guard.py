"""The rollback guard: a small file beside the journal that changes with almost every signature.

It does not change with those of unlockings, which are given again in the same bytes.

The journal remembers the guard as it was at the last signature: the random bytes in it, and when
the system says that the file last changed. Whoever puts back an older journal meets a guard with
other bytes; whoever puts back an older guard has changed the file at another time, which on POSIX
no program can choose. On Windows a program can set both times, as the image of a whole disk does
anywhere: that cannot be told (`spec/threats.md`). So a journal that does not know this guard may be
older than what this node has signed.
"""

import os
import secrets
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
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
    of. On Windows it is opened each time: its times are final when it is closed. The thread that
    syncs it is kept, too: to start one takes as long as all else that a signature does here.
    """

    path: Path
    _descriptor: int | None = field(default=None, init=False)
    _syncer: ThreadPoolExecutor | None = field(default=None, init=False)

    @contextmanager
    def changed(self) -> Iterator[bytes]:
        """Change the guard, and give its new fingerprint to the block. Blocks. Raises OSError.

        The guard is synced to the disk during the block, the end of which waits for it. The journal
        is synced in the block, so that both waits are one. A power cut may leave either of the two
        as it was before: they differ then, which is only doubt, and a wait for the others. When
        both are done, and not before, the signature is sent: so the guard on the disk is never
        older than what was sent. If it could be, a journal that is then lost, and put back as it
        was at that older guard's signature, would agree with it: the node would sign again what it
        has signed, and be exposed for it.

        Unlockings change neither. Whatever journal and guard are on the disk after a power cut: if
        they agree, the journal has all that was sent but unlockings (and entries of others) that
        came after the guard's change, and these come again in the same bytes. If they differ, the
        power was cut before the newest of the two was sent, and that is doubt.
        """
        if not self.path.exists():
            create_private(self.path)
        descriptor = self._opened()
        os.lseek(descriptor, 0, os.SEEK_SET)
        os.write(descriptor, secrets.token_bytes(_TOKEN_BYTES))
        if os.name == "nt":
            os.fsync(descriptor)  # its times are final when it is closed, and that is here
            self._close_on_windows()
            yield self.seen()
            return
        with self._syncing(descriptor):
            yield self.seen()

    @contextmanager
    def _syncing(self, descriptor: int) -> Iterator[None]:
        """Bring the file to the disk during the block, the end of which waits for it.

        Its time of change comes with it, which the journal remembers. Without a thread it is there
        before the block.
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

        It is zeros without a guard. On POSIX the second time is that of any change, on Windows that
        of the file's creation; a copy that was put back differs in one or the other. Raises
        OSError.
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
        """Let go of the file, and of the thread."""
        self._let_go()
        if self._syncer is not None:
            self._syncer.shutdown()
            self._syncer = None

    def _let_go(self) -> None:
        descriptor, self._descriptor = self._descriptor, None
        if descriptor is not None:
            os.close(descriptor)

    def _opened(self) -> int:
        """Return the file that is at the path now.

        It may have been taken away, or another put there.
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

"""The reasons of the system's errors, in words for people."""

import errno
import os
import socket

FULL = frozenset({errno.ENOSPC, errno.EFBIG, getattr(errno, "EDQUOT", errno.ENOSPC)})
"""Numbers of errors by which the system says that a disk is full, or a limit is reached."""

DENIED = frozenset({errno.EACCES, errno.EPERM, errno.EROFS})
"""Numbers of errors by which the system says that this program lacks the permission."""


def reason_of(error: BaseException) -> str:
    """Return an error's reason without numbers and addresses.

    The caller's sentence names numbers and addresses where they help. For a group of errors, for
    example from calls to several addresses, the result names each different reason once.
    """
    if isinstance(error, BaseExceptionGroup):
        return "; ".join(dict.fromkeys(map(reason_of, error.exceptions)))
    if isinstance(error, OSError) and error.strerror:
        number = None if isinstance(error, socket.gaierror) else error.errno
        if number is None or os.name != "posix":
            return error.strerror
        return os.strerror(number)  # Trio may put an address in front of `error.strerror`
    if isinstance(error.__cause__, BaseExceptionGroup):
        return reason_of(error.__cause__)
    return str(error) or type(error).__name__

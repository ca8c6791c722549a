"""The reasons of the system's errors, in words for people."""

import errno
import os
import socket

FULL = frozenset({errno.ENOSPC, errno.EFBIG, getattr(errno, "EDQUOT", errno.ENOSPC)})
"""Numbers of errors by which the system says that a disk is full."""

DENIED = frozenset({errno.EACCES, errno.EPERM, errno.EROFS})
"""Numbers of errors by which the system says that this program lacks the permission."""


def reason_of(error: BaseException) -> str:
    """Return an error's reason without numbers and addresses.

    The caller's sentence names numbers and addresses where they help. If several errors lie behind
    one, for example of calls to several addresses, each reason is given once.
    """
    if isinstance(error, BaseExceptionGroup):
        return "; ".join(dict.fromkeys(map(reason_of, error.exceptions)))
    if isinstance(error, OSError) and error.strerror:
        number = None if isinstance(error, socket.gaierror) else error.errno
        if number is None or os.name != "posix":
            return error.strerror
        return os.strerror(number)  # not `strerror`: there Trio puts the address in front
    if isinstance(error.__cause__, BaseExceptionGroup):
        return reason_of(error.__cause__)
    return str(error) or type(error).__name__

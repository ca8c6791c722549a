"""The reasons of the system's errors, in words for people."""

import errno
import os
import socket

FULL = frozenset({errno.ENOSPC, errno.EFBIG, getattr(errno, "EDQUOT", errno.ENOSPC)})
"""There is no room for what is written."""

DENIED = frozenset({errno.EACCES, errno.EPERM, errno.EROFS})
"""The system does not let this program do it."""


def reason_of(error: BaseException) -> str:
    """Return an error's reason without numbers and addresses.

    The sentence around it has these where they help. If several errors lie behind one, as of
    attempts at several addresses, each reason comes once.
    """
    if isinstance(error, BaseExceptionGroup):
        return "; ".join(dict.fromkeys(map(reason_of, error.exceptions)))
    if isinstance(error, OSError) and error.strerror:
        number = None if isinstance(error, socket.gaierror) else error.errno
        if number is None or os.name != "posix":
            return error.strerror
        return os.strerror(number)  # Trio puts the address in front of it
    if isinstance(error.__cause__, BaseExceptionGroup):
        return reason_of(error.__cause__)
    return str(error) or type(error).__name__

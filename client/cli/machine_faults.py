"""Faults of the machine, such as a full disk, as sentences with a remedy."""

import errno
import os
import sqlite3

from engine.sentences import Sentence
from p2p.error_reasons import DENIED, FULL, reason_of
from p2p.storage.data_path import HOME_VARIABLE

_WRONG_KIND = {errno.EISDIR, errno.ENOTDIR, errno.EEXIST, errno.ENOTEMPTY, errno.ELOOP}
_TOO_MANY = {errno.EMFILE, errno.ENFILE, errno.ENOMEM, errno.ENOBUFS}
_NETWORK = {errno.ENETDOWN, errno.ENETUNREACH, errno.EHOSTUNREACH, errno.EADDRNOTAVAIL}

_OUT_OF_MEMORY = (MemoryError, SystemError)
"""Errors for a lack of memory; some C code raises SystemError instead of MemoryError."""

_NO_THREAD = "can't start new thread"
"""Text of the RuntimeError that Python raises if the system starts no more threads."""


def is_machine_fault(error: BaseException) -> bool:
    """Return True if the error is a fault of the machine and not of the program."""
    if isinstance(error, RuntimeError):
        return str(error) == _NO_THREAD
    return isinstance(error, (OSError, sqlite3.Error, ImportError, *_OUT_OF_MEMORY))


def machine_sentence(error: BaseException) -> Sentence:
    """Return a sentence that tells the person about the fault, with a remedy."""
    if isinstance(error, RuntimeError):
        error = OSError(errno.ENOMEM, str(error))
    if isinstance(error, sqlite3.Error):
        return Sentence(
            "The journal cannot be used ({reason}). `sobremesa doctor` checks it.",
            reason=str(error),
        )
    if isinstance(error, ImportError):
        return Sentence(
            "A part of the program cannot be loaded ({reason}). Close other programs, and start "
            "again; if that does not help, install it again.",
            reason=str(error),
        )
    if not isinstance(error, OSError):
        return Sentence("There is not enough memory. Close other programs, and try again.")
    return _refusal_of_the_system(error)


def _refusal_of_the_system(error: OSError) -> Sentence:
    reason = reason_of(error)
    path = _path_of(error)
    if error.errno in FULL:
        return Sentence(
            "There is no room to write{path} ({reason}). Make room, and start again: what was "
            "signed before is kept.",
            path=path,
            reason=reason,
        )
    if error.errno in DENIED:
        return Sentence(
            "The system does not let this program use{path} ({reason}). Use another place: "
            "{variable} can name another data folder.",
            path=path,
            reason=reason,
            variable=HOME_VARIABLE,
        )
    if error.errno in _WRONG_KIND:
        return Sentence(
            "There is something else in the place of{path} ({reason}). Move it away, and start "
            "again.",
            path=path,
            reason=reason,
        )
    if error.errno == errno.EADDRINUSE:
        return Sentence(
            "Another program listens at that port. Name another port with --port, or leave out "
            "--port."
        )
    if error.errno in _TOO_MANY:
        return Sentence(
            "The system has no resources left ({reason}). Close other programs, and start again.",
            reason=reason,
        )
    if error.errno in _NETWORK:
        return Sentence(
            "The network cannot be used ({reason}). `sobremesa doctor` tells more.", reason=reason
        )
    if path:
        return Sentence(
            "The system reports an error at {path}: {reason}.", path=path[1:], reason=reason
        )
    return Sentence("The system reports an error: {reason}.", reason=reason)


def _path_of(error: OSError) -> str:
    """Return a space and the file that the error is about; "" if the error names no file."""
    return "" if error.filename is None else f" {os.fsdecode(error.filename)}"

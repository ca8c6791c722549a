"""The log: a file of limited size in the data folder, for people who look for a fault.

Nothing is logged to the terminal, which belongs to the game: even warnings of libraries go to the
file. Strangers can cause some messages as often as they like. So each message is written at most
once a minute, with the number of repetitions.
"""

import logging
import sys
import threading
import time
from contextlib import suppress
from copy import copy
from io import FileIO
from os import fstat
from os.path import lexists
from pathlib import Path
from typing import Any

LOG_FILE = "log"

_log = logging.getLogger(__name__)

_MOST_BYTES = 512 * 1024
"""Maximum size of the file in bytes; a full file is renamed to `log.1`, and a new one begun."""
_QUIET_SECONDS = 60.0


class OnceAMinute(logging.Filter):
    """A filter that lets each kind of message pass once in `_QUIET_SECONDS`.

    The next message that passes tells how many were held back. Messages are of one kind if they
    come from the same line of the program.
    """

    def __init__(self) -> None:
        super().__init__()
        # By kind: the time of the last message that passed, and the number held back since then.
        self._kinds: dict[tuple[str, int], tuple[float, int]] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        kind = (record.pathname, record.lineno)
        since, held_back = self._kinds.get(kind, (-_QUIET_SECONDS, 0))
        now = time.monotonic()
        if now - since < _QUIET_SECONDS:
            self._kinds[kind] = (since, held_back + 1)
            return False
        self._kinds[kind] = (now, 0)
        if held_back:
            record.msg = f"{record.msg} (and {held_back} times before)"
        return True


def write_log(folder: Path, level: str) -> None:
    """Write everything that is logged to the file in `folder`, and nowhere else.

    The file is created with the first line. As long as the folder does not exist, nothing is
    logged. Errors while the log is written are ignored.
    """
    logging.setLogRecordFactory(_record)
    handler = _QuietFile(folder / LOG_FILE)
    handler.addFilter(OnceAMinute())
    root = logging.getLogger()
    for old in root.handlers[:]:
        if isinstance(old, _QuietFile):
            root.removeHandler(old)
            old.close()
    root.addHandler(handler)
    root.setLevel(level.upper())
    logging.captureWarnings(True)  # such as a library's warning about data from strangers
    sys.unraisablehook = _log_unraisable
    threading.excepthook = _log_of_thread


_FIRST_RECORD = logging.LogRecord("", logging.INFO, "", 0, "", None, None)


def _record(*arguments: Any, **more: Any) -> logging.LogRecord:
    """Return the log record of a message, even if the system's clock has an impossible time.

    The clock may be set wrong during a game. If it is after the year 2262, Python raises
    OverflowError for each message. The log record then gets the time at which the log was begun.
    """
    try:
        return logging.LogRecord(*arguments, **more)
    except OverflowError:
        record = copy(_FIRST_RECORD)
        record.name, record.levelno, record.pathname, record.lineno = arguments[:4]
        record.msg, record.args, record.exc_info = arguments[4:7]
        record.levelname = logging.getLevelName(record.levelno)
        return record


def _log_unraisable(fault: "sys.UnraisableHookArgs") -> None:
    """Log an error that Python cannot raise, such as one in a `__del__` method."""
    _log.error("nobody could be told of an error", exc_info=fault.exc_value)


def _log_of_thread(fault: threading.ExceptHookArgs) -> None:
    """Log the error that ended a thread of a library; our own threads pass their errors on."""
    _log.error("a thread has ended", exc_info=fault.exc_value)


class _Harmless(logging.Formatter):
    """A formatter that makes text from strangers harmless, in messages and tracebacks.

    Control characters are escaped. All lines of a log record but the first are indented, so that
    none looks like the beginning of another record. Tracebacks of warnings are left out: a library
    warns with a traceback whenever a network cable is unplugged.
    """

    def format(self, record: logging.LogRecord) -> str:
        if record.levelno < logging.ERROR:
            record = copy(record)
            record.exc_info = record.exc_text = None
        lines = super().format(record).split("\n")
        return "\n    ".join("".join(map(_harmless, line)) for line in lines)


def _harmless(character: str) -> str:
    return character if character.isprintable() else repr(character)[1:-1]


class _QuietFile(logging.Handler):
    """A handler that writes the log file, and renames it when it is full; it ignores errors.

    Python's own `RotatingFileHandler` is slower: it formats each line twice, the first time for the
    length. The module of that class imports pickle, sockets and queues, which would delay the first
    screen.
    """

    def __init__(self, path: Path) -> None:
        super().__init__()
        self._path = path
        self._file: FileIO | None = None
        self.setFormatter(_Harmless("%(asctime)s %(levelname)s %(name)s: %(message)s"))

    def emit(self, record: logging.LogRecord) -> None:
        with suppress(Exception):
            self._write(f"{self.format(record)}\n".encode())

    def close(self) -> None:
        self._close()
        super().close()

    def _write(self, line: bytes) -> None:
        if self._file is None:
            self._open()
        if self._file is not None and fstat(self._file.fileno()).st_size + len(line) > _MOST_BYTES:
            self._close()
            self._path.replace(self._path.with_name(f"{self._path.name}.1"))
            self._open()
        if self._file is not None:
            self._file.write(line)

    def _open(self) -> None:
        path = self._path
        if path.is_file() or not lexists(path):  # not a named pipe: opening one would block
            self._file = FileIO(path, "ab")

    def _close(self) -> None:
        file, self._file = self._file, None
        if file is not None:
            file.close()

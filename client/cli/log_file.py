"""The log: a bounded file in the data folder, for people who look for a fault.

None of it reaches the terminal, which belongs to the game, and neither do warnings of libraries. A
message that strangers can cause again and again is written once a minute, with its number.
"""

import logging
import sys
import threading
import time
from copy import copy
from io import FileIO
from os import fstat
from os.path import lexists
from pathlib import Path
from typing import Any

LOG_FILE = "log"

_log = logging.getLogger(__name__)

_MOST_BYTES = 512 * 1024
"""Most bytes of the file; the file before it is kept as well, with ".1" behind its name."""
_QUIET_SECONDS = 60.0


class OnceAMinute(logging.Filter):
    """A filter that lets each kind of message pass once in `_QUIET_SECONDS`.

    The next one that passes tells how many did not. Messages are of one kind if they come from the
    same place in the program.
    """

    def __init__(self) -> None:
        super().__init__()
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

    The file is created with the first line if the folder exists; otherwise there is no log. A log
    that cannot be written ends nothing.
    """
    logging.raiseExceptions = False
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
    logging.captureWarnings(True)  # a library's, about what a stranger has sent
    sys.unraisablehook = _log_unraisable
    threading.excepthook = _log_of_thread


_FIRST_RECORD = logging.LogRecord("", logging.INFO, "", 0, "", None, None)


def _record(*arguments: Any, **more: Any) -> logging.LogRecord:
    """Return the record of a message, with the time of the first one where the system has none.

    Python knows no time after 2262, to which a wrong calendar may be set while a game is on: each
    message would raise OverflowError where it is logged.
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
    """Log an error that Python cannot raise, as in a half-made object of a library."""
    _log.error("nobody could be told of an error", exc_info=fault.exc_value)


def _log_of_thread(fault: threading.ExceptHookArgs) -> None:
    """Log the error that ended a library's thread; our own threads pass errors on."""
    _log.error("a thread has ended", exc_info=fault.exc_value)


class _Harmless(logging.Formatter):
    """A formatter that makes strangers' text in messages and tracebacks harmless.

    Nothing in it moves a cursor, and only the first line of each record begins at the margin. Only
    an error has a traceback: a library warns with one when a cable is out.
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
    """A handler for a log file that only its owner can read; errors are ignored.

    The bounded handler of `logging.handlers` formats each line twice, once to learn its length, and
    the first screen would wait for what it imports: pickle, sockets, queues.
    """

    def __init__(self, path: Path) -> None:
        super().__init__()
        self._path = path
        self._file: FileIO | None = None
        self.setFormatter(_Harmless("%(asctime)s %(levelname)s %(name)s: %(message)s"))

    def emit(self, record: logging.LogRecord) -> None:
        try:
            self._write(f"{self.format(record)}\n".encode())
        except Exception:
            self.handleError(record)

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
        if path.parent.is_dir() and (path.is_file() or not lexists(path)):
            self._file = FileIO(path, "ab")  # at a pipe it would wait for ever

    def _close(self) -> None:
        file, self._file = self._file, None
        if file is not None:
            file.close()

"""The log: a bounded file in the data folder, for who looks into what went wrong.

Nothing of it reaches the terminal, which belongs to the game; nor do the warnings of libraries.
What strangers can bring about again and again is written once a minute, with how often it came.
"""

import logging
import os
import sys
import threading
import time
from contextlib import suppress
from copy import copy
from pathlib import Path

LOG_FILE = "log"

_log = logging.getLogger(__name__)

_MOST_BYTES = 512 * 1024
"""Of the file; the one before it is kept as well, with ".1" behind its name."""
_QUIET_SECONDS = 60.0


class OnceAMinute(logging.Filter):
    """Lets a kind of message pass once in `_QUIET_SECONDS`, and the next one tell how many did not.

    Messages are of one kind when their place in the program is the same.
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
    """From now on all that is logged goes to the file in `folder`, and nowhere else.

    The file is made with the first line, if there is a folder; without one there is no log. A log
    that cannot be written ends nothing.
    """
    logging.raiseExceptions = False
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


def _log_unraisable(fault: "sys.UnraisableHookArgs") -> None:
    """What Python cannot raise, as in a library's object that was made by half."""
    _log.error("nobody could be told of an error", exc_info=fault.exc_value)


def _log_of_thread(fault: threading.ExceptHookArgs) -> None:
    """What ended a thread that is a library's: in ours, errors are handed on."""
    _log.error("a thread has ended", exc_info=fault.exc_value)


class _Harmless(logging.Formatter):
    """What strangers wrote may stand in a message or a traceback: nothing in it moves a cursor, and
    only the first line of each record begins at the margin. Only an error has a traceback: a
    library warns with one when a cable is out.
    """

    def format(self, record: logging.LogRecord) -> str:
        if record.levelno < logging.ERROR:
            record = copy(record)
            record.exc_info = record.exc_text = None
        lines = super().format(record).split("\n")
        return "\n    ".join("".join(map(_harmless, line)) for line in lines)


def _harmless(character: str) -> str:
    return character if character.isprintable() else repr(character)[1:-1]


class _QuietFile(logging.FileHandler):
    """A log file that is made for its owner alone, and not at all where it cannot be. `logging` has
    a bounded one, with ways to send records to other machines, which take longer to load than the
    rest of the log.
    """

    def __init__(self, path: Path) -> None:
        super().__init__(path, encoding="utf-8", delay=True)
        self.setFormatter(_Harmless("%(asctime)s %(levelname)s %(name)s: %(message)s"))

    def emit(self, record: logging.LogRecord) -> None:
        path = Path(self.baseFilename)
        if self.stream is None and not path.parent.is_dir():
            return
        if os.path.lexists(path) and not path.is_file():  # at a pipe it would wait for ever
            return
        try:
            with suppress(FileNotFoundError):
                if path.stat().st_size + len(f"{self.format(record)}\n".encode()) > _MOST_BYTES:
                    self.close()
                    path.replace(path.with_name(f"{path.name}.1"))
            super().emit(record)
        except OSError:
            self.handleError(record)

"""System calls for an identity and its journal, each made to fail in each way (`FAULTS`).

`python -m tests.failing_calls.journal_calls FAULT EVERY FOLDER` needs the environment of
`tests.failing_calls.shim`. It runs `life` (a program that starts and plays) again and again, each
time in a new home in FOLDER. In each run one call fails: the first one, then every EVERYth after
it. A line is printed for each failure after which something is lost or the program cannot go on.
pytest tries some of the calls, and `python -m tests.failing_calls` all of them.
"""

import os
import shutil
import sqlite3
import sys
from collections.abc import Iterator
from functools import partial
from itertools import count
from pathlib import Path

from p2p.storage.data_path import JOURNAL_FILE
from p2p.storage.identity import Identity
from p2p.storage.journal import Journal
from p2p.storage.journal_file import JournalDamaged
from protocol.errors import LocalError
from tests.failing_calls.shim import FAULTS, FailedCall, arm, in_a_child

TABLE = bytes(32)
APPENDED = 3
"""Number of entries that are appended; the first and the third are the node's own."""
DEFERRED = 4
"""Height of another player's entry, which is in the same write as the statement."""
REFUSED = 3
"""Exit code of a process that ended with one of the errors that the program expects."""


def entry(height: int) -> bytes:
    """Return the entry of this height, which is always the same."""
    return b"entry %d " % height * 60


def life(home: Path, told: Path) -> int:
    """Use the files like a program that starts and plays, and return its exit code.

    Writing to the file `told` stands for sending. Every entry is in the journal before it is sent.
    """
    try:
        Identity.load_or_create(home)
        with Journal.open(home / JOURNAL_FILE) as journal:
            journal.create_table(TABLE, b"charter", 0)
            for height in range(len(journal.entries(TABLE)) + 1, APPENDED + 1):
                own = {f"lock {height}": b"secret"} if height % 2 else None
                journal.append(TABLE, height, entry(height), own)
                told.write_text(f"{height}")
            journal.defer(TABLE, DEFERRED, entry(DEFERRED))
            journal.keep_statement(TABLE, 1, b"statement")
            told.write_text(f"{DEFERRED}")
            journal.forget_secrets(TABLE, "lock 1")
    except (LocalError, OSError, sqlite3.Error, MemoryError):
        return REFUSED
    return 0


def complaint_after(home: Path, told: Path) -> str | None:
    """Return a complaint about a home after a failed `life`; None if all is well.

    Everything that the node has told must be in the journal, and its next `life` must run to its
    end.
    """
    spoken = int(told.read_text() or 0) if told.exists() else 0
    try:
        with Journal.open(home / JOURNAL_FILE) as journal:
            there = journal.entries(TABLE)
    except JournalDamaged as error:
        return str(error)
    if there != tuple(entry(height) for height in range(1, len(there) + 1)):
        return "an entry has changed"
    if len(there) < spoken:
        return f"{spoken} entries were sent, and {len(there)} are in the journal"
    if life(home, told) != 0:
        return "the next life does not go on"
    return None


def failing_life(number: int, fault: int, home: Path, told: Path, report: Path) -> int:
    """Start a `life` in which the call with this number fails."""
    arm(number, fault, home, report)
    return life(home, told)


def failures(fault: str, every: int, folder: Path) -> Iterator[tuple[FailedCall, str | None]]:
    """Return each call that can fail in this way, with a complaint about the home after it."""
    for number in count(1, every):
        place = folder / f"{number}"
        home, told, report = place / "home", place / "told", place / "report"
        home.mkdir(parents=True, mode=0o700)

        failing = partial(failing_life, number, FAULTS[fault], home, told, report)
        _, status = os.waitpid(in_a_child(failing), 0)
        failed = FailedCall.read(report)
        if failed is None:
            return
        complaint = None
        if os.WIFEXITED(status) and os.WEXITSTATUS(status) not in (0, REFUSED):
            complaint = f"ended with {os.WEXITSTATUS(status)}"
        yield failed, complaint or complaint_after(home, told)
        shutil.rmtree(place)


def main(fault: str, every: str, folder: str) -> int:
    """Try the calls, and return 0 if nothing is wrong."""
    wrong = tried = 0
    for failed, complaint in failures(fault, int(every), Path(folder)):
        tried += 1
        if complaint is not None:
            wrong += 1
            print(f"{failed}: {complaint}")
    print(f"{fault}: {tried} calls of a journal tried, {wrong} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    raise SystemExit(main(*sys.argv[1:]))

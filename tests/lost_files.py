"""Command that takes files from a node that died, in many ways: `python -m tests.lost_files`.

A node dies in the middle of a game: its process ends without closing anything. Then some of its
files are lost, cut, changed or replaced by copies from an earlier moment. One of three things must
hold: every signature of the node is still in the journal, the journal is in doubt, or it cannot be
opened at all.

The earliest moment is when the table is in the journal: before that the node knows no place where
it could sign. `--files` limits the number of files with a fault at once (all six: some 500,000
cases), and `--every N` takes every Nth case. pytest tries a sample.
"""

import argparse
import itertools
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from unittest.mock import patch

from attrs import frozen

from p2p.storage.data_path import JOURNAL_FILE
from p2p.storage.identity import KEY_FILE, Identity
from p2p.storage.journal import Journal
from p2p.storage.journal_file import JournalDamaged
from p2p.storage.private_files import FolderError
from p2p.storage.reserve import RESERVE_FILE
from p2p.storage.rollback_guard import GUARD_FILE, RollbackGuard

TABLE = bytes(32)
LOG = f"{JOURNAL_FILE}-wal"
FILES = (JOURNAL_FILE, LOG, GUARD_FILE, f"{JOURNAL_FILE}-shm", KEY_FILE, RESERVE_FILE)
LAST = 7
"""Height that the dead node has reached. Every second entry is its own."""

_PLAY = """
import os, shutil, sys
from contextlib import contextmanager
from pathlib import Path
from p2p.storage.identity import Identity
from p2p.storage.journal import Journal
from p2p.storage.rollback_guard import RollbackGuard
home, moments, last = Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3])
change, taken = RollbackGuard.changed, iter(range(10**6))
def moment():
    shutil.copytree(home, moments / str(next(taken)))
@contextmanager
def changed(guard, **named):
    with change(guard, **named) as seen:
        moment()  # within a call: the guard is ahead of the journal
        yield seen
Identity.load_or_create(home)
with Journal.open(home / "journal.sqlite3") as journal:
    journal.fill_reserve()
    journal.create_table(bytes(32), b"charter", 0)
    moment()
    RollbackGuard.changed = changed
    for height in range(1, last + 1):
        own = {} if height % 2 else None
        journal.append(bytes(32), height, b"entry %d" % height * 40, own)
        if height == 3:
            journal.keep_statement(bytes(32), 1, b"statement")
        if height < last:
            moment()
    os._exit(0)
"""

Fault = Callable[[Path, Path], None]
_SEEN = RollbackGuard.seen


def lost(file: Path, _moment: Path) -> None:
    file.unlink(missing_ok=True)


def cut(file: Path, _moment: Path) -> None:
    if file.exists():
        os.truncate(file, file.stat().st_size // 2)


def changed(file: Path, _moment: Path) -> None:
    data = bytearray(file.read_bytes()) if file.exists() else bytearray()
    if data:
        data[len(data) * 2 // 3] ^= 1
        file.write_bytes(data)


def put_back(file: Path, moment: Path) -> None:
    """Replace the file by the copy from the moment; lose it if there was none yet."""
    file.unlink(missing_ok=True)
    if (moment / file.name).exists():
        shutil.copy2(moment / file.name, file)


def put_back_in_place(file: Path, moment: Path) -> None:
    """Write the content from the moment into the same file, which keeps its inode."""
    if (moment / file.name).exists():
        file.write_bytes((moment / file.name).read_bytes())


FAULTS: tuple[Fault, ...] = (lost, cut, changed, put_back, put_back_in_place)
_OF_A_MOMENT = {put_back, put_back_in_place}


@frozen
class Dead:
    """Files of a node that has died."""

    home: Path
    """Folder as the node left it."""
    moments: Path
    """Folder with a numbered copy of `home` from each earlier moment."""

    @classmethod
    def made(cls, folder: Path) -> "Dead":
        """Let a node live and die in its own process; `folder` must exist."""
        home, moments = folder / "home", folder / "moments"
        home.mkdir(mode=0o700)
        moments.mkdir()
        subprocess.run([sys.executable, "-c", _PLAY, home, moments, str(LAST)], check=True)
        return cls(home, moments)

    def cases(self, most_files: int) -> "Iterator[Case]":
        """Return all cases with a fault in at most `most_files` files."""
        return cases_of(FILES, FAULTS, most_files, len(list(self.moments.iterdir())))

    def is_safe_after(self, case: "Case", folder: Path) -> bool:
        """Return True if a node notices these faults, or still has all its signatures."""
        home = folder / "again"
        shutil.copytree(self.home, home)
        home.chmod(0o700)
        left, copied = guard_of(self.home), guard_of(home)

        def seen(guard: RollbackGuard) -> bytes:
            # The copied guard has another fingerprint. Until the copy is touched, it must count as
            # the original.
            now = _SEEN(guard)
            return left if now == copied else now

        try:
            with patch.object(RollbackGuard, "seen", seen):
                for name, fault in case.faults.items():
                    fault(home / name, self.moments / str(case.moment))
                return is_safe(home)
        finally:
            shutil.rmtree(home)


@frozen
class Case:
    """Faults of a dead node's files."""

    faults: Mapping[str, Fault]
    """Faults by the name of the file."""
    moment: int
    """Number of the moment from which files are put back."""

    def __str__(self) -> str:
        faults = (f"{name} {fault.__name__}" for name, fault in self.faults.items())
        return f"{', '.join(faults)}, moment {self.moment}"


def cases_of(
    names: Sequence[str], faults: Sequence[Fault], most_files: int, moments: int
) -> Iterator[Case]:
    """Return all cases with one of `faults` in each of at most `most_files` of the files."""
    for size in range(1, most_files + 1):
        for files in itertools.combinations(names, size):
            for each in itertools.product(faults, repeat=size):
                for moment in range(moments) if _OF_A_MOMENT & {*each} else (0,):
                    yield Case(dict(zip(files, each, strict=True)), moment)


def own_entries(journal: Journal) -> list[int]:
    """Return the heights of its own entries that a journal still has."""
    entries = journal.entries(TABLE)
    assert entries == tuple(b"entry %d" % n * 40 for n in range(1, len(entries) + 1))
    return [height for height in range(1, len(entries) + 1) if height % 2]


def is_safe(home: Path) -> bool:
    """Return True if the node in `home` notices its faults, or has everything that it signed.

    A journal without the table is safe only if at most the key is left, as after an interrupted
    first start.
    """
    is_new = not any((home / name).exists() for name in (JOURNAL_FILE, LOG, GUARD_FILE))
    try:
        Identity.load_or_create(home)
        with Journal.open(home / JOURNAL_FILE) as journal:
            if not journal.tables():
                return is_new
            if journal.is_doubtful(TABLE):
                return True
            has_statement = journal.statements(TABLE) == (b"statement",)
            return len(own_entries(journal)) == (LAST + 1) // 2 and has_statement
    except (FolderError, JournalDamaged, AssertionError):
        return True  # the node notices a changed entry, and signs nothing after it


def guard_of(home: Path) -> bytes:
    """Return the fingerprint of the guard in a home."""
    with closing(RollbackGuard(home / GUARD_FILE)) as guard:
        return _SEEN(guard)


def main() -> int:
    """Try the cases, and return 0 if all are safe."""
    parser = argparse.ArgumentParser(prog="python -m tests.lost_files")
    parser.add_argument("--files", type=int, default=len(FILES), choices=range(1, len(FILES) + 1))
    parser.add_argument("--every", type=int, default=1)
    asked = parser.parse_args()
    tried = wrong = 0
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        dead = Dead.made(Path(folder))
        for case in itertools.islice(dead.cases(asked.files), 0, None, asked.every):
            tried += 1
            if not dead.is_safe_after(case, Path(folder)):
                wrong += 1
                print(f"unsafe: {case}", flush=True)
    print(f"{tried} cases in {time.monotonic() - began:.0f} s, {wrong} unsafe")
    return 1 if wrong else 0


if __name__ == "__main__":
    raise SystemExit(main())

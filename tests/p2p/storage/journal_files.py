"""A journal's files as a crash or a disk leaves them, and the statements by which it writes."""

import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from p2p.storage.journal import Journal

PAGE = 4096
TABLE, OTHER = b"t" * 32, b"o" * 32


def spoil_pages(path: Path, name: str) -> None:
    """Every second page of that table of the database, but its root."""
    with closing(sqlite3.connect(path)) as database:
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        query = "SELECT pageno FROM dbstat WHERE name = ? AND pagetype = 'leaf' ORDER BY pageno"
        pages = [page for (page,) in database.execute(query, (name,))]
    data = bytearray(path.read_bytes())
    for page in pages[1::2] or pages:
        data[(page - 1) * PAGE : page * PAGE] = b"\xa5" * PAGE
    path.write_bytes(data)


def files_now(path: Path, at: Path) -> Path:
    """Return the journal in a copy of its folder, as a death of the program now would leave it."""
    shutil.copytree(path.parent, at)
    at.chmod(0o700)
    return at / path.name


@contextmanager
def statements_of(journal: Journal) -> Iterator[list[str]]:
    """Yield the list of the statements that SQLite is given in the block."""
    said: list[str] = []
    journal._database.set_trace_callback(said.append)
    yield said
    journal._database.set_trace_callback(None)

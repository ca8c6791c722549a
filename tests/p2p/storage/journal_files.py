"""A journal's files as a crash or a bad disk leaves them, and the SQL statements of its writes."""

import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from p2p.storage.journal import Journal

PAGE = 4096
TABLE, OTHER = b"t" * 32, b"o" * 32


def spoil_pages(path: Path, name: str) -> None:
    """Overwrite every second leaf page of the database table `name`."""
    with closing(sqlite3.connect(path)) as database:
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        query = "SELECT pageno FROM dbstat WHERE name = ? AND pagetype = 'leaf' ORDER BY pageno"
        pages = [page for (page,) in database.execute(query, (name,))]
    data = bytearray(path.read_bytes())
    for page in pages[1::2] or pages:
        data[(page - 1) * PAGE : page * PAGE] = b"\xa5" * PAGE
    path.write_bytes(data)


def files_now(path: Path, at: Path) -> Path:
    """Copy the journal's folder as if the program died now, and return the journal in the copy."""
    shutil.copytree(path.parent, at)
    at.chmod(0o700)
    return at / path.name


@contextmanager
def statements_of(journal: Journal) -> Iterator[list[str]]:
    """Yield a list to which each SQL statement that runs in the block is added."""
    said: list[str] = []
    journal._database.set_trace_callback(said.append)
    yield said
    journal._database.set_trace_callback(None)

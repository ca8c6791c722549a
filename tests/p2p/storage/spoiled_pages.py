"""Pages of a database that a disk has spoiled."""

import sqlite3
from contextlib import closing
from pathlib import Path

PAGE = 4096


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

"""Homes of two players a few entries before the end of a match, and copies of them."""

import shutil
import sqlite3
from collections import deque
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory

import trio

from client.bots.runner import opponent_at_table, sit_in
from client.session.loopback_table import loopback_table
from engine.game import Game
from engine.games import game_named
from p2p.discovery.address_book import Address
from p2p.discovery.interfaces import LOOPBACK
from p2p.match.match_node import MatchNode
from p2p.storage.data_path import JOURNAL_FILE
from p2p.storage.identity import Identity
from p2p.storage.journal import Journal
from p2p.storage.memberships import keep_addresses
from p2p.storage.rollback_guard import GUARD_FILE, RollbackGuard

PORTS = (24931, 24932)
"""Ports on which the players listen."""
BEFORE_THE_END = 8
"""Number of entries from the saved homes to the end of the match; the last two close it."""
GAME = "canastra"


def save_table(saved: Path) -> int:
    """Play a match of one round, save both homes from shortly before its end, and return 0."""
    with TemporaryDirectory(dir=saved.parent) as folder:
        moments = Path(folder) / "moments"
        trio.run(_play, moments, game_named(GAME), ("Ana", "Bruno"), Path(folder) / "table")
        shutil.copytree(min(moments.iterdir(), key=lambda moment: int(moment.name)), saved)
    _introduce(saved)
    return 0


def restore_home(saved: Path, home: Path) -> None:
    """Copy a home, and make its journal accept the copied rollback guard as the original."""
    shutil.copytree(saved, home)
    seen = RollbackGuard(home / GUARD_FILE).seen()
    with closing(sqlite3.connect(home / JOURNAL_FILE)) as database, database:
        database.execute("UPDATE rollback_guard SET seen = ?", (seen,))


async def _play(moments: Path, game: Game, names: tuple[str, ...], folder: Path) -> None:
    async with (
        loopback_table(game, game.options(rounds=1), names, folder) as nodes,
        trio.open_nursery() as nursery,
    ):
        nursery.start_soon(_keep_moments, nodes, folder, moments)
        for node in nodes:
            choose = opponent_at_table("easy", game.name, f"{node.me}")
            nursery.start_soon(sit_in, node, choose)
            nursery.start_soon(node.run)


async def _keep_moments(nodes: tuple[MatchNode, ...], folder: Path, moments: Path) -> None:
    """Keep copies of both homes at the newest heights, until the match ends.

    No node can send anything while the homes are copied. So no entry is in the other player's
    journal but not in its writer's.
    """
    kept: deque[Path] = deque(maxlen=BEFORE_THE_END)
    while not nodes[0].over:
        moment = moments / f"{nodes[0].height}"
        if nodes[0].height and not moment.exists():
            if len(kept) == kept.maxlen:
                shutil.rmtree(kept[0])
            for seat in folder.iterdir():
                _copy(seat, moment / seat.name)
            kept.append(moment)
        await nodes[0].progress.wait()


def _copy(seat: Path, to: Path) -> None:
    """Copy a home whose journal is in use."""
    to.mkdir(parents=True, mode=0o700)
    for file in seat.iterdir():
        if not file.name.startswith(JOURNAL_FILE):
            shutil.copy2(file, to)
    with (
        closing(sqlite3.connect(seat / JOURNAL_FILE)) as source,
        closing(sqlite3.connect(to / JOURNAL_FILE)) as copy,
    ):
        source.backup(copy)
    (to / JOURNAL_FILE).chmod(0o600)


def _introduce(saved: Path) -> None:
    """Note in each player's journal the address of the other."""
    seats = sorted(saved.iterdir())
    addresses = tuple(
        Address(Identity.load_or_create(seat).public, LOOPBACK, port)
        for seat, port in zip(seats, PORTS, strict=True)
    )
    for seat in seats:
        with Journal.open(seat / JOURNAL_FILE) as journal:
            (table,) = journal.tables()
            keep_addresses(journal, table.table_id, addresses)
            journal.clear_doubt(table.table_id)

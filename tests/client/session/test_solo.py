"""Tables against the program: rematches, and tables that are listed, deleted and restored."""

import os
import shutil
from pathlib import Path

import pytest
import trio

from client.cli.main import main
from client.session import solo as solo_table
from client.session.display.display_interface import Restore
from client.session.display.snapshot import AfterMatch
from client.session.loopback_table import loopback_table, resumed_table
from client.session.run_until_signal import until_signalled
from client.session.solo import NAMES, SoloTables, delete_table, opponents_for
from client.session.solo_folder import solo_folder, unfinished
from client.settings import Settings, save_settings
from client.ui.tui.toolkit import terminal_look
from engine.games import game_named
from p2p.match.match_node import MatchNode
from p2p.storage.data_path import JOURNAL_FILE
from p2p.storage.journal import Journal
from p2p.storage.private_files import IdentityInUse, locked, make_private
from protocol.errors import LocalError, RemoteError
from tests.client.quick_reviews import CANASTA
from tests.client.terminals import Typed

_SOON = 30
"""Seconds in which a table is opened and closed even on a very busy machine."""


@pytest.mark.parametrize("name", ["Ana", "Gloria", "Olga"])
@pytest.mark.parametrize("players", [2, 4, 6])
def test_no_opponent_has_the_name_of_the_player(name: str, players: int) -> None:
    others: tuple[str, ...] = ()
    for _ in NAMES:
        others = opponents_for(name, players, others)
        assert name not in others
        assert len(set(others)) == players - 1


async def unplayed(number: int, game: str = "canastra") -> Path:
    """Return the folder of a table at which nobody has played."""
    folder, rules = make_private(solo_folder() / f"{number}"), game_named(game)
    with trio.fail_after(_SOON):
        async with loopback_table(rules, rules.options(), ("Ana", "Bruno"), folder):
            return folder


async def test_unfinished_tables_are_listed_with_the_latest_first(home: Path) -> None:
    folders = [await unplayed(0, "canasta"), await unplayed(1)]
    older = folders[0] / solo_table.OWN_SEAT / JOURNAL_FILE
    later = older.stat().st_mtime + 1000
    os.utime(older, (later, later))
    assert unfinished() == (folders[0], folders[1])
    line = solo_table.table_line(folders[1])
    assert line.startswith("Canastra with Ana and Bruno: no round counted yet, left ")


@pytest.mark.parametrize("harm", ["garbage", "cut", "nothing", "no seat", "no table", "empty"])
async def test_a_damaged_table_is_listed_without_hiding_the_others(harm: str, home: Path) -> None:
    """The lines of the other tables do not change."""
    await unplayed(0)
    own = await unplayed(1) / solo_table.OWN_SEAT
    journal = own / JOURNAL_FILE
    match harm:
        case "garbage":
            journal.write_bytes(b"no journal at all" * 400)
        case "cut":
            journal.write_bytes(journal.read_bytes()[:5000])
        case "nothing":
            journal.unlink()
        case "empty":
            shutil.rmtree(own.parent)
            own.parent.mkdir(mode=0o700)
        case "no seat":
            shutil.rmtree(own)
        case _:
            shutil.rmtree(own)
            with Journal.open(journal):
                pass
    lines = {folder.name: solo_table.table_line(folder) for folder in unfinished()}
    assert lines["0"].startswith("Canastra with Ana and Bruno: no round counted yet, left ")
    assert lines["1"].startswith("Table 1, left ")
    assert "cannot be continued: " in lines["1"]
    if harm in {"nothing", "no seat", "empty"}:
        assert lines["1"].endswith(f"There is no journal in {own}.")
        assert not journal.exists()

    async def sit_down() -> None:
        async with resumed_table(solo_folder() / "1"):
            raise AssertionError("nobody can play there")

    with pytest.raises((LocalError, RemoteError)):
        await until_signalled(sit_down)


async def test_a_table_in_use_cannot_be_deleted(home: Path) -> None:
    folder = await unplayed(0)
    with locked(folder / "0"), pytest.raises(IdentityInUse):
        delete_table(folder)
    assert unfinished() == (folder,)
    delete_table(folder)
    assert unfinished() == ()


def test_deleting_an_unfinished_table_needs_two_confirmations(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The key 6 opens the list of records, in which the table comes before the record."""
    folder = trio.run(unplayed, 0)
    save_settings(home, Settings(name="Ana"))  # without a name, newcomers are welcomed
    record = Path(shutil.copy(CANASTA, make_private(home / "records")))
    lines = Typed(("6", "1", "2", "1", "1", "2", "2", "", ""))
    monkeypatch.setattr(terminal_look, "_typed_lines", lambda: lines)
    assert main(["play", "--linear"]) == 0
    assert not folder.exists()
    assert record.exists()
    assert "Canastra with Ana and Bruno: no round counted yet, left" in capsys.readouterr().out


async def left_table(folder: Path) -> int:
    """Leave a table of two after a few entries; return the sum of both records' heights."""
    rules = game_named("canastra")
    async with loopback_table(rules, rules.options(), ("Ana", "Bruno"), folder) as nodes:
        changes = nodes[0].changes()
        async with trio.open_nursery() as nursery:
            for node in nodes:
                nursery.start_soon(node.run)
            while min(node.height for node in nodes) < 3:
                await anext(changes)
            nursery.cancel_scope.cancel()
        return sum(node.height for node in nodes)


async def test_a_table_is_restored_with_progress_before_it_is_shown(tmp_path: Path) -> None:
    entries = await left_table(tmp_path)
    told: list[tuple[int, int]] = []
    shown: list[int] = []

    async def restoring(restore: Restore) -> bool:
        await restore(lambda done, total: told.append((done, total)))
        return True

    async def show(node: MatchNode) -> AfterMatch:
        await trio.lowlevel.checkpoint()
        shown.append(len(node.past))
        return AfterMatch.LEAVE

    settings = Settings(name="Ana")
    outcome = await SoloTables(settings, show, 1).continued(tmp_path, restoring)
    assert outcome.record is None
    assert shown[0] >= 3
    assert len(told) == entries
    assert all(0 < done <= total for done, total in told)
    assert [done for done, _total in told] == sorted(done for done, _total in told)


async def test_cancelling_the_restore_leaves_the_table_unchanged(tmp_path: Path) -> None:
    await left_table(tmp_path)

    async def restoring(restore: Restore) -> bool:
        def give_up(_done: int, _total: int) -> None:
            raise RuntimeError("given up")

        with pytest.raises(RuntimeError, match="given up"):
            await restore(give_up)
        return False

    async def show(_node: MatchNode) -> AfterMatch:
        raise AssertionError("the table must not be shown")

    settings = Settings(name="Ana")
    outcome = await SoloTables(settings, show, 1).continued(tmp_path, restoring)
    assert (outcome.record, outcome.choice) == (None, AfterMatch.LEAVE)
    assert "Canastra with Ana and Bruno" in solo_table.table_line(tmp_path)

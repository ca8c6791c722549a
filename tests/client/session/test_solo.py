"""Tables against the program: their bots, rematches and folders, and how they are continued."""

import os
import shutil
from collections.abc import Sequence
from contextlib import nullcontext
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast
from unittest.mock import AsyncMock, MagicMock, Mock, call

import pytest
import trio
from attrs import define, evolve

from client.record_files import RecordError
from client.session import solo
from client.session.display.display_interface import Restore
from client.session.display.snapshot import AfterMatch
from client.session.loopback_table import loopback_table, resumed_table
from client.session.run_until_signal import until_signalled
from client.session.solo import Outcome, SoloTables, delete_table, opponents_for
from client.session.solo_folder import solo_folder, unfinished
from client.settings import Settings
from engine.games import game_named
from p2p.match.match_node import MatchNode
from p2p.storage.data_path import JOURNAL_FILE
from p2p.storage.journal import Journal
from p2p.storage.private_files import IdentityInUse, locked, make_private
from protocol.charter import Charter
from protocol.charter_extensions import opponents_extension
from protocol.deal_of_the_day import day_extension
from protocol.errors import LocalError, RemoteError
from tests.client.plain_seat import state_of

_SOON = 30
"""Seconds in which a table is opened and closed even on a very busy machine."""


async def unplayed(number: int, game: str = "canastra") -> Path:
    """Return the folder of a table at which nobody has played."""
    folder, rules = make_private(solo_folder() / f"{number}"), game_named(game)
    with trio.fail_after(_SOON):
        async with loopback_table(rules, rules.options(), ("Ana", "Bruno"), folder):
            return folder


async def test_unfinished_tables_are_listed_with_the_latest_first(home: Path) -> None:
    folders = [await unplayed(0, "canasta"), await unplayed(1)]
    older = folders[0] / solo.OWN_SEAT / JOURNAL_FILE
    later = older.stat().st_mtime + 1000
    os.utime(older, (later, later))
    assert unfinished() == (folders[0], folders[1])
    line = solo.table_line(folders[1])
    assert line.startswith("Canastra with Ana and Bruno: no round counted yet, left ")


@pytest.mark.parametrize("harm", ["garbage", "cut", "nothing", "no seat", "no table", "empty"])
async def test_a_damaged_table_is_listed_without_hiding_the_others(harm: str, home: Path) -> None:
    """The lines of the other tables do not change."""
    await unplayed(0)
    own = await unplayed(1) / solo.OWN_SEAT
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
    lines = {folder.name: solo.table_line(folder) for folder in unfinished()}
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
    """If the person gives up, the table is not shown, and waits as before."""
    entries = await left_table(tmp_path)
    told: list[tuple[int, int]] = []
    shown: list[int] = []
    given_up = Mock(side_effect=RuntimeError("given up"))

    async def cancelling(restore: Restore) -> bool:
        with pytest.raises(RuntimeError, match="given up"):
            await restore(given_up)
        return False

    async def restoring(restore: Restore) -> bool:
        await restore(lambda done, total: told.append((done, total)))
        return True

    async def show(node: MatchNode) -> AfterMatch:
        await trio.lowlevel.checkpoint()
        shown.append(len(node.past))
        return AfterMatch.LEAVE

    tables = SoloTables(Settings(name="Ana"), show, 1)
    outcome = await tables.continued(tmp_path, cancelling)
    assert (outcome.record, outcome.choice, shown) == (None, AfterMatch.LEAVE, [])
    assert (await tables.continued(tmp_path, restoring)).record is None
    assert shown[0] >= 3
    assert len(told) == entries
    assert all(0 < done <= total for done, total in told)
    assert told == sorted(told)
    assert "Canastra with Ana and Bruno" in solo.table_line(tmp_path)


@define(eq=False)
class SoloNode:
    """A stand-in for a node of a table on this machine."""

    charter: Charter
    state: Any
    ran: bool = False

    async def run(self) -> None:
        self.ran = True
        await trio.sleep_forever()

    def record(self) -> Sequence[bytes]:
        return [b"record"]


@pytest.mark.parametrize(
    ("level", "day", "seed", "chosen", "end"),
    [
        ("easy", "", None, ("easy", None), "over"),
        ("easy", "", 7, ("easy", "7 {number}"), "left"),
        ("strong", "2026-11-28", 7, ("strong", "2026-11-28 {number}"), "over"),
        ("no such level", "", None, ("middle", None), "the disk is full"),
    ],
)
@pytest.mark.usefixtures("autojump_clock")
async def test_all_seats_but_the_first_are_played_by_bots(
    level: str,
    day: str,
    seed: int | None,
    chosen: tuple[str, str | None],
    end: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The level is that of the charter, if this program knows it. Each bot has a seed of its own.

    The folder of the table is deleted only when the record of the match is in a file.
    """
    complete = end != "left"
    extensions = (*([day_extension(day)] if day else []), opponents_extension(level))
    charter = evolve(state_of("canastra", 2).charter, extensions=extensions)
    nodes = [SoloNode(charter, SimpleNamespace(complete=complete)) for _ in range(3)]
    folder = make_private(tmp_path / "table")
    bots: list[object] = []
    sitting: list[Any] = []
    table = MagicMock()
    table.__aenter__.return_value = nodes

    async def sit_in(node: object, choose: object, pause: object) -> None:
        sitting.append((node, choose, pause))
        await trio.sleep_forever()

    async def show(node: Any) -> AfterMatch:
        await trio.sleep(1)
        assert node is nodes[0]
        assert all(one.ran for one in nodes)
        return AfterMatch.AGAIN

    def opponent(*given: object) -> object:
        bots.append(given)
        return len(bots)

    monkeypatch.setattr(solo, "opponent_at_table", opponent)
    monkeypatch.setattr(solo, "sit_in", sit_in)
    monkeypatch.setattr(solo, "before_draws", lambda seconds: f"after {seconds}")
    full = RecordError("It is full.") if end == "the disk is full" else None
    saved = Mock(side_effect=full, return_value=Path("record"))
    monkeypatch.setattr(solo, "save_record", saved)
    tables = SoloTables(Settings(level="middle", pace="calm"), show, seed)
    later = r"^It is full\..* writes the record: sobremesa solo --continue$"
    with pytest.raises(RecordError, match=later) if full else nullcontext():
        outcome = await tables._play(table, folder)
        record, choice = (
            (Path("record"), AfterMatch.AGAIN) if complete else (None, AfterMatch.LEAVE)
        )
        assert (outcome.charter, outcome.record, outcome.choice) == (charter, record, choice)
    assert saved.mock_calls == [call([b"record"], "canastra")] * complete
    name, base = chosen
    assert bots == [(name, "canastra", base and base.format(number=n)) for n in (1, 2)]
    sitting.sort(key=lambda one: one[1])
    assert sitting == [(nodes[1], 1, "after 1.0"), (nodes[2], 2, "after 1.0")]
    assert table.__aexit__.called
    assert folder.exists() is (end != "over")


@pytest.mark.parametrize(
    ("name", "players", "before", "others"),
    [
        ("Ana", 4, (), ("Bruno", "Carla", "Diego")),
        ("Olga", 3, (), ("Ana", "Bruno")),
        ("Ana", 4, ("Bruno", "Carla", "Diego"), ("Carla", "Diego", "Elena")),
        ("Ana", 3, ("Gloria", "Bruno"), ("Bruno", "Carla")),
        ("Ana", 3, ("Zoe", "Eva"), ("Carla", "Diego")),  # bots of an older version
    ],
)
def test_at_the_next_table_the_names_of_the_opponents_move_on_by_one(
    name: str, players: int, before: tuple[str, ...], others: tuple[str, ...]
) -> None:
    assert opponents_for(name, players, before) == others


async def test_the_deal_of_a_day_is_one_round_against_the_usual_opponents(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A rematch has the same opponents, or the next ones, and a seed of its own."""
    played: list[object] = []
    ends = [AfterMatch.AGAIN, AfterMatch.OTHER_SEATS, AfterMatch.LEAVE]
    game = game_named("kanastic")

    async def play_new(tables: SoloTables, *given: object) -> Outcome:
        await trio.lowlevel.checkpoint()
        played.append((tables.seed, *given))
        names = ("Bruno", "Ana", "Carla", "Diego")
        charter = evolve(state_of("kanastic", 4, names).charter, options=game.options(rounds=1))
        return Outcome(charter, None, ends.pop(0))

    monkeypatch.setattr(SoloTables, "_play_new", play_new)
    show: Any = None
    tables = SoloTables(Settings(name="Bruno"), show, 5)
    outcome = await tables.of_the_day(game, "2026-11-28")
    assert outcome.choice is AfterMatch.LEAVE
    others, rules = ("Ana", "Carla", "Diego"), game.options(rounds=1)
    assert played == [
        (5, game, rules, others, "2026-11-28"),
        (6, game, rules, others),
        (7, game, rules, ("Carla", "Diego", "Elena")),
    ]
    ends.append(AfterMatch.LEAVE)
    assert (await tables.new(game, game.options(), 3)).choice is AfterMatch.LEAVE
    assert played[3:] == [(5, game, game.options(), ("Ana", "Carla"))]


@pytest.mark.parametrize("day", ["", "2026-11-28"])
async def test_a_new_table_gets_the_first_free_folder(
    day: str, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The charter names the level of the opponents, and the day if there is one."""
    monkeypatch.setattr(solo, "loopback_table", lambda *given: given)
    monkeypatch.setattr(SoloTables, "_play", play := AsyncMock())
    for taken in ("0", "2"):
        make_private(solo_folder() / taken)
    canasta, show = game_named("canasta"), cast(Any, None)
    tables = SoloTables(Settings(name="Ana", level="easy"), show)
    for number in ("1", "3"):
        await tables._play_new(canasta, canasta.options(), ("Bruno", "Carla"), day)
        folder = home / "solo" / number
        level = opponents_extension("strong" if day else "easy")
        extensions = (*([day_extension(day)] if day else []), level)
        table = (canasta, canasta.options(), ("Ana", "Bruno", "Carla"), folder, extensions)
        assert play.call_args.args == (table, folder)

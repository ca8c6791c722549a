"""Files that cannot be written: the error names a remedy, and nothing is lost."""

import subprocess
import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path

import pytest
import trio
from attrs import define

from client.cli.commands.resume import unfinished_tables
from client.cli.main import main
from client.record_files import RecordError, record_folder
from client.reports.auditing import audit_file
from client.session.display.absence import OwnBots
from client.session.display.display_interface import Restore
from client.session.display.snapshot import AfterMatch
from client.session.network_node import NetworkNode
from client.session.run_until_signal import until_signalled
from client.session.seated_bots import SeatedBots
from client.session.solo import SoloTables
from client.session.solo_folder import unfinished
from client.settings import Settings
from engine.games import game_named
from p2p.match.match_node import MatchNode
from p2p.storage.memberships import Membership
from p2p.storage.private_files import make_private
from p2p.table.node_updates import no_progress
from tests.client.session.sessions import ScriptedDisplay, host_with_a_bot, play, sit
from tests.patience import PATIENCE

FULL = """
import resource, sys
from pathlib import Path
from client.record_files import {errors}, {write}
resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))
try:
    {call}
except {errors} as error:
    print(error)
"""
"""Program in which a file can have at most a hundred bytes, as if the disk were full."""


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such limits of files")
def test_the_error_about_a_full_disk_asks_to_make_room(tmp_path: Path) -> None:
    file = tmp_path / "game.sobremesa"
    program = FULL.format(
        errors="RecordError",
        write="write_new",
        call=f"write_new(Path({str(file)!r}), [bytes(200)])",
    )
    ran = subprocess.run(
        [sys.executable, "-c", program], check=False, capture_output=True, text=True, timeout=60
    )
    assert ran.stdout == (
        f"The file {file} cannot be written: File too large. Make room there.\n"
    ), ran.stderr
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "words",
    [
        ("audit", "{record}", "--html", "{out}"),
        ("audit", "{record}", "--evidence", "{out}"),
        ("ledger", "{record}", "--html", "{out}"),
        ("export", "{record}", "-o", "{out}"),
        ("replay", "{record}", "--html", "{out}"),
    ],
    ids=" ".join,
)
@pytest.mark.parametrize("taken", [True, False])
def test_an_unwritable_output_file_is_refused_before_reading_the_record(
    words: tuple[str, ...],
    taken: bool,
    home: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """The record does not exist either, but the error about the output comes first."""
    out = tmp_path / "mine" if taken else tmp_path / "nowhere" / "new"
    if taken:
        out.write_text("dear to me")
    assert main([word.format(record=tmp_path / "record", out=out) for word in words]) == 2
    told = f"There is a file {out} already" if taken else "There is no folder"
    assert capsys.readouterr().err.startswith(f"sobremesa: {told}")
    assert not taken or out.read_text() == "dear to me"


@define
class Player(ScriptedDisplay):
    """A player who plays to the end, and leaves."""

    async def table(
        self, node: MatchNode, own_bots: OwnBots, choices: Sequence[AfterMatch]
    ) -> AfterMatch:
        return await play(node)


async def test_resuming_a_match_writes_the_record_that_could_not_be_written(tmp_path: Path) -> None:
    folder = make_private(tmp_path / "home")
    in_the_way = folder / "records"
    in_the_way.write_text("no folder")
    ana = Player([])

    async def resume(local: NetworkNode, _bots: SeatedBots) -> Membership:
        await trio.lowlevel.checkpoint()
        (table,) = unfinished_tables(local.journal)
        return table.membership

    with trio.fail_after(PATIENCE):
        assert await sit(folder, ana, host_with_a_bot) == 2
        # A line about a slow bot may come before or after this line.
        (sentence,) = (told for told in ana.told if f"{in_the_way}" in told)
        assert sentence.endswith(
            " Nothing of the match is lost. Once the cause is removed, this command writes the "
            "record: sobremesa resume"
        )
        in_the_way.unlink()
        assert await sit(folder, ana, resume) == 0
    (path,) = in_the_way.iterdir()
    assert audit_file(path).sound


async def test_continuing_a_solo_match_writes_the_record_that_could_not_be_written(
    home: Path,
) -> None:
    in_the_way = record_folder()
    in_the_way.write_text("no folder")
    game, settings = game_named("canastra"), Settings(name="Ana", level="easy", pace="at once")

    async def restoring(restore: Restore) -> bool:
        await restore(no_progress)
        return True

    with trio.fail_after(PATIENCE):
        match = partial(SoloTables(settings, play, 1).new, game, game.options(rounds=1), 2)
        with pytest.raises(RecordError, match=r"writes the record: sobremesa solo --continue$"):
            await until_signalled(match)
        in_the_way.unlink()
        (table,) = unfinished()
        outcome = await SoloTables(settings, play).continued(table, restoring)
    assert outcome.record is not None
    assert audit_file(outcome.record).sound
    assert unfinished() == ()

"""The file of the record at the end of a table: with evidence of a cheat, or written late."""

from functools import partial
from pathlib import Path
from typing import Any

import pytest
import trio

from client.cli.main import main
from client.reports.auditing import audit_file
from client.session.display.snapshot import AfterMatch
from client.session.network_node import NetworkNode
from client.session.seated_bots import SeatedBots
from p2p.background_task import beside
from p2p.storage.data_path import JOURNAL_FILE
from p2p.storage.identity import Identity
from p2p.storage.journal import Journal
from p2p.storage.memberships import Membership
from p2p.storage.private_files import make_private
from protocol.table.own_key_probe import KeyProbe
from protocol.words_for_keys import words
from tests.client.session.sessions import ScriptedDisplay, sit
from tests.p2p.table.vector_records import EXPOSED, entries, meet, record_of, signed_charter, vector
from tests.patience import PATIENCE

FILE = "records.json"


def journal_in(folder: Path) -> Journal:
    """Return the journal of a new identity."""
    Identity.load_or_create(make_private(folder))
    return Journal.open(folder / JOURNAL_FILE)


async def resume(local: NetworkNode, _seated_bots: SeatedBots) -> Membership:
    (table,) = local.journal.tables()
    return Membership.recalled(local.journal, table)


def cheat_said(file: str, player: int, what: str = "") -> str:
    """Return the beginning of the line about a player who has cheated in that record."""
    cheat = signed_charter(file).charter.members[player]
    return f"The table has stopped. {cheat.name} ({' '.join(words(cheat.key))}) has signed {what}"


async def test_a_record_in_a_file_is_written_anew_with_the_evidence(tmp_path: Path) -> None:
    """The cheat has signed two entries in one place. Then the record has gone on."""
    about = vector(FILE, "R8")
    ours, shown = map(bytes.fromhex, about["added"])
    assert ours == entries(FILE)[about["keep"]]
    with journal_in(tmp_path / "home") as journal:
        record = record_of(journal, FILE, about["keep"] + 5)
        journal.note_in_a_file(record.table_id)
        for evidence in (ours, shown):
            journal.keep_evidence(record.table_id, "two entries in one place", evidence)
    display = ScriptedDisplay([AfterMatch.LEAVE])
    assert await sit(tmp_path / "home", display, resume) == 1
    said = cheat_said(FILE, about["player"])
    assert [line for line in display.told if line.startswith(said)]
    (path,) = (tmp_path / "home" / "records").iterdir()
    assert any(f"sobremesa audit {path} --evidence" in line for line in display.told)
    taken_out = tmp_path / "evidence"
    assert main(["audit", str(path), "--evidence", str(taken_out)]) == 1
    assert taken_out.read_bytes() == path.read_bytes()


def one_of_each() -> list[tuple[str, str]]:
    """Return the file and the name of one record for each kind of cheat.

    The kind is the clause or the proof that the cause names.
    """
    kinds = {vector(file, name)["cause"].partition(":")[0]: (file, name) for file, name in EXPOSED}
    return [*kinds.values()]


@pytest.mark.parametrize(("file", "name"), one_of_each())
async def test_each_kind_of_cheat_reaches_screen_and_file(
    file: str, name: str, tmp_path: Path
) -> None:
    """The file has the evidence that stopped the node, and `audit --evidence` takes it out."""
    about = vector(file, name)
    with journal_in(tmp_path / "home") as journal:
        record = record_of(journal, file, about["keep"])
        met = (meet(record, bytes.fromhex(entry)) for entry in about["added"])
        error = next(filter(None, met))
        record.keep_evidence(error)
    display = ScriptedDisplay([AfterMatch.LEAVE])
    assert await sit(tmp_path / "home", display, resume) == 1
    what = "what exposes them"
    if about["verdict"] == "illegal":
        what = "what is against the rules as this program knows them"
    said = cheat_said(file, about["player"], f"{what}: ")
    assert [line for line in display.told if line.startswith(said)], display.told
    (path,) = (tmp_path / "home" / "records").iterdir()
    taken_out = tmp_path / "evidence"
    assert main(["audit", str(path), "--evidence", str(taken_out)]) == 1
    conclusion = audit_file(taken_out).conclusion
    assert (conclusion.verdict.value, conclusion.player) == (about["verdict"], about["player"])
    assert conclusion.cause == about["cause"]


async def line_at_resuming(home: Path, words: str) -> str:
    """Resume the match there, leave at once, and return the line that has these words."""
    display, found = ScriptedDisplay([AfterMatch.LEAVE]), list[str]()
    with trio.fail_after(PATIENCE):
        async with beside(partial(sit, home, display, resume)):
            while not found:
                await trio.sleep(0.01)
                found = [line for line in display.told if words in line]
    return found[0]


async def test_resuming_a_match_writes_the_record_that_could_not_be_written(
    tmp_path: Path,
) -> None:
    file, home = "canastra.json", tmp_path / "home"
    with journal_in(home) as journal:
        record_of(journal, file, len(entries(file)))
    in_the_way = home / "records"
    in_the_way.write_text("no folder")
    assert (await line_at_resuming(home, f"{in_the_way}")).endswith(
        " Nothing of the match is lost. Once the cause is removed, this command writes the record: "
        "sobremesa resume"
    )
    in_the_way.unlink()
    await line_at_resuming(home, "The record is in ")
    (path,) = in_the_way.iterdir()
    assert audit_file(path).sound


class Stays(ScriptedDisplay):
    """A player who never leaves."""

    async def table(self, *_: object) -> AfterMatch:
        await trio.sleep_forever()
        return AfterMatch.LEAVE


def met(*arguments: Any) -> KeyProbe:
    """Return a probe that has already met its own key."""
    probe = KeyProbe(*arguments)
    probe.found = True
    return probe


async def test_a_player_is_told_when_another_node_uses_their_key(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("protocol.table.peers.KeyProbe", met)
    with journal_in(tmp_path / "home") as journal:
        record_of(journal, FILE, 5)
    display = Stays([])
    with trio.fail_after(PATIENCE):
        assert await sit(tmp_path / "home", display, resume) == 1
    assert any("with your key, from a copy" in line for line in display.told)

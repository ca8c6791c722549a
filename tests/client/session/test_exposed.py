"""Screen and file of a record after somebody at the table has cheated."""

from pathlib import Path
from typing import Any

import pytest
import trio

from client.cli.main import main
from client.reports.auditing import audit_file
from client.session.display.snapshot import AfterMatch
from client.session.network_node import NetworkNode
from client.session.seated_bots import SeatedBots
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
    """The cheat signs two entries in one place; the record has gone on when this is found out."""
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


def one_of_each() -> dict[str, tuple[str, str]]:
    """Return the file and the name of one record for each kind of cheat: a clause or a proof."""
    found: dict[str, tuple[str, str]] = {}
    for file, name in EXPOSED:
        kind, _, _ = vector(file, name)["cause"].partition(":")
        found.setdefault(kind, (file, name))
    return found


@pytest.mark.parametrize("kind", one_of_each())
async def test_each_kind_of_cheat_reaches_screen_and_file(tmp_path: Path, kind: str) -> None:
    """The file has the evidence that stopped the node, and `audit --evidence` takes it out."""
    file, name = one_of_each()[kind]
    about = vector(file, name)
    with journal_in(tmp_path / "home") as journal:
        record = record_of(journal, file, about["keep"])
        met = (meet(record, bytes.fromhex(entry)) for entry in about["added"])
        error = next(filter(None, met))
        record.keep_evidence(error)
    display = ScriptedDisplay([AfterMatch.LEAVE])
    assert await sit(tmp_path / "home", display, resume) == 1
    is_rule = about["verdict"] == "illegal"
    what = (
        "what is against the rules as this program knows them" if is_rule else "what exposes them"
    )
    said = cheat_said(file, about["player"], f"{what}: ")
    assert [line for line in display.told if line.startswith(said)], display.told
    (path,) = (tmp_path / "home" / "records").iterdir()
    taken_out = tmp_path / "evidence"
    assert main(["audit", str(path), "--evidence", str(taken_out)]) == 1
    conclusion = audit_file(taken_out).conclusion
    assert (conclusion.verdict.value, conclusion.player) == (about["verdict"], about["player"])
    assert conclusion.cause == about["cause"]


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

"""The screen, and the file, after somebody at the table has cheated."""

from pathlib import Path
from typing import Any

import pytest
import trio

from client.cli.main import main
from client.reports.auditing import audit_file
from client.session.display.snapshot import AfterMatch
from client.session.network_node import NetworkNode
from client.session.run import ListenAt, run_session
from client.session.seated_bots import BotSettings, SeatedBots
from client.session.table import TablePolicy
from p2p.storage.data_path import JOURNAL_FILE
from p2p.storage.identity import Identity
from p2p.storage.journal import Journal
from p2p.storage.memberships import Membership
from p2p.storage.private_files import make_private
from protocol.audit import Verdict
from protocol.table.key_probe import KeyProbe
from protocol.words import words
from tests.client.session.regulars import Regular
from tests.p2p.table.vector_records import EXPOSED, entries, meet, record_of, signed_charter, vector
from tests.patience import PATIENCE

FILE = "records.json"


async def resume(local: NetworkNode, _seated_bots: SeatedBots) -> Membership:
    (table,) = local.journal.tables()
    return Membership.recalled(local.journal, table)


@pytest.mark.parametrize("was_written", [False, True], ids=["not in a file", "in a file before"])
async def test_the_screen_says_who_and_the_file_ends_in_the_evidence(
    tmp_path: Path, *, was_written: bool
) -> None:
    """The cheat: two entries in one place, found only when the record has gone on.

    A file that was written earlier lacks the evidence.
    """
    about = vector(FILE, "R8")
    ours, shown = map(bytes.fromhex, about["added"])
    assert ours == entries(FILE)[about["keep"]]
    folder = make_private(tmp_path / "home")
    Identity.load_or_create(folder)
    with Journal.open(folder / JOURNAL_FILE) as journal:
        record = record_of(journal, FILE, about["keep"] + 5)
        if was_written:
            journal.note_in_a_file(record.table_id)
        for evidence in (ours, shown):
            journal.keep_evidence(record.table_id, "two entries in one place", evidence)

    display = Regular([AfterMatch.LEAVE])
    policy = TablePolicy(BotSettings("easy"))
    assert await run_session(folder, ListenAt(0), display, policy, resume) == 1
    cheat = signed_charter(FILE).charter.members[about["player"]]
    said = f"The table has stopped. {cheat.name} ({' '.join(words(cheat.key))}) has signed"
    assert [line for line in display.told if line.startswith(said)]
    (path,) = (folder / "records").iterdir()
    conclusion = audit_file(path).conclusion
    assert (conclusion.verdict, conclusion.player) == (Verdict.EXPOSED, about["player"])
    assert any(f"sobremesa audit {path} --evidence" in line for line in display.told)
    taken_out = tmp_path / "evidence"
    assert main(["audit", str(path), "--evidence", str(taken_out)]) == 1
    assert taken_out.read_bytes() == path.read_bytes()


def one_of_each() -> dict[str, tuple[str, str]]:
    """Return file and name of a record for each clause, and for one equation of each proof."""
    found: dict[str, tuple[str, str]] = {}
    for file, name in EXPOSED:
        kind, _, _ = vector(file, name)["cause"].partition(":")
        found.setdefault(kind, (file, name))
    return found


@pytest.mark.parametrize("kind", one_of_each())
async def test_each_kind_of_cheat_reaches_the_screen_and_the_file_for_an_audit(
    tmp_path: Path, kind: str
) -> None:
    """The file has the evidence that stopped the node, and `audit --evidence` takes it out."""
    file, name = one_of_each()[kind]
    about = vector(file, name)
    folder = make_private(tmp_path / "home")
    Identity.load_or_create(folder)
    with Journal.open(folder / JOURNAL_FILE) as journal:
        record = record_of(journal, file, about["keep"])
        met = (meet(record, bytes.fromhex(entry)) for entry in about["added"])
        error = next(filter(None, met))
        record.keep_evidence(error)
    display = Regular([AfterMatch.LEAVE])
    policy = TablePolicy(BotSettings("easy"))
    assert await run_session(folder, ListenAt(0), display, policy, resume) == 1
    cheat = signed_charter(file).charter.members[about["player"]]
    is_rule = about["verdict"] == "illegal"
    what = (
        "what is against the rules as this program knows them" if is_rule else "what exposes them"
    )
    said = f"The table has stopped. {cheat.name} ({' '.join(words(cheat.key))}) has signed {what}: "
    assert [line for line in display.told if line.startswith(said)], display.told
    (path,) = (folder / "records").iterdir()
    taken_out = tmp_path / "evidence"
    assert main(["audit", str(path), "--evidence", str(taken_out)]) == 1
    conclusion = audit_file(taken_out).conclusion
    assert (conclusion.verdict.value, conclusion.player) == (about["verdict"], about["player"])
    assert conclusion.cause == about["cause"]


class Stays(Regular):
    """A player who never leaves."""

    async def table(self, *_: object) -> AfterMatch:
        await trio.sleep_forever()
        return AfterMatch.LEAVE


def met(*arguments: Any) -> KeyProbe:
    """Return a probe that has already met its own key."""
    probe = KeyProbe(*arguments)
    probe.found = True
    return probe


async def test_who_meets_their_own_key_is_told_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("protocol.table.peers.KeyProbe", met)
    folder = make_private(tmp_path / "home")
    Identity.load_or_create(folder)
    with Journal.open(folder / JOURNAL_FILE) as journal:
        record_of(journal, FILE, 5)
    display = Stays([])
    policy = TablePolicy(BotSettings("easy"))
    with trio.fail_after(PATIENCE):
        assert await run_session(folder, ListenAt(0), display, policy, resume) == 1
    assert any("with your key, from a copy" in line for line in display.told)

"""Records of a newer program read by an older one, and the reverse (`spec/record.md`, 7)."""

from collections.abc import Iterator
from dataclasses import replace

import pytest
from attrs import evolve, frozen

from engine.canasta.options import CanastaOptions
from engine.games import GAMES
from engine.options import flag
from engine.sentences import N_
from protocol.audit import Verdict
from protocol.charter import SignedCharter
from protocol.errors import Malformed
from protocol.record_file import MAGIC
from spec import verifier
from tests.protocol.audited import audit
from tests.protocol.played import played
from tests.protocol.seeded_table import SeededTable

NEW_GAME = evolve(GAMES["canasta"], name="no_such_game")


@frozen(kw_only=True)
class WiderOptions(CanastaOptions):
    """The options of Canasta with a new one, whose name sorts before some of the others."""

    aces_wild: bool = flag(False, clause="C71", doc=N_("An option that came later."))


@pytest.fixture
def newer_program() -> Iterator[None]:
    """Run the test as a newer program, which has one more game and one more option."""
    played()  # so that the cached round is made by this program, not by the newer one
    with pytest.MonkeyPatch.context() as patch:
        canasta = verifier.GAMES["canasta"]
        wider = {**canasta.options, "aces_wild": False}
        patch.setitem(verifier.GAMES, "canasta", replace(canasta, options=wider))
        patch.setitem(verifier.GAMES, NEW_GAME.name, canasta)
        patch.setitem(GAMES, "canasta", evolve(GAMES["canasta"], options=WiderOptions))
        patch.setitem(GAMES, NEW_GAME.name, NEW_GAME)
        yield


def newer_records() -> list[bytes]:
    """Return the beginnings of records that only the newer program can read."""
    with_option = SeededTable.sit("canasta", 2, aces_wild=True)
    new_game = SeededTable.sit(NEW_GAME.name, 2)
    return [table.record() for table in (with_option, new_game)]


@pytest.mark.usefixtures("newer_program")
def test_a_new_option_and_game_do_not_change_old_records() -> None:
    one = played()
    assert one.table.charter.charter.game.options is not WiderOptions
    record = one.record()
    decoded = SignedCharter.decode(one.table.charter.encode())
    assert decoded.charter.game.options is WiderOptions
    assert decoded.encode() == one.table.charter.encode()
    assert audit(record).verdict is Verdict.SOUND
    assert verifier.open_table(one.table.charter.encode()).table_id == decoded.charter.table_id


@pytest.mark.usefixtures("newer_program")
def test_a_newer_program_reads_records_with_the_new_option_and_game() -> None:
    for record in newer_records():
        assert audit(record).verdict is Verdict.UNFINISHED
        assert verifier.verify_record([record]).verdict == "unfinished"


def test_an_older_program_calls_records_with_unknown_options_newer(
    newer_program: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    records = newer_records()
    monkeypatch.undo()
    games, known = dict(GAMES), dict(verifier.GAMES)
    monkeypatch.setitem(GAMES, "canasta", evolve(games["canasta"], options=CanastaOptions))
    monkeypatch.delitem(GAMES, NEW_GAME.name)
    less = {name: at for name, at in known["canasta"].options.items() if name != "aces_wild"}
    older = replace(known["canasta"], options=less)
    monkeypatch.setitem(verifier.GAMES, "canasta", older)
    monkeypatch.delitem(verifier.GAMES, NEW_GAME.name)
    for record in records:
        finding = audit(record)
        assert (finding.verdict, finding.entry, finding.cause) == (Verdict.NEWER, 0, "R2")
        assert (finding.player, finding.unsigned) == (None, ())
        assert verifier.verify_record([record]) == verifier.Finding("newer", 0, "R2")


@pytest.mark.parametrize("version", [b"2", b"10", b"999999999"])
@pytest.mark.parametrize("portion", [1, 100])
def test_a_first_line_of_a_newer_version_is_recognized(version: bytes, portion: int) -> None:
    record = b"sobremesa record " + version + b"\nwhatever there is"
    portions = [record[i : i + portion] for i in range(0, len(record), portion)]
    finding = audit(record, portion)
    assert (finding.verdict, finding.entry, finding.cause) == (Verdict.NEWER, 0, "R1")
    assert verifier.verify_record(portions) == verifier.Finding("newer", 0, "R1")


@pytest.mark.parametrize(
    "line",
    [b"0\n", b"01\n", b"1 \n", b"-1\n", b"1234567890\n", b"2\r\n", b"2", b"12", b"1x", b"\n", b""],
)
def test_any_other_first_line_is_refused(line: bytes) -> None:
    record = MAGIC[:-2] + line
    with pytest.raises(Malformed):
        audit(record)
    with pytest.raises(verifier.NoRecord):
        verifier.verify_record([record])

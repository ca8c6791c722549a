"""Names in a record that would move the cursor, reverse letters or pile up combining marks.

Every command cleans such a name before showing it. The audit does not refuse such names: a record
with them can be sound, because all players have signed the charter.
"""

import json
import unicodedata
from collections.abc import Iterator
from pathlib import Path

import pytest

from client.cli.main import main
from tests.engine.simulation import eagerly
from tests.protocol.proofless import without_proofs
from tests.protocol.seeded_table import SeededTable

TERMINAL = "\x1b]0;curl\x07\x1b[2J\x9b1AAna"
BIDI = "\u202edeliaf\u2066\u200b sisB"
MARKS = "Z" + 79 * "\u0316"
NOTHING = "\u3164\u2800"


@pytest.fixture(scope="module")
def record(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    with without_proofs(), pytest.MonkeyPatch.context() as patch:
        patch.setattr("tests.protocol.seeded_table.NAMES", (TERMINAL, BIDI, MARKS, NOTHING))
        table = SeededTable.sit("canasta", 4, rounds=1)
        table.play(eagerly)
        path = tmp_path_factory.mktemp("records") / "game.sobremesa"
        path.write_bytes(table.record())
        yield path


def is_harmless(text: str) -> bool:
    """Return True if the text has no control or format characters, and no four marks in a row."""
    plain = text.replace("\n", "")
    kinds = [unicodedata.category(character) for character in plain]
    marks = "".join("m" if kind in {"Mn", "Me"} else "-" for kind in kinds)
    return not {"Cc", "Cf"} & set(kinds) and "mmmm" not in marks and "\u3164" not in plain


@pytest.mark.parametrize(
    "command",
    [
        ["audit"],
        ["audit", "--json"],
        ["audit", "--html"],
        ["replay", "--plain"],
        ["replay", "--html"],
        ["export"],
        ["export", "-o"],
        ["ledger"],
        ["ledger", "--json"],
        ["ledger", "--html"],
    ],
    ids=" ".join,
)
def test_commands_show_hostile_names_without_control_characters(
    command: list[str], record: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    name, *options = command
    out = tmp_path / "out"
    written = [str(out)] if options in (["--html"], ["-o"]) else []
    main([name, str(record), *options, *written])
    told = capsys.readouterr()
    pages = [path.read_text("utf-8") for path in tmp_path.glob("out")]
    assert len(pages) == len(written)
    assert all(map(is_harmless, (told.out, told.err, *pages)))
    if options == ["--json"]:
        assert is_harmless(json.dumps(json.loads(told.out), ensure_ascii=False))
    assert any("Ana" in text for text in (told.out, *pages))

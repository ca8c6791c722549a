"""All scenarios: each file has the effects of its events (`tests/protocol/table/scenario.py`)."""

from pathlib import Path

import pytest

from tests.protocol.proofless import without_proofs
from tests.protocol.table.scenario import scenarios, written
from tests.protocol.table.worlds import WORLDS


@pytest.mark.parametrize(
    "path", [path for folder in WORLDS for path in scenarios(folder)], ids=lambda path: path.stem
)
def test_scenarios_match_their_files(path: Path) -> None:
    text = path.read_text("utf-8")
    with without_proofs():
        assert written(text, WORLDS[path.parent.name]()) == text

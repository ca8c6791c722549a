"""Records that were once sound and stay sound (`spec/record.md`, 7)."""

import pytest

from protocol.audit import Verdict
from tests.protocol.audited import audit
from tests.records.__main__ import FOLDER, KEPT, path_of


@pytest.mark.parametrize("name", KEPT)
def test_a_kept_record_is_sound(name: str) -> None:
    """A change that breaks this needs a new version of the format, beside the old one."""
    assert path_of(name).exists(), "a new game has no record yet: run python -m tests.records"
    finding = audit(path_of(name).read_bytes())
    assert finding.verdict is Verdict.SOUND, finding.sentence
    assert finding.entry > 50


def test_the_folder_has_only_the_listed_records() -> None:
    assert {path.stem for path in FOLDER.glob("*.sobremesa")} == set(KEPT)

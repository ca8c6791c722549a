"""Records that were once sound and stay sound (`spec/record.md`, 7)."""

import pytest

from protocol.audit import Auditor, Verdict
from tests.records.__main__ import FOLDER, KEPT, path_of


@pytest.mark.parametrize("name", KEPT)
def test_a_kept_record_is_sound(name: str) -> None:
    """Audit it; a change that breaks it takes a new version, and knows the old one besides."""
    assert path_of(name).exists(), "a new game has no record yet: run python -m tests.records"
    auditor = Auditor()
    for _ in auditor.feed(path_of(name).read_bytes()):
        pass
    finding = auditor.finish()
    assert finding.verdict is Verdict.SOUND, finding.sentence
    assert finding.entry == auditor.height > 50


def test_there_are_no_other_records() -> None:
    assert {path.stem for path in FOLDER.glob("*.sobremesa")} == set(KEPT)

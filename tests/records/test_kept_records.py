"""Records that were once sound stay sound (`spec/record.md`, 7)."""

import pytest

from protocol.audit import Auditor, Verdict
from tests.records.__main__ import FOLDER, KEPT, path_of


@pytest.mark.parametrize("name", KEPT)
def test_a_kept_record_is_sound(name: str) -> None:
    """If not, the change takes a new version, and the old one has to be known beside it."""
    auditor = Auditor()
    for _ in auditor.feed(path_of(name).read_bytes()):
        pass
    finding = auditor.finish()
    assert finding.verdict is Verdict.SOUND, finding.sentence
    assert finding.entry == auditor.height > 50


def test_there_are_no_other_records() -> None:
    assert {path.stem for path in FOLDER.glob("*.sobremesa")} == set(KEPT)

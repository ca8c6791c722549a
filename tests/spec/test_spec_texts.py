"""What in `spec/` follows from the program is what the program says."""

from pathlib import Path

import pytest

from client.reports.html.verification import verifier_page
from tests.spec_texts import PAGE, rendered


@pytest.mark.parametrize("path", sorted(rendered()), ids=lambda path: path.name)
def test_a_text_is_as_the_program_has_it(path: Path) -> None:
    """After a change: `python -m tests.spec_texts`."""
    assert path.read_text(encoding="utf-8") == rendered()[path]


def test_the_page_is_the_one_that_is_made() -> None:
    """After a change of the verifier in JavaScript: `python -m tests.spec_texts`."""
    assert PAGE.read_text(encoding="utf-8") == verifier_page()

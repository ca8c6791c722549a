"""Files that cannot be written: the error names a remedy, and nothing is lost."""

from pathlib import Path

import pytest

from client.cli.main import main


@pytest.mark.parametrize(
    "words",
    [
        ("audit", "{record}", "--html", "{out}"),
        ("audit", "{record}", "--evidence", "{out}"),
        ("ledger", "{record}", "--html", "{out}"),
        ("export", "{record}", "-o", "{out}"),
        ("replay", "{record}", "--html", "{out}"),
    ],
    ids=" ".join,
)
@pytest.mark.parametrize("taken", [True, False])
def test_an_unwritable_output_file_is_refused_before_reading_the_record(
    words: tuple[str, ...],
    taken: bool,
    home: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """The record does not exist either, but the error about the output comes first."""
    out = tmp_path / "mine" if taken else tmp_path / "nowhere" / "new"
    if taken:
        out.write_text("dear to me")
    assert main([word.format(record=tmp_path / "record", out=out) for word in words]) == 2
    told = f"There is a file {out} already" if taken else "There is no folder"
    assert capsys.readouterr().err.startswith(f"sobremesa: {told}")
    assert not taken or out.read_text() == "dear to me"

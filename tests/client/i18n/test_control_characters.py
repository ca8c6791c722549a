"""Text from strangers cannot move the cursor or reverse the order of letters when it is printed."""

import sys
from io import StringIO
from pathlib import Path

import pytest

from client.cli.main import main
from client.i18n.control_characters import plain
from client.ui.text.console import Console


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a\x1b[2Jb", "a?[2Jb"),
        ("\x9b2J\x07\r", "?2J??"),
        ("a\u202eb\u2066c\u200bd\ufeff", "a?b?c?d?"),
        ("one\u2028two\u2029three", "one?two?three"),
        ("\udcff", "?"),
        ("Año 1\u00a0234 ♠ 紙牌\u0301", "Año 1\u00a0234 ♠ 紙牌\u0301"),
        ("two\n\tlines", "two?\tlines"),
        ("", ""),
    ],
)
def test_control_characters_become_question_marks(text: str, shown: str) -> None:
    assert plain(text) == shown


def test_only_the_programs_own_drawing_keeps_escape_sequences() -> None:
    stream = StringIO()
    console = Console(stream)
    console.line("\x1b[31mred")
    console.line("two\nlines")
    console.drawn("\x1b[31mred")
    assert stream.getvalue() == "?[31mred\ntwo\nlines\n\x1b[31mred\n"


@pytest.mark.skipif(sys.platform == "win32", reason="Windows allows no such file name")
@pytest.mark.parametrize(
    "command", [["audit"], ["ledger"], ["export"], ["replay", "--plain"], ["referee"]]
)
def test_a_hostile_file_name_cannot_draw_on_the_screen(
    tmp_path: Path, command: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    """The attack: a person downloads such a file, and audits all files in the folder."""
    name = tmp_path / "\x1b[2J\u202eevening\nVerdict: sound"
    for _ in range(2):  # first it is missing, then it is no record
        main([*command, str(name)])
        printed, said = capsys.readouterr()
        assert printed + said
        assert not {"\x1b", "\u202e"} & {*printed, *said}
        assert "\nVerdict: sound" not in printed + said
        name.write_text("nothing of ours")

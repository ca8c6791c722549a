"""Lines on a terminal that is too narrow for them are broken between words."""

import os
import select
from io import StringIO

import pytest

from client.ui.text.broken_lines import broken
from client.ui.text.console import Console
from tests.patience import PATIENCE

SENTENCE = "  Who sat behind a key: names are decoration."


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("", [""]),
        ("short", ["short"]),
        ("  ", ["  "]),
        ("Go on: sobremesa solo --continue", ["Go on:", "sobremesa solo --continue"]),
        ("Or `sobremesa doctor`, they say.", ["Or", "`sobremesa doctor`,", "they say."]),
        ("All of sobremesa rules.", ["All of", "sobremesa rules."]),
        ("meld or discard, so > ", ["meld or discard, so", "> "]),
        (SENTENCE, ["  Who sat behind a", "  key: names are", "  decoration."]),
        ("see /a/very/long/path/of/a/record now", ["see", "/a/very/long/path/of/a/record", "now"]),
        ("Ana      10   20", ["Ana      10   20"]),
        ("1234567890 1234567 9", ["1234567890 1234567", "9"]),
        ("紙牌紙牌紙牌 紙牌紙牌", ["紙牌紙牌紙牌", "紙牌紙牌"]),
        ("e\u0301" * 9 + " " + "e\u0301" * 9, ["e\u0301" * 9 + " " + "e\u0301" * 9]),
    ],
)
def test_lines_are_broken_between_words(text: str, lines: list[str]) -> None:
    assert list(broken(text, 19)) == lines


def test_lines_are_broken_on_a_terminal_but_not_in_a_file() -> None:
    pty = pytest.importorskip("pty", reason="only POSIX has pseudo-terminals")
    termios = pytest.importorskip("termios")
    master, slave = pty.openpty()
    termios.tcsetwinsize(slave, (24, 19))
    with os.fdopen(master, "rb", buffering=0) as seen, os.fdopen(slave, "w") as terminal:
        console = Console(terminal)
        console.line(f"Verdict:\n{SENTENCE}")
        console.exactly(SENTENCE)
        written, whole = "", f"{SENTENCE}\n"
        while not written.endswith(whole):  # one read may return only a part
            assert select.select([seen], [], [], PATIENCE)[0], written
            written += seen.read(1000).decode().replace("\r\n", "\n")
    assert written == "Verdict:\n" + "\n".join(broken(SENTENCE, 19)) + "\n" + whole
    file = StringIO()
    Console(file).line(SENTENCE)
    assert file.getvalue() == whole


def test_progress_replaces_itself_on_a_terminal() -> None:
    class Terminal(StringIO):
        encoding = "utf-8"
        flushed = ""

        def isatty(self) -> bool:
            return True

        def flush(self) -> None:
            self.flushed = self.getvalue()

    terminal, file = Terminal(), StringIO()
    for stream in (terminal, file):
        console = Console(stream)
        for text in ("10 of 10", "5", "6"):
            console.progress(text)
            assert terminal.flushed == terminal.getvalue()
        console.drawn("Done.")
        assert terminal.flushed == terminal.getvalue()
        console.drawn("All.")
    assert terminal.getvalue() == "\r10 of 10\r5       \r6\r \rDone.\nAll.\n"
    assert file.getvalue() == "Done.\nAll.\n"

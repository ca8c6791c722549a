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
    "broken_text",
    [
        *("", "short", "  ", "Ana      10   20", "Go on:|sobremesa solo --continue"),
        *("All of|sobremesa rules.", "meld or discard, so|> ", "1234567890 1234567|9"),
        *("Or|`sobremesa doctor`,|they say.", "see|/a/very/long/path/of/a/record|now"),
        *("紙牌紙牌紙牌|紙牌紙牌", "e\u0301" * 9 + " " + "e\u0301" * 9),
    ],
)
def test_lines_are_broken_between_words(broken_text: str) -> None:
    """A line of more than 19 columns is broken where the mark "|" stands."""
    assert list(broken(broken_text.replace("|", " "), 19)) == broken_text.split("|")


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
    lines = "  Who sat behind a\n  key: names are\n  decoration.\n"
    assert written == "Verdict:\n" + lines + whole
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

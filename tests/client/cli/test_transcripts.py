"""Transcripts of commands and all that they print: files in `transcripts/`.

A transcript begins with `==` and a sentence. Its lines are

    file cases.txt       a file with the lines below that begin with |
    record game canasta  a copy of the stored record of that game
    set language = "es"  a line of the settings
    $ referee cases.txt  a command
    screen 4 1 3 -       the first screen in lines: the words are typed, - is an empty line

The indented lines below a command are what it prints. `!` marks a line on standard error, and `=`
an exit code other than 0. `python -m tests.screens` writes the indented lines anew.
"""

import os
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from attrs import frozen

from client.cli.commands.play import FirstScreen
from client.cli.main import main
from client.i18n.language import choose_language
from client.settings import Settings
from client.ui.tui.toolkit.glyphs import UNICODE
from client.ui.tui.toolkit.style import style_of
from client.ui.tui.toolkit.terminal_look import TerminalLook
from p2p.storage.data_path import HOME_VARIABLE
from p2p.storage.private_files import make_private
from tests.client.quick_reviews import RECORDS
from tests.client.terminals import Typed
from tests.client.ui.tui.golden import DRAW_ANEW

FOLDER = Path(__file__).parent / "transcripts"
_TIME = re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d")


@frozen
class Desk:
    """A folder with files, in which commands run."""

    folder: Path
    capsys: pytest.CaptureFixture[str]

    def do(self, line: str, below: list[str]) -> Iterator[str]:
        """Do what the line says, and return what is printed."""
        word, _, rest = line.partition(" ")
        match word:
            case "file":
                (self.folder / rest).write_text("".join(f"{one[2:]}\n" for one in below), "utf-8")
            case "record":
                name, game = rest.split()
                (self.folder / name).parent.mkdir(mode=0o700, parents=True, exist_ok=True)
                shutil.copy(RECORDS / f"format-1-{game}.sobremesa", self.folder / name)
            case "set":
                settings = self.folder / "home" / "settings.toml"
                settings.write_text(f"{rest}\n", "utf-8")
                settings.chmod(0o600)
            case "screen":
                lines = ("" if one == "-" else one for one in rest.split())
                look = TerminalLook(UNICODE, style_of("plain"), None, False, Typed(tuple(lines)))
                FirstScreen(Settings(name="Ana"), look).run()
                yield from self._printed(0)
            case "$":
                try:
                    code = main(rest.split())
                except SystemExit as ended:
                    code = int(ended.code or 0)
                yield from self._printed(code)
            case _:
                raise ValueError(f"no line of a transcript: {line}")

    def _printed(self, code: int) -> Iterator[str]:
        printed, said = self.capsys.readouterr()
        for sign, text in (("    ", printed), ("  ! ", said)):
            for line in text.splitlines():
                shown = _TIME.sub("(time)", line.replace(f"{self.folder}", "~"))
                yield f"{sign}{shown}".rstrip()
        if code:
            yield f"  = {code}"


def _written(text: str, desks: Iterator[Desk]) -> Iterator[str]:
    about, *transcripts = text.split("\n== ")
    yield about.rstrip()
    for transcript in transcripts:
        title, *lines = transcript.rstrip().split("\n")
        yield f"\n== {title}"
        desk = next(desks)
        blocks: list[list[str]] = []
        for line in lines:
            if line[:1] == "|":
                blocks[-1].append(line)
            elif line[:1].strip():
                blocks.append([line])
        for line, *below in blocks:
            yield from (line, *below, *desk.do(line, below))
        choose_language("en")


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.txt")), ids=lambda path: path.stem)
def test_scenes_of_commands_go_as_written(
    path: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def desks() -> Iterator[Desk]:
        number = 0
        while True:
            number += 1
            folder = make_private(tmp_path / f"{number}")
            monkeypatch.setenv(HOME_VARIABLE, f"{make_private(folder / 'home')}")
            monkeypatch.chdir(folder)
            yield Desk(folder, capsys)

    text = path.read_text(encoding="utf-8")
    now = "\n".join(_written(text, desks())) + "\n"
    if os.environ.get(DRAW_ANEW):
        path.write_text(now, encoding="utf-8")
    else:
        assert now == text

r"""Transcripts of commands and all that they print: files in `transcripts/`.

A transcript begins with `==` and a sentence. Its lines are

    file cases.txt       a file with the lines below that begin with |
    bytes cases.txt \xff a file with these bytes, with escapes as in Python
    record game canasta  a copy of the stored record of that game
    record game canasta 9     its first nine bytes; -9: all but the last nine
    set language = "es"  a line of the settings
    table 3 canastra     an unfinished table of that game, with the number 3
    $ referee cases.txt  a command
    screen 4 1 3 -       the first screen in lines: the words are typed, - is an empty line

The indented lines below a command are what it prints. `!` marks a line on standard error, and `=`
an exit code other than 0. `python -m tests.update_golden_files` writes the indented lines anew.

Nobody plays here: a line in brackets names the table or command that would have begun.
A review judges without a search, and names one mistake.
"""

import os
import re
import shlex
from argparse import Namespace
from collections.abc import Iterable, Iterator
from itertools import count
from pathlib import Path

import pytest
import trio
from attrs import field, frozen

from client.cli.commands import demo as demo_command
from client.cli.main import main
from client.i18n.language import choose_language, choose_script
from client.record_files import write_new
from client.session.loopback_table import loopback_table
from client.session.solo import Outcome, SoloTables, today
from client.session.solo_folder import solo_folder
from client.ui.model import game_review
from client.ui.tui.toolkit import terminal_look
from engine.game import Game
from engine.games import GAMES, game_named
from engine.options import Options
from p2p.storage.data_path import HOME_VARIABLE
from p2p.storage.private_files import make_private
from tests.client.plain_seat import state_of
from tests.client.quick_reviews import RECORDS, quickly
from tests.client.terminals import Typed
from tests.client.ui.tui.golden import DRAW_ANEW

FOLDER = Path(__file__).parent / "transcripts"
_LISTED = {"canasta", "kanastic", "canastra", "hand_and_foot", "samba"}
"""The games that lists show. Others are left out, so a new game changes no transcript."""
_TIME = re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d")


@frozen
class Desk:
    """A folder with files, in which commands run."""

    folder: Path
    monkeypatch: pytest.MonkeyPatch
    capsys: pytest.CaptureFixture[str]
    moments: Iterator[int] = field(factory=lambda: count(10**9))

    def do(self, line: str, below: list[str]) -> Iterator[str]:
        """Do what the line says, and return what is printed."""
        word, _, rest = line.partition(" ")
        match word:
            case "file":
                self._write(rest, "".join(f"{one[2:]}\n" for one in below).encode())
            case "bytes":
                name, _, text = rest.partition(" ")
                self._write(name, text.encode().decode("unicode_escape").encode("latin-1"))
            case "record":
                name, game, *end = rest.split()
                data = (RECORDS / f"format-1-{game}.sobremesa").read_bytes()
                self._write(name, data[: int(end[0])] if end else data)
            case "set":
                settings = self.folder / "home" / "settings.toml"
                old = settings.read_text("utf-8").splitlines() if settings.exists() else []
                others = [one for one in old if one.split()[0] != rest.split()[0]]
                self._write("home/settings.toml", "\n".join((*others, rest, "")).encode())
            case "table":
                number, game = rest.split()
                trio.run(_begin, make_private(solo_folder() / number), game_named(game))
            case "screen":
                lines = ["" if one == "-" else one for one in rest.split()]
                yield from self._run("play", "--linear", lines=lines)
            case "$":
                yield from self._run(*shlex.split(rest))
            case _:
                raise ValueError(f"no line of a transcript: {line}")

    def _write(self, name: str, data: bytes) -> None:
        """Write a file, which is a second newer than the file before."""
        path = self.folder / name
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        path.write_bytes(data)
        path.chmod(0o600)
        moment = next(self.moments)
        os.utime(path, (moment, moment))

    def _run(self, *words: str, lines: Iterable[str] = ()) -> Iterator[str]:
        """Run a command while a person types `lines`, and return what it prints."""
        self.monkeypatch.setattr(terminal_look, "_typed_lines", lambda: Typed(lines))
        try:
            code = main(list(words))
        except SystemExit as ended:
            code = int(ended.code or 0)
        printed, said = self.capsys.readouterr()
        for sign, text in (("    ", printed), ("  ! ", said)):
            for line in text.splitlines():
                shown = _TIME.sub("(time)", line.replace(f"{self.folder}", "~"))
                yield f"{sign}{shown}".rstrip()
        if code:
            yield f"  = {code}"


async def _begin(folder: Path, game: Game) -> None:
    async with loopback_table(game, game.options(), ("Ana", "Bruno"), folder):
        pass


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
        choose_script(str)


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.txt")), ids=lambda path: path.stem)
def test_transcripts_match_their_files(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    async def begun(tables: SoloTables, game: Game, options: Options, players: int) -> Outcome:
        level, changed = tables.settings.level, dict(options.changes())
        print(f"(a table of {players}: {game.title}, level {level}, house rules {changed})")
        return Outcome(state_of(game.name, 2).charter)

    async def demo(
        game: Game, options: Options, players: int, path: Path, arguments: Namespace, _to: object
    ) -> None:
        level, changed = arguments.level, dict(options.changes())
        print(f"({players} opponents: {game.title}, level {level}, house rules {changed})")
        write_new(path, [b"sobremesa record 1\n"])

    async def of_the_day(_tables: SoloTables, game: Game, day: str) -> Outcome:
        print(f"(the deal of {'today' if day == today() else day}: {game.title})")
        return Outcome(state_of(game.name, 2).charter, Path("the record"))

    async def continued(_tables: SoloTables, folder: Path, _restoring: object) -> Outcome:
        print(f"(table {folder.name} goes on)")
        return Outcome(state_of("canasta", 2).charter)

    async def joining(_look: object) -> tuple[str, str]:
        return ("join", "Kitchen")

    def played(_display: object, _settings: object, *words: str) -> None:
        print(f"(the command {shlex.join(words)})")

    monkeypatch.setattr(SoloTables, "new", begun)
    monkeypatch.setattr(demo_command, "_play", demo)
    monkeypatch.setattr(SoloTables, "of_the_day", of_the_day)
    monkeypatch.setattr(SoloTables, "continued", continued)
    monkeypatch.setattr("client.cli.menus.first_screen_actions.joining", joining)
    monkeypatch.setattr("client.cli.menus.first_screen_actions.play_command", played)
    monkeypatch.setattr(game_review, "MOST", 1)
    monkeypatch.setattr("os.cpu_count", lambda: 1)  # starting processes would take long
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.setenv("LOGNAME", "Eve")  # the default name of a player
    quickly(monkeypatch)
    for other in GAMES.keys() - _LISTED:
        monkeypatch.delitem(GAMES, other)

    def desks() -> Iterator[Desk]:
        for number in count(1):
            folder = make_private(tmp_path / f"{number}")
            monkeypatch.setenv(HOME_VARIABLE, f"{make_private(folder / 'home')}")
            monkeypatch.chdir(folder)
            yield Desk(folder, monkeypatch, capsys)

    text = path.read_text(encoding="utf-8")
    now = "\n".join(_written(text, desks())) + "\n"
    if os.environ.get(DRAW_ANEW):
        path.write_text(now, encoding="utf-8")
    else:
        assert now == text

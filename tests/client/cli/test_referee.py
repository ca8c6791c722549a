"""`sobremesa referee`: cases in files, and entries of records."""

import io
import json
import re
from pathlib import Path
from typing import Any

import pytest

from client.cli.judged_entry import JudgedEntry
from client.cli.main import main
from client.cli.referee_example import example_case
from client.i18n.language import LANGUAGES, choose_language
from client.i18n.sentences import said
from engine.games import GAMES, game_named
from engine.moves import Answer
from engine.notation.case_files import JUDGED
from engine.notation.position_reader import line_words
from engine.notation.referee import rulings
from engine.notation.rulings import RulingVerdict
from protocol.entries import MoveContent
from tests.client.reports.audited import cheated
from tests.protocol.played import discarding, played

ROOT = Path(__file__).parents[3]
COUNT = "canasta 2\nhand 1 Ks\nhand 2 Jo\ncount\nexpect score -10 -50\n"


def written(folder: Path, text: str) -> str:
    path = folder / "cases.txt"
    path.write_text(text, "utf-8")
    return str(path)


def test_referee_reads_cases_from_standard_input(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    data = io.TextIOWrapper(io.BytesIO(b"\xef\xbb\xbf" + COUNT.encode()))
    monkeypatch.setattr("sys.stdin", data)
    assert main(["referee", "-"]) == 0
    assert "1 of 1 expectation holds." in capsys.readouterr().out


def test_an_unreadable_case_is_reported_with_its_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["referee", written(tmp_path, "#" * (4 * 1024 * 1024 + 1))]) == 2
    message = capsys.readouterr().err
    assert "it has more than 4,194,304 bytes" in message
    assert "cases.txt" in message


def test_every_state_that_the_referee_prints_is_translated() -> None:
    choose_language("pt")
    examples = (ROOT / "spec" / "referee" / "examples.txt").read_text(encoding="utf-8")
    states = [ruling.after for ruling in rulings(examples) if ruling.after and not ruling.sheet]
    assert len(states) > 5
    for state in states:
        assert re.fullmatch(r"(cabe ao lugar|abre-se|a rodada) .*", said(state))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", GAMES)
def test_the_example_case_of_a_game_runs(
    game: str, language: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The example has a legal and an illegal move, so that the reader sees both verdicts."""
    (tmp_path / "settings.toml").write_text(f'language = "{language}"\n')
    choose_language(language)
    example_case(game_named(game), print)
    example = capsys.readouterr().out
    assert main(["referee", written(tmp_path, example)]) == 0
    found = [ruling.verdict for ruling in rulings(example)]
    assert {RulingVerdict.LEGAL, RulingVerdict.ILLEGAL} == set(found)
    words = {line.split()[0] for line in example.splitlines() if line and line[0] != "#"}
    assert words <= {"case", game, *line_words(game_named(game)), *JUDGED}
    for word in line_words(game_named(game)):
        assert re.search(rf"\b{word}\b", example)


CLOSED = "of that hand {} never opened: moves with {} are not listed."
LEGAL, NO_OTHER = "That was legal: draw", "No other move was legal."
OTHERS = "These other moves were legal; several melds may be laid in one move:"


@pytest.mark.parametrize(
    ("line", "others", "hidden", "lines"),
    [
        ("draw", 0, 0, [LEGAL, NO_OTHER]),
        ("", 0, 0, [NO_OTHER]),
        ("draw", 0, 1, [LEGAL, f"1 card {CLOSED.format('was', 'it')}"]),
        ("", 2, 3, [f"3 cards {CLOSED.format('were', 'them')}", OTHERS, "    cut 0", "    cut 1"]),
        ("draw", 80, 0, [LEGAL, OTHERS, *(f"    cut {n}" for n in range(80))]),
        ("draw", 81, 0, [LEGAL, OTHERS, *(f"    cut {n}" for n in range(80)), "    and 1 more"]),
        ("draw", 107, 0, [LEGAL, OTHERS, *(f"    cut {n}" for n in range(80)), "    and 27 more"]),
    ],
)
def test_a_judged_entry_lists_the_other_legal_moves(
    line: str, others: int, hidden: int, lines: list[str]
) -> None:
    cuts = tuple(f"cut {number}" for number in range(others))
    no_position: Any = None
    judged = JudgedEntry(7, "Entry 7", line, no_position, cuts, hidden)
    assert [*judged.lines(show=False)] == ["Entry 7.", *lines]


def test_in_an_exposed_record_no_entry_after_the_exposing_one_is_judged(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """In a record that is merely unfinished, no entry after the last one is judged."""
    move = discarding()
    height = move.state.height + 1
    cheat, part = tmp_path / "cheat", tmp_path / "part"
    cheat.write_bytes(cheated(move.signed(MoveContent(Answer(True), ())), height))
    part.write_bytes(played().record(upto=height - 1))
    for file, number in ((cheat, height + 1), (part, height)):
        assert main(["referee", f"{file}", "--at", f"{number}"]) == 2
        told = capsys.readouterr().err
        assert told.startswith(f"sobremesa: Entry {number} is no move. The moves beside it: entry")


def test_referee_judges_the_entry_that_exposes_a_player(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    move = discarding()
    height = move.state.height + 1
    entry = move.signed(MoveContent(Answer(True), ()))
    record = tmp_path / "game"
    record.write_bytes(cheated(entry, height))
    assert main(["referee", str(record), "--at", f"{height}"]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert f"as this program knows them, at entry {height} [X10]." in lines[0]
    assert "cards of that hand were never opened" in lines[1]
    assert "No other move was legal." not in lines
    assert main(["referee", str(record), "--at", f"{height}", "--json"]) == 1
    assert json.loads(capsys.readouterr().out)["verdict"] == "illegal"

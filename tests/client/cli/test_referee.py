"""`sobremesa referee`."""

import io
import json
import re
from pathlib import Path

import pytest

from client.cli.commands.referee import as_text
from client.cli.judged_entry import judged_entry
from client.cli.main import main
from client.cli.referee_example import example_case
from client.errors import BadRequest
from client.i18n.language import LANGUAGES, choose_language
from client.i18n.sentences import said
from client.ui.model.replay import Replay
from engine.games import GAMES, game_named
from engine.moves import Answer
from engine.notation.case_files import JUDGED
from engine.notation.position_reader import line_words
from engine.notation.referee import rulings
from engine.notation.rulings import RulingVerdict
from protocol.entries import MoveContent
from tests.client.reports.audited import cheated
from tests.protocol.played import discarding

ROOT = Path(__file__).parents[3]
OPENING = """case opening
canasta 4
hand 1 5h 5d 2s 2h Jo Kc
try meld 5h 5d 2s
expect illegal C37
try meld 5h 5d 2s 2h
expect legal
"""
COUNT = "canasta 2\nhand 1 Ks\nhand 2 Jo\ncount\nexpect score -10 -50\n"


def written(folder: Path, text: str, name: str = "cases.txt") -> str:
    path = folder / name
    path.write_text(text, "utf-8")
    return str(path)


def test_a_ruling_is_one_line_with_the_clause_and_the_reason(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["referee", written(tmp_path, OPENING)]) == 0
    first, second, last = capsys.readouterr().out.splitlines()
    assert first == (
        "opening, line 4: try meld 5h 5d 2s: illegal [C37] "
        "Opening takes 50 points, and these cards have 30."
    )
    assert second == (
        "opening, line 6: try meld 5h 5d 2s 2h: legal: seat 1 to meld or discard; "
        "hands 2 11 11 11, stock 69, pile 0"
    )
    assert last == "2 of 2 expectations hold."


def test_the_score_is_itemised_with_clauses() -> None:
    (ruling,) = rulings(COUNT)
    assert list(as_text(ruling)) == [
        "case 1, line 4: count: legal: the round is over: side 1 -10, side 2 -50",
        "    side 1: cards in hand (1) -10 [C92]",
        "    side 2: cards in hand (1) -50 [C92]",
    ]


def test_what_does_not_come_is_shown_and_makes_the_exit_code(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    wrong = written(tmp_path, OPENING + "expect stock 5\n", "wrong.txt")
    right = written(tmp_path, COUNT, "right.txt")
    assert main(["referee", wrong, right]) == 1
    out = capsys.readouterr().out
    assert "    BUT EXPECTED: stock 5\n" in out
    assert "3 of 4 expectations hold." in out


def test_what_there_is_instead_is_shown(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["referee", written(tmp_path, OPENING.replace("C37", "C26"))]) == 1
    assert capsys.readouterr().out.splitlines()[1:6] == [
        "    BUT EXPECTED: illegal C26",
        "    IT IS: illegal C37",
        "        canasta 4",
        "        totals 0 0",
        "        dealer 4",
    ]
    assert main(["referee", "--json", written(tmp_path, OPENING.replace("C37", "C26"))]) == 1
    first = json.loads(capsys.readouterr().out.splitlines()[0])
    assert first["expectations"] == [{"text": "illegal C26", "met": False, "is": "illegal C37"}]
    assert first["position"].startswith("canasta 4\ntotals 0 0\n")


def test_a_bad_line_spoils_its_case_and_no_other(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bad = "case bad\ncanasta 4\nhand 1 4c 5c\ntry discard 4c\nexpct legal\ntry discard 5c\n"
    assert main(["referee", written(tmp_path, bad + OPENING)]) == 2
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("bad, line 4: try discard 4c: legal")
    assert lines[1].startswith("bad: CANNOT BE READ: Line 5: ")
    assert lines[1].endswith("Did you mean “expect”?")
    assert lines[2].startswith("opening, line 10: ")
    assert lines[-3::2] == ["1 case cannot be read to its end.", "2 of 2 expectations hold."]


def test_a_file_that_cannot_be_read_leaves_the_others(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["referee", str(tmp_path / "none.txt"), written(tmp_path, OPENING)]) == 2
    captured = capsys.readouterr()
    assert captured.out.splitlines()[-1] == "2 of 2 expectations hold."
    assert "none.txt cannot be read" in captured.err


def test_an_undecided_verdict_has_an_exit_code_of_its_own(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = "kanastic 4\nhand 1 Po 4c 5c\ntry discard 4c\n"
    assert main(["referee", written(tmp_path, text)]) == 3
    said = capsys.readouterr().out
    assert "undecided: say turn 1 play drew, and how many cards were drawn\n" in said
    assert "1 verdict is undecided." in said
    assert main(["referee", written(tmp_path, text + "expect undecided\n")]) == 0
    assert main(["referee", written(tmp_path, text + "expect legal\n")]) == 3
    assert "UNDECIDED: legal" in capsys.readouterr().out
    assert main(["referee", "--json", written(tmp_path, text)]) == 3
    first, last = map(json.loads, capsys.readouterr().out.splitlines())
    assert first["verdict"] == "undecided"
    assert first["say"] == ["turn 1 play drew, and how many cards were drawn"]
    assert last["total"]["undecided"] == 1


def test_a_case_that_judges_nothing_says_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["referee", written(tmp_path, "case idle\ncanasta 4\n" + OPENING)]) == 0
    assert capsys.readouterr().out.splitlines()[0] == "idle, line 1: nothing is judged here."


def test_a_clause_that_the_game_has_not_is_an_error(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for clause in ("C999", "K44"):
        assert main(["referee", written(tmp_path, OPENING.replace("C37", clause))]) == 2
        assert f"Line 5: Canasta has no clause {clause}." in capsys.readouterr().out


def test_the_position_is_shown_after_each_case(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["referee", "--show", written(tmp_path, COUNT)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert "case 1: the position at the end:" in lines
    assert "        turn 1 over" in lines
    assert main(["referee", "--show", "--json", written(tmp_path, COUNT)]) == 0
    shown = json.loads(capsys.readouterr().out.splitlines()[1])
    assert shown["position"].startswith("canasta 2\n")


def test_what_was_split_is_told_in_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    split = "canasta 4\nhand 1 Kh Kd Ks 9h 9d 9s 4c 5c\nplay meld Kh Kd Ks\nplay meld 9h 9d 9s\n"
    assert main(["referee", written(tmp_path, split)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[1] == "    Lay all in one line: meld Kh Kd Ks + 9h 9d 9s"
    closing = "canasta 4\nhand 1 3s 3c 3s Kh Kd Ks\nmeld 1 7d 7s 7c 7h 7d 7s 7c\n"
    assert main(["referee", "--json", written(tmp_path, closing + "try meld 3s 3c 3s\n")]) == 0
    first = json.loads(capsys.readouterr().out.splitlines()[0])
    assert first["hint"].startswith("Lay all in one line: meld ")
    assert set(first["hint"].split()) >= {"3s", "3c", "3s:2", "Kh", "Kd", "Ks"} - {"3s:2"}


def test_without_expectations_there_is_nothing_to_miss(tmp_path: Path) -> None:
    assert main(["referee", written(tmp_path, "canasta 4\ntry draw\n")]) == 0


def test_programs_get_the_rulings_as_json(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["referee", "--json", written(tmp_path, OPENING + COUNT)]) == 0
    illegal, legal, count, last = map(json.loads, capsys.readouterr().out.splitlines())
    assert illegal == {
        "case": "opening",
        "line": 4,
        "text": "try meld 5h 5d 2s",
        "verdict": "illegal",
        "clause": "C37",
        "why": "Opening takes 50 points, and these cards have 30.",
        "expectations": [{"text": "illegal C37", "met": True}],
    }
    assert legal["verdict"] == "legal"
    assert legal["after"].startswith("seat 1 to meld or discard")
    item = {"what": "cards in hand", "count": 1, "points": -10, "clause": "C92"}
    assert count["score"][0] == {"points": -10, "items": [item]}
    assert last == {"total": {"met": 3, "missed": 0, "undecided": 0, "unreadable": 0, "judged": 3}}


def test_cases_can_come_from_the_input(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    data = io.TextIOWrapper(io.BytesIO(b"\xef\xbb\xbf" + COUNT.encode()))
    monkeypatch.setattr("sys.stdin", data)
    assert main(["referee", "-"]) == 0
    assert "1 of 1 expectation holds." in capsys.readouterr().out


@pytest.mark.parametrize(
    ("data", "error"),
    [
        (b"\xff\xfe", "is no text: cases are written in UTF-8"),
        (b"#" * (4 * 1024 * 1024 + 1), "is larger than 4,194,304 bytes"),
    ],
)
def test_what_cannot_be_read_is_said_with_the_file(
    data: bytes, error: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "cases.txt"
    path.write_bytes(data)
    assert main(["referee", str(path)]) == 2
    message = capsys.readouterr().err
    assert error in message
    assert "cases.txt" in message


def test_the_referee_speaks_the_language_of_the_person(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("LANG", "es_ES.UTF-8")
    assert main(["referee", written(tmp_path, OPENING + COUNT)]) == 0
    assert capsys.readouterr().out.splitlines() == [
        (
            "opening, línea 4: try meld 5h 5d 2s: "
            "ilegal [C37] Para abrir hacen falta 50 puntos, y estas cartas suman 30."
        ),
        (
            "opening, línea 6: try meld 5h 5d 2s 2h: "
            "legal: al asiento 1 le toca bajar o descartar; manos 2 11 11 11, mazo 69, pozo 0"
        ),
        "case 2, línea 11: count: legal: la ronda ha terminado: bando 1 -10, bando 2 -50",
        "    bando 1: cartas en la mano (1) -10 [C92]",
        "    bando 2: cartas en la mano (1) -50 [C92]",
        "Se cumplen 3 de 3 expectativas.",
    ]
    assert main(["referee", written(tmp_path, "canasta 4\nhand 1 Kx\ntry draw")]) == 2
    assert capsys.readouterr().out.splitlines() == [
        (
            "case 1: NO SE PUEDE LEER: Línea 2: 'Kx' no es una carta; "
            "escribe número y palo, como Ks o Td."
        ),
        "1 caso no se puede leer hasta el final.",
        "Un caso para empezar: sobremesa referee --example canasta",
    ]


def test_every_state_that_the_referee_tells_is_known_to_the_catalogs() -> None:
    choose_language("pt")
    examples = (ROOT / "spec" / "referee" / "examples.txt").read_text(encoding="utf-8")
    states = [ruling.after for ruling in rulings(examples) if ruling.after and not ruling.sheet]
    assert len(states) > 5
    for state in states:
        assert re.fullmatch(r"(cabe ao lugar|abre-se|a rodada) .*", said(state))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", GAMES)
def test_the_example_of_a_game_runs(
    game: str, language: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """And it has each kind of verdict, so that one sees what they look like."""
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


def test_the_example_is_offered_to_who_has_no_case(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["referee", "--example", "canastra"]) == 0
    assert "canastra 2  " in capsys.readouterr().out
    assert main(["referee"]) == 2
    assert "sobremesa referee --example canasta" in capsys.readouterr().err
    assert main(["referee", written(tmp_path, "canasta 4\nto 1 2\ntry draw\n")]) == 2
    told = capsys.readouterr().out
    assert "No line of Canasta begins with 'to'." in told
    assert "asks, bonus, dealer, debts, hand, meld, option, pile," in told
    assert "try, play, deal, count, drawn, dispute, expect." in told
    assert "sobremesa referee --example canasta" in told


def test_what_nobody_expects_is_counted_as_judged(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = "canasta 4\nturn 1 draw\ntry draw\nplay draw\n"
    assert main(["referee", written(tmp_path, text)]) == 0
    assert capsys.readouterr().out.splitlines()[-1] == "2 lines judged, without an expectation."
    assert main(["referee", written(tmp_path, "canasta 4\nto 1\n")]) == 2
    assert "judged, without" not in capsys.readouterr().out


RECORD = ROOT / "tests" / "records" / "format-1-canasta.sobremesa"


def test_an_entry_of_a_record_is_judged_with_all_other_legal_moves(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["referee", str(RECORD), "--at", "34"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "Entry 34, Round 1: Ana takes the pile of 8, melds A♠ A♦ A♥."
    assert lines[1] == "That was legal: take ^As Ad Ah"
    assert "    draw" in lines
    assert main(["referee", str(RECORD), "--at", "36", "--json", "--show"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["text"] == "meld Tc Td Th"
    assert told["hidden"] == 0
    tries = "".join(f"try {line}\nexpect legal\n" for line in (told["text"], *told["others"]))
    assert len(told["others"]) > 5
    assert main(["referee", written(tmp_path, told["position"] + "\n" + tries)]) == 0


def test_an_entry_that_is_no_move_names_the_moves_beside_it() -> None:
    replay = Replay.load(RECORD, lambda _now: None)
    for number, told in (
        (13, "entry 12 (Bruno draws), entry 14 (Bruno"),
        (999, "Verdict: sound."),
    ):
        with pytest.raises(BadRequest, match=re.escape(told)):
            judged_entry(replay, number)


def test_the_entry_that_exposes_a_player_is_judged_too(
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

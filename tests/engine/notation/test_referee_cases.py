"""Cases, and the referee's rulings on them; most are in the transcripts beside this file."""

import random
import re
from pathlib import Path

import pytest

from engine.errors import NotationError
from engine.games import GAMES
from engine.notation.case_files import read_cases
from engine.notation.referee import reports, rulings
from engine.notation.rulings import Ruling, RulingVerdict
from engine.turn import Step
from tests.engine.clauses import CLAUSES
from tests.engine.notation.golden_answers import FILES, written
from tests.fuzz_referee import cases_of_the_spec, hostile, judged
from tests.made_up_game import FAMILIES

SPEC = Path(__file__).parents[3] / "spec"
CASES = sorted((SPEC / "referee").glob("*.txt"))


def ruled(text: str) -> list[Ruling]:
    return list(rulings(text))


# -- the files of the spec


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_cases_of_the_spec_have_their_expected_results(path: Path) -> None:
    found = ruled(path.read_text("utf-8"))
    assert [(r.line, e.text) for r in found for e in r.expectations if not e.met] == []
    assert all(ruling.expectations for ruling in found if ruling.text.startswith(("try", "count")))


@pytest.mark.parametrize("game", GAMES)
def test_each_game_has_enough_cases(game: str) -> None:
    path = SPEC / "referee" / f"{game}.txt"
    assert path in CASES, f"write at least 25 cases of {game} into spec/referee/{game}.txt"
    assert len(read_cases(path.read_text("utf-8"))) >= 25


def test_the_examples_of_the_notation_are_right() -> None:
    text = (SPEC / "notation.md").read_text("utf-8")
    blocks = re.findall(r"(?:^    .*\n|^\n(?=    ))+", text, re.MULTILINE)
    found = [re.sub("^    ", "", block, flags=re.MULTILINE).strip() for block in blocks]
    cases = [block for block in found if re.match("case|canasta|note", block)]
    assert len(cases) == 3
    for case in cases:
        assert all(each.met for ruling in ruled(case) for each in ruling.expectations)


def test_notation_document_names_every_step() -> None:
    text = (SPEC / "notation.md").read_text("utf-8")
    steps = [step.name.lower() for step in Step if step not in (Step.CUT, Step.DEAL)]
    for word in (*steps, "shuffled", "option", "bonus"):
        assert f"`{word}" in text, f"spec/notation.md does not name `{word}`"


# -- files


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_referee_transcripts_match_their_files(path: Path) -> None:
    """`python -m tests.engine.notation.golden_answers` writes the answers anew."""
    text = path.read_text("utf-8")
    assert written(text) == text
    for problem in re.findall("^    cannot be read: (.*)", text, re.MULTILINE):
        assert re.search(r"[.?](\)| \[[KBC]\d+\])?$", problem)
        assert len(problem) < 300


def test_a_new_game_changes_no_transcript(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(GAMES, FAMILIES.name, FAMILIES)
    texts = [path.read_text("utf-8") for path in FILES]
    listing = [text for text in texts if "(all games)" in text]
    assert listing
    for text in listing:
        assert written(text) == text


def test_without_a_list_of_clauses_any_clause_can_be_expected() -> None:
    (report,) = reports("canasta 4\ntry ask\nexpect illegal C126\n")
    assert report.problem is None


def test_cases_need_no_name_and_notes_are_ignored() -> None:
    text = "note by Ana\ncanasta 2\ntry draw\nexpect illegal\ncanasta 3 # of us\ntry draw\n"
    assert [(case.name, len(case.judged)) for case in read_cases(text)] == [
        ("case 1", 2),
        ("case 2", 1),
    ]


def test_rulings_have_the_line_numbers_of_the_file() -> None:
    text = "\r\n# nothing\r\ncase one\r\n\r\ncanasta 4\r\n\ttry draw # or not\r\n"
    (ruling,) = ruled(text)
    assert (ruling.case, ruling.line, ruling.text) == ("one", 6, "try draw")
    assert [case.line for case in read_cases(text)] == [3]
    assert [case.line for case in read_cases("canasta 4\ntry draw\n")] == [1]


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("", "There is no case in this file"),
        ("\ntry draw", "Line 2: a case begins with a position"),
        ("canasta 4\ntry draw\x1b[2J", "Line 2: there is a character that cannot be printed"),
        ("canasta 4\ntry draw\x0b", "Line 2: there is a character that cannot be printed"),
        ("canasta 4\n\x1b\ntry draw", "Line 2: there is a character that cannot be printed"),
        ("canasta 4\nnote \x1b\ntry draw", "Line 2: there is a character that cannot be printed"),
        ("\n" * 100_000, "at most 100000 lines"),
        ("\n" * 99_999, "There is no case in this file"),
    ],
)
def test_extreme_files_are_refused_in_a_sentence(text: str, error: str) -> None:
    with pytest.raises(NotationError, match=re.escape(error)):
        ruled(text)


@pytest.mark.parametrize("game", GAMES)
def test_every_dispute_is_answered_with_a_clause(game: str) -> None:
    answers = GAMES[game].answers
    text = f"{game} {GAMES[game].players[0]}\n" + "".join(f"dispute {topic}\n" for topic in answers)
    found = list(rulings(text))
    assert len(found) == len(answers)
    assert "draw" in answers
    assert {ruling.verdict for ruling in found} == {RulingVerdict.ANSWERED, RulingVerdict.SILENT}
    assert {answer.clause for answer in answers.values()} <= set(CLAUSES)
    for ruling in found:
        silent = str(ruling.after).startswith("The published rules do not say")
        assert ruling.verdict is RulingVerdict.SILENT or not silent


def test_hostile_files_are_judged_or_refused() -> None:
    """The test tries a few files; `python -m tests.fuzz_decoders` tries many."""
    rng, cases = random.Random(2026), cases_of_the_spec()
    found = {word for _file in range(150) for word in judged(hostile(rng, cases))}
    assert {"legal", "illegal", "bad line"} <= found

"""Sentences of the original texts, each with its clauses, and clauses with their sentences."""

import re
from collections import defaultdict
from pathlib import Path

import pytest

from tests.engine.clauses import CLAUSES

TEXT = (Path(__file__).parents[2] / "spec" / "sources.md").read_text("utf-8")
ROW = re.compile(r"^\| (?P<section>[^|]+) \| (?P<paragraph>\d+) \| (?P<sentences>[^|]+) \|$", re.M)
SENTENCES = re.compile(r"(?P<first>\d+)(?:-(?P<last>\d+))?: (?P<clauses>-|[XCKB].*)")
CLAUSE = re.compile(r"[XCKB]\d+[a-z]?")
GAMES = {"Kanastic": "K", "Canastra": "B", "Canasta": "C", "What all games share": "X"}


def parts() -> dict[str, str]:
    """Return the part of each game, by its heading."""
    found = re.split(r"^## (.+)$", TEXT, flags=re.M)[1:]
    return dict(zip(found[::2], found[1::2], strict=True))


def rows(part: str) -> list[tuple[str, int, str]]:
    return [(m["section"], int(m["paragraph"]), m["sentences"]) for m in ROW.finditer(part)]


def reasons(part: str) -> list[str]:
    """Return the entries of the lists of a part, each on one line."""
    return [" ".join(entry.split()) for entry in re.findall(r"^- (.+(?:\n  .+)*)", part, re.M)]


def ours(part: str) -> set[str]:
    entries = reasons(part[part.index("Ours, because") :])
    return {clause for entry in entries for clause in CLAUSE.findall(entry.partition(":")[0])}


def test_each_game_has_its_part() -> None:
    assert set(parts()) == set(GAMES)


@pytest.mark.parametrize(("game", "least"), [("Kanastic", 180), ("Canastra", 35), ("Canasta", 120)])
def test_paragraphs_and_sentences_are_counted_without_a_gap(game: str, least: int) -> None:
    paragraphs: dict[str, list[int]] = defaultdict(list)
    count = 0
    for section, paragraph, sentences in rows(parts()[game]):
        paragraphs[section].append(paragraph)
        following = 1
        for entry in sentences.split(";"):
            match = SENTENCES.fullmatch(entry.strip())
            assert match, (section, paragraph, entry)
            assert int(match["first"]) == following, (section, paragraph)
            following = int(match["last"] or match["first"]) + 1
        count += following - 1
    for section, numbers in paragraphs.items():
        assert numbers == list(range(1, len(numbers) + 1)), section
    assert count >= least


@pytest.mark.parametrize("game", GAMES)
def test_every_clause_that_is_named_exists(game: str) -> None:
    assert set(CLAUSE.findall(parts()[game])) <= set(CLAUSES)


@pytest.mark.parametrize("game", GAMES)
def test_every_clause_has_a_sentence_or_a_reason(game: str) -> None:
    part = parts()[game]
    named = {clause for _, _, sentences in rows(part) for clause in CLAUSE.findall(sentences)}
    wanted = {clause for clause in CLAUSES if clause.startswith(GAMES[game])}
    assert wanted - named - ours(part) == set()
    assert ours(part) & named == set()


@pytest.mark.parametrize("game", [game for game in GAMES if game != "What all games share"])
def test_what_goes_against_the_letter_says_why(game: str) -> None:
    part = parts()[game]
    starred = {
        clause
        for _, _, sentences in rows(part)
        for clause in re.findall(r"([XCKB]\d+)\*", sentences)
    }
    assert starred
    listed = part[part.index("Ruled otherwise:") : part.index("Ours, because")]
    assert {entry.split(",")[0] for entry in reasons(listed)} == starred

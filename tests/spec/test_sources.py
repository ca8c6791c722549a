"""The document `spec/sources.md`: where each clause comes from.

It has the clauses for each sentence of the original texts, and reasons for the other clauses.
"""

import re
from collections import defaultdict
from pathlib import Path

import pytest

from engine.games import GAMES
from tests.engine.clauses import CLAUSES, LETTERS, NUMBER

TEXT = (Path(__file__).parents[2] / "spec" / "sources.md").read_text("utf-8")
ROW = re.compile(r"^\| (?P<section>[^|]+) \| (?P<paragraph>\d+) \| (?P<sentences>[^|]+) \|$", re.M)
SENTENCES = re.compile(rf"(?P<first>\d+)(?:-(?P<last>\d+))?: (?P<clauses>-|{NUMBER}.*)")
CLAUSE = re.compile(NUMBER)
COMMON = "What all games share"
LEAST = {"Kanastic": 180, "Canastra": 35, "Canasta": 120}
"""Least number of sentences listed for each text that was read sentence by sentence."""


def parts() -> dict[str, str]:
    """Return the part of each game, by the part's heading."""
    found = re.split(r"^## (.+)$", TEXT, flags=re.M)[1:]
    return dict(zip(found[::2], found[1::2], strict=True))


def rows(part: str) -> list[tuple[str, int, str]]:
    return [(m["section"], int(m["paragraph"]), m["sentences"]) for m in ROW.finditer(part)]


def reasons(part: str) -> list[str]:
    """Return the items of the lists in a part, each on one line."""
    return [" ".join(entry.split()) for entry in re.findall(r"^- (.+(?:\n  .+)*)", part, re.M)]


def ours(part: str) -> set[str]:
    """Return the clauses of a part that do not come from a text, and so have a reason."""
    entries = reasons(part[part.index("Ours, because") :])
    return {clause for entry in entries for clause in CLAUSE.findall(entry.partition(":")[0])}


def test_each_game_has_its_part_in_the_lists_of_sources() -> None:
    """A game that does not follow one single text has no part."""
    assert {*LEAST, COMMON} <= set(parts()) <= {*LETTERS, COMMON}


@pytest.mark.parametrize("game", LEAST)
def test_paragraphs_and_sentences_are_counted_without_a_gap(game: str) -> None:
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
    assert count >= LEAST[game]


@pytest.mark.parametrize("game", parts())
def test_every_clause_in_the_lists_exists(game: str) -> None:
    assert set(CLAUSE.findall(parts()[game])) <= set(CLAUSES)


@pytest.mark.parametrize("game", parts())
def test_every_clause_has_a_sentence_or_a_reason(game: str) -> None:
    part = parts()[game]
    named = {clause for _, _, sentences in rows(part) for clause in CLAUSE.findall(sentences)}
    wanted = {clause for clause in CLAUSES if clause.startswith(LETTERS.get(game, "X"))}
    assert wanted - named - ours(part) == set()
    assert ours(part) & named == set()


@pytest.mark.parametrize("game", LEAST)
def test_every_clause_that_differs_from_the_text_has_a_reason(game: str) -> None:
    part = parts()[game]
    starred = {
        clause
        for _, _, sentences in rows(part)
        for clause in re.findall(rf"({NUMBER})\*", sentences)
    }
    assert starred
    listed = part[part.index("Ruled otherwise:") : part.index("Ours, because")]
    assert {entry.split(",")[0] for entry in reasons(listed)} == starred


COMPARED = (Path(__file__).parents[2] / "spec" / "compared.md").read_text("utf-8")


@pytest.mark.parametrize("name", ["hand_and_foot", "samba"])
def test_games_without_a_text_are_compared_by_their_clauses(name: str) -> None:
    """Each row ends with clauses of the game, and names only options that the game has."""
    game = GAMES[name]
    part = COMPARED.split(f"\n## {game.title}\n")[1].split("\n## ")[0]
    found = [row.strip("| ").split(" | ") for row in part.strip().split("\n")[2:]]
    assert len(found) >= 12
    for what, elsewhere, here in found:
        named = CLAUSE.findall(here)
        assert named, what
        assert {clause[0] for clause in named} == {game.position.letter}
        assert set(named) <= set(CLAUSES), what
        assert set(re.findall(r"`(\w+)`", here)) <= game.options.describe().keys(), what
        assert re.search(r"\(([A-Z], )*[A-Z]\)", elsewhere), what


def test_each_source_of_the_comparison_is_used_and_listed() -> None:
    text, listed = COMPARED.split("\n## Sources\n")
    letters = re.findall(r"^- ([A-Z]): ", listed, re.M)
    used = {
        one for group in re.findall(r"\(((?:[A-Z], )*[A-Z])\)", text) for one in group.split(", ")
    }
    assert used == set(letters)
    assert len(letters) == len(set(letters))

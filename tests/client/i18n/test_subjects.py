"""The rules as people read them: by subject, by a search, and without markup."""

import re

import pytest

from client.i18n.language import LANGUAGES, choose_language
from client.i18n.rulebook.subjects import Subject, _parts, _searched, rules_about, subjects
from client.i18n.rulebook.text import NoSuchClause, clause, clauses, common_rules, rules
from engine.canasta.options import CanastaOptions
from engine.game import Game
from engine.games import GAMES, game_named
from tests.engine.clauses import NUMBER

CANASTA = game_named("canasta")


def about(words: str, **options: bool | int) -> list[tuple[str, tuple[str, ...]]]:
    found = rules_about(CANASTA, CanastaOptions.from_pairs(options.items()), words)
    return [(one.title, one.paragraphs) for one in found]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.name)
def test_rules_for_people_have_every_clause_and_no_markup(language: str, game: Game) -> None:
    choose_language(language)
    options = game.options()
    text = [line for one in subjects(game, options) for line in (one.title, *one.paragraphs)]
    read = {line.partition(" ")[0] for line in text}
    assert read >= {*clauses(rules(game, options)), *clauses(common_rules(options))}
    whole = "\n".join(text)
    assert not set("*`#") & set(whole)
    notes = (
        "[spec",
        "rules-common",
        "tests",
        "pruebas la llevan",
        "testes",
        "(display)",
        "(pantalla)",
    )
    assert [note for note in notes if note in whole] == []


def test_subjects_of_the_rules_can_be_chosen_by_number() -> None:
    ((title, lines),) = about("")
    assert title == "The rules of Canasta"
    number, _, name = next(line for line in lines if "Going out" in line).partition(". ")
    ((subject, told),) = about(number)
    assert subject == name
    assert told[0].startswith("C7")
    found = subjects(CANASTA, CANASTA.options())
    assert lines == tuple(f"{place}. {one.title}" for place, one in enumerate(found, 1))
    for place, one in enumerate(found, 1):
        assert about(f"{place}") == [(one.title, one.paragraphs)]
    assert about("0") == about("0 ") != about(f"{len(found)}"), "0 is a word to search for"


def test_markdown_becomes_paragraphs_of_one_line_and_pictures() -> None:
    text = """# The *rules*

    Two lines
    of one paragraph. *(display)* And `more`.
    1. An item
    2. Another, which
       goes on

    ```
    a *picture*

      as it is
    ```
    - **C1** A clause
      with a second line.

      Its own paragraph.
    - **C2** The next.
    ## An empty subject
    ## The last
    Text
    """
    lines = [line.removeprefix("    ") for line in text.splitlines()]
    assert _parts(lines) == (
        Subject(
            "The rules",
            (
                "Two lines of one paragraph. And more.",
                "1. An item",
                "2. Another, which goes on",
                "a *picture*\n\n  as it is",
                "C1 A clause with a second line.",
                "Its own paragraph.",
                "C2 The next.",
            ),
        ),
        Subject("An empty subject", ()),
        Subject("The last", ("Text",)),
    )


def test_a_search_needs_all_words_and_ignores_pictures() -> None:
    found = (
        Subject("Melds", ("Three cards of one rank.", "Seven cards.", "three cards\nin a picture")),
        Subject("Three threes", ("A clause.", "Another\npicture")),
    )
    assert _searched(found, "cards THREE") == (Subject("Melds", ("Three cards of one rank.",)),)
    assert _searched(found, "threes three") == (found[1],)
    with pytest.raises(NoSuchClause, match=r"^The rules say nothing about picture\.$"):
        _searched(found, "picture")


def test_a_clause_is_found_by_number_with_the_options_of_the_table() -> None:
    ((title, (text,)),) = about("c71", two_canastas=True)
    assert title == "Going out"
    assert text.startswith("C71 Between two players it takes two")
    assert about("x10")[0][1][0].startswith("X10 ")


def test_words_are_found_in_clauses_and_titles() -> None:
    found = dict(about("FROZEN pile"))
    assert "Taking the pile" in found
    assert all("frozen" in text.lower() for text in found["Taking the pile"])
    titles = dict(about("red threes"))
    assert len(titles["Red threes"]) > 5, "a matching title shows the whole subject"


def test_a_search_ignores_accents() -> None:
    choose_language("es")
    assert about("comodin") == about("Comodín")


@pytest.mark.parametrize(
    ("words", "told"),
    [
        *((words, words) for words in ("B1", "99", "trump ace", "C400", "Bruno")),
        (90 * "z", f"about {80 * 'z'}[.]"),
    ],
)
def test_searching_for_unknown_words_is_refused(words: str, told: str) -> None:
    with pytest.raises(NoSuchClause, match=told):
        about(words)


def test_options_are_the_last_subject() -> None:
    assert about("options")[-1][0] == "Options of this table"
    assert any("target = 700" in line for line in about("match points", target=700)[-1][1])


BEGINNING = (
    *("its aim", "'A turn:'", "1.", "2.", "3.", "4.", "5.", "'What scores: ...'"),
    *("what the picture shows", "the picture between ``` and ```"),
)
"""Paragraphs at the head of a text of rules."""


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.name)
def test_the_rules_begin_with_aim_turn_scores_and_picture(game: Game, language: str) -> None:
    choose_language(language)
    first, *rest = subjects(game, game.options())
    assert len(first.paragraphs) == len(BEGINNING), f"{game.name}.md begins with {BEGINNING}"
    aim, turn, *lines, scores, caption, picture = first.paragraphs
    assert "(" in aim, "the aim must cite its clauses"
    assert [line[:3] for line in lines] == ["1. ", "2. ", "3. ", "4. ", "5. "]
    assert all(len(text.splitlines()) == 1 for text in (aim, turn, *lines, scores, caption))
    assert re.search(r"\d", scores), "the paragraph about scores names no points"
    assert "♥" in picture, "the picture is missing: run python -m tests.generate"
    assert len(picture.splitlines()) > 8
    common = rules_about(game, game.options(), "X1")[0].title
    index = rest[[one.title for one in rest].index(common) - 1]
    assert all(re.fullmatch(r"[^:]+: .+", text) for text in index.paragraphs), (
        "an entry of the index is not `word: ...`"
    )


def test_clauses_cited_at_the_beginning_exist() -> None:
    for game in GAMES.values():
        cited = re.findall(rf"\b{NUMBER}\b", " ".join(subjects(game, game.options())[0].paragraphs))
        assert len(cited) > 8
        for number in cited:
            assert clause(game, game.options(), number)

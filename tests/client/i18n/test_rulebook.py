"""`sobremesa rules`: the text that people read agrees with the engine."""

import re
from collections import Counter
from pathlib import Path
from string import Formatter

import pytest
from attrs import evolve, frozen

from client.i18n.language import LANGUAGES, choose_language
from client.i18n.rulebook import text as rulebook_text
from client.i18n.rulebook.numerals import Number
from client.i18n.rulebook.text import NoRules, clause, clauses, common_rules, rules
from engine.canasta.options import CanastaOptions
from engine.games import GAMES, game_named
from engine.options import Options, flag
from engine.sentences import Marked
from tests.client.i18n.rulebook_texts import text_in, translated_rules
from tests.engine.clauses import NUMBER
from tests.generated_spec import all_common_rules, all_rules

TRANSLATED = [language for language in LANGUAGES if language != "en"]
TEXTS = ("common", *GAMES)
IN_TRANSLATION = [
    (language, name) for language in TRANSLATED for name in translated_rules(language)
]

_CITED = re.compile(rf"\b{NUMBER}\b")


def test_numbers_in_the_rules_come_from_the_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    canasta = game_named("canasta")
    monkeypatch.setattr("engine.canasta.constants.CLEAN_CANASTA", 1234)
    assert "counts 1,234" in clause(canasta, canasta.options(), "C91")
    with pytest.raises(KeyError, match=r"\{\w+\} in the rules is no option and no number"):
        rules(evolve(canasta, numbers=dict), canasta.options())


@pytest.mark.parametrize(
    ("game", "chosen", "number", "text"),
    [
        ("canasta", {"target": 3000}, "C96", "Option `target` (3,000)"),
        ("canasta", {"two_canastas": True}, "C71", "C71 Between two players it takes two"),
        ("canasta", {"two_canastas": False}, "C71", "C71 Between two players one canasta"),
        ("kanastic", {"distinct_suits": False}, "K31", "In a meld of like cards suits do not"),
        ("canasta", {"rounds": 3}, "X20", "X20 The match has so many rounds"),
        ("canasta", {"rounds": 0}, "X20", "X20 The match goes to the target"),
        ("kanastic", {"void_interrupted": False}, "X25", "interrupted. It counts as it lies."),
        ("kanastic", {"void_interrupted": True}, "X25", "interrupted. It is dealt again by"),
        ("kanastic", {"going_out_bonus": 50}, "K109", "Going out is worth 50."),
        ("kanastic", {"barren_passes": 3}, "K94", "to their last: three."),
        ("canastra", {"idle_turns": 20}, "B55", "Option `idle_turns` (20)"),
    ],
)
def test_rules_show_the_chosen_options(
    game: str, chosen: dict[str, int], number: str, text: str
) -> None:
    rules_of = game_named(game)
    assert text in clause(rules_of, rules_of.options.from_pairs(chosen.items()), number)


@pytest.mark.parametrize("language", ["en", *TRANSLATED])
@pytest.mark.parametrize("game", GAMES)
def test_a_table_shows_only_the_passages_of_its_own_options(game: str, language: str) -> None:
    """Some passages hold only while an option is on, others only while an option is off."""
    choose_language(language)
    rules_of = game_named(game)
    usual = rules_of.options()
    for name, value in usual.pairs():
        number = rules_of.options.describe()[name]["clause"]
        assert clause(rules_of, usual, number)
        if not isinstance(value, bool) and name != "rounds":
            continue
        changed = rules_of.options.from_pairs([(name, not value if isinstance(value, bool) else 3)])
        assert clause(rules_of, usual, number) != clause(rules_of, changed, number)
        for options in (usual, changed):
            text = rules(rules_of, options)
            assert text.startswith({"en": "# The r", "es": "# Las r", "pt": "# As r"}[language])
            assert not set("[]{}") & set(text + common_rules(options))


@pytest.mark.parametrize("game", GAMES)
def test_the_specification_describes_each_option_on_and_off(game: str) -> None:
    text = all_rules(game_named(game)) + all_common_rules()
    assert not set("[]{}") & set(text)
    played = rules(game_named(game), game_named(game).options())
    assert set(clauses(all_rules(game_named(game)))) == set(clauses(played)), "options hide clauses"
    for name, value in game_named(game).options().pairs():
        if isinstance(value, bool):
            own_sentence = game_named(game).options.describe()[name]["doc"]
            assert f"With `{name}`: " in text, f"write [{name}: ...] into {game}.md"
            without = f"Without `{name}`: " in text or f"With `{name}`: {own_sentence}" in text
            assert without, f"write [!{name}: ...] beside it, or the option's own sentence"


def test_an_option_missing_from_the_rules_adds_its_sentence_to_its_clause() -> None:
    doubled = Marked("All of it counts double.")

    @frozen(kw_only=True)
    class WithDoubles(CanastaOptions):
        doubles: bool = flag(False, clause="C66", doc=doubled)

    canasta = evolve(game_named("canasta"), options=WithDoubles)
    usual, changed = WithDoubles(), WithDoubles(doubles=True)
    assert clause(canasta, usual, "C66") == clause(game_named("canasta"), usual, "C66")
    assert clause(canasta, changed, "C66").endswith("All of it counts double.")
    assert "With `doubles`: All of it counts double." in all_rules(canasta)


def test_untranslated_rules_are_shown_in_english(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The number words are then English, like the text."""
    for language in LANGUAGES:
        (tmp_path / language).mkdir()
    (tmp_path / "en" / "canasta.md").write_text(text_in("en", "canasta"), encoding="utf-8")
    canasta = game_named("canasta")
    english = clauses(rules(canasta, canasta.options()))
    monkeypatch.setattr(rulebook_text, "__file__", str(tmp_path / "text.py"))
    choose_language("pt")
    shown = clauses(rules(canasta, canasta.options()))
    assert shown["C7"] == english["C7"]
    assert "eleven cards" in shown["C7"]


def test_the_error_for_missing_english_rules_names_the_file() -> None:
    new = evolve(game_named("canasta"), name="burraco")
    with pytest.raises(NoRules, match=r"the file \S*en.burraco\.md is missing"):
        rules(new, new.options())


def test_common_clauses_cite_game_clauses_only_to_compare_games() -> None:
    """Players of every game read the common rules, so no single game's rules are presupposed."""
    numbers = re.compile(r"\b[A-WYZ]\d+[a-z]?\b")
    cite = {
        number for number, text in clauses(text_in("en", "common")).items() if numbers.search(text)
    }
    assert cite == {"X7", "X9", "X23"}


def open_places(text: str) -> Counter[tuple[str, str | None]]:
    """Return the placeholders of a text, and their formats."""
    return Counter((name, how) for _, name, how, _ in Formatter().parse(text) if name)


@pytest.mark.parametrize("language", TRANSLATED)
def test_all_rules_are_translated(language: str) -> None:
    lacking = set(TEXTS) - set(translated_rules(language))
    assert not lacking, f"translate into client/i18n/rulebook/{language}: {sorted(lacking)}"


@pytest.mark.parametrize(("language", "name"), IN_TRANSLATION)
def test_a_translation_has_the_same_clauses_in_the_same_order(language: str, name: str) -> None:
    english, other = clauses(text_in("en", name)), clauses(text_in(language, name))
    assert list(other) == list(english)
    headings = [re.findall("^#+", text_in(one, name), re.M) for one in ("en", language)]
    assert headings[0] == headings[1]


@pytest.mark.parametrize(("language", "name"), IN_TRANSLATION)
def test_a_clause_has_the_same_fields_and_citations_in_every_language(
    language: str, name: str
) -> None:
    translated = clauses(text_in(language, name))
    for number, text in clauses(text_in("en", name)).items():
        other = translated[number]
        assert open_places(other) == open_places(text), number
        assert set(re.findall(r"`\w+`", other)) == set(re.findall(r"`\w+`", text)), number
        assert re.findall(r"\[!?\w+:", other) == re.findall(r"\[!?\w+:", text), number
        assert set(_CITED.findall(other)) == set(_CITED.findall(text)), number
        assert ("*(" in other) == ("*(" in text), number


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "C96 Option `target` (3,000): when a side has so many points"),
        ("es", "C96 Opción `target` (3.000): cuando un bando tiene tantos puntos"),
        ("pt", "C96 Opção `target` (3.000): quando um lado tem tantos pontos"),
    ],
)
def test_a_clause_is_in_the_language_of_the_person(language: str, said: str) -> None:
    choose_language(language)
    canasta = game_named("canasta")
    assert clause(canasta, canasta.options.from_pairs([("target", 3000)]), "c96").startswith(said)


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "one three fifteen twenty-three thirty-five fifty 1,500 Seven 31st"),
        ("es", "un tres quince veintitrés treinta y cinco cincuenta 1.500 Siete 31.ª"),
        ("pt", "um três quinze vinte e três trinta e cinco cinquenta 1.500 Sete 31ª"),
    ],
)
def test_numbers_are_in_the_language_of_the_person(language: str, said: str) -> None:
    choose_language(language)
    words = [f"{Number(n):word}" for n in (1, 3, 15, 23, 35, 50, 1500)]
    assert " ".join([*words, f"{Number(7):Word}", f"{Number(31):nth}"]) == said


def test_ordinals_are_written_in_figures() -> None:
    assert [f"{Number(n):nth}" for n in (1, 2, 3, 11, 112, 213, 101, 122, 23, 34)] == (
        ["1st", "2nd", "3rd", "11th", "112th", "213th", "101st", "122nd", "23rd", "34th"]
    )


@pytest.mark.parametrize("language", LANGUAGES)
def test_numbers_below_a_hundred_are_words(language: str) -> None:
    """Each number has one word of its own, made of tens and units."""
    words = [f"{Number.in_text(n, language):word}" for n in range(100)]
    assert len({*words}) == 100
    assert not any(any(map(str.isdigit, word)) for word in words)
    outside = [f"{Number.in_text(n, language):word}" for n in (-1, 100, 101)]
    assert outside == ["-1", "100", "101"]
    choose_language("pt")
    assert [f"{Number.in_text(n, language):word}" for n in range(100)] == words
    assert f"{Number.in_text(23, 'en'):nth} {Number(23):nth}" == "23rd 23ª"


def test_an_option_gets_a_sentence_unless_the_text_has_it() -> None:
    @frozen(kw_only=True)
    class Told(Options):
        new: bool = flag(False, clause="C1", doc=Marked("It is new."))
        value: bool = flag(False, clause="C1", doc=Marked("Its value is there."))
        passage: bool = flag(False, clause="C2", doc=Marked("It has a passage."))
        without: bool = flag(False, clause="C2", doc=Marked("So has this one."))
        nowhere: bool = flag(False, clause="C9", doc=Marked("It has no clause."))

    text = "- **C1** One ({value}).\n  More.\n\n- **C2** Two. [passage: So.] [!without: Not so.]\n"
    assert rulebook_text.with_own_sentences(text, Told) == text.replace(
        "  More.", "  More.\n  [new: It is new.]"
    )

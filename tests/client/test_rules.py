"""`sobremesa rules`: the text that people read and the engine cannot differ."""

import pytest

from client.main import main
from client.rulebook.text import clause, clauses, rules
from client.rulebook.values import Number
from engine.games import GAMES, game_named
from tests.rulebook import SPEC, rendered


@pytest.mark.parametrize("name", sorted(rendered()))
def test_the_spec_is_the_text_that_the_program_shows(name: str) -> None:
    """After a change of the texts: `python -m tests.rulebook`."""
    assert (SPEC / name).read_text(encoding="utf-8") == rendered()[name]


def test_values_come_from_the_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    canasta = game_named("canasta")
    monkeypatch.setattr("engine.canasta.values.CLEAN_CANASTA", 1234)
    assert "counts 1,234" in clause(canasta, canasta.options(), "C91")


@pytest.mark.parametrize(
    ("game", "chosen", "number", "text"),
    [
        ("canasta", {"target": 3000}, "C96", "Option `target` (3,000)"),
        ("canasta", {"two_canastas": True}, "C71", "Option `two_canastas` (on)"),
        ("kanastic", {"going_out_bonus": 50}, "K109", "Going out is worth 50."),
        ("kanastic", {"barren_passes": 3}, "K94", "three rebuilt stocks"),
        ("canastra", {"idle_turns": 20}, "B55", "Option `idle_turns` (20)"),
    ],
)
def test_chosen_options_show_in_the_text(
    game: str, chosen: dict[str, int], number: str, text: str
) -> None:
    rules_of = game_named(game)
    assert text in clause(rules_of, rules_of.options(**chosen), number)


@pytest.mark.parametrize("game", GAMES)
def test_every_option_of_a_game_has_its_clause(game: str) -> None:
    rules_of = game_named(game)
    for about in rules_of.options.describe().values():
        assert clause(rules_of, rules_of.options(), about["clause"])


def test_every_clause_stands_alone() -> None:
    canasta = game_named("canasta")
    found = clauses(rules(canasta, canasta.options()))
    assert found["C26"] == "C26 A meld of three cards has at most one wild card."
    assert found["C46a"].startswith("C46a Further melds")


def test_numbers_as_words_and_figures() -> None:
    assert f"{Number(1500)} {Number(7):word} {Number(7):Word} {Number(60):word}" == (
        "1,500 seven Seven sixty"
    )
    assert f"{Number(42):word} {Number(1500):word}" == "forty-two 1,500"
    assert [f"{Number(n):nth}" for n in (1, 2, 3, 11, 12, 23, 34)] == (
        ["1st", "2nd", "3rd", "11th", "12th", "23rd", "34th"]
    )


def test_the_command_shows_rules_common_rules_and_options(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["rules", "canastra", "--option", "idle_turns=50"]) == 0
    shown = capsys.readouterr().out
    assert "# The rules of Canastra" in shown
    assert "**X10**" in shown
    assert "- `idle_turns` = 50 (default 100, 10 to 1,000)" in shown


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--clause", "C400"], "Canasta has no clause 'C400'"),
        (["--option", "target"], "name=value"),
        (["--option", "target=much"], "yes, no or a number"),
        (["--option", "nonsense=1"], "There is no option 'nonsense'"),
        (["--option", "target=1"], "from 500 to 100000"),
    ],
)
def test_bad_words_get_a_sentence(
    words: list[str], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["rules", "canasta", *words]) == 2
    assert sentence in capsys.readouterr().err

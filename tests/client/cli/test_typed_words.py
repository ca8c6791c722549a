"""Words typed on the command line: house rules, and words that are almost right."""

from argparse import ArgumentParser

import pytest

from client.cli.spelling_suggestions import (
    add_choice,
    refuse_unknown_arguments,
    refuse_unknown_command,
)
from client.cli.table_arguments import add_house_rules, options_from
from engine.canasta.options import CanastaOptions
from engine.errors import InvalidOption
from engine.games import game_named

CANASTA = game_named("canasta")


@pytest.mark.parametrize(
    ("words", "on"),
    [
        (("yes", "on", "true", "sí", "si", "sim", "YES", "Sí"), True),
        (("no", "off", "false", "não", "nao", "OFF"), False),
    ],
)
def test_yes_and_no_are_understood_in_three_languages(words: tuple[str, ...], on: bool) -> None:
    for word in words:
        options = options_from(CANASTA, [f"must_take={word}", "target=700"])
        assert options == CanastaOptions(must_take=on, target=700)
    assert options_from(CANASTA, []) == CANASTA.options()


@pytest.mark.parametrize(
    ("word", "why"),
    [
        ("target", "An option is written name=value, not 'target'."),
        ("target=", "The value of option target must be yes, no or a number, not ''."),
        ("target=a=b", "The value of option target must be yes, no or a number, not 'a=b'."),
    ],
)
def test_a_bad_house_rule_is_quoted(word: str, why: str) -> None:
    with pytest.raises(InvalidOption) as caught:
        options_from(CANASTA, [word])
    assert str(caught.value) == why


def test_house_rules_may_be_typed_several_times() -> None:
    parser = ArgumentParser()
    add_house_rules(parser)
    assert parser.parse_args([]).option == []
    assert parser.parse_args(["--option", "a=1", "--option", "b=2"]).option == ["a=1", "b=2"]


def error_of(call: object, capsys: pytest.CaptureFixture[str]) -> str:
    """Return the last line of the error with which the call ends; "" if it returns."""
    assert callable(call)
    try:
        call()
    except SystemExit:
        return capsys.readouterr().err.splitlines()[-1]
    return ""


@pytest.mark.parametrize(
    ("word", "said"),
    [
        ("easy", ""),
        ("esy", "argument --level: there is no “esy”. Did you mean “easy”?"),
        ("bridge", "argument --level: invalid choice: 'bridge'"),
    ],
)
def test_a_choice_that_is_almost_right_is_suggested(
    word: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    parser = ArgumentParser(prog="play")
    add_choice(parser, "--level", ("easy", "middle"), usual="middle")
    assert parser.parse_args([]).level == "middle"
    told = error_of(lambda: parser.parse_args(["--level", word]), capsys)
    assert told.startswith(said and f"play: error: {said}")
    assert bool(told) is bool(said)


@pytest.mark.parametrize(
    ("word", "said"),
    [
        ("paly", "there is no “paly”. Did you mean “play”?"),
        ("cansta", "there is no “cansta”. Did you mean “solo --game canasta”?"),
        ("xyz", ""),
    ],
)
def test_a_command_that_is_almost_right_is_suggested(
    word: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    parser = ArgumentParser(prog="sobremesa")
    told = error_of(lambda: refuse_unknown_command(parser, word, ("play", "solo")), capsys)
    assert told == (said and f"sobremesa: error: {said}")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ([], ""),
        (["--seats"], "there is no “--seats”. Did you mean “--players”?"),
        (["--seats=3"], "there is no “--seats”. Did you mean “--players”?"),
        (["--difficulty"], "unrecognized arguments: --difficulty"),  # no such flag here
        (["x", "--plyers"], "there is no “--plyers”. Did you mean “--players”?"),
        (["plyers", "7"], "unrecognized arguments: plyers 7"),
    ],
)
def test_a_flag_that_is_almost_right_is_suggested(
    words: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    parser = ArgumentParser(prog="play")
    parser.add_argument("--players")
    told = error_of(lambda: refuse_unknown_arguments(parser, words), capsys)
    assert told == (said and f"play: error: {said}")

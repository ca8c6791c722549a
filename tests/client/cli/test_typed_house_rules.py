"""House rules that are typed on the command line."""

from argparse import ArgumentParser

import pytest

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

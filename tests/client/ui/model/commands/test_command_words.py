"""Commands as typed lines: in each language, their words and keys are distinct."""

from collections.abc import Callable, Mapping
from contextlib import suppress

import pytest

from client.i18n.language import LANGUAGES, _, choose_language, own_letter
from client.ui.linear.lobby import lobby_words
from client.ui.model import command_words
from client.ui.model.command_words import PARTICLES, command_word, own_key, particle, spoken
from client.ui.model.commands import lobby_commands
from client.ui.model.commands.find_commands import run_line, short_forms
from client.ui.model.commands.lobby_commands import LOBBY_COMMANDS
from client.ui.model.commands.table_commands import COMMANDS
from client.ui.model.commands.typed_moves import CommandError, legal_lines
from tests.client.plain_seat import snapshot_at
from tests.client.ui.model.controls_at import controls_at, sending
from tests.client.ui.tui.situations import alone, waiting
from tests.engine.positions import table_of


def test_legal_lines_offer_the_possible_wishes() -> None:
    controls = controls_at(waiting(alone(1, 130, 0)))
    assert legal_lines(controls) == ("agree opponent", "agree end", "agree wait")


@pytest.mark.parametrize("forms", [short_forms, lobby_words])
@pytest.mark.parametrize("language", list(LANGUAGES))
def test_translated_command_words_are_unambiguous(
    language: str, forms: Callable[[], Mapping[str, str]]
) -> None:
    choose_language(language)
    known = forms()
    for word in known:
        own = _(word)
        assert " " not in own or forms is lobby_words, "only commands of a lobby may have two words"
        for form in (word, own, own.upper()):
            assert command_word(form, known) == word, form
    for word in PARTICLES:
        assert particle(word) == particle(spoken(f"x {word}").split()[1]) == word


@pytest.mark.parametrize("language", list(LANGUAGES))
def test_translated_command_keys_are_distinct(language: str) -> None:
    choose_language(language)
    keys = {key for command in COMMANDS for key in command.keys}
    own = {own_key(key) for key in keys}
    assert len(own) == len(keys)
    assert {key for key in own if len(key) == 1 and key.isalpha()} >= {"c", "p", "n"}
    assert "U" not in own, "U is taken: it takes back all laid-out cards"
    assert own_key("q") == "q", "q must stay q: it also closes pages"
    assert len({command.own_key for command in LOBBY_COMMANDS}) == len(LOBBY_COMMANDS)


def test_translated_key_letters_are_distinct_at_a_table_and_in_a_lobby() -> None:
    for letters, keys in (
        (command_words._LETTERS, {key for command in COMMANDS for key in command.keys}),
        (lobby_commands._LETTERS, {command.key for command in LOBBY_COMMANDS}),
    ):
        assert sorted(letters) == sorted(key for key in keys if len(key) == 1 and key.islower())
        for language in LANGUAGES:
            choose_language(language)
            own = [own_letter(letter, letters) for letter in letters]
            assert "".join(own) == _(letters)
            assert len(set(own)) == len(letters)
            assert own_letter("?", letters) == "?"


def test_only_commands_that_are_never_offered_together_share_a_key() -> None:
    """`cut` comes before the deal, `send` after it; `no` during the match, `seats` after it."""
    having: dict[str, list[str]] = {}
    for command in COMMANDS:
        for key in command.keys:
            having.setdefault(key, []).append(command.word)
    assert {key: words for key, words in having.items() if len(words) > 1} == {
        "Enter": ["cut", "send"],
        "n": ["no", "seats"],
    }


def test_overlong_lines_are_refused_harmlessly() -> None:
    table = table_of("canasta", hands=["7h 7d"])
    controls, sent = sending(snapshot_at("canasta", table))
    for line in ("discard " + 100_000 * "7h ", "cut " + 5000 * "9", "x" * 10**6):
        with suppress(CommandError):
            run_line(controls, line)
    assert sent == []

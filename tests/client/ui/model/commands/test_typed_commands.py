"""Commands as lines: what is offered is what is done."""

import random
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial

import pytest
from attrs import evolve

from client.bots.eager import choose
from client.i18n.language import LANGUAGES, _, choose_language, own_letter
from client.session.display.snapshot import Snapshot
from client.ui.linear.lobby import lobby_words
from client.ui.model import command_words, lobby_view
from client.ui.model.command_words import (
    PARTICLES,
    command_word,
    line_of,
    own_key,
    particle,
    shown,
    spoken,
)
from client.ui.model.commands.command_lines import run_line, short_forms
from client.ui.model.commands.table_commands import COMMANDS
from client.ui.model.commands.typed_moves import CommandError, legal_lines
from client.ui.model.controls import Controls
from client.ui.model.lobby_view import LOBBY_COMMANDS
from engine.kanastic.position import KanasticPosition
from engine.moves import Cut, Discard, DrawStock, Move, TakePile, TakeTop, shown_by
from engine.slots import cards_of
from engine.turn import Step
from tests.client.plain_seat import PlainSeat, snapshot_at
from tests.client.ui.tui.situations import alone, kanastic_meld, waiting
from tests.engine.positions import codes_of, table_of

GAMES = (("canasta", 4), ("kanastic", 4), ("canastra", 2))
_MOST_MOVES = 25  # of one position


def controls_of(snapshot: Snapshot) -> tuple[Controls, list[Move]]:
    sent: list[Move] = []
    controls = Controls(lambda *moves: sent.extend(moves))
    controls.show(snapshot)
    return controls, sent


def done_by(snapshot: Snapshot, line: str) -> Move:
    """Return the move that a typed line comes to, with all warnings waved aside."""
    controls, sent = controls_of(snapshot)
    if sent:  # a duty
        return sent[0]
    run_line(controls, line)
    if controls.hand is not None and controls.hand.staging.move and not sent:
        run_line(controls, "send")
    if not sent:
        run_line(controls, "send" if controls.hand and controls.hand.staging.move else line)
    assert sent, (line, controls.notice)
    return sent[0]


def faces(move: Move) -> tuple[object, ...]:
    """Return a move up to cards of equal face, and to the order of cards within a meld."""
    plays = getattr(move, "plays", None)
    if plays is None:
        return (type(move), codes_of(shown_by(move)), getattr(move, "yes", None))
    groups = [
        (" ".join(sorted(codes_of(play.cards).split())), play.onto, play.low) for play in plays
    ]
    return (type(move), *groups)


@pytest.mark.parametrize(("game", "players"), GAMES)
async def test_the_line_of_each_legal_move_makes_that_move(game: str, players: int) -> None:
    rng = random.Random(game)
    seat = PlainSeat.sit(game, players, partial(choose, rng=rng), seed=8, rounds=1)
    seat.run()
    checked = 0
    while seat.chooses and checked < 400:
        view = seat.view
        assert view is not None
        assert view.to_move is not None
        moves = view.legal_moves(view.to_move)
        snapshot = Snapshot(seat.state, view, seat.me, chooses=True)
        for move in rng.sample(moves, min(_MOST_MOVES, len(moves))):
            line = shown(line_of(view, move)) if checked % 2 else line_of(view, move)
            if isinstance(move, Cut):
                assert done_by(snapshot, line) == move
            else:
                assert faces(done_by(snapshot, line)) == faces(move), line
            checked += 1
        await seat.play(choose(view, rng))
    assert checked >= 100


@pytest.mark.parametrize(
    "line", ["top 6g 7g ^8g + Ah Ad As", "top Ah Ad As + 7g ^8g 6g", "top 7g 6g + Ah Ad As"]
)
def test_the_top_of_the_pile_stands_anywhere_in_the_line(line: str) -> None:
    hand = "6g 7g Ah Ad As 4h 5h"
    table = table_of("kanastic", hands=[hand], pile="9h 8g", step=Step.DRAW)
    position = table.position
    assert isinstance(position, KanasticPosition)
    discards = cards_of(position.pile)
    table = evolve(table, position=evolve(position, discards=discards))
    move = done_by(snapshot_at("kanastic", table), line)
    assert isinstance(move, TakeTop)
    assert {frozenset(codes_of(play.cards).split()) for play in move.plays} == {
        frozenset(("6g", "7g", "8g")),
        frozenset(("Ah", "Ad", "As")),
    }


@pytest.mark.parametrize(("word", "kind"), [("take", TakePile), ("top", TakeTop)])
def test_where_the_old_pile_may_be_left_the_word_decides(word: str, kind: type[Move]) -> None:
    table = table_of(
        "kanastic",
        hands=["Ah Ad 4h 5h 6h"],
        pile="9h 8d Ac",
        melds=[["7h 7d 7s"]],
        step=Step.DRAW,
        options={"leave_pile": True},
        meld_of=kanastic_meld,
    )
    position = table.position
    assert isinstance(position, KanasticPosition)
    table = evolve(table, position=position.changed(discards=cards_of(position.pile)))
    assert isinstance(done_by(snapshot_at("kanastic", table), f"{word} Ah Ad"), kind)


def test_only_what_is_legal_is_offered() -> None:
    table = table_of("canasta", hands=["7h 7d 7s Kc"], pile="9c", step=Step.DRAW)
    controls, _ = controls_of(snapshot_at("canasta", table))
    assert legal_lines(controls) == ("draw",)


def test_with_melds_laid_out_they_can_be_sent_or_taken_back() -> None:
    table = table_of("canasta", hands=["Ah Ad As 7c 7d 9h 9d"])
    controls, _ = controls_of(snapshot_at("canasta", table))
    run_line(controls, "meld 7c 7d 9h")
    assert controls.notice is not None
    run_line(controls, "meld Ah Ad As")
    assert set(legal_lines(controls)) == {
        *("send", "undo", "discard 7c", "discard 7d", "discard 9h", "discard 9d")
    }


def test_an_opening_that_is_too_small_can_only_be_taken_back() -> None:
    table = table_of("canasta", hands=["5h 5d 5s 7c 7d 9h 9d"])
    controls, _ = controls_of(snapshot_at("canasta", table))
    run_line(controls, "meld 5 5 5")
    assert legal_lines(controls) == ("undo",)


def test_what_can_be_agreed_on_is_offered() -> None:
    controls, _ = controls_of(waiting(alone(1, 130, 0)))
    assert legal_lines(controls) == ("agree opponent", "agree end", "agree wait")


def test_nothing_is_offered_on_anothers_turn() -> None:
    table = table_of("canasta", hands=["7h", "9c"], seat=1, step=Step.DRAW)
    controls, _ = controls_of(snapshot_at("canasta", table))
    assert legal_lines(controls) == ()


@pytest.mark.parametrize(
    ("line", "codes"),
    [
        ("meld 7d 7 7", "7d 7s 7h"),
        ("meld 7H,7D,7S", "7h 7d 7s"),
        ("meld 10h Th 10", "Th Th Td"),
        ("meld Th:2 Td:1 Th:1", "Th Td Th"),
        ("meld JOKER 7 7", "Jo 7s 7h"),
        ("m 7 7 7", "7s 7h 7d"),
    ],
)
def test_cards_are_named_by_rank_and_suit_or_by_rank(line: str, codes: str) -> None:
    table = table_of("canasta", hands=["7h 7d 7s Th Th Td Jo"])
    controls, _ = controls_of(snapshot_at("canasta", table))
    run_line(controls, line)
    assert controls.hand is not None
    (play,) = controls.hand.staging.plays
    assert codes_of(play.cards) == codes


@pytest.mark.parametrize("cards", ["7h 7h", "7 7 7", "Kc", "\x1b[31m", "7hh", "7h:2"])
def test_a_card_that_is_not_in_the_hand_is_named(cards: str) -> None:
    table = table_of("canasta", hands=["7h 7d Th Jo 2s"])
    controls, _ = controls_of(snapshot_at("canasta", table))
    with pytest.raises(CommandError, match="in your hand"):
        run_line(controls, f"meld {cards}")


@pytest.mark.parametrize(("language", "line"), [("en", "meld 5c"), ("es", "bajar 5t")])
def test_a_card_that_is_missing_is_named_as_the_screen_shows_it(language: str, line: str) -> None:
    choose_language(language)
    controls, _ = controls_of(snapshot_at("canasta", table_of("canasta", hands=["7h 7d"])))
    with pytest.raises(CommandError, match="5♣"):
        run_line(controls, line)


@pytest.mark.parametrize(
    "line", ["take ^Kd Kc", "take Kc", "take K", "t", "take ^Kd to 1", "take K to 1"]
)
def test_the_top_of_the_pile_may_be_left_out(line: str) -> None:
    melds = [["Kh Ks Kd"]]
    table = table_of("canasta", hands=["Kc 7h 7d 5c"], pile="4c Kd", melds=melds, step=Step.DRAW)
    controls, _ = controls_of(snapshot_at("canasta", table))
    run_line(controls, line)
    assert controls.hand is not None
    staging = controls.hand.staging
    assert staging.refusal is None
    assert codes_of(shown_by(staging.move) if staging.move else ()) in ("Kd Kc", "Kd")


def test_the_low_end_of_a_golden_suit_is_named() -> None:
    suit = kanastic_meld(table_of("kanastic", hands=["8g 9g Tg"]).hand("8g 9g Tg"))
    table = table_of(
        "kanastic", hands=["Ar 5h 5c"], melds=[["8g 9g Tg"]], meld_of=lambda _cards: suit
    )
    ends = []
    for line in ("meld Ar to 1", "meld Ar to 1 low"):
        controls, _ = controls_of(snapshot_at("kanastic", table))
        run_line(controls, line)
        assert controls.hand is not None
        ends.append(codes_of(controls.hand.staging.melds[0].cards))
    assert ends == ["8g 9g Tg Ar", "Ar 8g 9g Tg"]


def test_melds_are_prepared_while_others_move() -> None:
    table = table_of("canasta", hands=["7h 7d 7s", "9c"], seat=1, step=Step.DRAW)
    controls, sent = controls_of(snapshot_at("canasta", table))
    run_line(controls, "meld 7 7 7")
    assert controls.hand is not None
    assert len(controls.hand.staging.plays) == 1
    run_line(controls, "send")
    assert sent == []


@pytest.mark.parametrize("forms", [short_forms, lobby_words])
@pytest.mark.parametrize("language", list(LANGUAGES))
def test_every_word_means_one_thing_in_every_language(
    language: str, forms: Callable[[], Mapping[str, str]]
) -> None:
    choose_language(language)
    known = forms()
    try:
        for word in known:
            own = _(word)
            assert " " not in own or forms is lobby_words, "a line of a lobby is one word"
            for form in (word, own, own.upper()):
                assert command_word(form, known) == word, form
        for word in PARTICLES:
            assert particle(word) == particle(spoken(f"x {word}").split()[1]) == word
    finally:
        choose_language("en")


@pytest.mark.parametrize("language", list(LANGUAGES))
def test_keys_of_commands_are_different_in_every_language(language: str) -> None:
    choose_language(language)
    keys = {key for command in COMMANDS for key in command.keys}
    own = {own_key(key) for key in keys}
    assert len(own) == len(keys)
    assert {key for key in own if len(key) == 1 and key.isalpha()} >= {"c", "p", "n"}
    assert "U" not in own, "it takes back all that is laid out"
    assert own_key("q") == "q", "it closes pages, too"
    assert len({command.own_key for command in LOBBY_COMMANDS}) == len(LOBBY_COMMANDS)


def test_each_letter_of_the_two_tables_has_one_in_each_language() -> None:
    for letters, keys in (
        (command_words._LETTERS, {key for command in COMMANDS for key in command.keys}),
        (lobby_view._LETTERS, {command.key for command in LOBBY_COMMANDS}),
    ):
        assert sorted(letters) == sorted(key for key in keys if len(key) == 1 and key.islower())
        for language in LANGUAGES:
            choose_language(language)
            own = [own_letter(letter, letters) for letter in letters]
            assert "".join(own) == _(letters)
            assert len(set(own)) == len(letters)
            assert own_letter("?", letters) == "?"


def test_only_commands_that_are_never_offered_together_share_a_key() -> None:
    """During the match and after it, or before and after the cards are dealt."""
    having: dict[str, list[str]] = {}
    for command in COMMANDS:
        for key in command.keys:
            having.setdefault(key, []).append(command.word)
    assert {key: words for key, words in having.items() if len(words) > 1} == {
        "Enter": ["cut", "send"],
        "n": ["no", "seats"],
    }


@pytest.mark.parametrize(
    ("language", "lines"), [("es", ("r", "d 9c")), ("pt", ("c", "d 9c")), ("en", ("d", "x 9h"))]
)
def test_short_forms_are_those_of_the_language(language: str, lines: tuple[str, str]) -> None:
    choose_language(language)
    table = table_of("canasta", hands=["7h 9h"], step=Step.DRAW)
    controls, sent = controls_of(snapshot_at("canasta", table))
    run_line(controls, lines[0])
    assert [type(move) for move in sent] == [DrawStock]
    table = table_of("canasta", hands=["7h 9h 9h"], step=Step.PLAY)
    controls, sent = controls_of(snapshot_at("canasta", table))
    run_line(controls, lines[1])
    assert [type(move) for move in sent] == [Discard]


@pytest.mark.parametrize(
    ("language", "lines"),
    [
        ("es", ("bajar 7c 7d 7p + Kt en 1", "BAJAR 7 7 7 + k EN 1", "meld 7 7 7 + K to 1")),
        ("pt", ("baixar 7c 7o 7e + Kp em 1", "baixar 7 7 7 + k em 1", "meld 7 7 7 + K to 1")),
    ],
)
def test_lines_are_typed_in_the_language_of_the_person(
    language: str, lines: tuple[str, ...]
) -> None:
    choose_language(language)
    try:
        table = table_of("canasta", hands=["7h 7d 7s Kc 4d 4s"], melds=[["Kh Ks Kd"]])
        assert (
            spoken(line_of(table.position, table.lay("7h 7d 7s", table.play("Kc", 0))))
            == (lines[0])
        )
        for line in lines:
            controls, _ = controls_of(snapshot_at("canasta", table))
            run_line(controls, line)
            assert controls.hand is not None
            assert [play.onto for play in controls.hand.staging.plays] == [None, 0]
        with pytest.raises(CommandError, match=r"(bajar 7c 7d 7p|baixar 7c 7o 7e)"):
            run_line(controls, "meld")
    finally:
        choose_language("en")


@pytest.mark.parametrize("line", ["discard To", "discard to", "descartar 10o"])
def test_a_ten_of_diamonds_is_no_particle_in_portuguese(line: str) -> None:
    choose_language("pt")
    table = table_of("canasta", hands=["Td 7d 7s Kc"])
    assert shown_by(done_by(snapshot_at("canasta", table), line))[0].card.code == "Td"


@pytest.mark.parametrize("language", list(LANGUAGES))
def test_a_card_is_typed_as_the_screen_shows_it(language: str) -> None:
    """Letters of the language never stand between: a club is no heart in Spanish."""
    choose_language(language)
    table = table_of("canasta", hands=["Kc Kh Kd Ks"])
    for typed, code in (("K♣", "Kc"), ("K♥", "Kh"), ("K♦", "Kd"), ("k♠", "Ks")):
        done = done_by(snapshot_at("canasta", table), f"discard {typed}")
        assert shown_by(done)[0].card.code == code
    table = table_of("kanastic", hands=["Kg Ks Kh"])
    for typed in ("K♠★", "K★"):
        done = done_by(snapshot_at("kanastic", table), f"discard {typed}")
        assert shown_by(done)[0].card.code == "Kg"


@pytest.mark.parametrize(
    "line",
    [
        "",
        "   ",
        "fly",
        "add 7h",
        "add 7h to x",
        "add 7h to 1 2",
        "add 7h to 0",
        "meld 7h to",
        "meld + 7h",
        "meld ^7h",
        "draw 7h",
        "agree x",
        "cut x",
        "cut -1",
        "sort me",
        "discard",
    ],
)
def test_what_is_no_command_is_said_in_a_sentence(line: str) -> None:
    table = table_of("canasta", hands=["7h 7d"])
    controls, sent = controls_of(snapshot_at("canasta", table))
    with pytest.raises(CommandError) as caught:
        run_line(controls, line)
    assert str(caught.value).endswith(".")
    assert sent == []


def test_commands_may_be_abbreviated_while_it_is_clear_which() -> None:
    table = table_of("canasta", hands=["7h 7d"], step=Step.DRAW)
    controls, sent = controls_of(snapshot_at("canasta", table))
    run_line(controls, "dr")
    assert len(sent) == 1


def test_a_line_of_any_length_is_harmless() -> None:
    table = table_of("canasta", hands=["7h 7d"])
    controls, sent = controls_of(snapshot_at("canasta", table))
    for line in ("discard " + 100_000 * "7h ", "cut " + 5000 * "9", "x" * 10**6):
        with suppress(CommandError):
            run_line(controls, line)
    assert sent == []

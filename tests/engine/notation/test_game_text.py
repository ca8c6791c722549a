"""Whole games written as text and read back."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.cards import Card
from engine.errors import IllegalMove, NotationError
from engine.games import GAMES
from engine.moves import Cut, DrawStock, Move, shown_by
from engine.notation.game_text import (
    GameText,
    RoundText,
    check_game,
    format_game,
    parse_game,
    round_text,
)
from engine.orders import Deal
from engine.position import Position
from engine.slots import Seat, Slot
from tests.engine.simulation import states

TABLES = [(name, players) for name, game in GAMES.items() for players in game.players]


def played(name: str, players: int) -> tuple[Position, list[Move], dict[Slot, Card], Position]:
    """Return the first round of a match: start, moves, cards that became public, and end."""
    game = GAMES[name]
    moves: list[Move] = []
    for match, move, dealer in states(game, game.options(), players, seed=3):
        assert match.round is not None
        if move is not None:
            moves.append(move)
            continue
        start = game.position.start(match.options, players, match.dealer, (0,) * match.round.sides)
        # Every card that was ever in a hand becomes public; cards left in the stock do not.
        stock = set(match.round.stock)
        faces = {slot: s.card for slot, s in dealer.cards.items() if slot not in stock}
        return start, moves, faces, match.round
    raise AssertionError("a match has a round that ends")


def game_of(*rounds: RoundText) -> GameText:
    return GameText((("game", "Canasta"), ("player", "seat 1: Ana #1  of us")), rounds)


@pytest.mark.parametrize(("name", "players"), TABLES)
def test_a_written_round_replays_to_its_score(name: str, players: int) -> None:
    start, moves, faces, end = played(name, players)
    text = format_game(game_of(round_text("Round 1", start, moves, faces)))
    assert list(check_game(text)) == []
    assert end.sheet is not None
    assert f"expect score {' '.join(map(str, end.sheet.totals))}\n" in text
    assert text.count("\nplay ") == len(moves)
    assert format_game(parse_game(text)) == text


def test_cards_that_never_became_public_stay_hidden() -> None:
    start, moves, faces, _ = played("canasta", 4)
    assert isinstance(moves[0], Cut)
    text = format_game(game_of(round_text("Round 1", start, moves, {})))
    assert text.endswith(f"play 3 cut {moves[0].number}\n")
    begun = round_text("Round 1", start, moves[:7], faces)
    assert begun.lines[-1].startswith(("play", "deal"))
    assert list(check_game(format_game(game_of(begun)))) == []


def test_x24_the_text_of_a_round_names_closed_hands() -> None:
    start, moves, faces, end = played("canasta", 3)
    closed = [Seat(seat) for seat in range(3) if end.hands[seat]]
    assert len(closed) == 2
    laid = {shown.slot for move in moves for shown in shown_by(move)}
    hidden = {slot for seat in closed for slot in end.hands[seat]} - laid
    public = {slot: card for slot, card in faces.items() if slot not in hidden}
    text = round_text("Round 1", start, moves, public, closed)
    numbers = " ".join(str(seat + 1) for seat in closed)
    assert f"count closed {numbers}" in text.lines
    assert list(check_game(format_game(game_of(text)))) == []
    unopened = round_text("Round 1", start, moves, public)
    assert unopened.lines[-1].startswith("play")  # the round is not over
    one = {slot: card for slot, card in faces.items() if slot != min(hidden)}
    assert round_text("Round 1", start, moves, one).lines[-1].startswith("play")


def test_hidden_cards_of_the_deal_are_question_marks() -> None:
    start, moves, faces, _ = played("canasta", 4)
    order = start.deliver().apply(moves[0]).orders[0]
    assert isinstance(order, Deal)
    up = {slot: card for slot, card in faces.items() if slot in order.turned_up}
    text = round_text("Round 1", start, moves[:1], up)
    deal = next(line for line in text.lines if line.startswith("deal "))
    assert deal.count("?") == 44
    assert list(check_game(format_game(game_of(text)))) == []


def test_an_illegal_move_is_not_written() -> None:
    start, moves, faces, _ = played("canasta", 4)
    with pytest.raises(IllegalMove):
        round_text("Round 1", start, [*moves[:1], DrawStock()], faces)


def test_a_changed_game_text_is_noticed() -> None:
    start, moves, faces, end = played("canasta", 2)
    text = format_game(game_of(round_text("Round 1", start, moves, faces)))
    assert end.sheet is not None
    score = f"expect score {end.sheet.totals[0]}"
    (ruling,) = check_game(text.replace(score, f"expect score {end.sheet.totals[0] + 5}"))
    assert ruling.text == "count"
    other = text.replace("play 1 discard", "play 2 discard", 1)
    assert next(check_game(other)).clause == "X10"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("note\ncanasta 2\ntry draw\x1b\n", "Line 3: there is a character"),  # before other faults
        ("note game canasta \x1b\ncanasta 2\ntry draw", "Line 1: there is a character that cannot"),
        ("canasta 2\ntry draw\nfly\ncase b\ncanasta 2\ntry draw", "Line 3: A line after moves"),
        ("note\ncanasta 2\ntry draw", "A note has a name"),
    ],
)
def test_a_game_with_a_bad_line_is_refused(text: str, told: str) -> None:
    with pytest.raises(NotationError, match=told):
        parse_game(text)


def test_notes_keep_blanks_and_the_names_of_players() -> None:
    game = game_of(RoundText("Round 1", ("canasta 2", "try draw")))
    text = format_game(game)
    assert "note player seat 1: Ana #1  of us\n" in text
    assert parse_game(text) == game
    notes = parse_game("note table  Ana  and  Bo \ncanasta 2\ntry draw\n").notes
    assert notes == (("table", "Ana  and  Bo"),)


words = st.from_regex(r"[a-z]{1,9}", fullmatch=True)
names = st.from_regex(r"[A-Za-z0-9#:!]{1,9}( [A-Za-z0-9#:!]{1,9}){0,3}", fullmatch=True)


@given(
    st.lists(st.tuples(words, names)),
    st.lists(st.from_regex(r"[A-Z][a-z]{1,8}", fullmatch=True), min_size=1, max_size=4),
)
@settings(max_examples=30)
def test_writing_and_reading_are_inverse(notes: list[tuple[str, str]], rounds: list[str]) -> None:
    lines = ("canasta 2", "shuffled", "play 1 cut 40")
    game = GameText(tuple(notes), tuple(RoundText(name, lines) for name in rounds))
    assert parse_game(format_game(game)) == game

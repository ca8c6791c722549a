"""Positions written as text and read back; `transcripts/positions.txt` has all kinds of lines."""

from collections.abc import Iterator

import pytest
from attrs import evolve
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.canasta.position import CanastaPosition
from engine.errors import NotationError
from engine.games import GAMES
from engine.moves import Cut
from engine.notation.position_reader import LONGEST_LINE, parse_position
from engine.notation.position_writer import format_position
from engine.orders import Deal
from engine.position import Position
from engine.slots import Seat
from engine.turn import Step
from tests.engine.positions import table_of
from tests.engine.simulation import states

TABLES = [(name, players) for name, game in GAMES.items() for players in game.players]


def positions(name: str, players: int) -> Iterator[Position]:
    """Return all positions of a round as the seat to move sees them, and the last position."""
    game = GAMES[name]
    for match, _, dealer in states(game, game.options(), players, seed=5):
        position = match.round
        if position is not None and not position.orders:
            seat = position.to_move
            yield position if seat is None else dealer.view(position, seat)
            if position.sheet is not None:
                return


@pytest.mark.parametrize(("name", "players"), TABLES)
def test_positions_of_real_rounds_survive_writing_and_reading(name: str, players: int) -> None:
    steps = set()
    *many, last = positions(name, players)
    for position in (*many[::4], last):
        steps.add(position.turn.step)
        text = format_position(position)
        again = parse_position(text)
        assert format_position(again) == text
        if position.turn.step is not Step.CUT:  # before the cut, the text has only `shuffled`
            # All cards lie in known places, so no `?` follows the number.
            assert text.endswith(f"\nstock {len(position.stock)}\n")
        assert (again.turn.step, again.to_move) == (position.turn.step, position.to_move)
        assert (len(again.hands), len(again.laid)) == (players, position.sides)
        for seat in map(Seat, range(players)):
            assert len(again.legal_moves(seat)) == len(position.legal_moves(seat))
        assert (again.sheet is None) == (position.sheet is None)
        if position.sheet is not None and again.sheet is not None:
            assert again.sheet.totals == position.sheet.totals
    assert {Step.DRAW, Step.PLAY, Step.OVER} <= steps


def test_drawn_cards_are_written_last() -> None:
    table = table_of("canasta", hands=["7h Ks 4c"])
    slots = table.position.hands[0]
    drawn = evolve(table.position, turn=evolve(table.position.turn, drawn=slots[:1]))
    assert "hand 1 Ks 4c 7h\n" in format_position(drawn)


@pytest.mark.parametrize(("more", "denied"), [("", True), ("asks 2 0 0 0", False)])
def test_a_no_counts_as_the_first_answer_unless_more_questions_are_written(
    more: str, denied: bool
) -> None:
    position = parse_position(f"canasta 4\nturn 1 play no\nhand 1 4c 5c 6c\n{more}")
    assert isinstance(position, CanastaPosition)
    assert position.going_out.denied is denied


def test_a_position_is_not_written_while_cards_are_dealt() -> None:
    table = table_of("canasta", step=Step.DRAW, hands=["Ks"])
    drawing = table.position.apply(table.moves[0])
    cut = parse_position("canasta 2\nshuffled").apply(Cut(3))
    dealing = evolve(table.position.turning(step=Step.DEAL), orders=(Deal(()),))
    for position in (drawing, cut, dealing):
        with pytest.raises(ValueError, match="orders are fulfilled"):
            format_position(position)


def test_totals_cannot_be_none() -> None:
    with pytest.raises(NotationError, match="2 numbers"):
        parse_position("canasta 2\ntotals none\nturn 1 over\n")


def test_reading_a_finished_round_counts_it() -> None:
    position = parse_position("canasta 2\nturn 1 over\nhand 1 Ks\nhand 2 Jo 3c\n")
    assert position.sheet is not None
    assert position.sheet.totals == (-10, -55)


def test_hands_that_cost_by_their_size_may_stay_hidden() -> None:
    position = parse_position("canastra 2\nturn 1 over\nhand 1 3\nhand 2 Ks\n")
    assert position.sheet is not None


def test_hidden_held_cards_follow_the_order_of_the_hand() -> None:
    position = parse_position("canasta 4\nhand 1 ? Ks ?\nquestions 1 ? ? of 3 0")
    assert isinstance(position, CanastaPosition)
    (asked,) = position.questions
    assert (asked.held, asked.laid) == ((position.hands[0][0], position.hands[0][2]), (3, 0))


WORDS = """
canasta kanastic canastra 2 3 4 option target penalties yes no totals dealer turn play draw show
open answer over drew took fresh out closer hand meld bonus pile stock ? Ks Ks! 7h 7d 7s 4g 5g 6g
Sw Ar Po Jo 3h 2c 10d Ks:2 0 1 11 -5 99999999 debts asks vain waiting rebuilds discards deadtaken
idle deads barred shuffled # ٣ --1
"""


@settings(max_examples=200)
@given(
    st.sampled_from(["canasta 4", "kanastic 3", "canastra 2"]),
    st.lists(
        st.lists(st.sampled_from(WORDS.split()) | st.text(max_size=6), max_size=8), max_size=8
    ),
)
def test_garbage_positions_are_read_or_refused(start: str, lines: list[list[str]]) -> None:
    try:
        position = parse_position("\n".join([start, *map(" ".join, lines)]))
    except NotationError:
        return
    if not position.orders:
        text = format_position(position)
        assert format_position(parse_position(text)) == text
        position.legal_moves(Seat(0))


@pytest.mark.parametrize(
    "text",
    [
        "{}",
        "canasta 4\n{}",
        "canasta 4\nhand 1 {}",
        "canasta 4\nturn 1 play {}",
        "canasta 4\noption {} yes",
    ],
)
def test_messages_shorten_long_words(text: str) -> None:
    most = 40 if "option" in text else 20
    with pytest.raises(NotationError, match=f"'{most * 'x'}'"):
        parse_position(text.format(50 * "x"))


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("", "begins with a game"),
        ("poker" + 3000 * "x", "Line 1: A line has at most"),
        ("canasta 4\nhand 1 " + 400 * "99 ", "Line 2: Together these are"),
        ("canasta 4\n# " + (LONGEST_LINE - 1) * "x", "Line 2: A line has at most"),
    ],
)
def test_empty_and_oversized_positions_are_refused_in_a_sentence(text: str, error: str) -> None:
    """`transcripts/bad_positions.txt` has the mistakes that somebody might type."""
    assert parse_position("canasta 4\n# " + (LONGEST_LINE - 2) * "x")
    with pytest.raises(NotationError, match=error) as raised:
        parse_position(text)
    assert len(str(raised.value)) < 300

"""Positions written as text and read back."""

from collections.abc import Iterator
from functools import cache

import pytest
from attrs import evolve
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.canasta.position import CanastaPosition
from engine.canastra.position import CanastraPosition
from engine.errors import NotationError
from engine.games import GAMES
from engine.kanastic.pile import is_blocked
from engine.kanastic.position import KanasticPosition
from engine.melds import Laid
from engine.moves import Answer, Ask, Cut
from engine.notation.position_reader import LONGEST_LINE, parse_position
from engine.notation.position_writer import format_position
from engine.orders import Deal
from engine.own_lines import SOME_CARD
from engine.position import Position
from engine.slots import Seat, cards_of
from engine.turn import Step
from tests.engine.positions import codes_of, table_of
from tests.engine.simulation import states

TABLES = [(name, players) for name, game in GAMES.items() for players in game.players]


@cache
def positions(name: str, players: int) -> tuple[Position, ...]:
    """Return all positions of a round as the seat to move sees them, and the last position."""
    return tuple(_of_a_round(name, players))


def _of_a_round(name: str, players: int) -> Iterator[Position]:
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
        assert again.turn.step is position.turn.step
        assert again.to_move == position.to_move
        assert (again.sheet is None) == (position.sheet is None)
        if position.sheet is not None and again.sheet is not None:
            assert again.sheet.totals == position.sheet.totals
    assert {Step.DRAW, Step.PLAY, Step.OVER} <= steps


@settings(max_examples=60)
@given(st.data())
def test_a_position_that_was_read_back_has_the_same_legal_moves(data: st.DataObject) -> None:
    name, players = data.draw(st.sampled_from(TABLES))
    position = data.draw(st.sampled_from(positions(name, players)))
    again = parse_position(format_position(position))
    for seat in range(position.seats):
        assert len(again.legal_moves(Seat(seat))) == len(position.legal_moves(Seat(seat)))


def test_every_fact_about_a_turn_is_written() -> None:
    table = table_of(
        "canasta",
        hands=["Ks Kh 4d 4c 6s", "9d 9h"],
        pile="5c 2h Jd",
        melds=[["7h 7d 7s 2c"], ["8h 8d 8s"]],
        bonus=["3h", "3d"],
        totals=[1520, -40],
        seat=2,
        turn={"fresh": True, "asked": True, "answer": False, "took": True},
        options={"penalties": True, "target": 3000},
        debts=(0, 1, 0, 0),
        asks=(0, 0, 2, 0),
        vain_questions=(0, 1),
    )
    assert format_position(table.position).splitlines() == [
        "canasta 4",
        "option target 3000",
        "option penalties yes",
        "totals 1520 -40",
        "dealer 4",
        "turn 3 play took no fresh",
        "hand 1 Ks Kh 4d 4c 6s",
        "hand 2 9d 9h",
        "hand 3 0",
        "hand 4 0",
        "pile 5c 2h Jd",
        "meld 1 7h 7d 7s 2c",
        "bonus 1 3h",
        "meld 2 8h 8d 8s",
        "bonus 2 3d",
        "debts 0 1 0 0",
        "asks 0 0 2 0",
        "vain 0 1",
        "stock 20 ?",
    ]


def test_cards_held_at_a_question_may_now_lie_anywhere() -> None:
    text = (
        "canasta 4\noption penalties yes\nturn 2 draw\npile Qs Kd\nhand 1 ? 9c Ks 3\n"
        "hand 3 Jh!\nmeld 1 7h 7d 7s 7c\nquestions 1 7c:1 Qs:1 Ks:1 ? of 3 / 3 Jh:1 Kd:1 of 4"
    )
    position = parse_position(text)
    assert isinstance(position, CanastaPosition)
    first, second = position.questions
    assert (first.seat, len(first.held), first.laid) == (0, 4, (3,))
    assert first.held[-1] == position.hands[0][0]  # the hidden one
    assert second.held == (position.hands[2][0], position.pile[-1].slot)
    again = format_position(position)
    reread = parse_position(again)
    assert isinstance(reread, CanastaPosition)
    assert [set(each.held) for each in reread.questions] == [
        set(each.held) for each in position.questions
    ]
    assert format_position(reread) == again


def test_missing_lines_have_defaults() -> None:
    position = parse_position("canasta 4\nhand 1 Ks Kh")
    assert isinstance(position, CanastaPosition)
    assert (position.turn.seat, position.turn.step, position.dealer) == (0, Step.PLAY, 3)
    assert [len(hand) for hand in position.hands] == [2, 11, 11, 11]
    assert (position.totals, len(position.stock), position.pile) == ((0, 0), 108 - 35, ())
    assert position.laid == (Laid(), Laid())
    assert position.turn.fresh
    assert codes_of(position.hand(Seat(0))) == "Ks Kh"


def test_words_are_read_in_any_case_and_spacing() -> None:
    position = parse_position("  CANASTA 4 # ours\n\n# nothing\nPile 10h tH\nHAND 1 ks 10D ? 3\n")
    assert codes_of(position.pile) == "Th Th"
    assert codes_of(position.hand(Seat(0))) == "Ks Td"
    assert len(position.hands[0]) == 6


def test_a_card_with_an_exclamation_mark_is_public_and_others_are_private() -> None:
    position = parse_position("canasta 4\nhand 1 Ks! Kh 2")
    (seen,), (own,) = position.known.values(), position.private.values()
    assert (seen.card.code, own.card.code) == ("Ks", "Kh")


def test_cards_drawn_in_this_turn_stand_last_and_a_bonus_card_among_them_must_be_laid() -> None:
    drawn = parse_position("canasta 4\nturn 1 play drew 1\nhand 1 Ks 4c 3h")
    kept = parse_position("canasta 4\nturn 1 play\nhand 1 Ks 4c 3h")
    assert [str(move) for move in drawn.legal_moves(Seat(0))] != []
    assert len(drawn.legal_moves(Seat(0))) == 1
    assert len(kept.legal_moves(Seat(0))) > 1


def test_drawn_cards_that_were_melded_are_not_written() -> None:
    table = table_of("canasta", hands=["7h 7d 7s Ks 4c"], melds=[["8h 8d 8s"]])
    slots = table.position.hands[0]
    drawn = evolve(table.position, turn=evolve(table.position.turn, drawn=slots[:1]))
    after = drawn.apply(table.lay("7h 7d 7s"))
    assert "turn 1 play\n" in format_position(after)


def test_drawn_cards_are_written_last() -> None:
    table = table_of("canasta", hands=["7h Ks 4c"])
    slots = table.position.hands[0]
    drawn = evolve(table.position, turn=evolve(table.position.turn, drawn=slots[:1]))
    assert "hand 1 Ks 4c 7h\n" in format_position(drawn)


def test_twins_in_their_order_are_written_without_numbers() -> None:
    assert "hand 1 Ks Ks Kd\n" in format_position(parse_position("canasta 2\nhand 1 Ks Ks Kd"))


def test_an_answer_counts_as_the_first_unless_an_asks_line_says_otherwise() -> None:
    first = parse_position("canasta 4\nturn 1 play no\nhand 1 4c 5c 6c")
    later = parse_position("canasta 4\nturn 1 play no\nhand 1 4c 5c 6c\nasks 2 0 0 0")
    assert isinstance(first, CanastaPosition)
    assert isinstance(later, CanastaPosition)
    assert first.going_out.denied
    assert not later.going_out.denied


def test_a_waiting_question_counts_as_asked() -> None:
    position = parse_position("canasta 4\nturn 2 answer\nhand 2 4c 5c 6c")
    assert isinstance(position, CanastaPosition)
    assert (position.turn.asked, position.asks) == (True, (0, 1, 0, 0))
    assert not position.apply(Answer(True)).may_ask  # C75


def test_after_asking_again_only_the_new_answer_counts() -> None:
    table = table_of("canasta", hands=["Ks Kd Kh 4c"], options={"ask_again": True})
    asked = table.position.apply(Ask()).apply(Answer(False)).apply(Ask())
    read = parse_position(format_position(asked))
    assert format_position(read) == format_position(asked)


def test_kanastic_discards_block_even_if_they_have_left_the_pile() -> None:
    text = "kanastic 4\nturn 1 draw\nmeld 1 7h 7d 7s\npile Kh\n"
    free = parse_position(text + "discards 9c 4d 5d Kh")
    blocked = parse_position(text + "discards 9c Sw 5d Kh")
    first = parse_position(text)
    assert isinstance(free, KanasticPosition)
    assert isinstance(blocked, KanasticPosition)
    assert isinstance(first, KanasticPosition)
    assert not is_blocked(free.discards, free.seats)
    assert is_blocked(blocked.discards, blocked.seats)
    # The side has melds, so the first discard is gone: the only card of the pile is a later one
    # (K23).
    assert first.discards == (SOME_CARD, *cards_of(first.pile))
    assert "discards" not in format_position(first)
    assert parse_position(format_position(first)) == first
    opening = parse_position("kanastic 4\nturn 2 draw\npile Kh\n")
    assert isinstance(opening, KanasticPosition)
    assert opening.discards == cards_of(opening.pile)
    assert "discards" not in format_position(opening)
    assert "discards 9c Sw 5d Kh\n" in format_position(blocked)


def test_a_discards_line_lists_all_known_discards() -> None:
    text = "kanastic 4\nturn 1 draw\npile 9h\nmeld 1 7h 7d 7s\ndiscards 4h Ah\n"
    position = parse_position(text)
    assert isinstance(position, KanasticPosition)
    assert [card.code for card in position.discards] == ["4h", "Ah"]
    assert "discards 4h Ah\n" in format_position(position)


def test_a_barred_card_is_distinguished_from_its_twin() -> None:
    text = "canastra 2\nturn 1 play took\nhand 1 Ks Ks! 4c\nbarred Ks:2\n"
    position = parse_position(text)
    assert isinstance(position, CanastraPosition)
    assert position.barred == position.hands[0][1]
    assert "barred Ks:2\n" in format_position(position)


def test_deads_left_and_taken_are_read() -> None:
    position = parse_position("canastra 2\ndeads 1\ndeadtaken 2\nidle 7")
    assert isinstance(position, CanastraPosition)
    assert [len(dead) for dead in position.aside] == [11]
    assert position.took_aside == {1}
    assert position.idle_turns == 7
    assert len(position.stock) == 104 - 22 - 11


def test_a_shuffled_deck_has_no_dealt_cards() -> None:
    position = parse_position("canasta 2\ntotals 5 10\ndealer 1\nshuffled")
    assert (position.turn.step, len(position.stock)) == (Step.CUT, 108)
    assert format_position(position) == "canasta 2\ntotals 5 10\ndealer 1\nshuffled\n"


def test_a_position_with_open_orders_is_not_written() -> None:
    position = table_of("canasta", hands=["4s 5s"]).position.turning(step=Step.DEAL)
    with pytest.raises(ValueError, match="orders are fulfilled"):
        format_position(evolve(position, orders=(Deal(()),)))


def test_a_round_without_cards_is_not_written_as_shuffled() -> None:
    position = parse_position("canasta 2\nturn 1 over out\nhand 1 0\nhand 2 0\nstock 0 ?\n")
    assert "turn 1 over out\n" in format_position(position)
    assert "shuffled" not in format_position(position)


def test_totals_cannot_be_none() -> None:
    with pytest.raises(NotationError, match="2 numbers"):
        parse_position("canasta 2\ntotals none\nturn 1 over\n")


def test_the_dealer_is_the_last_seat_by_default() -> None:
    assert parse_position("canasta 2\nturn 1 over\nhand 1 Ks\nhand 2 3c\n").dealer == 1


def test_reading_a_finished_round_counts_it() -> None:
    position = parse_position("canasta 2\nturn 1 over\nhand 1 Ks\nhand 2 Jo 3c\n")
    assert position.sheet is not None
    assert position.sheet.totals == (-10, -55)


def test_hands_that_cost_by_their_size_may_stay_hidden() -> None:
    position = parse_position("canastra 2\nturn 1 over\nhand 1 3\nhand 2 Ks\n")
    assert position.sheet is not None


def test_golden_suits_keep_their_artifacts_in_place() -> None:
    position = parse_position("kanastic 2\nmeld 1 6g 7g Ar 9g")
    assert codes_of(position.laid[0].melds[0].cards) == "6g 7g Ar 9g"
    assert position.laid[0].melds[0].low == 6
    assert "meld 1 6g 7g Ar 9g\n" in format_position(position)


def test_a_position_is_not_written_while_cards_are_dealt() -> None:
    table = table_of("canasta", step=Step.DRAW, hands=["Ks"])
    drawing = table.position.apply(table.moves[0])
    with pytest.raises(ValueError, match="orders"):
        format_position(drawing)
    cut = parse_position("canasta 2\nshuffled").apply(Cut(3))
    with pytest.raises(ValueError, match="orders"):
        format_position(cut)


@pytest.mark.parametrize(
    "text",
    [
        "canasta 2\nhand 1 54\nhand 2 54",
        "kanastic 4\nmeld 1 4g 5g 6g\nmeld 1 9g Tg Jg",
        "canastra 2\nmeld 1 Ks Kh Kd\nmeld 1 Ks Kh Kd",
        "canasta 4\nturn 1 draw\nstock 0 ?",
        "canasta 4\noption rounds 1",
        "kanastic 4\nturn 1 play\nstock 0 ?",
        "canastra 2\nbarred",
        "canastra 2\nbarred none",
        "kanastic 4\nwaiting",
        "kanastic 4\nwaiting none",
        "kanastic 4\nrebuilds 0",
        "canasta 4\ndebts 0 0 0 0",
        "canastra 2\ndeads 0\nidle 0",
        "canasta 4\nmeld 1 4c 4d 4h\nhand 1 9c 1\nquestions 1 9c ? of 0",
    ],
)
def test_every_kind_of_line_survives_writing_and_reading(text: str) -> None:
    again = format_position(parse_position(text))
    assert format_position(parse_position(again)) == again


def test_held_cards_of_a_question_are_distinguished_from_twins() -> None:
    position = parse_position("canasta 4\npile 9c\nhand 1 9c Ks Ks\nquestions 1 9c:2 Ks:2 Ks:1 of")
    assert isinstance(position, CanastaPosition)
    (asked,) = position.questions
    _, first, second = position.hands[0]
    assert asked.held == (position.pile[-1].slot, second, first)


def test_a_held_card_without_a_number_is_the_lowest_copy() -> None:
    position = parse_position("canasta 4\npile 9c:2\nhand 1 9c\nquestions 1 9c of")
    assert isinstance(position, CanastaPosition)
    assert position.questions[0].held == position.hands[0]
    twins = parse_position("canasta 4\nhand 1 9c 9c\nquestions 1 9c 9c of")
    assert isinstance(twins, CanastaPosition)
    assert twins.questions[0].held == twins.hands[0]


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

"""Moves as bytes: each comes back, and nothing that is no move is taken for one."""

from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.canasta.deck import CANASTA
from engine.moves import (
    Answer,
    Ask,
    Cut,
    Discard,
    DrawStock,
    LayMelds,
    Move,
    Pass,
    Play,
    ShowBonus,
    TakePile,
    TakeTop,
)
from engine.slots import Shown, Slot
from protocol.codec import Encodable, Fields, decode, encode
from protocol.errors import Malformed
from protocol.move_codec import move_fields, take_move
from tests.protocol.every_move import CARD, EVERY_MOVE, NO_MOVES, PLAY


def taken(value: Encodable) -> Move:
    return take_move(Fields(decode(encode(value), limit=100_000), "move"), CANASTA)


CARDS = st.builds(Shown, st.integers(0, 1 << 16).map(Slot), st.sampled_from(CANASTA))
SHOWN = st.lists(CARDS, max_size=8).map(tuple)
PLAYS = st.lists(
    st.builds(Play, SHOWN, st.none() | st.integers(0, 64), st.booleans()), max_size=5
).map(tuple)
MOVES = st.one_of(
    st.builds(Cut, st.integers(0, 1 << 16)),
    st.builds(ShowBonus, SHOWN),
    st.just(DrawStock()),
    st.builds(TakePile, PLAYS),
    st.builds(TakeTop, PLAYS),
    st.builds(LayMelds, PLAYS),
    st.builds(Discard, CARDS),
    st.just(Ask()),
    st.builds(Answer, st.booleans()),
    st.just(Pass()),
)


def test_no_kind_of_move_is_left_out() -> None:
    assert {type(move) for move in EVERY_MOVE} == set(get_args(Move))
    for move in EVERY_MOVE:
        assert taken(move_fields(move)) == move


@given(MOVES)
def test_every_move_comes_back_as_it_was(move: Move) -> None:
    assert taken(move_fields(move)) == move


def test_the_helpers_of_these_tests_are_moves() -> None:
    assert taken(("discard", CARD)) == Discard(Shown(Slot(3), CANASTA[7]))
    assert taken(("meld", [PLAY])) == LayMelds((Play((Shown(Slot(3), CANASTA[7]),)),))


def test_the_kind_of_a_move_that_there_is_none_of_can_be_shown() -> None:
    for kind, why in ((16 * "s", "no move"), (17 * "s", "at most 16")):
        with pytest.raises(Malformed, match=why):
            taken((kind,))


@pytest.mark.parametrize("value", NO_MOVES, ids=repr)
def test_what_is_no_move_is_malformed(value: Encodable) -> None:
    with pytest.raises(Malformed):
        taken(value)

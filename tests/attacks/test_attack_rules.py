"""Absurd moves with valid signatures, which the rules refuse with a clause.

No move that can be decoded raises any other error.
"""

from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.errors import IllegalMove
from engine.games import GAMES
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
from protocol.entries import MoveContent
from protocol.move_codec import SLOT_LIMIT
from tests.protocol.played import Moment, play
from tests.protocol.proofless import without_proofs


def cards(moment: Moment) -> st.SearchStrategy[tuple[Shown, ...]]:
    """Return a strategy for cards of the pile or the writer's hand, and for made-up cards."""
    position = moment.state.match.round
    assert position is not None
    view = moment.table.players[moment.writer].view(moment.state)
    assert view is not None
    hand = view.hand(moment.state.match.seat_of(moment.writer))
    deck = moment.state.match.deck
    near = [*position.pile, *hand]
    one = st.builds(Shown, st.integers(0, SLOT_LIMIT).map(Slot), st.sampled_from(deck))
    if near:
        lie = st.builds(Shown, st.sampled_from([s.slot for s in near]), st.sampled_from(deck))
        one = st.sampled_from(near) | lie | one
    return st.lists(one, max_size=6).map(tuple)


def moves(moment: Moment) -> st.SearchStrategy[Move]:
    """Return a strategy for all moves that can be decoded."""
    some = cards(moment)
    deck = moment.state.match.deck
    number = st.none() | st.integers(0, 3) | st.integers(0, len(deck))
    plays = st.lists(st.builds(Play, some, number, st.booleans()), max_size=3).map(tuple)
    return st.one_of(
        st.builds(Cut, st.integers(0, SLOT_LIMIT)),
        st.builds(ShowBonus, some),
        st.builds(TakePile, plays),
        st.builds(TakeTop, plays),
        st.builds(LayMelds, plays),
        st.builds(Discard, some.filter(bool).map(lambda chosen: chosen[0])),
        st.sampled_from([DrawStock(), Ask(), Answer(True), Answer(False), Pass()]),
    )


def refused(moment: Moment, move: Move) -> str | None:
    """Return the clause by which the rules refuse the move, or None if they accept it."""
    try:
        moment.state.match.apply(move)
    except IllegalMove as error:
        return error.clause
    return None


@cache
def moments(game: str) -> list[Moment]:
    """Return the moments of a round at which a player must move."""
    with without_proofs():
        one = play(game, GAMES[game].players[0])
    return [moment for moment in one.moments if moment.body.content.kind == "move"]


@pytest.mark.parametrize("game", GAMES)
@given(data=st.data())
@settings(max_examples=30)
def test_every_move_is_legal_or_refused_with_a_clause(game: str, data: st.DataObject) -> None:
    moment = data.draw(st.sampled_from(moments(game)))
    move = data.draw(moves(moment))
    if (clause := refused(moment, move)) is not None:
        assert moment.cause(MoveContent(move, ())) == clause

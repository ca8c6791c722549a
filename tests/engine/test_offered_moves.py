"""Moves that meld nothing: `legal_moves` offers the same as `apply` accepts.

The comparison is up to cards of one face. Melds are compared in the games' own tests.
"""

from collections.abc import Iterator
from itertools import islice

import pytest

from engine.errors import IllegalMove
from engine.game import Game
from engine.games import GAMES
from engine.moves import (
    Answer,
    Ask,
    Cut,
    Discard,
    DrawStock,
    Move,
    Pass,
    ShowBonus,
    TakePile,
    plays_of,
)
from engine.position import Position
from tests.engine.simulation import states

STATES = 500
EVERY = 6
"""One in so many states is tested, except when the stock is near its end."""


def every_move(view: Position) -> Iterator[Move]:
    """Return all moves that meld nothing, with at most one bonus card."""
    assert view.to_move is not None
    hand = view.hand(view.to_move)
    yield from (DrawStock(), TakePile(), Pass(), Ask(), Answer(True), Answer(False))
    yield from map(Cut, range(-1, len(view.stock) + 1))
    yield from map(Discard, hand)
    yield from map(ShowBonus, ((), *((shown,) for shown in hand)))


def is_legal(view: Position, move: Move) -> bool:
    try:
        view.apply(move)
    except IllegalMove:
        return False
    return True


def face(move: Move) -> object:
    """Return the move in a form that is the same for each choice among equal cards."""
    match move:
        case Discard(shown):
            return Discard, shown.card.code
        case ShowBonus(cards):
            return ShowBonus, tuple(sorted(shown.card.code for shown in cards))
    return move


@pytest.mark.parametrize("at_most", [False, True], ids=["usual options", "options at their most"])
@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_whatever_apply_takes_is_offered_and_nothing_else(game: Game, at_most: bool) -> None:
    most = {
        name: about.get("high", not about["default"])
        for name, about in game.options.describe().items()
    }
    options = game.options(**(most if at_most else {}))
    kinds = set()
    played = islice(states(game, options, game.players[-1], 6), STATES)
    for number, (match, move, dealer) in enumerate(played):
        if match.round is None or move is None or match.round.to_move is None:
            continue
        if number % EVERY and len(match.round.stock) > 2:
            continue
        view = dealer.view(match.round, match.round.to_move)
        offered = view.legal_moves(match.round.to_move)
        if view.duty:  # one may keep bonus cards back, but is not told to
            assert offered == (ShowBonus(view.duty.cards),)
            continue
        bare = {face(move) for move in offered if not plays_of(move)}
        assert bare == {face(move) for move in every_move(view) if is_legal(view, move)}
        assert all(is_legal(view, move) for move in offered)
        kinds |= set(map(type, offered))
    assert {DrawStock, Discard} < kinds

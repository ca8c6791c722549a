"""Choices of the levels in built positions, from the cards that the seat to move sees."""

import random

from attrs import evolve

from client.bots.chooser import Budget
from client.bots.levels import opponent
from engine.moves import Discard, Move
from engine.slots import Seat
from tests.engine.positions import Table

QUICK = Budget(moves=100)
"""Budget that is enough for a level that searches to prefer a move that it is sure of."""


def choice(level: str, table: Table, game: str) -> Move:
    """Return the move of the seat to move, which sees its own hand and the public cards."""
    seat = table.position.to_move
    assert seat is not None
    view = table.position.seen(table.position.hand(seat))
    return opponent(level, game, random.Random(1), QUICK)(view)


def thrown(level: str, table: Table, game: str) -> str:
    """Return the code of the card that is discarded."""
    move = choice(level, table, game)
    assert isinstance(move, Discard)
    return move.card.card.code


def having_shown(table: Table, seat: int, codes: str) -> Table:
    """Return the table on which everybody has seen these cards of the hand of `seat`."""
    known = {shown.slot: shown for shown in table.hand(codes, seat)}
    assert Seat(seat) != table.position.to_move
    return evolve(table, position=evolve(table.position, known=known))

"""Plays as a beginner does: often overlooks what it could take or lay; what it notices, it takes
and lays, wild cards included; it throws what it has least of, and thinks of nobody else.

It sees what a person in its seat sees: the position with the faces of its own hand.
"""

import random
from collections import Counter
from collections.abc import Sequence

from engine.cards import Card, Rank
from engine.moves import (
    Answer,
    Ask,
    Discard,
    DrawStock,
    LayMelds,
    Move,
    Pass,
    ShowBonus,
    TakePile,
    TakeTop,
    plays_of,
)
from engine.position import Position

_WANTED: dict[type[Move], int] = {
    ShowBonus: 6,
    TakePile: 5,
    TakeTop: 5,
    LayMelds: 4,
    DrawStock: 3,
    Answer: 3,
    Discard: 2,
    Ask: 1,
    Pass: 0,
}

_OVERLOOKED: Sequence[tuple[tuple[type[Move], ...], float]] = (
    ((TakePile, TakeTop), 0.6),
    ((LayMelds,), 0.5),
)
"""What it overlooks, and how often."""


def choose(view: Position, rng: random.Random) -> Move:
    """A legal move for the seat to move. `rng` breaks ties, and makes it overlook things."""
    seat = view.to_move
    if seat is None:
        raise ValueError("nobody is to move")
    ranks = Counter(shown.card.rank for shown in view.hand(seat))

    def worth(move: Move) -> tuple[float, ...]:
        kind = _WANTED.get(type(move), 0)
        match move:
            case Discard(shown):
                # What is wild or alone in its rank is worth least to us, wild cards most.
                return kind, -10.0 * _is_precious(shown.card) - ranks[shown.card.rank], rng.random()
            case Answer(yes):
                return kind, yes, 0.0
            case _:
                laid = sum(len(play.cards) for play in plays_of(move))
                return kind, laid, rng.random()

    return max(_noticed(view.legal_moves(seat), rng), key=worth)


def _noticed(moves: tuple[Move, ...], rng: random.Random) -> tuple[Move, ...]:
    """The moves without what is overlooked this time; never none."""
    for kinds, likely in _OVERLOOKED:
        others = tuple(move for move in moves if not isinstance(move, kinds))
        if 0 < len(others) < len(moves) and rng.random() < likely:
            moves = others
    return moves


def _is_precious(card: Card) -> bool:
    return card.suit is None or card.rank is Rank.TWO

"""Eager play: take and lay as much as possible, and discard single cards before pairs.

Benchmarks use eager play, because it chooses fast and ends rounds fast. The level `easy` plays in
the same way, but often overlooks cards that it could take or lay. Both lay wild cards freely, do
not think of the other players, and see only what a person in their seat sees: the position, and the
faces of their own hand.
"""

import random
from collections import Counter
from collections.abc import Sequence

from client.bots.blunders import sensible
from engine.cards import Card, Rank
from engine.moves import (
    Answer,
    Ask,
    Cut,
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
    Cut: 0,
}
"""Preference for each kind of move: the highest number is chosen."""

_OVERLOOKED: Sequence[tuple[tuple[type[Move], ...], float]] = (
    ((TakePile, TakeTop), 0.6),
    ((LayMelds,), 0.5),
)
"""Kinds of moves that the level `easy` may overlook, each with the chance of overlooking it."""


def choose(view: Position, rng: random.Random, moves: tuple[Move, ...] | None = None) -> Move:
    """Return a legal move for the seat to move, one of `moves` if they are given.

    `rng` breaks ties.
    """
    seat = view.moving_seat
    ranks = Counter(shown.card.rank for shown in view.hand(seat))

    def worth(move: Move) -> tuple[float, ...]:
        kind = _WANTED[type(move)]
        match move:
            case Discard(shown):
                # Wild cards are kept longest, and after them the ranks with most cards in hand.
                kept = 10.0 * _is_precious(shown.card) + ranks[shown.card.rank]
                return kind, -kept, rng.random()
            # True is greater than False, so the answer is always Yes.
            case Answer(yes):
                return kind, yes, 0.0
            case _:
                laid = sum(len(play.cards) for play in plays_of(move))
                return kind, laid, rng.random()

    return max(view.legal_moves(seat) if moves is None else moves, key=worth)


def _is_precious(card: Card) -> bool:
    return card.suit is None or card.rank is Rank.TWO


def choose_overlooking(view: Position, rng: random.Random) -> Move:
    """Return a legal move for the seat to move.

    `rng` decides which moves are overlooked, and breaks ties.
    """
    moves = sensible(view, view.legal_moves(view.moving_seat))
    return choose(view, rng, _noticed(moves, rng))


def _noticed(moves: tuple[Move, ...], rng: random.Random) -> tuple[Move, ...]:
    """Return the moves without those that are overlooked this time; at least one move is left."""
    for kinds, likely in _OVERLOOKED:
        others = tuple(move for move in moves if not isinstance(move, kinds))
        if 0 < len(others) < len(moves) and rng.random() < likely:
            moves = others
    return moves

"""Eager play: take and lay as much as possible, and discard single cards before pairs.

It chooses fast and ends rounds fast, for demonstrations and benchmarks. It sees only what a person
in its seat sees: the position with the faces of its own hand.
"""

import random
from collections import Counter

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
"""Preference for each kind of move: the highest number is chosen."""


def choose(view: Position, rng: random.Random, moves: tuple[Move, ...] | None = None) -> Move:
    """Return a legal move for the seat to move, one of `moves` if they are given.

    `rng` breaks ties.
    """
    seat = view.to_move
    if seat is None:
        raise ValueError("nobody is to move")
    ranks = Counter(shown.card.rank for shown in view.hand(seat))

    def worth(move: Move) -> tuple[float, ...]:
        kind = _WANTED.get(type(move), 0)
        match move:
            case Discard(shown):
                # Wild cards are kept longest, and after them the ranks with most cards in hand.
                kept = 10.0 * _is_precious(shown.card) + ranks[shown.card.rank]
                return kind, -kept, rng.random()
            case Answer(yes):
                return kind, yes, 0.0
            case _:
                laid = sum(len(play.cards) for play in plays_of(move))
                return kind, laid, rng.random()

    return max(view.legal_moves(seat) if moves is None else moves, key=worth)


def _is_precious(card: Card) -> bool:
    return card.suit is None or card.rank is Rank.TWO

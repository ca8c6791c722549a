"""An opponent that obeys the rules and plays at a child's level: it melds what it can, takes the
pile when it may, and throws what it has least of.

It sees what a person in its seat sees: the position with the faces of its own hand.
"""

import random
from collections import Counter

from engine.cards import Rank
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


def choose(view: Position, rng: random.Random) -> Move:
    """A legal move for the seat to move. `rng` breaks ties."""
    seat = view.to_move
    if seat is None:
        raise ValueError("nobody is to move")
    ranks = Counter(shown.card.rank for shown in view.hand(seat))

    def worth(move: Move) -> tuple[float, ...]:
        kind = _WANTED.get(type(move), 0)
        match move:
            case Discard(shown):
                # What is wild or alone in its rank is worth least to us, wild cards most.
                precious = shown.card.suit is None or shown.card.rank is Rank.TWO
                return kind, -10.0 * precious - ranks[shown.card.rank], rng.random()
            case Answer(yes):
                return kind, yes, 0.0
            case _:
                laid = sum(len(play.cards) for play in plays_of(move))
                return kind, laid, rng.random()

    return max(view.legal_moves(seat), key=worth)

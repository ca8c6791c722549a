"""A seat at a table that waits for an absent player."""

import random
from functools import partial

import trio

from p2p.table.node_updates import Awaited
from tests.client.plain_seat import PlainSeat
from tests.engine.simulation import at_random


def seat_waiting(
    players: int, *, player: int = 1, linked: bool = True, grace_left: float = 0.0
) -> PlainSeat:
    """Return a seat at a table after the deal, which begins to wait for `player` now."""
    seat = PlainSeat.sit("canasta", players, partial(at_random, rng=random.Random(1)))
    while seat.state.match.mover != player:
        seat.step(seat.others)
    seat.awaited = Awaited(player, "move", trio.current_time(), linked)
    seat.grace_left = grace_left
    seat.unreached = frozenset() if linked else frozenset({player})
    seat.missing = frozenset() if grace_left or player == seat.me else frozenset({player})
    return seat

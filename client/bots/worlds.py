"""How the hidden cards may lie, and how a round may go on from there.

A *world* deals the cards that a seat has not seen at random to all places that it cannot look
into. Nothing of how they really lie goes into it.
"""

import random
from collections.abc import Callable
from itertools import chain

from client.bots.counting import hidden_slots, unseen
from engine.dealer import PlainDealer
from engine.moves import Move
from engine.position import Position
from engine.slots import Seat, Shown
from engine.turn import Step


def world(view: Position, seat: Seat, rng: random.Random) -> PlainDealer:
    """A dealer for one way in which the cards may lie that `seat` cannot see."""
    cards = list(unseen(view, seat))
    rng.shuffle(cards)
    others = [other for other in view.clockwise(seat) if other != seat]
    hidden = [hidden_slots(view, other) for other in others]
    slots = list(chain(view.stock, *view.set_aside, *hidden))
    if view.turn.step is not Step.SHOW:
        # Bonus cards have been laid by whoever was dealt them: those unseen are still to come.
        cards.sort(key=view.is_bonus, reverse=True)
        down = len(slots) - sum(map(len, hidden))
        bonus = sum(map(view.is_bonus, cards))
        places = rng.sample(slots[:down], min(bonus, down))
        slots = [*places, *(slot for slot in slots if slot not in places)]
    hands = {**dict(zip(slots, map(Shown, slots, cards), strict=True)), **view.known}
    seen = {shown.slot: shown for shown in (*view.face_up(), *view.hand(seat))}
    return PlainDealer(rng.shuffle, hands | seen)


def copied(dealer: PlainDealer) -> PlainDealer:
    """The same world once more, for another way to go on in it."""
    return PlainDealer(dealer.shuffle, dict(dealer.cards))


def played_out(
    position: Position, dealer: PlainDealer, choose: Callable[[Position], Move], most: int
) -> tuple[Position, int]:
    """The round after at most so many moves, counted if it is over, and how many moves it took.

    All seats choose alike, each from what it sees in that world; `choose` gives legal moves.
    """
    position = dealer.fulfil(position)
    moves = 0
    while moves < most and (seat := position.to_move) is not None:
        position = dealer.fulfil(position.play(choose(dealer.view(position, seat))))
        moves += 1
    return position, moves

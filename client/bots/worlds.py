"""How the hidden cards may lie, and how a round may go on from there.

A *world* deals the cards that a seat has not seen at random to all places that it cannot look
into. Nothing of how they really lie goes into it.
"""

import random
from collections.abc import Callable, Iterator
from itertools import chain

from client.bots.counting import hidden_slots, on_table, unseen
from engine.canasta.position import CanastaPosition
from engine.canasta.values import is_red_three
from engine.canastra.position import CanastraPosition
from engine.cards import Card
from engine.dealer import PlainDealer
from engine.kanastic.values import is_pot
from engine.moves import Move
from engine.position import Position, Step
from engine.slots import Seat, Slot


def world(view: Position, seat: Seat, rng: random.Random) -> PlainDealer:
    """A dealer for one way in which the cards may lie that `seat` cannot see."""
    cards = list(unseen(view, seat))
    rng.shuffle(cards)
    others = [other for other in view.clockwise(seat) if other != seat]
    slots = list(chain(_face_down(view), *(hidden_slots(view, other) for other in others)))
    if view.turn.step is not Step.SHOW:
        # Bonus cards have been laid by whoever was dealt them: those unseen are still to come.
        cards.sort(key=_is_bonus(view), reverse=True)
        down = len(slots) - sum(len(hidden_slots(view, other)) for other in others)
        bonus = sum(map(_is_bonus(view), cards))
        places = rng.sample(slots[:down], min(bonus, down))
        slots = [*places, *(slot for slot in slots if slot not in places)]
    seen = {shown.slot: shown.card for shown in (*on_table(view), *view.hand(seat))}
    faces = {**dict(zip(slots, cards, strict=True)), **view.known, **seen}
    return PlainDealer(rng.shuffle, faces)


def _face_down(view: Position) -> Iterator[Slot]:
    yield from view.stock
    if isinstance(view, CanastraPosition):
        yield from chain.from_iterable(view.deads)


def _is_bonus(view: Position) -> Callable[[Card], bool]:
    return is_red_three if isinstance(view, CanastaPosition) else is_pot


def copied(dealer: PlainDealer) -> PlainDealer:
    """The same world once more, for another way to go on in it."""
    return PlainDealer(dealer.shuffle, dict(dealer.faces))


def played_out(
    position: Position, dealer: PlainDealer, choose: Callable[[Position], Move], most: int
) -> tuple[Position, int]:
    """The round after at most so many moves, counted if it is over, and how many moves it took.

    All seats choose alike, each from what it sees in that world.
    """
    position = dealer.fulfil(position)
    moves = 0
    while moves < most and (seat := position.to_move) is not None:
        position = dealer.fulfil(position.apply(choose(dealer.view(position, seat))))
        moves += 1
    return position, moves

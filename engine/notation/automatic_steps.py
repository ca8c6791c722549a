"""Steps of a round that nobody chooses: dealing hidden cards, opening hands, and counting.

This module also has the summary of a position in one line.
"""

from attrs import evolve

from engine.errors import NotationError
from engine.orders import Deal, OpenHand
from engine.position import Position
from engine.sentences import Sentence
from engine.slots import Seat, Shown
from engine.turn import Step


def settled(position: Position) -> Position:
    """Return the position with orders fulfilled, as far as that works with hidden cards."""
    while position.orders:
        shown: tuple[Shown, ...] = ()
        match position.orders[0]:
            case OpenHand(seat, slots):
                shown = position.hand(seat)
                if len(shown) != len(slots) and not position.hands_cost_by_number:
                    return position
                # Only Canastra comes here: each card in a hand costs 10 (B62), so its face does not
                # matter.
                if len(shown) != len(slots):
                    position = _unopened(position)
                    continue
            case Deal() as order if order.turned_up:  # a line `deal` has to say which card it is
                return position
        position = position.deliver(shown)
    return position


def _unopened(position: Position) -> Position:
    """Return the position with a hand left hidden, because only its number of cards matters."""
    rest = position.orders[1:]
    after = evolve(position, orders=rest)
    return after if rest else evolve(after, sheet=after.score())


def check_settled(position: Position) -> None:
    """Raise NotationError, which says what to state, if cards must still be dealt or opened."""
    if not position.orders:
        return
    order = position.orders[0]
    if isinstance(order, OpenHand):
        raise _unknown_hand(order.seat + 1)
    raise NotationError("A card is turned up: say which one, as in: deal Ks.")


def counted(position: Position, words: list[str]) -> Position:
    """Return the round as it would be counted now, or raise NotationError.

    With the word `out` the seat whose turn it is has gone out; otherwise nobody has. The hands of
    the seats after the word `closed` are never opened (X24).
    """
    out, closed = words[:1] == ["out"], _closed_seats(position, words)
    if position.sheet is not None:
        return position
    if not position.orders:
        closer = position.turn.seat if out else None
        check_going_out(position, closer)
        position = position.finishing(closer)
    position = settled(position.leaving_closed(closed)) if closed else settled(position)
    check_settled(position)
    return position


def _closed_seats(position: Position, words: list[str]) -> tuple[Seat, ...]:
    """Return the seats after the word `closed` of a count, or raise NotationError."""
    rest = words[1:] if words[:1] == ["out"] else words
    numbers = rest[1:] if rest[:1] == ["closed"] else []
    seats = tuple(
        Seat(int(number) - 1) for number in numbers if number.isascii() and number.isdecimal()
    )
    # `numbers` may hold words that are no numbers, which `seats` lacks: then the lengths differ.
    there = all(0 <= seat < position.seats for seat in seats) and len(set(seats)) == len(numbers)
    if not there or bool(rest) != bool(numbers):
        raise NotationError(
            "Write “count”, or “count out” if the seat whose turn it is went out. If hands "
            "stay closed (X24), add the word “closed” and their seats: count out closed 2."
        )
    return seats


def check_going_out(position: Position, closer: Seat | None) -> None:
    """Raise NotationError if the seat `closer` cannot have gone out; None means nobody did."""
    if closer is None:
        return
    if held := len(position.hands[closer]):
        raise NotationError(
            Sentence.counted(
                "Seat {seat} holds {n} card, so it has not gone out: state an empty hand "
                "(hand {seat} 0), or another turn.",
                "Seat {seat} holds {n} cards, so it has not gone out: state an empty hand "
                "(hand {seat} 0), or another turn.",
                held,
                seat=closer + 1,
            )
        )
    if position.out_by_discard and not position.pile:
        raise NotationError(
            "Going out ends with a discard ({clause}): state the pile, or its top.",
            clause=position.out_by_discard,
        )


def _unknown_hand(seat: int) -> NotationError:
    return NotationError(
        "To count, all cards of seat {seat} must be known: state its hand.", seat=seat
    )


def summary(position: Position) -> Sentence:
    """Return the state in one line for people: the next player, and how many cards lie where."""
    if position.sheet is not None:
        sides = tuple(
            Sentence("side {side} {points}", side=side, points=points)
            for side, points in enumerate(position.sheet.totals, 1)
        )
        return Sentence("the round is over: {points}", points=sides)
    if position.turn.step is Step.OVER:
        return Sentence("the round is over, and the hands are opened")
    hands = " ".join(str(len(hand)) for hand in position.hands)
    stock, pile = len(position.stock), len(position.pile)
    if position.to_move is None:
        return Sentence(
            "a card is turned up; hands {hands}, stock {stock}, pile {pile}",
            hands=hands,
            stock=stock,
            pile=pile,
        )
    return Sentence(
        "seat {seat} to {step}; hands {hands}, stock {stock}, pile {pile}",
        seat=position.to_move + 1,
        step=Sentence.of(position.turn.step.value),
        hands=hands,
        stock=stock,
        pile=pile,
    )

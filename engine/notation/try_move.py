"""Moves tried in a position: the position afterwards, or the reason why the rules refuse."""

from collections import Counter
from typing import TypeAlias

from engine.errors import CardNotThere, IllegalMove
from engine.moves import Move, ShowBonus, TakePile, TakeTop
from engine.notation.cards import code_of
from engine.notation.moves import check_move, kind_of, parse_move
from engine.notation.position_writer import Copies, lying
from engine.position import Position
from engine.sentences import Sentence
from engine.slots import Seat, Shown
from engine.turn import MOVES_OF_STEP

Result: TypeAlias = Position | IllegalMove


def tried(position: Position, text: str) -> Result:
    """Return the result of a move, or raise NotationError for a text that is no move.

    The number of the mover's seat may stand before the move. Hidden cards of the mover's hand are
    taken to be the cards that the move names.
    """
    seat, text = seat_and_move(text, position.seats)
    check_move(position.deck, text)
    try:
        _check_mover(position, seat)
        revealed = revealing(position, text)
        move = parse_move(revealed, text)
        after = revealed.apply(move)
        # After `apply`, so that a move which the rules forbid anyway is refused with its own
        # clause.
        _check_duty(revealed, move)
    except CardNotThere as error:
        return _without_card(position, text, error)
    except IllegalMove as error:
        return error
    return after


def seat_and_move(text: str, seats: int) -> tuple[Seat | None, str]:
    """Return the seat whose number stands before the move, if any does, and the move.

    >>> seat_and_move("2 draw", 4), seat_and_move("draw", 4)
    ((1, 'draw'), (None, 'draw'))
    """
    word, _, rest = text.strip().partition(" ")
    if word not in map(str, range(1, seats + 1)):
        return None, text
    return Seat(int(word) - 1), rest


def revealing(position: Position, text: str) -> Position:
    """Return the position with hidden cards of the mover's hand replaced by cards the move shows.

    Known cards of the hand are used first. `text` must name a move (`check_move`). Raises
    CardNotThere if all copies of a card are placed elsewhere.
    """
    seat, drawn = position.turn.seat, position.turn.drawn
    known = Counter(shown.card.code for shown in position.hand(seat))
    hidden = [slot for slot in position.hands[seat] if position.face(slot) is None]
    word, *rest = text.lower().replace("+", " ").split()
    # A shown bonus card was drawn in this turn (C64, K18), so for `show` drawn hidden slots come
    # first. For any other move hidden slots that were not drawn come first.
    hidden.sort(key=lambda slot: (slot in drawn) != (word == "show"))
    copies = Copies(position.deck, set(lying(position)))
    private = list(position.private.values())
    for named in rest:
        code = code_of(position.deck, named)
        # `code` is None for words that need no card of the hand: `to`, numbers, and the top as in
        # `^4d`.
        if code and known[code]:
            known[code] -= 1
        elif code and hidden:
            private.append(Shown(hidden.pop(0), copies.read(named)))
    return position.seen(private)


def _check_mover(position: Position, seat: Seat | None) -> None:
    """Raise IllegalMove if the round is over, or if `seat` is given and is not to move."""
    mover = position.to_move
    if mover is None:
        raise IllegalMove("X10", "The round is over; nobody moves.")
    if seat not in (None, mover):
        raise IllegalMove("X10", "It is for seat {seat} to move.", seat=mover + 1)


def _check_duty(position: Position, move: Move) -> None:
    """Raise IllegalMove unless the mover lays the bonus cards that they must lay.

    Only the holder of the hand can know this duty, so `apply` does not check it (X12).
    """
    duty = position.duty
    if duty is None:
        return
    laid = set(move.cards) if isinstance(move, ShowBonus) else set()
    if kept := set(duty.cards) - laid:
        first = min(kept, key=lambda shown: shown.card)
        raise IllegalMove(
            duty.clause, "The {first} must be laid on the table, before anything else.", first=first
        )


def _without_card(position: Position, text: str, error: CardNotThere) -> IllegalMove:
    """Return the refusal of a move that names a card that is not in its place.

    The refusal says that it is not the time for such a move, or that there is no pile to take.
    Otherwise it names the missing card (X11).
    """
    kind = kind_of(text)
    assert kind is not None, "it is a move"
    if not issubclass(kind, MOVES_OF_STEP[position.turn.step]):
        return IllegalMove(
            "X10", "It is the moment to {step}.", step=Sentence.of(position.turn.step.value)
        )
    # `take ^4d` without a pile: the reason is that there is no pile, not that the 4d is missing.
    if kind in (TakePile, TakeTop) and not position.pile:
        try:
            position.apply(TakePile() if kind is TakePile else TakeTop(()))
        except IllegalMove as refusal:
            return refusal
    return IllegalMove("X11", error.sentence)

"""Blunders: moves that are mistakes at any level.

Opponents avoid them, and `tests/bench` counts them.
"""

from collections.abc import Iterable

from engine.moves import Answer, Discard, LayMelds, Move, TakePile, TakeTop, shown_by
from engine.position import Position
from engine.position_facts import PileState

_MANY = 8
"""Minimum size of a hand with which a Yes to the partner is hasty (see `agrees_hastily`)."""


def sensible(view: Position, moves: Iterable[Move]) -> tuple[Move, ...]:
    """Return the moves that are no blunders; all moves if each is one."""
    tried = tuple(moves)
    kept = tuple(move for move in tried if not strands(view, move) and not wastes_wild(view, move))
    return kept or tried


def strands(view: Position, move: Move) -> bool:
    """Return True if a legal move lays so much that the seat is stuck after its discard.

    The seat would have a single card left: it could not go out, and could only draw and discard.
    """
    if not isinstance(move, LayMelds | TakePile | TakeTop):
        return False
    seat = view.turn.seat
    # The usual case is decided without making the position. If the move takes the pile, the hand
    # cannot be counted so easily, because the cards of the pile join it.
    if len(view.hands[seat]) - len(shown_by(move)) > 2:
        return False
    after = view.play(move)
    return len(after.hands[seat]) <= 2 and not (
        after.may_go_out(after.side) or after.gets_more(seat)
    )


def wastes_wild(view: Position, move: Move) -> bool:
    """Return True if the move discards a wild card on a frozen pile, and the hand has other cards.

    The wild card is wasted, because the pile is frozen for the next player already.
    """
    if not isinstance(move, Discard) or not view.is_wild(move.card.card):
        return False
    seat = view.turn.seat
    if len(view.hands[seat]) == 1:
        return False
    taker = view.side_of(view.left_of(seat))
    others = (shown.card for shown in view.hand(seat) if not view.is_bonus(shown.card))
    return view.pile_status(taker).state is PileState.FROZEN and not all(map(view.is_wild, others))


def agrees_hastily(view: Position, move: Move) -> bool:
    """Return True if a player with a full hand lets the partner go out too early.

    A Yes is too early while the side lacks the canastas that it needs to go out: the full hand
    would count against the side.
    """
    seat = view.to_move
    if move != Answer(True) or seat is None:
        return False
    return len(view.hands[seat]) >= _MANY and not view.may_go_out(view.side)

"""Moves that are mistakes at any level: the levels leave them out, and the bench counts them."""

from collections.abc import Iterable

from engine.moves import Answer, Discard, LayMelds, Move, TakePile, TakeTop, shown_by
from engine.position import Position
from engine.table_status import PileState
from engine.turn import Step

_MANY = 8
"""So many cards in hand are too many to let one's partner end the round, without a canasta."""


def sensible(view: Position, moves: Iterable[Move]) -> tuple[Move, ...]:
    """The moves without blunders; all of them where nothing else is left."""
    tried = tuple(moves)
    kept = tuple(move for move in tried if not strands(view, move) and not wastes_wild(view, move))
    return kept or tried


def strands(view: Position, move: Move) -> bool:
    """Whether a legal move lays so much that the discard leaves a single card, with which the seat
    can neither go out nor do anything but draw and discard.
    """
    if not isinstance(move, LayMelds | TakePile | TakeTop):
        return False
    seat = view.turn.seat
    if isinstance(move, LayMelds) and len(view.hands[seat]) - len(shown_by(move)) > 2:
        return False
    after = view.play(move)
    return after.turn.step is Step.PLAY and len(after.hands[seat]) <= 2 and _is_stuck(after)


def is_stranded(after: Position, discard: Position) -> bool:
    """Whether the seat that has just discarded in `discard`, with `after` as what came of it, was
    left with one card and no way to go out.
    """
    seat = discard.turn.seat
    if after.turn.step is Step.OVER or len(after.hands[seat]) != 1:
        return False
    return _is_stuck(discard)


def _is_stuck(position: Position) -> bool:
    return not (position.may_go_out(position.side) or position.gets_more(position.turn.seat))


def wastes_wild(view: Position, move: Move) -> bool:
    """Whether a wild card is thrown on a pile that is frozen already, for want of nothing else."""
    if not isinstance(move, Discard) or not view.is_wild(move.card.card):
        return False
    seat = view.turn.seat
    if len(view.hands[seat]) == 1:
        return False
    taker = view.side_of(view.left_of(seat))
    others = (shown.card for shown in view.hand(seat) if not view.is_bonus(shown.card))
    return view.pile_status(taker).state is PileState.FROZEN and not all(map(view.is_wild, others))


def agrees_hastily(view: Position, move: Move) -> bool:
    """Whether the partner may go out although this hand is full and the side has no canasta."""
    seat = view.to_move
    if move != Answer(True) or seat is None:
        return False
    return len(view.hands[seat]) >= _MANY and not view.may_go_out(view.side)

"""Tells whether a player could go out in their turn."""

from engine.moves import LayMelds
from engine.position import Position


def can_go_out(view: Position) -> bool:
    """Return True if the player to move can go out in this turn.

    They can lay all cards of their hand, or all but one to discard, and their side then has what
    going out takes. The search lays the moves with the most cards first.
    """
    seat, side = view.turn.seat, view.side
    position = view
    while len(position.hands[seat]) > 1:
        layings = [move for move in position.legal_moves(seat) if isinstance(move, LayMelds)]
        if not layings:
            return False
        position = position.apply(max(layings, key=_cards))
        if position.closer == seat:
            return True
    return position.may_go_out(side) and not position.gets_more(seat)


def _cards(move: LayMelds) -> int:
    return sum(len(play.cards) for play in move.plays)

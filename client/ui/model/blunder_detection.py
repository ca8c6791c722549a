"""Detection of blunders, for a person who wants to be warned before they make one.

The bots' evaluator judges the move. This is quicker than a hint, which also plays out random deals.
"""

from client.bots.blunders import strands, wastes_wild
from client.bots.evaluator_registry import evaluator_of
from client.bots.search import evaluated
from client.bots.weights import Tuning
from engine.moves import LayMelds, Move, is_alike
from engine.notation.position_writer import game_of
from engine.position import Position

BLUNDER = 100.0
"""Minimum number of points by which a blunder is worse than the best move."""


def blunder(view: Position, move: Move) -> bool:
    """Return True if a legal move seems far worse than another one."""
    worth = evaluated(view, evaluator_of(game_of(view), Tuning.LEARNT))
    if not worth:
        return False
    own = next((value for other, value in worth.items() if is_alike(move, other)), None)
    if own is None:  # `evaluated` has left out some blunders, and `legal_moves` some melds
        return strands(view, move) or wastes_wild(view, move)
    # After a meld, other melds can mostly still be laid. So a meld is compared with laying nothing:
    # its value is the points that it adds to the position.
    if isinstance(move, LayMelds):
        return own < -BLUNDER
    return max(worth.values()) - own > BLUNDER

"""Detection of blunders, for a person who wants to be warned before they make one.

The bots' evaluator alone judges the move, which is quick. A hint also tries deals.
"""

from client.bots.blunders import strands, wastes_wild
from client.bots.evaluators import evaluator_of
from client.bots.search import evaluated
from client.bots.weights import Tuning
from engine.moves import LayMelds, Move, is_alike
from engine.notation.positions import game_of
from engine.position import Position

BLUNDER = 100.0
"""Points that a move must be worth less than the best one to be called a blunder."""


def blunder(view: Position, move: Move) -> bool:
    """Return True if the evaluator values a legal move far less than another one."""
    worth = evaluated(view, evaluator_of(game_of(view), Tuning.LEARNT))
    if not worth:
        return False
    own = next((value for other, value in worth.items() if is_alike(move, other)), None)
    if own is None:  # a blunder at any level, or a move that the rules do not list
        return strands(view, move) or wastes_wild(view, move)
    if isinstance(move, LayMelds):  # mostly the other melds can still be laid after it
        return own < -BLUNDER
    return max(worth.values()) - own > BLUNDER

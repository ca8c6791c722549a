"""Blunders that a person is warned of before they are made, if they want that.

The evaluator of the opponents tells them quickly; no deals are tried, as a hint does.
"""

from client.bots.blunders import strands, wastes_wild
from client.bots.evaluators import evaluator_of
from client.bots.search import evaluated
from client.bots.weights import Tuning
from engine.moves import LayMelds, Move, is_alike
from engine.notation.positions import game_of
from engine.position import Position

BLUNDER = 100.0
"""Points by which the evaluator values a move less than another one, so that it warns of it."""


def blunder(view: Position, move: Move) -> bool:
    """Return True if the evaluator values a legal move far less than another one."""
    worth = evaluated(view, evaluator_of(game_of(view), Tuning.LEARNT))
    if not worth:
        return False
    own = next((value for other, value in worth.items() if is_alike(move, other)), None)
    if own is None:  # a blunder at any level, or a move that the rules do not list
        return strands(view, move) or wastes_wild(view, move)
    if isinstance(move, LayMelds):  # mostly the others can be laid after it
        return own < -BLUNDER
    return max(worth.values()) - own > BLUNDER

"""A table of two with a pile so thick that a search about it is worth while."""

from client.bots.chooser import Budget
from client.bots.evaluator_registry import evaluator_of
from client.bots.weights import Tuning
from engine.games import GAMES
from tests.client.bots.hidden_cards import having_shown
from tests.engine.positions import Table, table_of

REST = "+200 3s 3h 3d 3c 3s 3h 3d 3c"
KINGS = "Ks Kh Kd"
THICK = "4s 6h Js 5c Qh 6d 4h Jd"
QUICK = Budget(moves=100)
"""Small search budget, enough to find a move that is clearly the best."""

EVALUATOR = evaluator_of(GAMES["canasta"], Tuning.LEARNT)


def guarded() -> Table:
    """Return a table with a thick pile, at which all know that the next player holds two queens."""
    table = table_of(
        "canasta",
        seats=2,
        hands=["Qc 9d Tc 7h 8h 4d", "Qd Qs +7"],
        melds=[["As Ah Ad"], [KINGS]],
        pile=THICK,
        stock=REST,
    )
    return having_shown(table, 1, "Qd Qs")

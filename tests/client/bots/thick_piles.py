"""Tables at which a search is worth while: with a thick pile, or before going out."""

from collections.abc import Sequence
from typing import Any

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


def duel(
    hand: str,
    other: str = "+9",
    *,
    ours: Sequence[str] = (),
    theirs: Sequence[str] = (),
    pile: str = THICK,
    stock: str = REST,
    **more: Any,
) -> Table:
    """Return a table of Canasta for two: their hands, their melds, and a thick pile."""
    given = {"pile": pile, "stock": stock, **more}
    return table_of("canasta", seats=2, hands=[hand, other], melds=[ours, theirs], **given)


def guarded() -> Table:
    """Return a table with a thick pile, at which all know that the next player holds two queens."""
    table = duel("Qc 9d Tc 7h 8h 4d", "Qd Qs +7", ours=["As Ah Ad"], theirs=[KINGS])
    return having_shown(table, 1, "Qd Qs")


def ready(seats: int = 2) -> Table:
    """Return a table at which seat 0 could lay all its cards but one and go out."""
    return table_of(
        "canasta",
        seats=seats,
        hands=["Ks Kh Kd 4c", "5s 5h 7c 7d 8s 8c", "5d", "5c"][:seats],
        melds=[["9s 9h 9d 9c 9s 9h 9d", "As Ah Ad"], ["Qs Qh Qd"]],
        pile="4s 6h",
        stock=REST,
    )

"""Sentences about moves, with the cards that are drawn for red threes."""

from typing import Any

from attrs import evolve

from client.ui.text.events import move_text
from engine.moves import DrawStock, Move, ShowBonus
from engine.turn import Step
from tests.engine.positions import Table, table_of


def drawing(debts: int) -> Table:
    """Return a table where the player to draw has laid `debts` red threes after the deal."""
    table = table_of("canasta", hands=["7h 7d"], stock="9h 9d 9s +20", step=Step.DRAW)
    changes: dict[str, Any] = {"debts": (debts, 0, 0, 0)}
    return evolve(table, position=evolve(table.position, **changes))


def laying(codes: str, step: Step) -> tuple[Table, Move]:
    """Return a table and the move that lays red threes, which the player has just drawn."""
    table = table_of("canasta", hands=[f"{codes} 7d"], stock="9h 9d +20", step=step)
    cards = table.hand(codes)
    turn = evolve(table.position.turn, drawn=tuple(shown.slot for shown in cards))
    return evolve(table, position=evolve(table.position, turn=turn)), ShowBonus(cards)


def test_replacement_cards_for_red_threes_are_described() -> None:
    """Cards for red threes of the deal are drawn with the player's first draw (C63).

    For red threes that come later in a turn, cards are drawn at once.
    """
    for (table, move), text in (
        ((drawing(0), DrawStock()), "draws"),
        ((drawing(1), DrawStock()), "draws 2, 1 for a bonus card"),
        ((drawing(2), DrawStock()), "draws 3, 2 for bonus cards"),
        (laying("3h", Step.SHOW), "lays 3♥"),
        (laying("3h", Step.PLAY), "lays 3♥ and draws 1 for it"),
        (laying("3h 3d", Step.PLAY), "lays 3♥ 3♦ and draws 2 for them"),
    ):
        after = table.position.apply(move)
        assert move_text(table.position, after, move, symbols=True) == text

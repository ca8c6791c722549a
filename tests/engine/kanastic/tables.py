"""Positions of Kanastic from card codes; see `tests.engine.positions`."""

from typing import Any

from attrs import evolve

from engine.games import game_named
from engine.kanastic.deck import KANASTIC
from engine.kanastic.melds import new_meld
from engine.kanastic.position import KanasticPosition
from engine.melds import Meld
from engine.slots import Shown, cards_of
from tests.engine.positions import Table, table_of

GAME = game_named("kanastic")
SEVENS = "7h 7h 7d 7d 7c 7c 7s"  # a natural canasta


def kanastic_table(*, discards: str | None = None, **given: Any) -> Table:
    """Return a table of Kanastic, whose melds may be golden suits.

    `discards` are all discards of the round, oldest first; by default those in the pile.
    """
    table = table_of("kanastic", meld_of=_meld, **given)
    known = cards_of(table.position.pile)
    if discards is not None:
        known = tuple(next(c for c in KANASTIC if c.code == code) for code in discards.split())
    return evolve(table, position=evolve(kanastic(table), discards=known))


def kanastic(table: Table) -> KanasticPosition:
    assert isinstance(table.position, KanasticPosition)
    return table.position


def _meld(cards: tuple[Shown, ...]) -> Meld:
    return new_meld(cards, distinct_suits=False)

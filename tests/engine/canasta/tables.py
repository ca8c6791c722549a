"""Tables of Canasta for the tests of its clauses."""

from functools import partial

from engine.canasta.position import CanastaPosition
from tests.engine.positions import Table, table_of

canasta_table = partial(table_of, "canasta")


def position_of(table: Table) -> CanastaPosition:
    """Return the table's position with the fields that only Canasta has."""
    assert isinstance(table.position, CanastaPosition)
    return table.position

"""Tables of Canasta for the tests of its clauses."""

from functools import partial

from tests.engine.positions import table_of

canasta_table = partial(table_of, "canasta")

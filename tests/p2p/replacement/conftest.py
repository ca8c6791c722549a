"""A table at which somebody may stay away."""

from collections.abc import AsyncIterator

import pytest
from trio.testing import MockClock

from tests.p2p.replacement.table_of_three import Table
from tests.simulation.tables import simulated_nodes, without_proofs


@pytest.fixture
async def table(autojump_clock: MockClock) -> AsyncIterator[Table]:
    with without_proofs(), simulated_nodes():
        yield await Table.at()

"""A terminal for applications that run alone or beside Trio."""

from collections.abc import Iterator

import pytest

from tests.client.terminals import emulated
from tests.client.ui.tui.terminal.little_application import Terminal


@pytest.fixture
def terminal() -> Iterator[Terminal]:
    with emulated(40, 5) as both:
        yield both

"""A terminal for applications that run alone or beside Trio."""

from collections.abc import Iterator

import pytest
from prompt_toolkit.input import PipeInput

from tests.client.terminals import Emulator, emulated


@pytest.fixture
def terminal() -> Iterator[tuple[PipeInput, Emulator]]:
    with emulated(40, 5) as both:
        yield both

"""Fixtures that let nodes run in one thread, without sockets, and leave out the proofs."""

import pytest

from tests.p2p.machines import network_in_memory
from tests.protocol import proofless


@pytest.fixture
def on_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    network_in_memory(monkeypatch)


@pytest.fixture
def without_proofs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make and verify no proofs, which takes less time.

    A test may patch the same names: patches are undone in reverse order.
    """
    proofless.leave_out_proofs(monkeypatch)

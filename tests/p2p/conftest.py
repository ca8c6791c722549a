"""Fixtures for nodes that run in one thread, without sockets, and if wanted without proofs."""

import pytest

from tests.p2p.machines import network_in_memory
from tests.protocol import proofless


@pytest.fixture
def on_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    network_in_memory(monkeypatch)


@pytest.fixture
def without_proofs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make and verify no proofs, in tests of nodes that are about something else.

    A test may patch the same names: patches are undone in reverse order.
    """
    proofless.leave_out_proofs(monkeypatch)

"""Nodes in one thread, without sockets, and without what a test is not about."""

import pytest

from tests.p2p.machines import network_in_memory
from tests.protocol import proofless


@pytest.fixture
def on_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    network_in_memory(monkeypatch)


@pytest.fixture
def without_proofs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Proofs are neither made nor verified: for tests of nodes that are about something else.

    A test may patch the same names: what is undone goes back in turn.
    """
    proofless.leave_out_proofs(monkeypatch)

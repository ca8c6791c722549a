"""Nodes in one thread, without sockets, and without what a test is not about."""

import pytest
import trio

from p2p.transport.link import Link
from protocol.group import SIZE
from tests.conftest import without_threads
from tests.p2p.machines import Wire
from tests.simulation import tables


@pytest.fixture
def on_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    """Everything in one thread, wires have addresses, and links tell what is said on them."""

    def address_of(stream: trio.abc.Stream) -> str:
        return stream.ends[1] if isinstance(stream, Wire) else "elsewhere"

    send, send_nowait = Link.send, Link.send_nowait

    def tell(link: Link, frame: bytes) -> None:
        stream = link._frames._stream
        wire = stream.transport_stream if isinstance(stream, trio.SSLStream) else stream
        if isinstance(wire, Wire) and wire.machine is not None:
            wire.machine.says(frame)

    async def told_send(link: Link, frame: bytes) -> None:
        tell(link, frame)
        await send(link, frame)

    def told_send_nowait(link: Link, frame: bytes) -> None:
        tell(link, frame)
        send_nowait(link, frame)

    without_threads(monkeypatch)
    monkeypatch.setattr("p2p.transport.link.address_of", address_of)
    monkeypatch.setattr(Link, "send", told_send)
    monkeypatch.setattr(Link, "send_nowait", told_send_nowait)


@pytest.fixture
def without_proofs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Proofs are neither made nor verified: for tests of nodes that are about something else. All
    else is drawn as with proofs: some of the tests take a certain round.

    A test may patch the same names: what is undone goes back in turn.
    """
    tables.leave_out_proofs(monkeypatch, lambda entropy: entropy(SIZE))

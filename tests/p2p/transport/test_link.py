"""Links over TCP and TLS between two keys, and strangers who disturb them by connecting."""

import random
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any
from unittest.mock import AsyncMock, Mock, call

import pytest
import trio
from attrs import evolve
from trio.testing import memory_stream_pair, wait_all_tasks_blocked

from p2p.storage.identity import Identity
from p2p.transport.frames import FrameTooLarge, LinkClosed, LinkError, LinkStalled, Pace
from p2p.transport.link import (
    Limits,
    Link,
    _Listener,
    _Stranger,
    _Strangers,
    address_of,
    connect,
    host_choices,
    serve_links,
)
from p2p.transport.tls import PeerRefused, handshake, server_context
from protocol.errors import Malformed, ProofFailed, Unattributable
from tests.p2p.machines import failure_of
from tests.p2p.memory_network import MemoryListener, echoes, memory_link, memory_link_pair
from tests.patience import PATIENCE

pytestmark = pytest.mark.usefixtures("autojump_clock")

ANA, BOB, EVE = (Identity.generate() for _ in range(3))

LIMITS = Limits(pace=Pace(silence=60), handshake=10, strangers=6, per_address=4)
MANY = evolve(LIMITS, per_address=100)
UNHURRIED = evolve(LIMITS, handshake=10 * PATIENCE)
"""Limits with a timeout of the handshake that no test reaches."""


async def echo(link: Link) -> None:
    while True:
        await link.send(await link.receive())


async def listen(nursery: trio.Nursery) -> int:
    """Let Bob listen at a free port of this machine, and return the port."""
    (listener,) = await trio.open_tcp_listeners(0, host="127.0.0.1")
    port: int = listener.socket.getsockname()[1]
    nursery.start_soon(lambda: serve_links([listener], BOB, echo, limits=UNHURRIED))
    return port


def listen_in_memory(
    nursery: trio.Nursery, handler: Callable[[Link], Awaitable[None]] = echo, **more: Any
) -> MemoryListener:
    """Let Bob listen in memory, and return the listener, which can be called."""
    listener = MemoryListener()
    nursery.start_soon(lambda: serve_links([listener], BOB, handler, **more))
    return listener


async def is_served(stream: trio.abc.Stream, identity: Identity = ANA) -> bool:
    """Return True if a well-behaved caller over `stream` hears an echo."""
    try:
        async with memory_link(stream, identity, BOB) as link:
            return await echoes(link)
    except LinkError:
        return False


# Over real sockets


async def test_a_node_does_not_connect_to_itself(nursery: trio.Nursery) -> None:
    async def reflect(stream: trio.SocketStream) -> None:
        # An attacker connects us to ourselves, so that both ends have our key.
        with suppress(PeerRefused):
            await handshake(stream, server_context(ANA), server_side=True, admit=lambda _: True)

    listeners = await trio.open_tcp_listeners(0, host="127.0.0.1")
    nursery.start_soon(trio.serve_listeners, reflect, listeners)
    with pytest.raises(PeerRefused, match="not expected"):
        async with connect("127.0.0.1", listeners[0].socket.getsockname()[1], ANA):
            raise AssertionError


async def test_a_crowd_at_one_address_takes_only_its_places(nursery: trio.Nursery) -> None:
    port = await listen(nursery)
    strangers: list[trio.SocketStream] = []
    try:
        for _ in range(LIMITS.per_address + 4):
            stream = await trio.open_tcp_stream("127.0.0.1", port, local_address="127.0.0.2")
            strangers.append(stream)
    except OSError:
        pytest.skip("this system has no second loopback address")
    async with connect("127.0.0.1", port, ANA) as link:
        assert await echoes(link)
    closed = 0
    for stranger in strangers:
        with trio.move_on_after(0.2):
            closed += not await heard(stranger)
    assert closed == len(strangers) - LIMITS.per_address
    for stranger in strangers:
        await stranger.aclose()


async def test_connections_over_the_limit_are_closed_at_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """No task is started to close a socket. Any other stream is closed by force."""
    over, within = (Mock(spec=trio.SocketStream, socket=Mock()) for _ in range(2))
    also_over = memory_stream_pair()[0]
    listener = Mock(accept=AsyncMock(side_effect=[over, also_over, within]))
    strangers = Mock(may_come=Mock(side_effect=[False, False, True]))
    monkeypatch.setattr("p2p.transport.link.address_of", lambda _stream: "192.0.2.1")
    assert await _Listener(listener, strangers).accept() is within
    assert strangers.may_come.call_args_list == 3 * [call("192.0.2.1")]
    assert [one.socket.close.called for one in (over, within)] == [True, False]
    with pytest.raises(trio.ClosedResourceError):
        await also_over.send_all(b"anything")


async def heard(stream: trio.abc.Stream) -> bytes:
    """Return the bytes that come over `stream`, or no bytes if it was cut."""
    try:
        return bytes(await stream.receive_some())
    except trio.BrokenResourceError:
        return b""


async def test_an_open_link_knows_the_address_of_its_other_end(nursery: trio.Nursery) -> None:
    port = await listen(nursery)
    stream = await trio.open_tcp_stream("127.0.0.1", port)
    assert address_of(stream) == "127.0.0.1"
    await stream.aclose()
    assert address_of(stream) == "nowhere"
    assert address_of(memory_stream_pair()[0]) == "elsewhere"


# Over memory streams


@pytest.mark.parametrize("is_cut", [True, False], ids=["cut", "changed bytes"])
async def test_a_connection_that_is_cut_or_altered_ends_the_link(is_cut: bool) -> None:
    near, far = memory_stream_pair()
    async with memory_link_pair(ANA, BOB, streams=(near, far)) as (ana, bob):
        if is_cut:
            await trio.aclose_forcefully(near)
        else:
            await near.send_all(b"\x17\x03\x03\x00\x20" + bytes(32))  # a forged record
        with pytest.raises(LinkClosed, match="broke"):
            await bob.receive()
        with pytest.raises(LinkClosed):
            await ana.receive()


async def test_a_handshake_times_out() -> None:
    _near, silent = memory_stream_pair()
    with pytest.raises(LinkStalled, match="handshake"):
        async with memory_link(silent, ANA, BOB):
            raise AssertionError
    assert trio.current_time() == pytest.approx(10)


async def test_errors_of_the_block_are_raised_as_they_are(nursery: trio.Nursery) -> None:
    listener = listen_in_memory(nursery)
    for mistake in (KeyError("x"), trio.TooSlowError(), ExceptionGroup("one", [OSError("x")])):
        with pytest.raises(type(mistake)) as caught:
            async with memory_link(listener.call(), ANA, BOB):
                raise mistake
        assert repr(caught.value) == repr(mistake)


def test_a_node_is_called_at_all_its_hosts_and_then_at_each() -> None:
    assert [*host_choices(("a",))] == [("a",)]
    assert [*host_choices(("a", "b"))] == [("a", "b"), ("a",), ("b",)]


async def test_one_stranger_makes_room_and_a_greeted_one_has_another_place() -> None:
    """There are places for three silent strangers, two from one address, and for a greeted one."""
    strangers = _Strangers(Limits(strangers=3, per_address=2, greeted=1), random.Random(1))
    ana, other, third, elsewhere = (_Stranger(f"192.0.2.{number}") for number in (1, 1, 1, 2))

    def gone() -> list[bool]:
        return [one.scope.cancel_called for one in (ana, other, third, elsewhere)]

    for stranger in (ana, other, elsewhere, third):
        strangers.enter(stranger)
    (out,) = (one for one in (ana, other) if one.scope.cancel_called)
    assert gone().count(True) == 1
    assert len(strangers._silent) == 3
    strangers.greet(out)
    assert strangers._greeted == []
    strangers.greet(third)
    assert (len(strangers._silent), strangers._greeted) == (2, [third])
    strangers.greet(elsewhere)
    assert third.scope.cancel_called
    assert strangers._greeted == [elsewhere]
    strangers.leave(elsewhere)
    assert (len(strangers._silent), strangers._greeted) == (1, [])
    assert not elsewhere.scope.cancel_called


async def test_a_settled_caller_is_no_stranger_and_stays(nursery: trio.Nursery) -> None:
    async def handler(link: Link) -> None:
        link.settle()
        await echo(link)

    listener = listen_in_memory(nursery, handler, limits=LIMITS)
    async with memory_link(listener.call(), ANA, BOB) as friend:
        assert await echoes(friend)
        flood = [listener.call() for _ in range(10 * LIMITS.strangers)]
        await wait_all_tasks_blocked()
        assert not await heard(flood[-1])
        assert await echoes(friend)


async def test_places_are_free_again_when_callers_leave(nursery: trio.Nursery) -> None:
    """A stranger who still waits keeps their place."""
    listener = listen_in_memory(nursery, limits=UNHURRIED)
    waits = listener.call()
    await wait_all_tasks_blocked()
    for _ in range(3 * LIMITS.strangers):
        assert await is_served(listener.call())
        await wait_all_tasks_blocked()
    assert await is_served(waits)


async def test_a_frame_over_the_limit_ends_only_its_link(nursery: trio.Nursery) -> None:
    ends: list[LinkError] = []

    async def handler(link: Link) -> None:
        try:
            await echo(link)
        except LinkError as error:
            ends.append(error)
            raise

    strict = Limits(pace=Pace(frame_bytes=100))
    listener = listen_in_memory(nursery, handler, limits=strict)
    async with memory_link(listener.call(), EVE, BOB) as link:
        await link.send(bytes(101))
        with pytest.raises(LinkClosed):
            await link.receive()
    assert [type(error) for error in ends] == [FrameTooLarge]
    assert await is_served(listener.call())


@pytest.mark.parametrize(
    "fault",
    [
        Malformed("nonsense"),
        ProofFailed("sum", "The sum does not hold."),
        Unattributable("R4", "An entry that nobody has signed."),
        LinkClosed("gone"),
        ExceptionGroup("tasks", [LinkClosed("gone"), ExceptionGroup("more", [Malformed("no")])]),
    ],
)
async def test_a_fault_of_a_peer_ends_only_its_link(
    nursery: trio.Nursery, fault: Exception
) -> None:
    async def handler(link: Link) -> None:
        if link.peer == EVE.public:
            raise fault
        await echo(link)

    listener = listen_in_memory(nursery, handler)
    async with memory_link(listener.call(), ANA, BOB) as friend:
        assert not await is_served(listener.call(), EVE)
        assert await echoes(friend)
    assert await is_served(listener.call())


@pytest.mark.parametrize(
    "mistake", [KeyError("ours"), ExceptionGroup("tasks", [LinkClosed("theirs"), KeyError("ours")])]
)
async def test_a_bug_is_raised_to_the_caller(mistake: Exception) -> None:
    async def handler(_link: Link) -> None:
        raise mistake

    async def serve() -> None:
        async with trio.open_nursery() as nursery:
            await is_served(listen_in_memory(nursery, handler).call(), EVE)

    with trio.fail_after(60):
        assert isinstance(await failure_of(serve()), KeyError)


async def test_a_caller_is_handled_unless_it_is_this_node(nursery: trio.Nursery) -> None:
    came: list[bytes] = []

    async def handler(link: Link) -> None:
        came.append(link.peer)
        await echo(link)

    listener = listen_in_memory(nursery, handler)
    assert not await is_served(listener.call(), BOB)
    assert await is_served(listener.call(), ANA)
    assert came == [ANA.public]

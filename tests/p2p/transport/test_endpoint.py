"""The endpoint: routing links to their handlers, over real sockets, IPv4 and IPv6."""

import errno
from collections.abc import AsyncIterator
from contextlib import ExitStack, asynccontextmanager
from functools import partial
from unittest.mock import Mock, call

import pytest
import trio
from trio.testing import memory_stream_pair, wait_all_tasks_blocked

from p2p.discovery.interfaces import listen
from p2p.refusals import Reason
from p2p.storage.identity import Identity
from p2p.transport.endpoint import LOBBY, Caller, Declined, Endpoint, hear, say
from p2p.transport.frames import LinkClosed, LinkStalled
from p2p.transport.link import STAGGER_SECONDS, Limits, Unreachable, connect
from p2p.transport.lobby_messages import Announced, Ready
from p2p.transport.messages import Goodbye, Hello, Message, pack
from p2p.version import MESSAGES
from tests.p2p.memory_network import MemoryListener

pytestmark = pytest.mark.usefixtures("autojump_clock")

ANA, BRUNO = Identity.generate(), Identity.generate()
TABLE = bytes(32)


async def answer(caller: Caller) -> None:
    await say(caller.link, Hello(caller.hello.table_id, caller.port))
    await trio.sleep_forever()


@asynccontextmanager
async def serving() -> AsyncIterator[Endpoint]:
    endpoint = Endpoint(ANA)
    listeners, port = await listen(0)
    async with trio.open_nursery() as nursery:
        await nursery.start(endpoint.serve, listeners, port)
        yield endpoint
        nursery.cancel_scope.cancel()


async def answer_of(endpoint: Endpoint, table_id: bytes = LOBBY) -> Message:
    """Call the endpoint on this machine about that table, and return what it says first."""
    async with Endpoint(BRUNO).dial("127.0.0.1", endpoint.port, table_id) as link:
        return await hear(link)


@asynccontextmanager
async def serving_on_memory() -> AsyncIterator[tuple[Endpoint, Endpoint]]:
    """Open an endpoint that serves and one that calls it, in memory, where no time passes."""
    listener = MemoryListener()

    async def open_stream(_host: str, _port: int) -> trio.abc.Stream:
        return listener.call()

    endpoint = Endpoint(ANA)
    async with trio.open_nursery() as nursery:
        await nursery.start(endpoint.serve, [listener], 7)
        with trio.fail_after(60):
            yield endpoint, Endpoint(BRUNO, open_stream=open_stream)
        nursery.cancel_scope.cancel()


@pytest.mark.parametrize("host", ["127.0.0.1", "::1"])
async def test_a_link_comes_to_the_table_that_it_is_about(host: str) -> None:
    async with serving() as endpoint:
        guest = Endpoint(BRUNO)
        guest.port = 4711
        try:
            stream = await trio.open_tcp_stream(host, endpoint.port)
        except OSError:
            pytest.skip(f"this machine has no {host}")
        await stream.aclose()
        with endpoint.route(TABLE, answer):
            async with guest.dial(host, endpoint.port, TABLE, expect=ANA.public) as link:
                assert await hear(link) == Hello(TABLE, 4711)
                assert link.address == host
        with pytest.raises(Declined, match="no such table"):
            await answer_of(endpoint, TABLE)


@pytest.mark.parametrize(
    ("change", "reason"), [(1, Reason.OLDER_PROTOCOL), (-1, Reason.NEWER_PROTOCOL)]
)
async def test_a_peer_of_another_version_is_told_about_it(change: int, reason: Reason) -> None:
    async with serving() as endpoint:
        with endpoint.route(LOBBY, answer):
            async with connect("127.0.0.1", endpoint.port, BRUNO) as link:
                await say(link, Hello(LOBBY, 0, MESSAGES + change))
                with pytest.raises(Declined) as caught:
                    await hear(link)
    assert caught.value.reason == reason


async def test_a_caller_from_another_network_is_refused_and_told_why() -> None:
    async with serving() as endpoint:
        endpoint.near = near = Mock(return_value=False)
        for table_id in (LOBBY, TABLE):
            with endpoint.route(table_id, answer):
                with pytest.raises(Declined, match="--anywhere") as caught:
                    await answer_of(endpoint, table_id)
                assert caught.value.reason == Reason.OTHER_NETWORK
    assert near.call_args_list == [call("127.0.0.1")] * 2


@pytest.mark.parametrize("frame", [pack(Ready(True)), b"", b"\xff\xff"], ids=repr)
async def test_a_link_that_does_not_begin_with_a_hello_ends(frame: bytes) -> None:
    async with serving() as endpoint:
        with endpoint.route(LOBBY, answer):
            async with connect("127.0.0.1", endpoint.port, BRUNO) as link:
                await link.send(frame)
                with pytest.raises(LinkClosed):
                    await hear(link)


async def test_a_table_has_only_one_handler_at_a_time() -> None:
    endpoint = Endpoint(ANA)
    with (
        endpoint.route(TABLE, answer),
        pytest.raises(ValueError, match="already"),
        endpoint.route(TABLE, answer),
    ):
        raise AssertionError


async def test_a_taken_port_is_an_error_only_if_it_was_chosen() -> None:
    first, port = await listen(0)
    with pytest.raises(OSError):  # noqa: PT011 - the text is the system's
        await listen(port)
    others = [await listen(None), await listen(None)]
    assert len({number for _, number in others}) == 2
    assert all(number >= 1024 for _, number in others), "ports below 1024 are for other programs"
    for listeners in (first, *(some for some, _ in others)):
        for listener in listeners:
            await listener.aclose()


async def test_a_caller_who_names_no_table_comes_to_the_latest_handler() -> None:
    """The next lobby may open before the old one has closed, and gets the link."""

    async def answer_with(port: int, caller: Caller) -> None:
        await say(caller.link, Hello(caller.hello.table_id, port))
        await trio.sleep_forever()

    async with serving() as endpoint:
        with ExitStack() as before, ExitStack() as now:
            before.enter_context(endpoint.route(LOBBY, partial(answer_with, 1)))
            assert await answer_of(endpoint) == Hello(LOBBY, 1)
            now.enter_context(endpoint.route(LOBBY, partial(answer_with, 2)))
            assert await answer_of(endpoint) == Hello(LOBBY, 2)
            before.close()
            assert await answer_of(endpoint) == Hello(LOBBY, 2)
            now.close()
            with pytest.raises(Declined):
                await answer_of(endpoint)


async def test_a_link_that_names_no_table_keeps_its_handler_when_a_lobby_opens() -> None:
    """Only a link about a table is closed when that table opens."""
    asked, opened = trio.Event(), trio.Event()

    async def fallback(caller: Caller) -> None:
        asked.set()
        await opened.wait()
        await say(caller.link, Goodbye(Reason.NO_TABLE))

    async with serving_on_memory() as (endpoint, guest):
        endpoint.fallback = fallback
        async with guest.dial("host", endpoint.port, LOBBY) as link:
            await asked.wait()
            with endpoint.route(LOBBY, answer):
                opened.set()
                with pytest.raises(Declined, match="no such table"):
                    await hear(link)


async def test_an_early_call_about_a_table_ends_when_the_table_opens() -> None:
    """The caller calls again. Links that have ended are forgotten."""
    other = bytes([1]) * 32

    async def fallback(_caller: Caller) -> None:
        await trio.sleep_forever()

    async with serving_on_memory() as (endpoint, guest):
        endpoint.fallback = fallback
        async with (
            guest.dial("host", endpoint.port, TABLE) as early,
            guest.dial("host", endpoint.port, other) as about_another,
        ):
            await wait_all_tasks_blocked()
            with endpoint.route(TABLE, answer):
                with pytest.raises(LinkClosed):
                    await hear(early)
                assert list(endpoint._on_fallback) == [other]
                async with guest.dial("host", endpoint.port, TABLE) as again:
                    assert await hear(again) == Hello(TABLE, 0)
            with endpoint.route(other, answer), pytest.raises(LinkClosed):
                await hear(about_another)
        assert endpoint._on_fallback == {}


async def test_a_caller_who_names_no_table_first_hears_the_announcement() -> None:
    """It tells the caller whose beacon it is; callers about a table know its members anyway."""
    announced = Announced(bytes(64))
    async with serving() as endpoint:
        endpoint.announced = announced
        for table_id in (LOBBY, TABLE):
            with endpoint.route(table_id, answer):
                async with Endpoint(BRUNO).dial("127.0.0.1", endpoint.port, table_id) as link:
                    if table_id == LOBBY:
                        assert await hear(link) == announced
                    assert await hear(link) == Hello(table_id, 0)


def test_an_endpoint_uses_the_limits_given_to_it() -> None:
    limits = Limits(handshake=1)
    assert Endpoint(ANA, limits=limits).limits == limits
    assert Endpoint(ANA).limits == Limits()
    assert Endpoint(ANA).port == 0, "an endpoint has a port before it serves"


# -- Connecting to one node at several addresses


async def test_a_caller_who_gives_up_while_connecting_leaves_no_connection_open() -> None:
    """The system would keep an open socket, and Python would warn at exit."""
    streams = Streams({})
    both_called = trio.Event()
    with trio.CancelScope() as scope:

        async def open_and_give_up(host: str, _port: int) -> trio.abc.Stream:
            if host == "near":
                await both_called.wait()
            both_called.set()
            ours, _theirs = memory_stream_pair()
            streams.opened.append(ours)
            scope.cancel()
            return ours

        async with connect(["near", "far"], 1, Identity.generate(), open_stream=open_and_give_up):
            pass
    assert scope.cancelled_caught
    assert len(streams.opened) == 2
    assert await streams.all_closed()


class Streams:
    """An opener of memory streams; `delays` has the seconds for each host, None if it is absent."""

    def __init__(self, delays: dict[str, float | None]) -> None:
        self.delays = delays
        self.begun: list[tuple[str, float]] = []
        self.opened: list[trio.abc.Stream] = []

    async def open(self, host: str, _port: int) -> trio.abc.Stream:
        self.begun.append((host, trio.current_time()))
        delay = self.delays[host]
        if delay is None:
            raise OSError(f"no {host}")
        await trio.sleep(delay)
        ours, _theirs = memory_stream_pair()
        self.opened.append(ours)
        return ours

    async def all_closed(self) -> bool:
        for stream in self.opened:
            try:
                await stream.send_all(b"x")
            except trio.ClosedResourceError:
                continue
            return False
        return True


S = STAGGER_SECONDS
STALLED = "handshake"  # nobody answers the handshake


@pytest.mark.parametrize(
    ("delays", "begun", "seconds", "says"),
    [
        ({"a": None, "b": None}, [0, 0], 0, r"^Nobody answers at a, b, port 1 \(no b\)\.$"),
        ({"a": None, "b": 0.125, "c": 9.0}, [0, 0], 0.125 + 5, STALLED),
        ({"a": 20.0, "b": 30.0}, [0, S], 5, r"^Nobody answers at a, b, port 1\.$"),
        ({"a": 1.0, "b": 0.75}, [0, S], S + 0.75 + 5, STALLED),
        ({"a": 20.0, "b": None, "c": None}, [0, S, S], 5, r"^Nobody answers at a, b, c, port 1\.$"),
    ],
    ids=["all fail", "one answers soon", "none in time", "the later one sooner", "one is silent"],
)
async def test_each_address_is_tried_until_one_answers(
    delays: dict[str, float | None], begun: list[float], seconds: float, says: str
) -> None:
    """The next address is tried when the one before has failed, or has been silent for a while."""
    streams, limits = Streams(delays), Limits(handshake=5)
    with pytest.raises((Unreachable, LinkStalled), match=says):
        async with connect(
            list(delays), 1, Identity.generate(), limits=limits, open_stream=streams.open
        ):
            pass
    assert streams.begun == list(zip(delays, begun, strict=False))
    assert trio.current_time() == pytest.approx(seconds)
    assert await streams.all_closed()


async def test_without_a_certificate_nobody_is_reached(monkeypatch: pytest.MonkeyPatch) -> None:
    """The cause is on this machine, but the node keeps calling, as if nobody answered."""
    none = Mock(side_effect=OSError(errno.EMFILE, "Too many open files"))
    monkeypatch.setattr("p2p.transport.link.client_context", none)
    with pytest.raises(Unreachable, match=r"from this machine \(Too many open files\)"):
        async with connect("127.0.0.1", 9, Identity.generate()):
            raise AssertionError

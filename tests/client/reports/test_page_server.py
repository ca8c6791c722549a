"""The page server: clients that know the path get the page, and others get nothing."""

import re
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from math import inf
from pathlib import Path
from typing import Any

import pytest
import segno
import trio
from trio.testing import (
    MockClock,
    lockstep_stream_pair,
    memory_stream_pair,
    wait_all_tasks_blocked,
)

from client.cli.commands import share
from client.cli.main import main
from client.errors import BadRequest
from client.reports import page_server
from p2p.background_task import beside
from p2p.discovery.interfaces import Interface
from tests.protocol.played import played

PAGE = b"<!DOCTYPE html>" + 100_000 * b"x"
TOKEN = "abcd-efgh"
REQUEST = f"GET /{TOKEN} HTTP/1.1\r\n\r\n".encode()
LIMITS = page_server.ServerLimits(connections=3, of_one_host=2)

pytestmark = pytest.mark.usefixtures("autojump_clock")


class Served:
    """A server whose clients are streams in memory."""

    def __init__(self, nursery: trio.Nursery) -> None:
        self.nursery = nursery
        self.fetched: list[str] = []
        self.server = page_server.PageServer(TOKEN, PAGE, self.fetched.append, LIMITS)

    def connect(
        self, host: str = "192.0.2.1", *, pair: Callable[[], Any] = memory_stream_pair
    ) -> Any:
        near, far = pair()
        self.nursery.start_soon(self.server.answer, far, host)
        return near

    async def asked(self, request: bytes = REQUEST, host: str = "192.0.2.1") -> bytes:
        """Send a request, and return all bytes of the response."""
        async with self.connect(host) as stream:
            await stream.send_all(request)
            return await rest(stream)

    async def open(self) -> int:
        """Wait until no task can do more, and return the number of open connections."""
        await wait_all_tasks_blocked()
        return len(self.server._open)


@pytest.fixture
def served(nursery: trio.Nursery) -> Served:
    return Served(nursery)


async def rest(stream: trio.abc.Stream) -> bytes:
    data = b""
    with suppress(trio.BrokenResourceError), trio.fail_after(100):
        while more := await stream.receive_some(1 << 16):
            data += more
    return data


async def test_a_request_with_the_right_path_gets_the_page(served: Served) -> None:
    """Nothing may keep the page, tell others its address, or put it into another page.

    Further bytes of the client do not break the response, because the server reads them: closing a
    socket with unread bytes would reset the connection.
    """
    async with served.connect() as stream:
        await stream.send_all(f"GET /{TOKEN} HTTP/1.0\r\nHost: x\r\n\r\n".encode())
        answer = await rest(stream)
        await stream.send_all(b"more")
    assert answer.endswith(PAGE)
    assert answer.removesuffix(PAGE).decode().split("\r\n") == [
        "HTTP/1.1 200 OK",
        f"Content-Length: {len(PAGE)}",
        "Connection: close",
        "Content-Type: text/html; charset=utf-8",
        "Cache-Control: no-store",
        "Referrer-Policy: no-referrer",
        "X-Content-Type-Options: nosniff",
        "X-Frame-Options: DENY",
        "",
        "",
    ]
    assert served.fetched == ["192.0.2.1"]


async def test_any_other_request_gets_an_empty_404(served: Served) -> None:
    for line in (
        *("GET / HTTP/1.1", "GET /favicon.ico HTTP/1.1", "", "\x00\xff", f"GET /{TOKEN} HTTP/2.0"),
        *(f"GET /{path} HTTP/1.1" for path in (TOKEN[:-1], f"{TOKEN}/", f"{TOKEN}?x")),
        f"GET /{TOKEN}/../../etc/passwd HTTP/1.1",
        *(f"{method} /{TOKEN} HTTP/1.1" for method in ("HEAD", "POST", "PUT")),
    ):
        answer = await served.asked(line.encode("latin-1") + b"\r\nHost: x\r\n\r\n")
        empty = b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
        assert answer == empty, line
    assert served.fetched == []


async def test_a_request_may_be_as_long_as_the_limit(served: Served) -> None:
    request = REQUEST.replace(b"\r\n\r\n", b"\r\nx: ")
    for size, answered in ((LIMITS.request, True), (LIMITS.request + 1, False)):
        padding = (size - len(request) - 4) * b"x"
        response = await served.asked(request + padding + b"\r\n\r\n")
        assert response.endswith(PAGE) is answered


async def test_a_request_that_ends_too_early_gets_no_answer(served: Served) -> None:
    near = served.connect()
    await near.send_all(REQUEST[:-2])
    await near.send_eof()
    begun = trio.current_time()
    assert await rest(near) == b""
    assert trio.current_time() == begun, "the server waits for nothing more"
    assert await served.open() == 0


async def test_a_client_that_fetches_too_slowly_is_dropped(served: Served) -> None:
    near = served.connect(pair=lockstep_stream_pair)
    await near.send_all(REQUEST)
    await near.receive_some(100)
    for seconds, still_open in ((LIMITS.fetching - 1, 1), (2, 0)):
        await trio.sleep(seconds)
        assert len(served.server._open) == still_open
    assert served.fetched == []


async def test_a_client_that_gets_its_page_and_keeps_sending_is_dropped(served: Served) -> None:
    """The server sends the page, and reads what follows only up to the limit of a request."""
    stream = served.connect()
    await stream.send_all(REQUEST)
    assert await served.open() == 1
    for sent, still_open in ((1, 1), (LIMITS.request - 2, 1), (1, 0)):
        await stream.send_all(sent * b"x")
        assert await served.open() == still_open
    assert served.fetched == ["192.0.2.1"]


async def test_an_endless_request_gets_no_answer(served: Served) -> None:
    stream = served.connect()

    async def send_for_ever() -> None:
        with suppress(trio.BrokenResourceError):
            while True:
                await stream.send_all(1000 * b"x")
                await trio.lowlevel.checkpoint()

    async with beside(send_for_ever):
        assert await rest(stream) == b""
    assert served.fetched == []


async def test_a_silent_or_slow_request_is_dropped(served: Served) -> None:
    begun = trio.current_time()
    assert await rest(served.connect()) == b""
    assert trio.current_time() - begun == LIMITS.asking
    stream, begun = served.connect(), trio.current_time()
    with suppress(trio.BrokenResourceError):
        for byte in 100 * b"G":
            await stream.send_all(bytes([byte]))
            await trio.sleep(1)
    assert trio.current_time() - begun <= LIMITS.asking + 1


async def test_connections_are_limited_per_host_and_in_total(served: Served) -> None:
    await trio.sleep(page_server.SAFE_SECONDS)  # so that the clock is not at 0 when they begin
    for _ in range(2):
        served.connect("192.0.2.66")
    await wait_all_tasks_blocked()
    begun = trio.current_time()
    assert await rest(served.connect("192.0.2.66")) == b"", "one host gets no third connection"
    assert (await served.asked(host="192.0.2.7")).endswith(PAGE)
    served.connect("192.0.2.67")
    await wait_all_tasks_blocked()
    assert (await served.asked(host="192.0.2.7")).endswith(PAGE), (
        "the first host must lose one of its two places"
    )
    served.connect("192.0.2.68")
    await wait_all_tasks_blocked()
    assert await rest(served.connect("192.0.2.7")) == b"", (
        "no host has two places, so none loses one"
    )
    assert trio.current_time() == begun, "both were refused at once"
    await trio.sleep(LIMITS.asking + 1)
    assert (await served.asked(host="192.0.2.7")).endswith(PAGE), "the slow ones were dropped"
    assert served.fetched == 3 * ["192.0.2.7"]


async def test_slow_connections_from_one_network_cannot_block_others(served: Served) -> None:
    """A whole IPv6 network counts as one address, and idle connections make room for others."""
    for number in range(1, 4):
        served.connect(f"192.0.2.6{number}")
    await trio.sleep(page_server.SAFE_SECONDS)
    assert (await served.asked(host="192.0.2.7")).endswith(PAGE)
    assert await served.open() == 2, "one of the three must lose its connection"
    for number in range(1, 6):
        served.connect(f"2001:db8::{number}")
    await wait_all_tasks_blocked()
    assert sum("2001" in client.host for client in served.server._open) <= LIMITS.of_one_host


async def test_page_server_ends_after_its_time() -> None:
    server = page_server.PageServer(TOKEN, PAGE, lambda _host: None)
    begun = trio.current_time()
    await server.serve(await trio.open_tcp_listeners(0, host="127.0.0.1"), 600)
    assert trio.current_time() - begun == 600


async def test_page_can_be_fetched_over_a_socket(autojump_clock: MockClock) -> None:
    # The socket needs real time. The clock runs three times as fast, so that `rest` gives up after
    # 33 seconds instead of 100.
    autojump_clock.autojump_threshold, autojump_clock.rate = inf, 3
    listeners = await trio.open_tcp_listeners(0, host="127.0.0.1")
    port = listeners[0].socket.getsockname()[1]
    fetched: list[str] = []
    server = page_server.PageServer(TOKEN, PAGE, fetched.append)
    async with (
        beside(partial(server.serve, listeners, 600)),
        await trio.open_tcp_stream("127.0.0.1", port) as stream,
    ):
        await stream.send_all(REQUEST)
        assert (await rest(stream)).endswith(b"\r\n\r\n" + PAGE)
    assert fetched == ["127.0.0.1"]


def test_each_token_is_new_and_has_128_bits() -> None:
    tokens = {page_server.new_token() for _ in range(100)}
    assert len(tokens) == 100
    for token in tokens:
        assert re.fullmatch("([a-z2-7]{4}-){6}[a-z2-7]{2}", token)


# -- the command

LAN = Interface("eth0", ("192.0.2.7",), ("fe80::1%eth0",))
LOOPBACK = Interface("lo", ("127.0.0.1",), ("::1",))


def test_the_interface_is_the_named_one_or_one_that_others_can_reach() -> None:
    assert share.choose_interface((LAN, LOOPBACK), None) is LAN
    assert share.choose_interface((LAN, LOOPBACK), "lo") is LOOPBACK
    with pytest.raises(BadRequest, match="only eth0, lo"):
        share.choose_interface((LAN, LOOPBACK), "wlan0")
    with pytest.raises(BadRequest, match="--interface: lo"):
        share.choose_interface((LOOPBACK,), None)
    with pytest.raises(BadRequest, match="no network interface"):
        share.choose_interface((), None)


def test_qr_code_contains_the_address() -> None:
    address = "http://192.0.2.7:12345/" + page_server.new_token()
    drawn = [re.sub("\x1b\\[[0-9;]*m", "", line) for line in share.qr_lines(address)]
    halves = {sign: pair for pair, sign in share._HALVES.items()}
    rows = [[halves[sign][half] for sign in line] for line in drawn for half in (0, 1)]
    expected = [list(map(bool, row)) for row in segno.make(address).matrix_iter(border=4)]
    assert rows[: len(expected)] == expected
    assert not any(map(any, rows[len(expected) :]))
    assert max(map(len, drawn)) <= 60
    assert address in "".join(share.invitation(address, draws=False))


def test_share_command_serves_the_page_of_the_record(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "game.sobremesa"
    path.write_bytes(played("canastra").record())
    pages: list[bytes] = []

    async def fetch_and_end(
        server: page_server.PageServer, listeners: Sequence[trio.SocketListener], seconds: float
    ) -> None:
        for host in ("192.0.2.9", "192.0.2.9", "192.0.2.8"):
            near, far = memory_stream_pair()
            async with trio.open_nursery() as nursery:
                nursery.start_soon(partial(server.answer, far, host))
                async with near:
                    await near.send_all(f"GET /{server.token} HTTP/1.1\r\n\r\n".encode())
                    pages.append(await rest(near))
        for listener in listeners:
            await listener.aclose()
        assert seconds == 600

    monkeypatch.setattr(page_server.PageServer, "serve", fetch_and_end)
    assert main(["share", str(path), "--interface", "lo"]) == 0
    said = capsys.readouterr().out
    assert 'id="record-0"' in pages[0].decode()
    assert re.search(r"http://127\.0\.0\.1:\d+/([a-z2-7]{4}-){6}[a-z2-7]{2}\n", said)
    assert "fetched 1 time, by 1 device; now by 192.0.2.9\n" in said
    assert "fetched 2 times, by 1 device; now by 192.0.2.9\n" in said
    assert "fetched 3 times, by 2 devices; now by 192.0.2.8\n" in said
    assert "\x1b" not in said, "no QR code goes to an output that is no terminal"
    assert main(["share", str(tmp_path / "missing")]) == 2

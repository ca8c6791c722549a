"""A connection to one node at several addresses: none stays open that is not used."""

import errno
import ssl

import pytest
import trio
from trio.testing import memory_stream_pair

from p2p.storage.identity import Identity
from p2p.transport.frames import LinkStalled
from p2p.transport.link import Limits, Unreachable, connect

pytestmark = pytest.mark.usefixtures("autojump_clock")


class Streams:
    """Opens memory streams: `delays` are the seconds that each host takes, None for none there."""

    def __init__(self, delays: dict[str, float | None]) -> None:
        self.delays = delays
        self.begun: list[str] = []
        self.opened: list[trio.abc.Stream] = []

    async def open(self, host: str, _port: int) -> trio.abc.Stream:
        self.begun.append(host)
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


async def dial(streams: Streams, *hosts: str) -> None:
    async with connect(
        hosts, 1, Identity.generate(), limits=Limits(handshake=5), open_stream=streams.open
    ):
        pass


async def test_who_gives_up_while_connections_come_about_leaves_none_open() -> None:
    """A stream that nobody closes is a socket that the system keeps, and says so at exit."""
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


async def test_each_address_is_tried_when_the_one_before_has_failed() -> None:
    streams = Streams({"gone": None, "lost": None})
    with pytest.raises(Unreachable) as caught:
        await dial(streams, "gone", "lost")
    assert str(caught.value) == "Nobody answers at gone, lost, port 1 (no lost)."
    assert streams.begun == ["gone", "lost"]
    assert trio.current_time() == 0


async def test_nobody_is_called_any_more_where_somebody_has_answered() -> None:
    streams = Streams({"gone": None, "quick": 0.125, "slow": 9.0})
    with pytest.raises(LinkStalled):  # nobody shakes hands at the other end
        await dial(streams, "gone", "quick", "slow")
    assert streams.begun == ["gone", "quick"]
    assert trio.current_time() == 0.125 + 5


async def test_who_does_not_answer_in_time_is_waited_for_no_longer() -> None:
    streams = Streams({"slow": 20.0, "slower": 30.0})
    with pytest.raises(Unreachable) as caught:
        await dial(streams, "slow", "slower")
    assert str(caught.value) == "Nobody answers at slow, slower, port 1."
    assert trio.current_time() == 5


async def test_who_comes_at_last_to_nobody_that_answers_leaves_none_open() -> None:
    streams = Streams({"slow": 1.0, "quick": 0.75})
    with pytest.raises(LinkStalled):  # nobody shakes hands at the other end
        await dial(streams, "slow", "quick")
    assert await streams.all_closed()


async def test_without_a_file_for_its_certificate_nobody_is_reached(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A node that calls the others again and again goes on; the others are not to blame."""

    def none(_identity: Identity) -> ssl.SSLContext:
        raise OSError(errno.EMFILE, "Too many open files")

    monkeypatch.setattr("p2p.transport.link.client_context", none)
    with pytest.raises(Unreachable, match=r"from this machine \(Too many open files\)"):
        async with connect("127.0.0.1", 9, Identity.generate()):
            raise AssertionError

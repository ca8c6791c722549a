"""A connection with a delay, like one over a slow network, for `bench table`."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial

import trio
from attrs import define, field

from p2p.transport.link import Opener

_BYTES = 64 * 1024
_PIECES = 1024  # maximum number of pieces on their way in each direction


@define
class _Line:
    """Pieces on their way, each with its time of arrival; b"" stands for the end."""

    _ends: tuple[
        trio.MemorySendChannel[tuple[float, bytes]], trio.MemoryReceiveChannel[tuple[float, bytes]]
    ] = field(factory=lambda: trio.open_memory_channel[tuple[float, bytes]](_PIECES))
    _closed: bool = False

    async def put(self, piece: bytes, seconds: float) -> None:
        if not self._closed:
            self._closed = not piece
            await self._ends[0].send((trio.current_time() + seconds, piece))

    async def get(self) -> bytes:
        at, piece = await self._ends[1].receive()
        await trio.sleep_until(at)
        if not piece:
            self._ends[0].send_nowait((at, b""))  # so that a later call sees the end, too
        return piece


@define(eq=False)
class DelayedStream(trio.abc.Stream):
    """A stream over `stream` with a one-way delay of `seconds` in each direction.

    The stream carries bytes only while `run` runs.
    """

    stream: trio.abc.Stream
    seconds: float
    _out: _Line = field(factory=_Line, init=False)
    _in: _Line = field(factory=_Line, init=False)
    _rest: bytes = field(default=b"", init=False)

    async def run(self) -> None:
        """Carry bytes in both directions until one side closes the connection."""
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._send)
            nursery.start_soon(self._receive)

    async def _send(self) -> None:
        try:
            while piece := await self._out.get():
                await self.stream.send_all(piece)
        except (trio.BrokenResourceError, trio.ClosedResourceError):
            pass
        await self.stream.aclose()

    async def _receive(self) -> None:
        try:
            while piece := await self.stream.receive_some(_BYTES):
                await self._in.put(bytes(piece), self.seconds)
        except (trio.BrokenResourceError, trio.ClosedResourceError):
            pass
        await self._in.put(b"", self.seconds)

    async def send_all(self, data: bytes | bytearray | memoryview) -> None:
        await self._out.put(bytes(data), self.seconds)

    async def receive_some(self, max_bytes: int | None = None) -> bytes:
        if not self._rest:
            self._rest = await self._in.get()
        size = len(self._rest) if max_bytes is None else max_bytes
        piece, self._rest = self._rest[:size], self._rest[size:]
        return piece

    async def wait_send_all_might_not_block(self) -> None:
        await trio.lowlevel.checkpoint()

    async def aclose(self) -> None:
        """Close for good, once everything sent has arrived."""
        with trio.CancelScope(shield=True):
            await self._out.put(b"", self.seconds)


@asynccontextmanager
async def delayed(seconds: float) -> AsyncIterator[Opener]:
    """Yield a function that opens TCP connections with a one-way delay; they end with the block."""
    async with trio.open_nursery() as nursery:

        async def open_stream(host: str, port: int) -> trio.abc.Stream:
            stream: trio.abc.Stream = await trio.open_tcp_stream(host, port)
            if seconds:
                await trio.sleep(2 * seconds)  # SYN, and its answer
                stream = DelayedStream(stream, seconds)
                nursery.start_soon(stream.run)
            return stream

        yield partial(open_stream)
        nursery.cancel_scope.cancel()

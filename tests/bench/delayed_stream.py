"""A connection with a delay, like one over a slow network, for `bench table`."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import trio
from attrs import define, field

from p2p.transport.link import Opener

_BYTES = 64 * 1024
_PIECES = 1024
"""The maximum number of pieces on their way in each direction."""
_GONE = (trio.BrokenResourceError, trio.ClosedResourceError)

_Line = tuple[
    trio.MemorySendChannel[tuple[float, bytes]], trio.MemoryReceiveChannel[tuple[float, bytes]]
]
"""Pieces on their way, each with its time of arrival; the channel is closed after the last."""


def _line() -> _Line:
    return trio.open_memory_channel[tuple[float, bytes]](_PIECES)


@define(eq=False)
class DelayedStream(trio.abc.Stream):
    """A stream over `stream` with a one-way delay of `seconds` in each direction.

    The stream carries bytes only while `run` runs.
    """

    stream: trio.abc.Stream
    seconds: float
    _out: _Line = field(factory=_line, init=False)
    _in: _Line = field(factory=_line, init=False)
    _rest: bytes = field(default=b"", init=False)

    async def run(self) -> None:
        """Carry bytes in both directions until one side closes the connection."""
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._send)
            nursery.start_soon(self._receive)

    async def _send(self) -> None:
        try:
            async for at, piece in self._out[1]:
                await trio.sleep_until(at)
                await self.stream.send_all(piece)
            await trio.sleep(self.seconds)
        except _GONE:
            pass
        await self.stream.aclose()

    async def _receive(self) -> None:
        async with self._in[0]:
            try:
                while piece := await self.stream.receive_some(_BYTES):
                    await self._in[0].send((trio.current_time() + self.seconds, bytes(piece)))
            except _GONE:
                pass

    async def send_all(self, data: bytes | bytearray | memoryview) -> None:
        await self._out[0].send((trio.current_time() + self.seconds, bytes(data)))

    async def receive_some(self, max_bytes: int | None = None) -> bytes:
        if not self._rest:
            try:
                at, self._rest = await self._in[1].receive()
            except trio.EndOfChannel:
                return b""
            await trio.sleep_until(at)
        size = len(self._rest) if max_bytes is None else max_bytes
        piece, self._rest = self._rest[:size], self._rest[size:]
        return piece

    async def wait_send_all_might_not_block(self) -> None:
        await trio.lowlevel.checkpoint()

    async def aclose(self) -> None:
        """Close for good, once everything sent has arrived."""
        await self._out[0].aclose()


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

        yield open_stream
        nursery.cancel_scope.cancel()

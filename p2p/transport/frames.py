"""Frames: byte strings with their length in front, over a Trio stream, with a limit on everything.

A frame consists of a length (4 bytes, big-endian) and that many bytes. The other end may be
hostile. So the length is checked before memory is allocated, a frame that has begun has a deadline,
a link is closed when nothing arrives for too long, and the queue for a slow reader is bounded.
"""

from contextlib import suppress
from typing import Final

import trio
from attrs import field, frozen, validators

from engine.sentences import Sentence
from protocol.entries import ENTRY_LIMIT
from protocol.errors import RemoteError

FRAME_LIMIT: Final = ENTRY_LIMIT + 8 * 1024
"""The maximum number of bytes of a frame: the largest entry, and room for the message around it."""

_HEADER_BYTES = 4
_PORTION = 16 * 1024
"""The maximum number of bytes of one read: the size of the largest TLS record (RFC 8446, 5.1)."""
_LINGER = 2.0
"""The maximum number of seconds for sending what is queued when a link is closed."""


class LinkError(RemoteError):
    """An error that has ended the link to a peer, caused by the peer or the network."""


class LinkClosed(LinkError):
    """An error: the link is closed, by the other side, by the network, or by ourselves."""


class LinkStalled(LinkError):
    """An error: the peer was silent for too long, or too slow in the middle of a frame."""


class FrameTooLarge(LinkError):
    """An error: the peer announced a frame over the limit."""


class SlowReader(LinkError):
    """An error: the peer does not read, and the queue of frames for the peer is full."""


@frozen
class Pace:
    """The limits of one link; times in seconds."""

    frame_bytes: int = field(default=FRAME_LIMIT, validator=validators.in_(range(1, 2**31)))
    patience: float = field(default=20.0, validator=validators.gt(0))  # for one frame, in or out
    silence: float = field(default=30.0, validator=validators.gt(0))  # maximum between two frames
    queue: int = field(default=32, validator=validators.gt(0))  # maximum number of waiting frames


class Frames:
    """A sender and receiver of frames over `stream`; nothing is sent unless `pump` is running.

    One task may receive while others send. After an error the stream is closed, and every later
    call to receive or send raises LinkError.
    """

    def __init__(self, stream: trio.abc.Stream, pace: Pace) -> None:
        self._stream = stream
        self._pace = pace
        self._queue, self._waiting = trio.open_memory_channel[bytes](pace.queue)
        self._pumped = trio.Event()
        self._failure: LinkError | None = None
        self._received = bytearray()
        """Bytes that were read and not returned yet: at most one frame, and bytes after it
        that came in the same read.
        """

    async def receive(self) -> bytes:
        """Return the next frame.

        Raises FrameTooLarge, LinkClosed, or LinkStalled: no frame has begun for `silence` seconds,
        or a frame is not complete `patience` seconds after it began.
        """
        # Before the first byte the peer is only silent; after it the peer owes us a whole frame.
        await self._read(1, self._pace.silence, Sentence("has said nothing"))
        deadline = trio.current_time() + self._pace.patience
        await self._read_by(deadline, _HEADER_BYTES)
        length = int.from_bytes(self._received[:_HEADER_BYTES], "big")
        if length > self._pace.frame_bytes:
            raise await self._fail(
                FrameTooLarge(
                    "The peer announced a message of {length} bytes; at most {most} are allowed.",
                    length=length,
                    most=self._pace.frame_bytes,
                )
            )
        end = _HEADER_BYTES + length
        await self._read_by(deadline, end)
        frame = bytes(self._received[_HEADER_BYTES:end])
        del self._received[:end]
        return frame

    async def send(self, frame: bytes) -> None:
        """Queue `frame`, once there is room. Raises LinkError if the link has ended."""
        try:
            await self._queue.send(self._framed(frame))
        except (trio.BrokenResourceError, trio.ClosedResourceError) as error:
            raise self._ended() from error

    def send_nowait(self, frame: bytes) -> None:
        """Queue `frame` at once. Raises SlowReader if the queue is full, and LinkError."""
        try:
            self._queue.send_nowait(self._framed(frame))
        except trio.WouldBlock as error:
            raise SlowReader(
                "The peer is too slow: {count} messages to it are waiting.",
                count=self._pace.queue,
            ) from error
        except (trio.BrokenResourceError, trio.ClosedResourceError) as error:
            raise self._ended() from error

    async def pump(self) -> None:
        """Send what is queued until the link ends. An error of the link ends this silently."""
        try:
            # At the end of this block, tasks that wait for room in the queue get an error.
            async with self._waiting:
                async for frame in self._waiting:
                    with trio.move_on_after(self._pace.patience) as scope:
                        await self._stream.send_all(frame)
                    if scope.cancelled_caught:
                        await self._fail(
                            LinkStalled(
                                "The peer did not read for {seconds} s.",
                                seconds=f"{self._pace.patience:g}",
                            )
                        )
                        return
        except (trio.BrokenResourceError, trio.ClosedResourceError):
            await self._fail(LinkClosed("The connection broke."))
        finally:
            self._pumped.set()

    async def aclose(self) -> None:
        """Send what is queued, for `_LINGER` seconds at most, and close. It may be called twice."""
        self._failure = self._failure or LinkClosed("This node has closed the link.")
        self._queue.close()
        with (
            trio.move_on_after(_LINGER),
            suppress(trio.BrokenResourceError, trio.ClosedResourceError),
        ):
            await self._pumped.wait()
            await self._stream.aclose()
        # If the time was not enough, what the peer has not read is lost.
        await trio.aclose_forcefully(self._stream)

    def _framed(self, frame: bytes) -> bytes:
        if len(frame) > self._pace.frame_bytes:
            raise ValueError(f"a frame of {len(frame)} bytes is over {self._pace.frame_bytes}")
        return len(frame).to_bytes(_HEADER_BYTES, "big") + frame

    async def _read_by(self, deadline: float, count: int) -> None:
        if len(self._received) < count:  # otherwise `_read` would only let other tasks run
            left = max(0.0, deadline - trio.current_time())
            await self._read(count, left, Sentence("left a message unfinished"))

    async def _read(self, count: int, seconds: float, sin: Sentence) -> None:
        """Read until `count` bytes have been received, within `seconds`.

        Memory grows only with bytes that have arrived. If the bytes were received already, let
        other tasks run: a peer that sends many frames at once must not keep others waiting.
        """
        if len(self._received) >= count:
            await trio.lowlevel.checkpoint()
            if self._failure is not None:
                raise self._failure
            return
        with trio.move_on_after(seconds) as scope:
            while len(self._received) < count:
                try:
                    chunk = await self._stream.receive_some(_PORTION)
                except (trio.BrokenResourceError, trio.ClosedResourceError) as error:
                    raise await self._fail(LinkClosed("The connection broke.")) from error
                if not chunk:
                    raise await self._fail(LinkClosed("The peer closed the connection."))
                self._received += chunk
        if scope.cancelled_caught:
            raise await self._fail(LinkStalled("The peer {sin} for too long.", sin=sin))

    async def _fail(self, error: LinkError) -> LinkError:
        """Close the stream at once, so that every task that uses the link gets an error."""
        # The first error counts: it ends the link, and so causes all later errors.
        self._failure = self._failure or error
        self._queue.close()
        await trio.aclose_forcefully(self._stream)
        return self._failure

    def _ended(self) -> LinkError:
        return self._failure or LinkClosed("The link is closed.")

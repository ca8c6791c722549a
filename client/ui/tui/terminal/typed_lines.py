"""Lines as they are typed, read in a thread so that the game goes on meanwhile."""

import os
import sys
import threading
from collections import deque
from concurrent.futures import Future
from contextlib import suppress
from functools import partial

import trio
from attrs import define, field

_MOST = 64 * 1024


@define
class TypedLines:
    """The lines that are typed at a file descriptor, until its end.

    Several Trio runs may read from it, one after the other. If a reader is cancelled, nothing is
    lost: the next reader gets the line. A line that is longer than anybody types is cut.
    """

    descriptor: int
    _waiting: deque[str] = field(factory=deque)
    _rest: bytes = b""
    _reading: "Future[bytes | None] | None" = None

    def __aiter__(self) -> "TypedLines":
        return self

    async def __anext__(self) -> str:
        while not self._waiting:
            data = await self._read()
            if data is None or not data + self._rest:
                raise StopAsyncIteration
            # The last line of a pipe may have no end, as in `printf 1 | sobremesa`.
            *lines, rest = (self._rest + (data or b"\n")).split(b"\n")
            self._rest = rest[:_MOST]
            self._waiting.extend(map(_cleaned, lines))
        return self._waiting.popleft()

    async def _read(self) -> bytes | None:
        """Return what was typed, b"" at the end; None if the terminal is gone."""
        if self._reading is None:
            self._reading = Future()
            # The thread may still wait in `os.read` when the program ends, and holds no lock then.
            # A thread that waits in `sys.stdin` would hold a lock that Python needs for its exit.
            reader = threading.Thread(
                target=_fill, args=(self._reading, self.descriptor), daemon=True
            )
            reader.start()
        came = trio.Event()
        token = trio.lowlevel.current_trio_token()
        self._reading.add_done_callback(partial(_wake, token, came))
        await came.wait()
        reading, self._reading = self._reading, None
        return reading.result()


def _fill(reading: "Future[bytes | None]", descriptor: int) -> None:
    try:
        reading.set_result(os.read(descriptor, 4096))
    except OSError:  # a terminal that is gone, or no input at all: nobody types any more
        reading.set_result(None)


def _wake(
    token: trio.lowlevel.TrioToken, came: trio.Event, _reading: "Future[bytes | None]"
) -> None:
    """Wake the reader, if its run has not ended meanwhile."""
    with suppress(trio.RunFinishedError):
        token.run_sync_soon(came.set)


def _cleaned(line: bytes) -> str:
    text = line.decode(sys.stdin.encoding or "utf-8", "replace")
    return "".join(character for character in text if character.isprintable()).strip()

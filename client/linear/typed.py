"""Lines as they are typed, read in a thread so that the game goes on meanwhile."""

import os
import sys
from collections import deque

import trio
from attrs import define, field

_MOST = 64 * 1024


@define
class TypedLines:
    """Lines from a file descriptor until it ends; one after the other, in one Trio run or several.

    What is longer than anybody types is cut.
    """

    descriptor: int
    _waiting: deque[str] = field(factory=deque)
    _rest: bytes = b""

    def __aiter__(self) -> "TypedLines":
        return self

    async def __anext__(self) -> str:
        while not self._waiting:
            # Unbuffered: a thread that waits in here when the program ends holds no lock.
            data = await trio.to_thread.run_sync(
                os.read, self.descriptor, 4096, abandon_on_cancel=True
            )
            if not data:
                raise StopAsyncIteration
            *lines, rest = (self._rest + data).split(b"\n")
            self._rest = rest[:_MOST]
            self._waiting.extend(map(_cleaned, lines))
        return self._waiting.popleft()


def _cleaned(line: bytes) -> str:
    text = line.decode(sys.stdin.encoding or "utf-8", "replace")
    return "".join(character for character in text if character.isprintable()).strip()

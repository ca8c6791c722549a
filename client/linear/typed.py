"""Lines as they are typed, read in a thread so that the game goes on meanwhile."""

import os
import sys
from collections.abc import AsyncIterator

import trio

_MOST = 64 * 1024


async def typed_lines(descriptor: int) -> AsyncIterator[str]:
    """Lines from a file descriptor until it ends; longer ones than anybody types are cut."""
    rest = b""
    while True:
        # Unbuffered: a thread that waits in here when the program ends holds no lock.
        data = await trio.to_thread.run_sync(os.read, descriptor, 4096, abandon_on_cancel=True)
        if not data:
            return
        *lines, rest = (rest + data).split(b"\n")
        for line in lines:
            yield _cleaned(line)
        rest = rest[:_MOST]


def _cleaned(line: bytes) -> str:
    text = line.decode(sys.stdin.encoding or "utf-8", "replace")
    return "".join(character for character in text if character.isprintable()).strip()

"""How much of what strangers send by mDNS is read at all.

To read a datagram takes a hundred times as long as to send it, and the game has the same processor.
So each address has its share of bytes, and all of them together have one; what is above it is not
looked at. What was announced is announced again, and asked for again.
"""

import asyncio
import time
from typing import Any

from attrs import define, field

_MOST_SOURCES = 256
"""Addresses of which it is known how much they have sent lately."""


@define
class Share:
    """`burst` bytes at once, `rate` bytes a second in the long run. Times are in seconds."""

    burst: float
    rate: float
    _spent: float = field(default=0.0, init=False)
    _at: float = field(default=0.0, init=False)

    def has(self, size: int, now: float) -> bool:
        """Whether so many bytes are within it now."""
        self._spent = max(0.0, self._spent - (now - self._at) * self.rate)
        self._at = now
        return self._spent + size <= self.burst

    def spend(self, size: int) -> None:
        self._spent += size


@define
class Shares:
    """The share of each address, and that of all."""

    burst: float = 256 * 1024
    rate: float = 32 * 1024
    all: Share = field(factory=lambda: Share(512 * 1024, 128 * 1024))
    _of: dict[str, Share] = field(factory=dict, init=False)

    def take(self, source: str, size: int, now: float) -> bool:
        """Whether a datagram of that size from there is read; if so it counts."""
        share = self._of.pop(source, None) or Share(self.burst, self.rate)
        self._of[source] = share
        if len(self._of) > _MOST_SOURCES:
            del self._of[next(iter(self._of))]
        if not (share.has(size, now) and self.all.has(size, now)):
            return False
        share.spend(size)
        self.all.spend(size)
        return True


class Limited(asyncio.DatagramProtocol):
    """Hands on to `reader`, zeroconf's, what is within the shares."""

    def __init__(self, reader: Any, shares: Shares) -> None:
        self._reader = reader
        self._shares = shares

    def datagram_received(self, data: bytes, addr: tuple[Any, ...]) -> None:
        if self._shares.take(addr[0], len(data), time.monotonic()):
            self._reader.datagram_received(data, addr)

    def error_received(self, exc: Exception) -> None:
        self._reader.error_received(exc)

    def connection_lost(self, exc: Exception | None) -> None:
        self._reader.connection_lost(exc)

"""Limits on the mDNS datagrams that a node reads: any stranger can send them.

Reading a datagram takes a hundred times as long as sending it, and the game needs the processor,
too. So the number of bytes is limited for each address, and for all addresses together. Datagrams
above either limit are dropped. No information is lost: nodes repeat announcements and questions.
"""

import asyncio
import time
from typing import Any

from attrs import define, field

from p2p.rate_limit import RateLimit, RateLimits

_MOST_SOURCES = 256
"""The maximum number of addresses whose bytes are counted."""


@define
class Shares:
    """The limits in bytes for the datagrams of all senders."""

    sender: str = field(default="", init=False)
    """The sender of the datagram that is being read."""
    each: RateLimits[str] = field(
        factory=lambda: RateLimits(_MOST_SOURCES, 256 * 1024, 32 * 1024, time.monotonic)
    )
    """The limits for each address."""
    all: RateLimit = field(factory=lambda: RateLimit(512 * 1024, 128 * 1024, time.monotonic))
    """The limit for all addresses together."""

    def take(self, source: str, size: int) -> bool:
        """Return True if a datagram of `size` bytes from `source` may be read, and count it."""
        share = self.each.of(source)
        # An address that is over its own limit uses up nothing of the limit for all.
        return share.has(size) and self.all.spend(size) and share.spend(size)


class Limited(asyncio.DatagramProtocol):
    """A protocol that forwards each datagram within the limits to `reader`, zeroconf's protocol."""

    def __init__(self, reader: Any, shares: Shares) -> None:
        self._reader = reader
        self._shares = shares

    def datagram_received(self, data: bytes, addr: tuple[Any, ...]) -> None:
        if self._shares.take(addr[0], len(data)):
            self._shares.sender = addr[0]
            self._reader.datagram_received(data, addr)

    def error_received(self, exc: Exception) -> None:
        self._reader.error_received(exc)

    def connection_lost(self, exc: Exception | None) -> None:
        self._reader.connection_lost(exc)

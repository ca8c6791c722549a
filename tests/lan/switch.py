"""An Ethernet switch in user space, between TAP devices, which can delay, lose and block frames.

The kernel's own emulation (netem) is not in every kernel. This switch works everywhere, and its
random choices follow from a seed.
"""

import fcntl
import heapq
import os
import random
import selectors
import struct
import threading
import time
from contextlib import suppress
from itertools import count

from attrs import define, field

_TUNSETIFF = 0x400454CA
_IFF_TAP_NO_PI = 0x0002 | 0x1000
_FRAME = 65536


def open_tap(name: str) -> int:
    """Create a TAP device of this name in the present network namespace. Raises OSError.

    The device exists as long as the returned file descriptor is open.
    """
    descriptor = os.open("/dev/net/tun", os.O_RDWR | os.O_NONBLOCK)
    try:
        fcntl.ioctl(descriptor, _TUNSETIFF, struct.pack("16sH22x", name.encode(), _IFF_TAP_NO_PI))
    except OSError:
        os.close(descriptor)
        raise
    return descriptor


@define(eq=False)
class Switch:
    """A switch that passes frames between ports."""

    ports: list[int]
    """The file descriptors of TAP devices."""
    seed: int = 1
    loss: float = 0.0
    """The share of all frames that are lost."""
    delay: float = 0.0
    """The seconds by which each frame is late."""
    jitter: float = 0.0
    """The maximum of the random number of seconds that is added to `delay` for each frame."""
    apart: tuple[frozenset[int], ...] = ()
    """Groups of ports: ports that share no group cannot reach each other.

    If there are no groups, each port can reach all others.
    """
    _stop: bool = field(default=False, init=False)

    def start(self) -> threading.Thread:
        thread = threading.Thread(target=self._run, daemon=True)
        thread.start()
        return thread

    def stop(self) -> None:
        self._stop = True

    def _run(self) -> None:
        rng = random.Random(self.seed)
        order = count()
        due: list[tuple[float, int, int, bytes]] = []
        places: dict[bytes, int] = {}
        with selectors.DefaultSelector() as selector:
            for number, descriptor in enumerate(self.ports):
                selector.register(descriptor, selectors.EVENT_READ, number)
            while not self._stop:
                wait = min(0.05, max(0.0, due[0][0] - time.monotonic())) if due else 0.05
                for key, _ in selector.select(wait):
                    source: int = key.data
                    for frame in _frames(self.ports[source]):
                        places[frame[6:12]] = source
                        for port in self._targets(source, places.get(frame[:6])):
                            if rng.random() < self.loss:
                                continue
                            at = time.monotonic() + self.delay + rng.uniform(0, self.jitter)
                            heapq.heappush(due, (at, next(order), port, frame))
                while due and due[0][0] <= time.monotonic():
                    _, _, port, frame = heapq.heappop(due)
                    _put(self.ports[port], frame)

    def _targets(self, source: int, known: int | None) -> list[int]:
        targets = [known] if known is not None else list(range(len(self.ports)))
        return [port for port in targets if port != source and not self._parted(source, port)]

    def _parted(self, one: int, other: int) -> bool:
        return bool(self.apart) and not any({one, other} <= group for group in self.apart)


def _frames(descriptor: int) -> list[bytes]:
    """Return frames that wait at a port, at most 32."""
    frames: list[bytes] = []
    while len(frames) < 32:
        try:
            frames.append(os.read(descriptor, _FRAME))
        except (BlockingIOError, OSError):
            break
    return frames


def _put(descriptor: int, frame: bytes) -> None:
    with suppress(OSError):  # frames for a full queue are lost
        os.write(descriptor, frame)

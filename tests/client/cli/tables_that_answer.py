"""A stand-in for the beacons of tables, each of which answers at its moment."""

import math

import trio
from attrs import define

from p2p.discovery.beacon import Beacon


@define
class TablesThatAnswer:
    """A stand-in for beacons: each table answers at its time in `moments`, in seconds.

    The beacons are settled when all tables have answered.
    """

    moments: dict[float, Beacon]

    @property
    def tables(self) -> tuple[Beacon, ...]:
        now = trio.current_time()
        answered = [beacon for moment, beacon in self.moments.items() if moment <= now]
        return tuple(sorted(answered, key=lambda beacon: beacon.table))

    @property
    def settled(self) -> bool:
        return len(self.tables) == len(self.moments)

    async def changed(self) -> None:
        now = trio.current_time()
        await trio.sleep_until(min((m for m in self.moments if m > now), default=math.inf))

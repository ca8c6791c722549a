"""The door of a table: a player sits down at once, knocks, or is not heard any more.

What somebody does to keep a table from beginning is counted by their key, and by the address of
those whom nobody here knows: a new key costs nothing. The places at the door are shared by
neighbour (`p2p.fair_shares`).
"""

import random
from collections import Counter
from collections.abc import Sequence
from enum import IntEnum

import trio
from attrs import define, field, frozen

from p2p.fair_shares import CHANCE, Arrivals, Stay, who_makes_room
from p2p.lobby.callbacks import SitsAtOnce
from p2p.lobby.lobby_guest import LobbyGuest
from p2p.refusals import Reason
from p2p.transport.link import Link
from p2p.transport.lobby_messages import MOST_KNOCKING, PRICE_BYTES
from protocol.group import Entropy
from protocol.hashing import digest

MOST_TROUBLE = 8
"""Trouble after which somebody is not seated again without being let in."""

MOST_KNOCKS = 8
"""Knocks, or comings at an open table, of strangers from one address at once; one more every ten
seconds. All hear of each. From all addresses there are three times as many in that time.
"""

_KNOCKS_SECONDS = 10.0

SAFE_SECONDS = 10.0
"""Seconds for which a player who knocks keeps the place, where the door is full.

The host can read their name and words. After them others who wait may have the place.
"""


class Trouble(IntEnum):
    """The kinds of trouble that break off an attempt to begin, each with its weight."""

    BROKEN_OFF = 4
    """Leaving, a wrong answer or none, or not being ready for long."""

    WITHDRAWN = 2
    """Not being ready after all."""

    LATE = 1
    """Revealing a nonce for an earlier attempt, as happens when somebody else withdraws."""


@frozen
class Knock:
    """The answer to a player who wants to knock.

    `refusal` is None if they may; of those who knock already the one who `goes` makes room, None if
    nobody has to.
    """

    refusal: Reason | None = None
    goes: LobbyGuest | None = None


@define
class Door:
    """The door of one table; `attended` by a person, who lets in who knocks."""

    sits_at_once: SitsAtOnce
    attended: bool
    chance: random.Random = CHANCE
    _secret: bytes = field(default=b"", init=False)
    _arrivals: Arrivals | None = field(default=None, init=False)
    _closed_to: set[bytes | str] = field(factory=set, init=False)
    _trouble: Counter[bytes | str] = field(factory=Counter, init=False)

    def seats_at_once(self, link: Link) -> bool:
        """Return True if that peer need not knock."""
        if link.peer in self._closed_to or self._is_trouble(link.peer):
            return False
        if self.sits_at_once(link.peer, True):
            return True
        address = link.address
        suspect = address in self._closed_to or self._is_trouble(address)
        if suspect or not self.sits_at_once(link.peer, False):
            return self.sits_at_once(link.peer, suspect)
        return self._may_come(address) or self.sits_at_once(link.peer, True)

    def price_for(self, key: bytes, entropy: Entropy) -> bytes:
        """Return the nonce of the price that the holder of that key pays for a knock here."""
        self._secret = self._secret or entropy(32)
        return digest("price", self._secret, key)[:PRICE_BYTES]

    def refusal(self, link: Link) -> Reason | None:
        """Return the reason for which a peer may not knock, whoever else does; None without one."""
        if not self._closed_to.isdisjoint({link.peer, link.address}):
            return Reason.TURNED_AWAY
        return None if self.attended else Reason.BROKE_OFF_TOO_OFTEN

    def knock(self, link: Link, knocking: Sequence[LobbyGuest]) -> Knock:
        """Answer a peer who wants to knock beside those."""
        if not self._may_come(link.address):
            return Knock(Reason.TOO_MANY_KNOCK)
        if len(knocking) < MOST_KNOCKING:
            return Knock()
        now = trio.current_time()
        stays = [Stay(guest.link.address, now - guest.since) for guest in knocking]
        goes = who_makes_room(stays, link.address, safe_for=SAFE_SECONDS, chance=self.chance)
        return Knock(Reason.TOO_MANY_KNOCK) if goes is None else Knock(goes=knocking[goes])

    def _may_come(self, address: str) -> bool:
        if self._arrivals is None:  # its clock is that of the run
            once, rate = MOST_KNOCKS, 1 / _KNOCKS_SECONDS
            limits = (once, rate, once, 3 * once, _KNOCKS_SECONDS)
            self._arrivals = Arrivals(*limits, chance=self.chance)
        return self._arrivals.may_come(address)

    def close_to(self, link: Link) -> None:
        """Send no peer of that key or address to the door again: somebody there is sent away."""
        self._closed_to |= {link.peer, link.address}

    def note(self, link: Link, trouble: Trouble) -> bool:
        """Count what a guest has done; return True if it is too much."""
        self._trouble[link.peer] += trouble
        if not self.sits_at_once(link.peer, True):
            self._trouble[link.address] += trouble
        return self._is_trouble(link.peer)

    def _is_trouble(self, who: bytes | str) -> bool:
        return self._trouble[who] >= MOST_TROUBLE

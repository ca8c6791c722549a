"""The door of a table: it decides if a player sits down at once, has to knock, or is refused.

Players who keep a table from beginning make trouble. Trouble is counted for each key, and for
strangers also for each address, since a new key costs nothing. The places at the door are divided
among addresses, with a whole IPv6 network counted as one address (`p2p.fair_shares`).
"""

import random
from collections import Counter
from collections.abc import Sequence
from enum import IntEnum

import trio
from attrs import define, field, frozen

from p2p.fair_shares import CHANCE, Arrivals, Stay, who_makes_room
from p2p.lobby.client_callbacks import SitsAtOnce
from p2p.lobby.lobby_guest import LobbyGuest
from p2p.refusals import Reason
from p2p.transport.link import Link
from p2p.transport.lobby_messages import MOST_KNOCKING, PRICE_BYTES
from protocol.group import Entropy
from protocol.hashing import digest

MOST_TROUBLE = 8
"""Sum of trouble (see `Trouble`) after which a player has to knock."""

MOST_KNOCKS = 8
"""The number of strangers from one address who may come at once, to knock or to sit down at an open
table.

After them one more may come every ten seconds. From all addresses together three times as many may
come within ten seconds. There is a limit because all guests are told of each stranger who comes.
"""

_KNOCKS_SECONDS = 10.0

SAFE_SECONDS = 10.0
"""Seconds for which a player who knocks keeps their place when all places at the door are taken.

In this time the host can read the player's name and words. Then somebody else may take the place.
"""


class Trouble(IntEnum):
    """The kinds of trouble that break off an attempt to begin. The values are their weights."""

    BROKEN_OFF = 4
    """Leaving, giving a wrong answer or no answer, or keeping others waiting for minutes."""

    WITHDRAWN = 2
    """Not being ready any more while the charter is being signed."""

    LATE = 1
    """Revealing a nonce for an earlier attempt. This also happens if somebody else has withdrawn.
    """


@frozen
class Knock:
    """The answer to a player who wants to knock."""

    refusal: Reason | None = None
    """The reason why they may not knock; None if they may."""
    goes: LobbyGuest | None = None
    """Another player, who has to leave the door to make room; None if nobody has to."""


@define
class Door:
    """The door of one table."""

    sits_at_once: SitsAtOnce
    attended: bool
    """True if a person is there to let in players who knock."""
    chance: random.Random = CHANCE
    _secret: bytes = field(default=b"", init=False)
    """The secret from which the nonces of `price_for` follow, so that none has to be kept."""
    _arrivals: Arrivals | None = field(default=None, init=False)
    """The limits on the arrivals of strangers."""
    _closed_to: set[bytes | str] = field(factory=set, init=False)
    """The keys and addresses of players who were turned away."""
    _trouble: Counter[bytes | str] = field(factory=Counter, init=False)
    """The sum of trouble by key, and for strangers also by address."""

    def seats_at_once(self, link: Link) -> bool:
        """Return True if that peer need not knock."""
        if link.peer in self._closed_to or self._is_trouble(link.peer):
            return False
        # A player whom this node knows sits down at once even from a suspect address. A stranger
        # does so only at an open table, from an address without trouble, and within the limits of
        # `_may_come`.
        if self.sits_at_once(link.peer, True):
            return True
        address = link.address
        suspect = address in self._closed_to or self._is_trouble(address)
        return not suspect and self.sits_at_once(link.peer, False) and self._may_come(address)

    def price_for(self, key: bytes, entropy: Entropy) -> bytes:
        """Return the nonce for the proof of work that the holder of `key` owes before a knock."""
        self._secret = self._secret or entropy(32)
        return digest("price", self._secret, key)[:PRICE_BYTES]

    def refusal(self, link: Link) -> Reason | None:
        """Return the reason why a peer may not knock at all; None if they may knock."""
        if not self._closed_to.isdisjoint({link.peer, link.address}):
            return Reason.TURNED_AWAY
        return None if self.attended else Reason.BROKE_OFF_TOO_OFTEN

    def knock(self, link: Link, knocking: Sequence[LobbyGuest]) -> Knock:
        """Answer a peer who wants to knock, while the players of `knocking` are at the door."""
        if not self._may_come(link.address):
            return Knock(Reason.TOO_MANY_KNOCK)
        if len(knocking) < MOST_KNOCKING:
            return Knock()
        now = trio.current_time()
        stays = [Stay(guest.link.address, now - guest.since) for guest in knocking]
        goes = who_makes_room(stays, link.address, safe_for=SAFE_SECONDS, chance=self.chance)
        return Knock(Reason.TOO_MANY_KNOCK) if goes is None else Knock(goes=knocking[goes])

    def _may_come(self, address: str) -> bool:
        if self._arrivals is None:  # made lazily, because it needs Trio's clock
            most, rate = MOST_KNOCKS, 1 / _KNOCKS_SECONDS
            limits = (most, rate, most, 3 * most, _KNOCKS_SECONDS)
            self._arrivals = Arrivals(*limits, chance=self.chance)
        return self._arrivals.may_come(address)

    def close_to(self, link: Link) -> None:
        """Close the door for good to the peer of `link`, and to strangers at their address."""
        self._closed_to |= {link.peer, link.address}

    def note(self, link: Link, trouble: Trouble) -> bool:
        """Count trouble that a guest has made; return True if they have made too much."""
        self._trouble[link.peer] += trouble
        if not self.sits_at_once(link.peer, True):
            self._trouble[link.address] += trouble
        return self._is_trouble(link.peer)

    def _is_trouble(self, who: bytes | str) -> bool:
        return self._trouble[who] >= MOST_TROUBLE

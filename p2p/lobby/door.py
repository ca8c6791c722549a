"""Who sits down at a table at once, who knocks, and who is not heard any more.

What somebody does to keep a table from beginning is counted by their key, and by the address of
those whom nobody here knows: a new key costs nothing.
"""

from collections import Counter
from collections.abc import Sequence
from enum import IntEnum

from attrs import define, field, frozen

from p2p.fair_shares import who_makes_room
from p2p.lobby.callbacks import SitsAtOnce
from p2p.refusals import Reason
from p2p.transport.link import Link
from p2p.transport.lobby_messages import MOST_KNOCKING

MOST_TROUBLE = 8
"""Trouble after which somebody is not seated again without being let in."""

MOST_KNOCKS = 8
"""How often strangers may knock, or sit down, from one address: each time all hear of it."""


class Trouble(IntEnum):
    """What breaks off an attempt to begin, and how much it counts."""

    BROKEN_OFF = 4
    """By leaving, by a wrong answer or by none, or by not being ready for long."""

    WITHDRAWN = 2
    """By not being ready after all."""

    LATE = 1
    """By revealing a nonce for an earlier attempt, as happens when somebody else withdraws."""


@frozen
class Knock:
    """Whether somebody may knock: the `refusal`, None if there is none; and of those who knock
    already who `goes` for it, None if nobody has to.
    """

    refusal: Reason | None = None
    goes: Link | None = None


@define
class Door:
    """The door of one table; `attended` by a person, who lets in who knocks."""

    sits_at_once: SitsAtOnce
    attended: bool
    _knocks: Counter[str] = field(factory=Counter, init=False)
    _closed_to: set[bytes | str] = field(factory=set, init=False)
    _trouble: Counter[bytes | str] = field(factory=Counter, init=False)

    def seats_at_once(self, link: Link) -> bool:
        """Whether that peer need not knock."""
        if link.peer in self._closed_to or self._is_trouble(link.peer):
            return False
        if self.sits_at_once(link.peer, True):
            return True
        address = link.address
        often = self._knocks[address] >= MOST_KNOCKS
        suspect = often or address in self._closed_to or self._is_trouble(address)
        at_once = self.sits_at_once(link.peer, suspect)
        if at_once:  # else there would be a number for each address of a crowd
            self._knocks[address] += 1
        return at_once

    def knock(self, link: Link, knocking: Sequence[Link]) -> Knock:
        """A peer wants to knock beside those."""
        if not self._closed_to.isdisjoint({link.peer, link.address}):
            return Knock(Reason.TURNED_AWAY)
        if not self.attended:
            return Knock(Reason.BROKE_OFF_TOO_OFTEN)
        if self._knocks[link.address] >= MOST_KNOCKS:
            return Knock(Reason.TOO_MANY_KNOCK)
        goes = None
        if len(knocking) >= MOST_KNOCKING:
            goes = who_makes_room([other.address for other in knocking], link.address)
            if goes is None:
                return Knock(Reason.TOO_MANY_KNOCK)
        self._knocks[link.address] += 1
        return Knock(goes=None if goes is None else knocking[goes])

    def close_to(self, link: Link) -> None:
        """Somebody is sent away, and strangers from their address are after them."""
        self._closed_to |= {link.peer, link.address}

    def note(self, link: Link, trouble: Trouble) -> bool:
        """Count what a guest has done; whether it is too much."""
        self._trouble[link.peer] += trouble
        if not self.sits_at_once(link.peer, True):
            self._trouble[link.address] += trouble
        return self._is_trouble(link.peer)

    def _is_trouble(self, who: bytes | str) -> bool:
        return self._trouble[who] >= MOST_TROUBLE

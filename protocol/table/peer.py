"""A member at the other end of a link: the entries that they have, and those under way to them."""

from collections.abc import Callable, Hashable, Iterable
from typing import Generic, TypeVar

from attrs import define, field

from protocol.table.messages import Status

T = TypeVar("T", bound=Hashable)
"""A message that does not concern the record: wishes, phrases and the like."""

WINDOW = 16
"""The maximum number of entries that are under way to a member and not confirmed.

If two records differ, this is also the number of newest entries that are compared. More are not
needed: after a fork neither record can grow far, because it soon needs unlockings of the members
who have the other record.
"""

_RESEND_SECONDS = 5.0
"""Seconds after which an entry that was not confirmed is sent again."""


@define(eq=False)
class Peer(Generic[T]):
    """Member number `player`, at the other end of a link. Times are in seconds."""

    player: int
    direct: frozenset[int] = frozenset()
    """The members from whom this member gets entries directly, as their status says."""
    relayed: set[int] = field(factory=set)
    """The members whose entries we pass on to this member."""
    confirmed: int = -1
    """The height that they have confirmed; -1 before their first status."""
    sent: set[int] = field(factory=set)
    """The heights of entries that need not be sent: they are under way, or came from the member."""
    sent_at: float = 0.0
    """The time when we last sent them entries."""
    told: Status | None = None
    """The status that we last sent them."""
    told_at: float = 0.0
    """The time when we sent them `told`."""
    talk_said: dict[T, None] = field(factory=dict)
    """The messages that we last sent them, apart from those about the record."""

    def new_talk(self, talk: Iterable[T]) -> list[T]:
        """Return the messages of `talk` that were not sent on this link yet; count them as sent."""
        before, self.talk_said = self.talk_said, dict.fromkeys(talk)
        return [message for message in self.talk_said if message not in before]

    def hears(self, status: Status, now: float) -> None:
        """Note from their status how far their record goes, and from whom they get entries.

        If they confirm nothing new although `_RESEND_SECONDS` have passed since we sent them
        entries, the entries that they lack are to be sent again.
        """
        if self.confirmed == status.height and now - self.sent_at >= _RESEND_SECONDS:
            self.sent.clear()
        self.direct = frozenset(status.direct)
        self.relayed -= self.direct
        self.confirmed = status.height

    def has_shown(self, height: int) -> None:
        """Note that they have all entries up to that height: they have sent the last of these."""
        self.confirmed = max(self.confirmed, height)

    def has_carried(self, height: int) -> None:
        """Note that they have carried that entry, so that it is not sent back to them."""
        # A member can name any height, so only those in the window are kept.
        if height <= self.confirmed + WINDOW:
            self.sent.add(height)

    def has_lost(self) -> None:
        """Note that messages to them are lost, for they do not read.

        After their next status all messages are to be sent again.
        """
        self.sent.clear()
        self.talk_said = {}

    def lacking(self, height: int) -> range:
        """Return the heights up to `height`, within the window, that they have not confirmed."""
        return range(max(self.confirmed, 0) + 1, min(height, self.confirmed + WINDOW) + 1)

    def take_due(self, height: int, is_due: Callable[[int], bool], now: float) -> list[int]:
        """Return the heights of entries that they lack, and that are due but not yet under way.

        The heights are in order. From now on these entries count as under way.
        """
        if self.confirmed < 0:
            return []
        due = [each for each in self.lacking(height) if each not in self.sent and is_due(each)]
        if due:
            self.sent.update(due)
            self.sent_at = now
        return due

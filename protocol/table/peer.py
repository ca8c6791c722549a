"""A member at the other end of a link: the entries that they have, and those on the way to them."""

from collections.abc import Callable, Hashable, Iterable
from typing import Generic, TypeVar

from attrs import define, field

from protocol.table.messages import Status

T = TypeVar("T", bound=Hashable)
"""A message beside the record."""

WINDOW = 16
"""Entries under way to a member before it must say that it has them. Also how deep two records
that have come apart are compared: a branch on which not all take part soon needs a lock off.
"""

_RESEND_SECONDS = 5.0
"""Seconds after which an entry that was sent and not confirmed is sent again."""


@define(eq=False)
class Peer(Generic[T]):
    """Member number `player`.

    `has` is the height that they have confirmed (-1 before their first status), `sent` are the
    heights of the entries on their way to them, or from them, `told` is the last status said to
    them; `sent_at` and `told_at` are when, in seconds. `talk_said` are the messages beside the
    record that were said last. `direct` are the members from whom they get entries, as they say,
    and `relayed` those whose entries they get through us.
    """

    player: int
    direct: frozenset[int] = frozenset()
    relayed: set[int] = field(factory=set)
    has: int = -1
    sent: set[int] = field(factory=set)
    sent_at: float = 0.0
    told: Status | None = None
    told_at: float = 0.0
    talk_said: dict[T, None] = field(factory=dict)

    def new_talk(self, talk: Iterable[T]) -> list[T]:
        """Return the messages beside the record that were not said on this link yet.

        They are now.
        """
        before, self.talk_said = self.talk_said, dict.fromkeys(talk)
        return [message for message in self.talk_said if message not in before]

    def hears(self, status: Status, now: float) -> None:
        """Note how far their record goes, and from whom they get entries.

        What was sent and did not arrive is to be sent again.
        """
        if self.has == status.height and now - self.sent_at >= _RESEND_SECONDS:
            self.sent.clear()
        self.direct = frozenset(status.direct)
        self.relayed -= self.direct
        self.has = status.height
        self._forget_sent()

    def has_shown(self, height: int) -> None:
        """Note that they have all entries up to there, as whoever carries one has."""
        self.has = max(self.has, height)
        self._forget_sent()

    def _forget_sent(self) -> None:
        self.sent = {height for height in self.sent if height > self.has}

    def has_carried(self, height: int) -> None:
        """Note that they need not be sent that entry."""
        if self.has < height <= self.has + WINDOW:
            self.sent.add(height)

    def has_lost(self) -> None:
        """Note that they do not read, and that messages to them are lost.

        All is to be said again after their next status.
        """
        self.sent.clear()
        self.talk_said = {}

    def lacking(self, height: int) -> range:
        """Return the heights up to that one, in the window, that they have not confirmed."""
        return range(max(self.has, 0) + 1, min(height, self.has + WINDOW) + 1)

    def take_due(self, height: int, is_due: Callable[[int], bool], now: float) -> list[int]:
        """Return the lacking heights that are not on their way and are due, in order.

        They are on their way now.
        """
        if self.has < 0:
            return []
        due = [each for each in self.lacking(height) if each not in self.sent and is_due(each)]
        if due:
            self.sent.update(due)
            self.sent_at = now
        return due

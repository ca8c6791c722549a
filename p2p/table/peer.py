"""A member at the other end of a link: what they have, and what is on its way to them."""

import logging
from collections.abc import Callable, Iterable

import trio
from attrs import define, field

from p2p.rate_limit import RateLimit
from p2p.transport.frames import LinkError, SlowReader
from p2p.transport.link import Link
from p2p.transport.messages import Message, Status, Talk, pack

_log = logging.getLogger(__name__)

WINDOW = 16
"""Entries under way to a member before it must say that it has them. Also how deep two records
that have come apart are compared: a branch on which not all take part soon needs a lock off.
"""

_RESEND_SECONDS = 5.0
"""Seconds after which an entry that was sent and not confirmed is sent again."""


@define(eq=False)
class Peer:
    """Member number `player`. `has` is the height that they have confirmed (-1 before their first
    status), `sent` are the heights of the entries on their way to them, or from them, `told` is the
    last status said to them; `sent_at` and `told_at` are when, on Trio's clock, and `heard_at` when
    they have said anything. `talk_said` are the messages beside the record that were said last.
    `direct` are the members from whom they get entries, as they say, and
    `relayed` those whose entries they get through us; `older` is the link that this one replaces.
    """

    link: Link
    player: int
    older: "Peer | None" = None
    scope: trio.CancelScope = field(factory=trio.CancelScope)
    gone: trio.Event = field(factory=trio.Event)
    rate_limit: RateLimit = field(factory=RateLimit)
    direct: frozenset[int] = frozenset()
    relayed: set[int] = field(factory=set)
    has: int = -1
    sent: set[int] = field(factory=set)
    sent_at: float = 0.0
    told: Status | None = None
    told_at: float = 0.0
    talk_said: dict[Talk, None] = field(factory=dict)
    heard_at: float = field(factory=trio.current_time, init=False)

    def tell(self, status: Status) -> None:
        """Queue this node's status."""
        self.told, self.told_at = status, trio.current_time()
        self.send(status)

    def say_talk(self, talk: Iterable[Talk]) -> None:
        """Queue the messages beside the record that were not said on this link yet."""
        now = dict.fromkeys(talk)
        before, self.talk_said = self.talk_said, now
        for message in now:
            if message not in before:
                self.send(message)

    def hears(self, status: Status) -> None:
        """They have said how far their record goes, and from whom they get entries. What was sent
        and did not arrive is to be sent again.
        """
        if self.has == status.height and trio.current_time() - self.sent_at >= _RESEND_SECONDS:
            self.sent.clear()
        self.direct = frozenset(status.direct)
        self.relayed -= self.direct
        self.has = status.height
        self._forget_sent()

    def has_shown(self, height: int) -> None:
        """They have all entries up to there: they have carried one that continues them."""
        self.has = max(self.has, height)
        self._forget_sent()

    def _forget_sent(self) -> None:
        self.sent = {height for height in self.sent if height > self.has}

    def has_carried(self, height: int) -> None:
        """They need not be sent that entry."""
        if self.has < height <= self.has + WINDOW:
            self.sent.add(height)

    def lacking(self, height: int) -> range:
        """The heights that they have not confirmed, of those up to `height` in the window."""
        return range(max(self.has, 0) + 1, min(height, self.has + WINDOW) + 1)

    def take_due(self, height: int, is_due: Callable[[int], bool]) -> list[int]:
        """The lacking heights that are not on their way and are due, in order. They are now."""
        if self.has < 0:
            return []
        due = [each for each in self.lacking(height) if each not in self.sent and is_due(each)]
        if due:
            self.sent.update(due)
            self.sent_at = trio.current_time()
        return due

    def is_quiet(self, seconds: float) -> bool:
        """Return True if nothing has come from them for so long."""
        return trio.current_time() - self.heard_at >= seconds

    def send(self, message: Message) -> None:
        """Queue a message. A peer that does not read loses it; after its next status it is sent
        again.
        """
        try:
            self.link.send_nowait(pack(message))
        except SlowReader:
            self.sent.clear()
            self.talk_said = {}
        except LinkError as error:
            _log.debug("not sent, the link has ended: %s", error)  # its own task notices

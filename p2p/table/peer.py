"""A member at the other end of a link: what they have, and what is on its way to them."""

import logging

import trio
from attrs import define, field

from p2p.transport.frames import LinkError, SlowReader
from p2p.transport.link import Link
from p2p.transport.messages import Message, Status, pack
from p2p.transport.rate_limit import RateLimit

_log = logging.getLogger(__name__)


@define(eq=False)
class Peer:
    """Member number `player`. `has` is the height that they have confirmed (-1 before their first
    status), `sent` that of the last entry on its way, `told` the last status said to them;
    `sent_at` and `told_at` are when, on Trio's clock, and `heard_at` when they have said anything.
    `relayed` are the members whose entries they get through us; `older` is the link that this one
    replaces.
    """

    link: Link
    player: int
    older: "Peer | None" = None
    scope: trio.CancelScope = field(factory=trio.CancelScope)
    gone: trio.Event = field(factory=trio.Event)
    rate_limit: RateLimit = field(factory=RateLimit)
    relayed: set[int] = field(factory=set)
    has: int = -1
    sent: int = 0
    sent_at: float = 0.0
    told: Status | None = None
    told_at: float = 0.0
    heard_at: float = field(factory=trio.current_time, init=False)

    def tell(self, status: Status) -> None:
        """Queue this node's status."""
        self.told, self.told_at = status, trio.current_time()
        self.send(status)

    def is_quiet(self, seconds: float) -> bool:
        """Whether nothing has come from them for so long."""
        return trio.current_time() - self.heard_at >= seconds

    def send(self, message: Message) -> None:
        """Queue a message. A peer that does not read loses it; after its next status it is sent
        again.
        """
        try:
            self.link.send_nowait(pack(message))
        except SlowReader:
            self.sent = min(self.sent, self.has)
        except LinkError as error:
            _log.debug("not sent, the link has ended: %s", error)  # its own task notices

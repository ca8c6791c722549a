"""Repeated calls to a table that has not let a person in, and what the person reads meanwhile."""

import random
from collections.abc import Mapping

import trio
from attrs import define, field, frozen

from client.i18n.language import _
from p2p.fair_shares import CHANCE
from p2p.lobby.guest import NotUnderstood
from p2p.refusals import Reason
from p2p.transport.endpoint import Declined
from p2p.transport.frames import LinkClosed, LinkError, LinkStalled
from p2p.transport.tls import HungUp

_PAUSE_SECONDS = 1.0
"""The minimum number of seconds between two calls.

A random number of seconds is added, up to this number again. So callers who were sent away together
do not come back together.
"""

_BUSY_PAUSE_SECONDS = 0.12
"""The minimum number of seconds between two calls to a node that hung up because too many call it.

The node picks among the calls at random, so frequent calls help. In the long run it considers at
most four calls a second from one address.
"""

GIVE_UP_SECONDS = 90.0
"""Seconds of failed calls after which the program gives up.

Until then the program calls again if the node has answered before, or hangs up like a busy node.
"""


@frozen
class Meanwhile:
    """The untranslated sentences that a person reads while their program calls again."""

    busy: str
    """Shown if the node is busy."""
    broken: str
    """Shown if the link to the node has broken."""
    queue: Mapping[Reason, str]
    """The sentences for refusals after which a place may become free. After such a refusal the
    program calls again as long as the person waits.
    """
    queue_seconds: float = _PAUSE_SECONDS
    """The least pause between two calls after such a refusal."""


@define
class CallingAgain:
    """The decision after each failed call: whether to call again, and when.

    `was_there`: a node of the table has answered before.
    """

    meanwhile: Meanwhile
    chance: random.Random = CHANCE
    was_there: bool = field(default=False, init=False)
    _until: float | None = field(default=None, init=False)

    def answered(self) -> None:
        """Note that a node of the table has answered, and start `GIVE_UP_SECONDS` afresh."""
        self.was_there = True
        self._until = trio.current_time() + GIVE_UP_SECONDS

    def may_help(self, error: LinkError) -> bool:
        """Return True if another call may succeed."""
        now = trio.current_time()
        # The time begins with the first failed call.
        self._until = now + GIVE_UP_SECONDS if self._until is None else self._until
        if self._is_in_queue(error):
            return True
        if isinstance(error, NotUnderstood) or now >= self._until:
            return False
        if isinstance(error, Declined):
            # SEATED_ALREADY: the host may not have noticed yet that our last link broke. NO_TABLE:
            # the host may have closed the lobby, and the table has not begun yet.
            return self.was_there and error.reason in (Reason.SEATED_ALREADY, Reason.NO_TABLE)
        return self.was_there or isinstance(error, HungUp | LinkClosed | LinkStalled)

    def sentence(self, error: LinkError) -> str:
        """Return the sentence that tells why the person is not at the table yet."""
        if isinstance(error, Declined) and self._is_in_queue(error):
            return _(self.meanwhile.queue[Reason(error.reason)])
        return _(self.meanwhile.broken if self.was_there else self.meanwhile.busy)

    async def pause(self, error: LinkError) -> None:
        """Wait until it is time for another call."""
        seconds = _PAUSE_SECONDS
        if self._is_in_queue(error):
            seconds = self.meanwhile.queue_seconds
        elif isinstance(error, HungUp) and not self.was_there:
            seconds = _BUSY_PAUSE_SECONDS
        await trio.sleep(seconds * self.chance.uniform(1, 2))

    def _is_in_queue(self, error: LinkError) -> bool:
        return isinstance(error, Declined) and error.reason in self.meanwhile.queue

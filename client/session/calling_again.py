"""Calling a table again that has not let a person in, and what the person reads meanwhile."""

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
"""Seconds between two calls, at least; as many more by lot, so that those who were sent away
together do not come back together.
"""

_BUSY_PAUSE_SECONDS = 0.12
"""The same where a node hung up: of many who call, each call has the same chance. No more than four
a second are heard from one address.
"""

GIVE_UP_SECONDS = 90.0
"""Seconds for which a node is called again that answered before, or hangs up as a busy one does."""


@frozen
class Meanwhile:
    """The sentences, not translated yet, that a person reads while their program calls again.

    The node is `busy`, or the link to it has `broken`. For the reasons in `queue` a place may
    become free: the program calls again as long as the person waits, every `queue_seconds` or
    less often.
    """

    busy: str
    broken: str
    queue: Mapping[Reason, str]
    queue_seconds: float = _PAUSE_SECONDS


@define
class CallingAgain:
    """Decides after each call that has failed. `was_there`: a node of the table has answered."""

    meanwhile: Meanwhile
    chance: random.Random = CHANCE
    was_there: bool = field(default=False, init=False)
    _until: float | None = field(default=None, init=False)

    def answered(self) -> None:
        """Note that a node of the table has answered, and has all the time again."""
        self.was_there = True
        self._until = trio.current_time() + GIVE_UP_SECONDS

    def may_help(self, error: LinkError) -> bool:
        """Return True if another call may succeed."""
        now = trio.current_time()
        self._until = now + GIVE_UP_SECONDS if self._until is None else self._until
        if self._is_in_queue(error):
            return True
        if isinstance(error, NotUnderstood) or now >= self._until:
            return False
        if isinstance(error, Declined):
            return self.was_there and error.reason in (Reason.SEATED_ALREADY, Reason.NO_TABLE)
        return self.was_there or isinstance(error, HungUp | LinkClosed | LinkStalled)

    def sentence(self, error: LinkError) -> str:
        """Return the reason why the person is not there yet."""
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

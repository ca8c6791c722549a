"""Asides: set phrases, wishes for a rematch and goodbyes that members of a table say to each other.

An aside is sent as one of the numbers in chapter 11 of `spec/messages.md`, never as a text. It is
no part of the record. Each member sends their asides on all their links; other members do not pass
them on.
"""

import math
from collections.abc import Callable
from enum import IntEnum

import trio
from attrs import define, field, frozen

from p2p.rate_limit import RateLimit
from protocol.errors import Refused


class AsideCode(IntEnum):
    """The registered asides."""

    WELL_PLAYED = 1
    ONE_MOMENT = 2
    SORRY_PARTNER = 3
    THANK_YOU = 4
    GOOD_LUCK = 5
    REMATCH = 16
    REMATCH_OTHER_SEATS = 17
    LEAVING = 18


PHRASES = (
    AsideCode.WELL_PLAYED,
    AsideCode.ONE_MOMENT,
    AsideCode.SORRY_PARTNER,
    AsideCode.THANK_YOU,
    AsideCode.GOOD_LUCK,
)
"""Phrases that people say at a card table. None of them is about cards."""

WISHES = (AsideCode.REMATCH, AsideCode.REMATCH_OTHER_SEATS)
"""Wishes for a rematch, which can be said only when the match is over."""

_BACK_SECONDS = 3.0
"""Seconds that a new link to a member who has said goodbye must last before the member counts as
back: a machine that is about to stop still answers calls for a moment.
"""


def _limit() -> RateLimit:
    """Return a member's limit: three asides at once, and later one every five seconds."""
    return RateLimit(burst=3, rate=0.2)


@frozen
class Spoken:
    """An aside that member number `player` has said."""

    player: int
    code: AsideCode


@define(eq=False)
class Asides:
    """The asides at one table."""

    me: int
    """The member at this node."""
    pass_on: Callable[[AsideCode], None]
    """Sends an aside to the other members."""
    over: Callable[[], bool]
    """Returns True when the match is over."""
    _gone: dict[int, float] = field(factory=dict, init=False)
    """The members who have said goodbye, each with the time at which a new link to them came.

    The time is infinite while there is no link.
    """
    _limits: dict[int, RateLimit] = field(factory=dict, init=False)
    """The limit of each member who has said something."""
    _listeners: list[trio.MemorySendChannel[Spoken]] = field(factory=list, init=False)

    def say(self, code: AsideCode) -> None:
        """Say an aside to all. Raises Refused if too many were said, or if it comes too early."""
        if not self._is_in_time(code):
            raise Refused("The match is not over yet.")
        if not self._is_within_limit(self.me, code):
            raise Refused("You have just said a lot: one moment.")
        self.pass_on(code)
        self._tell(Spoken(self.me, code))

    def hear(self, player: int, number: int) -> None:
        """Take an aside of a member; ignore it if it is unknown, too early, or over the limit."""
        if number not in AsideCode.__members__.values():
            return
        code = AsideCode(number)
        if not self._is_in_time(code) or not self._is_within_limit(player, code):
            return
        if code is AsideCode.LEAVING:
            if player in self._gone:
                return
            self._gone[player] = math.inf
        self._tell(Spoken(player, code))

    def listen(self) -> trio.MemoryReceiveChannel[Spoken]:
        """Return a channel of all asides that are said from now on."""
        # The channel has no bound, because the limits let few asides through.
        sender, receiver = trio.open_memory_channel[Spoken](math.inf)
        self._listeners.append(sender)
        return receiver

    @property
    def left(self) -> frozenset[int]:
        """Return the members who have said goodbye, and are not back."""
        now = trio.current_time()
        for player, since in tuple(self._gone.items()):
            # Without a link `since` is infinite, so the member stays gone.
            if now - since >= _BACK_SECONDS:
                del self._gone[player]
        return frozenset(self._gone)

    def linked(self, player: int, *, yes: bool) -> None:
        """Note that there is a link to that member now (`yes`), or that there is none any more."""
        if player in self._gone:
            self._gone[player] = trio.current_time() if yes else math.inf

    def _is_in_time(self, code: AsideCode) -> bool:
        return code not in WISHES or self.over()

    def _is_within_limit(self, player: int, code: AsideCode) -> bool:
        if code is AsideCode.LEAVING:
            return True  # `hear` takes only one goodbye until the member is back
        return self._limits.setdefault(player, _limit()).spend()

    def _tell(self, spoken: Spoken) -> None:
        for listener in tuple(self._listeners):
            try:
                listener.send_nowait(spoken)
            except trio.BrokenResourceError:
                self._listeners.remove(listener)  # nobody listens there any more

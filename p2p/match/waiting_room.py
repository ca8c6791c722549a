"""The waiting room: candidates for the seat of a missing player wait at a node of the table.

Anybody may come in while a seat is vacant, a few at a time. Until a proposal gives them the seat,
candidates learn only that they are noted. Then they are shown the record, which they check, and the
proposal, which they sign. When all have signed, they are sent the continuation and the members'
addresses.
"""

from collections.abc import Callable
from contextlib import suppress

import trio
from attrs import define, field

from p2p.match.match_view import MatchView
from p2p.match.places import Places
from p2p.match.shown_record import ShownRecord
from p2p.rate_limit import RateLimit
from p2p.refusals import Reason, Refusal
from p2p.transport.endpoint import Caller, hear, say
from p2p.transport.frames import SlowReader
from p2p.transport.link import Link
from p2p.transport.lobby_messages import Ready, Sit
from p2p.transport.messages import Goodbye, Noted, Talk, pack
from protocol.charter import Member
from protocol.errors import OutOfTurn
from protocol.match.messages import MOST_CANDIDATES, Proposal, Signed
from protocol.names import look_alike

STILL_HERE_SECONDS = 5.0
"""Seconds between two messages to a candidate, so that no link is closed for silence."""


@define(eq=False)
class _Guest:
    """A candidate at this node; `record` shows them the record.

    `known` is true if this node has met them before. Cancelling `scope` ends the link. `told` are
    the proposals that they were sent.
    """

    link: Link
    member: Member
    known: bool
    record: ShownRecord
    scope: trio.CancelScope = field(factory=trio.CancelScope)
    told: set[Proposal] = field(factory=set)
    rate_limit: RateLimit = field(factory=RateLimit)

    @property
    def key(self) -> bytes:
        return self.member.key

    @property
    def address(self) -> str:
        return self.link.address


@define(eq=False)
class WaitingRoom:
    """The candidates who have come to this node.

    `on_talk` is called with a candidate's key and what they say about a proposal; it raises
    Malformed. `on_change` is called when a candidate has come or gone.
    """

    table: MatchView
    on_talk: Callable[[bytes, Talk], bool]
    on_change: Callable[[], None]
    _here: Places[_Guest] = field(factory=lambda: Places(MOST_CANDIDATES), init=False)

    @property
    def members(self) -> tuple[Member, ...]:
        """The candidates, as members that a charter could name."""
        return tuple(guest.member for guest in self._here)

    async def receive(self, caller: Caller, sit: Sit) -> None:
        """Serve a candidate until they have the seat, go, or are sent away."""
        link = caller.link
        member = Member(link.peer, sit.name, sit.commitment)
        known, objection = await trio.to_thread.run_sync(self._look_up, member)
        guest = _Guest(link, member, known, ShownRecord(self.table, link))
        refusal = self._refusal(guest) or objection
        if refusal is not None:
            return await say(link, Goodbye(refusal.reason))
        link.settle()
        await say(link, Noted())  # first of all: it tells a guest that they are a candidate here
        with guest.scope:
            self._here.enter(guest)
            self.on_change()
            try:
                async with trio.open_nursery() as nursery:
                    nursery.start_soon(self._beat, guest)
                    nursery.start_soon(self._listen, guest)
                    await self._accompany(guest)
                    nursery.cancel_scope.cancel()
            finally:
                self._here.leave(guest)
                self.on_change()
        return None

    def close(self) -> None:
        """End the links of all candidates; if the match is over, let them be told so first."""
        if self.table.state.complete:
            self.on_change()
        else:
            self._here.close()

    def _look_up(self, member: Member) -> tuple[bool, Refusal | None]:
        """Return True if this node has met that candidate before, and its objection to them."""
        known_players = self.table.known_players
        known = known_players.knows(member.key)
        return known, known_players.objection(member.key, member.name)

    def _refusal(self, guest: _Guest) -> Refusal | None:
        member, charter = guest.member, self.table.charter
        if charter.player_of(member.key) is not None:
            return (
                Refusal.of(Reason.MATCH_NOT_OVER) if self.table.knows_of_seat(member.key) else None
            )
        if self.table.vacant is None:
            return Refusal.of(Reason.NO_VACANT_SEAT)
        if any(look_alike(member.name, other.name) for other in charter.members):
            return Refusal.of(Reason.NAME_TAKEN)
        if not self._here.has_room(guest):
            return Refusal.of(Reason.ENOUGH_CANDIDATES)
        return None

    async def _beat(self, guest: _Guest) -> None:
        while True:
            await trio.sleep(STILL_HERE_SECONDS)
            with suppress(SlowReader):  # the candidate has enough to read for now
                guest.link.send_nowait(pack(Noted()))

    async def _listen(self, guest: _Guest) -> None:
        while True:
            match await hear(guest.link):
                case Signed() as talk if guest.told:
                    self.on_talk(guest.key, talk)
                case Ready():
                    pass
                case _:
                    raise OutOfTurn("A candidate waits, and signs for nobody else.")
            if not guest.rate_limit.spend():
                raise OutOfTurn("A candidate says too much.")

    async def _accompany(self, guest: _Guest) -> None:
        """Show the candidate what they may see, until they have the seat or no seat is vacant."""
        member, table = guest.member, self.table
        while table.charter.player_of(member.key) is None:
            progress = table.progress
            if table.vacant is None:
                ended = table.state.complete
                reason = Reason.MATCH_ENDED if ended else Reason.SEAT_NOT_VACANT_ANY_MORE
                await say(guest.link, Goodbye(reason))
                return
            invitation = table.invitation_for(member)
            if invitation is not None and invitation not in guest.told:
                await guest.record.show()
                await say(guest.link, invitation)
                guest.told.add(invitation)
            await progress.wait()
        await say(guest.link, table.whereabouts_for(guest.link))
        await guest.record.show()
        await trio.sleep_forever()  # the candidate closes the link

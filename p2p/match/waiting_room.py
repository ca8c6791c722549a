"""The waiting room: candidates for the seat of a missing player wait at a node of the table.

Anybody may come in while a seat is vacant, a few at a time. At first candidates learn only that
they are noted. A candidate to whom a proposal gives the seat is shown the record, which they check,
and the proposal, which they sign. When all have signed, they are sent the continuation and the
members' addresses.
"""

from collections.abc import Callable
from contextlib import suppress

import trio
from attrs import define, field

from p2p.match.shown_record import ShownRecord
from p2p.match.tables import Tables
from p2p.match.visitor_places import STILL_HERE_SECONDS, Places, Visitor
from p2p.rate_limit import RateLimit
from p2p.refusals import Reason, Refusal
from p2p.transport.endpoint import Caller, hear, say
from p2p.transport.frames import SlowReader
from p2p.transport.lobby_messages import Ready, Sit
from p2p.transport.messages import Goodbye, Noted, Talk, pack
from protocol.charter import Member
from protocol.errors import OutOfTurn
from protocol.match.going_on import GoingOn
from protocol.match.messages import MOST_CANDIDATES, Proposal, Signed
from protocol.names import look_alike


@define(eq=False)
class _Candidate(Visitor):
    """A candidate at this node."""

    member: Member = field(kw_only=True)
    told: set[Proposal] = field(factory=set, init=False)
    """The proposals that they were sent."""


@define(eq=False)
class WaitingRoom:
    """The candidates who have come to this node."""

    tables: Tables
    going_on: Callable[[], GoingOn]
    """Returns the ways to go on, worked out from what this node knows now."""
    on_talk: Callable[[bytes, Talk], None]
    """Called with a candidate's key and what they say about a proposal. Raises Malformed."""
    on_change: Callable[[], None]
    """Called when a candidate has come or gone."""
    _here: Places[_Candidate] = field(factory=lambda: Places(MOST_CANDIDATES), init=False)

    @property
    def members(self) -> tuple[Member, ...]:
        """The candidates, as members that a charter could name."""
        return tuple(candidate.member for candidate in self._here)

    async def receive(self, caller: Caller, sit: Sit) -> None:
        """Serve a candidate until they have the seat, go, or are sent away."""
        link = caller.link
        member = Member(link.peer, sit.name, sit.commitment)
        known, objection = await trio.to_thread.run_sync(self._look_up, member)
        record = ShownRecord(self.tables.history, link)
        candidate = _Candidate(link, known, record, RateLimit(), member=member)
        refusal = self._refusal(candidate) or objection
        if refusal is not None:
            return await say(link, Goodbye(refusal.reason))
        link.settle()
        await say(link, Noted())  # the first message: it tells a guest that they are a candidate
        await self._here.serve(candidate, self.on_change, self._accompany, self._beat, self._listen)
        return None

    def close(self) -> None:
        """End the links of all candidates.

        If the match is over, do not end them at once, but call `on_change`: it wakes `_accompany`,
        which first tells each candidate that the match is over.
        """
        if self.tables.history.state.complete:
            self.on_change()
        else:
            self._here.close()

    def _look_up(self, member: Member) -> tuple[bool, Refusal | None]:
        """Return True if this node has met the candidate; and the objection to them, or None."""
        known_players = self.tables.known_players
        known = known_players.knows(member.key)
        return known, known_players.objection(member.key, member.name)

    def _refusal(self, candidate: _Candidate) -> Refusal | None:
        member, charter = candidate.member, self.tables.history.charter
        if charter.player_of(member.key) is not None:
            # Somebody who lost the link before they heard that they have the seat comes in again,
            # to be told.
            knows = self._knows_of_seat(member.key)
            return Refusal.of(Reason.MATCH_NOT_OVER) if knows else None
        if not self.going_on().missing:
            return Refusal.of(Reason.NO_VACANT_SEAT)
        if any(look_alike(member.name, other.name) for other in charter.members):
            return Refusal.of(Reason.NAME_TAKEN)
        if not self._here.has_room(candidate):
            return Refusal.of(Reason.ENOUGH_CANDIDATES)
        return None

    def _knows_of_seat(self, key: bytes) -> bool:
        """Return True if the holder of that key, who has a seat, knows that they have it.

        A player with a seat at an earlier table or at the match's first table knows it. A candidate
        who got their seat by the newest continuation knows it once they have spoken at the new
        table.
        """
        *before, newest = self.tables.history.line()
        old = before or [newest]
        if any(record.state.charter.player_of(key) is not None for record in old):
            return True
        node = self.tables.node
        spoken = () if node is None else filter(node.peers.known.has_spoken, node.peers.others)
        return key in map(newest.state.charter.key_of, spoken)

    async def _beat(self, candidate: _Candidate) -> None:
        while True:
            await trio.sleep(STILL_HERE_SECONDS)
            with suppress(SlowReader):  # the candidate has enough to read for now
                candidate.link.send_nowait(pack(Noted()))

    async def _listen(self, candidate: _Candidate) -> None:
        while True:
            match await hear(candidate.link):
                case Signed() as talk if candidate.told:
                    self.on_talk(candidate.member.key, talk)
                # A guest of a lobby says this every five seconds, and does the same here.
                case Ready():
                    pass
                case _:
                    raise OutOfTurn("A candidate has sent a message that is not for candidates.")
            if not candidate.rate_limit.spend():
                raise OutOfTurn("A candidate sends too many messages.")

    async def _accompany(self, candidate: _Candidate) -> None:
        """Show the candidate what they may see, until they have the seat or no seat is vacant."""
        member, history = candidate.member, self.tables.history
        while history.charter.player_of(member.key) is None:
            progress = self.tables.match.news.next
            going_on = self.going_on()
            if not going_on.missing:
                ended = history.state.complete
                reason = Reason.MATCH_ENDED if ended else Reason.SEAT_NOT_VACANT_ANY_MORE
                await say(candidate.link, Goodbye(reason))
                return
            offered = going_on.proposal
            if (
                offered is not None
                and member in offered.charter.members
                and offered.message not in candidate.told
            ):
                # The record goes first, because the candidate checks the proposal against it.
                await candidate.record.show()
                await say(candidate.link, offered.message)
                candidate.told.add(offered.message)
            await progress.wait()
        # The addresses go first: the candidate hangs up as soon as the record has the continuation.
        if self.tables.node is not None:
            await say(candidate.link, self.tables.node.whereabouts_for(candidate.link))
        await candidate.record.show()
